// SPDX-License-Identifier: Apache-2.0
// Digests: order, text form, sums over ranks.
#include "base/digest.hpp"

#include <array>
#include <catch2/catch_test_macros.hpp>

using namespace lockstep;

namespace {

Digest of(std::int64_t a, std::int64_t b) { return digest_of(std::array{a, b}); }

}  // namespace

TEST_CASE("digest: the hash of the empty record is the published one", "[unit][base]") {
  // XXH3_128bits of no bytes, seed 0 (xxHash 0.8, the reference implementation's own sanity check)
  CHECK(digest_of(std::span<std::byte const>{}).hex() == "99aa06d3014798d86001c324468d497f");
}

TEST_CASE("digest: sums do not depend on order and carry into the high word", "[unit][base]") {
  CHECK(of(1, 2) + of(3, 4) == of(3, 4) + of(1, 2));
  CHECK(of(1, 2) != of(2, 1));
  CHECK(Digest{~0ull, 1} + Digest{1, 1} == Digest{0, 3});
  CHECK(Digest{~0ull, ~0ull} + Digest{1, 0} == Digest{0, 0});
}

TEST_CASE("digest: hexadecimal text is read back; other text is refused", "[unit][base]") {
  auto const d = of(5, 6);
  CHECK(digest_from_hex(d.hex()) == d);
  CHECK(!digest_from_hex("99aa"));
  CHECK(!digest_from_hex("99aa06d3014798d86001c324468d497G"));
}

TEST_CASE("digest: the sum over ranks does not depend on who holds which record", "[unit][base]") {
  Comm const comm;
  int const records = 1000;
  Digest all, mine;
  for (int k = 0; k < records; ++k) {
    all += of(k, -k);
    if (k * 7 % comm.size() == comm.rank()) mine += of(k, -k);
  }
  CHECK(sum(comm, mine) == all);
}
