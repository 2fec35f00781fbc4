// SPDX-License-Identifier: Apache-2.0
// Philox against Random123, its counter layout and its ranges.
#include "base/philox.hpp"

#include <Random123/philox.h>

#include <catch2/catch_test_macros.hpp>
#include <catch2/matchers/catch_matchers_floating_point.hpp>
#include <cmath>
#include <stdexcept>

using namespace lockstep;
using Catch::Matchers::WithinAbs;

namespace {

PhiloxBlock random123(PhiloxBlock c, std::uint32_t k0, std::uint32_t k1) {
  r123::Philox4x32::ctr_type const counter{{c.word[0], c.word[1], c.word[2], c.word[3]}};
  r123::Philox4x32::key_type const key{{k0, k1}};
  auto const r = r123::Philox4x32()(counter, key);
  return {{r[0], r[1], r[2], r[3]}};
}

}  // namespace

TEST_CASE("philox: the published known answers", "[unit][base]") {
  // Random123 1.14, tests/kat_vectors, lines "philox4x32 10"
  CHECK(philox_4x32_10({{0, 0, 0, 0}}, 0, 0) ==
        PhiloxBlock{{0x6627e8d5, 0xe169c58d, 0xbc57ac4c, 0x9b00dbd8}});
  std::uint32_t const ones = 0xffffffff;
  CHECK(philox_4x32_10({{ones, ones, ones, ones}}, ones, ones) ==
        PhiloxBlock{{0x408f276d, 0x41c83b0e, 0xa20bc7c6, 0x6d5451fd}});
  CHECK(philox_4x32_10({{0x243f6a88, 0x85a308d3, 0x13198a2e, 0x03707344}}, 0xa4093822, 0x299f31d0) ==
        PhiloxBlock{{0xd16cfe09, 0x94fdcceb, 0x5001e420, 0x24126ea1}});
}

TEST_CASE("philox: equal to Random123 for any counter and key", "[unit][base]") {
  PhiloxBlock c{{1, 2, 3, 4}};
  for (std::uint32_t k = 0; k < 1000; ++k) {
    auto const next = philox_4x32_10(c, k, ~k);
    REQUIRE(next == random123(c, k, ~k));
    c = next;
  }
}

TEST_CASE("philox: the counter holds step, id, stream and draw without overlap", "[unit][base]") {
  std::uint64_t const seed = 0x0123456789abcdef, step = 0xfedcba987654, id = 0x13579bdf2468;
  std::uint32_t const draw = 0xabcde;
  Philox const philox(seed, Stream::test, step, id);
  PhiloxBlock const counter{{0xba987654, 0x2468fedc, 0x13579bdf, 0xfffabcde}};
  CHECK(philox.block(draw) == random123(counter, 0x89abcdef, 0x01234567));
  CHECK(Philox::block_unchecked(seed, Stream::test, step, id, draw) == philox.block(draw));
}

TEST_CASE("philox: step, id and draw beyond their bits are refused", "[unit][base]") {
  CHECK_THROWS_AS(Philox(1, Stream::test, Philox::step_limit, 0), std::logic_error);
  CHECK_THROWS_AS(Philox(1, Stream::test, 0, Philox::id_limit), std::logic_error);
  CHECK_THROWS_AS(Philox(1, Stream::test, 0, 0).block(Philox::draw_limit), std::logic_error);
  CHECK_NOTHROW(
      Philox(1, Stream::test, Philox::step_limit - 1, Philox::id_limit - 1).block(Philox::draw_limit - 1));
}

TEST_CASE("philox: uniforms are never 0 or 1", "[unit][base]") {
  CHECK(Philox::uniform_of(0) == std::ldexp(1.0, -33));
  CHECK(Philox::uniform_of(0xffffffff) < 1.0);
  CHECK(Philox::uniform53_of(0, 0) == std::ldexp(1.0, -54));
  CHECK(Philox::uniform53_of(0xffffffff, 0xffffffff) == 1.0 - std::ldexp(1.0, -53));
}

TEST_CASE("philox: gaussians have the moments of the normal distribution", "[unit][base]") {
  int const pairs = 100000;
  double m1 = 0, m2 = 0, m3 = 0, m4 = 0, cross = 0;
  for (int k = 0; k < pairs; ++k) {
    auto const g = Philox(7, Stream::test, 3, std::uint64_t(k)).gaussian_pair(0);
    for (double x : {g.first, g.second}) {
      m1 += x;
      m2 += x * x;
      m3 += x * x * x;
      m4 += x * x * x * x;
    }
    cross += g.first * g.second;
  }
  double const n = 2.0 * pairs, error = 1 / std::sqrt(n);  // bounds: 5 standard errors of each moment
  CHECK_THAT(m1 / n, WithinAbs(0, 5 * error));
  CHECK_THAT(m2 / n, WithinAbs(1, 5 * std::sqrt(2.0) * error));
  CHECK_THAT(m3 / n, WithinAbs(0, 5 * std::sqrt(15.0) * error));
  CHECK_THAT(m4 / n, WithinAbs(3, 5 * std::sqrt(96.0) * error));
  CHECK_THAT(cross / pairs, WithinAbs(0, 5 / std::sqrt(double(pairs))));
}
