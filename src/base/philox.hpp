// SPDX-License-Identifier: Apache-2.0
// Random numbers as a function of (seed, stream, step, id, draw): nothing to store, nothing to hand out.
#pragma once

#include <cstdint>
#include <utility>

#include "base/debug.hpp"
#include "base/fixed.hpp"
#include "base/function.hpp"
#include "base/math.hpp"
#include "base/streams.hpp"

namespace lockstep {

struct PhiloxBlock {
  std::uint32_t word[4];
  friend constexpr bool operator==(PhiloxBlock const&, PhiloxBlock const&) = default;
};

namespace detail {

LOCKSTEP_FUNCTION constexpr PhiloxBlock philox_round(PhiloxBlock c, std::uint32_t key0, std::uint32_t key1) {
  std::uint64_t const p0 = std::uint64_t(0xD2511F53u) * c.word[0];
  std::uint64_t const p1 = std::uint64_t(0xCD9E8D57u) * c.word[2];
  return {{std::uint32_t(p1 >> 32) ^ c.word[1] ^ key0, std::uint32_t(p1),
           std::uint32_t(p0 >> 32) ^ c.word[3] ^ key1, std::uint32_t(p0)}};
}

/// Written out, not as a loop: loops over particles vectorise only so.
template <std::uint32_t... round>
LOCKSTEP_FUNCTION constexpr PhiloxBlock philox_rounds(PhiloxBlock c, std::uint32_t key0, std::uint32_t key1,
                                                      std::integer_sequence<std::uint32_t, round...>) {
  ((c = philox_round(c, key0 + round * 0x9E3779B9u, key1 + round * 0xBB67AE85u)), ...);
  return c;
}

}  // namespace detail

/// Ten rounds of Philox-4x32. @source doi:10.1145/2063384.2063405
LOCKSTEP_FUNCTION constexpr PhiloxBlock philox_4x32_10(PhiloxBlock counter, std::uint32_t key0,
                                                       std::uint32_t key1) {
  return detail::philox_rounds(counter, key0, key1, std::make_integer_sequence<std::uint32_t, 10>());
}

struct GaussianPair {
  double first, second;
};

/// The random numbers of one purpose, step (or sweep) and particle (or cell). Draw numbers are fixed per
/// purpose: a number behind a branch, or in the n-th attempt of a rejection loop, has a draw number of its
/// own.
class Philox {
 public:
  static constexpr std::uint64_t step_limit = std::uint64_t(1) << 48, id_limit = std::uint64_t(1) << 48;
  static constexpr std::uint32_t stream_limit = 1u << 12, draw_limit = 1u << 20;

  /// Key: the seed. Counter: step:48 | id:48 | stream:12 | draw:20. @throws std::logic_error outside these
  /// ranges
  LOCKSTEP_FUNCTION Philox(std::uint64_t seed, Stream stream, std::uint64_t step, std::uint64_t id)
      : key0_(std::uint32_t(seed)),
        key1_(std::uint32_t(seed >> 32)),
        step_(step),
        id_(id),
        stream_(unsigned(stream)) {
    LOCKSTEP_EXPECT(step < step_limit);
    LOCKSTEP_EXPECT(id < id_limit);
    LOCKSTEP_EXPECT(stream_ < stream_limit);
  }

  /// Four random words.
  LOCKSTEP_FUNCTION PhiloxBlock block(std::uint32_t draw) const {
    LOCKSTEP_EXPECT(draw < draw_limit);
    return philox_4x32_10(counter(step_, id_, stream_, draw), key0_, key1_);
  }
  /// block(draw) for loops that must vectorise: the caller has checked step, id and draw.
  LOCKSTEP_FUNCTION static constexpr PhiloxBlock block_unchecked(std::uint64_t seed, Stream stream,
                                                                 std::uint64_t step, std::uint64_t id,
                                                                 std::uint32_t draw) {
    return philox_4x32_10(counter(step, id, std::uint32_t(stream), draw), std::uint32_t(seed),
                          std::uint32_t(seed >> 32));
  }
  /// (u32 + 0.5) 2^-32: in (0, 1).
  LOCKSTEP_FUNCTION double uniform(std::uint32_t draw) const { return uniform_of(block(draw).word[0]); }
  /// 53 random bits, (u53 + 0.5) 2^-53 rounded to double, at most 1 - 2^-53: in (0, 1).
  LOCKSTEP_FUNCTION double uniform53(std::uint32_t draw) const {
    auto const b = block(draw);
    return uniform53_of(b.word[0], b.word[1]);
  }
  /// Two independent normal deviates, mean 0, variance 1 (Box-Muller; at most 8.7 in magnitude).
  LOCKSTEP_FUNCTION GaussianPair gaussian_pair(std::uint32_t draw) const {
    return gaussian_pair_of(block(draw));
  }

  LOCKSTEP_FUNCTION static constexpr double uniform_of(std::uint32_t word) {
    return (double(word) + 0.5) * 0x1p-32;
  }
  LOCKSTEP_FUNCTION static constexpr double uniform53_of(std::uint32_t high, std::uint32_t low) {
    auto const bits = (std::uint64_t(high) << 21) | (low >> 11);
    return min((fixed_to_double(std::int64_t(bits)) + 0.5) * 0x1p-53, 1.0 - 0x1p-53);
  }
  LOCKSTEP_FUNCTION static GaussianPair gaussian_pair_of(PhiloxBlock const& b) {
    double const radius = sqrt(-2.0 * math::log(uniform53_of(b.word[0], b.word[1])));
    auto const [sin, cos] = math::sincos_turns(uniform53_of(b.word[2], b.word[3]));
    return {radius * cos, radius * sin};
  }

 private:
  LOCKSTEP_FUNCTION static constexpr PhiloxBlock counter(std::uint64_t step, std::uint64_t id,
                                                         std::uint32_t stream, std::uint32_t draw) {
    return {{std::uint32_t(step), std::uint32_t(step >> 32) | std::uint32_t(id << 16),
             std::uint32_t(id >> 16), (stream << 20) | draw}};
  }

  std::uint32_t key0_, key1_;
  std::uint64_t step_, id_;
  std::uint32_t stream_;
};

}  // namespace lockstep
