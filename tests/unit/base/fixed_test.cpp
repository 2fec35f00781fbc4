// SPDX-License-Identifier: Apache-2.0
#include "base/fixed.hpp"

#include <catch2/catch_test_macros.hpp>
#include <cmath>

using namespace lockstep;

TEST_CASE("fixed: rounding is to nearest even and odd in its argument", "[unit][base]") {
  CHECK(round_to_fixed(2.5) == 2);
  CHECK(round_to_fixed(3.5) == 4);
  CHECK(round_to_fixed(-2.5) == -2);
  for (double v : {0.49999999999999994, 1e9 + 0.5, 12345.678, 2.2e15})
    CHECK(round_to_fixed(-v) == -round_to_fixed(v));
}

TEST_CASE("fixed: the wide rounding is to nearest even up to 2^63", "[unit][base]") {
  for (double v :
       {0.5, 1.5, 2.5, 524288.5, 1572863.5, 0x1p+51 + 0.5, 0x1p+51 + 1.5, 0x1p+52 + 1, 0x1.fffffffffffffp+62})
    for (double sign : {1.0, -1.0}) CHECK(round_to_fixed_wide(sign * v) == round_wide(sign * v));
  double v = 0.3;
  for (int k = 0; k < 2000; ++k, v *= -1.02) CHECK(round_to_fixed_wide(v) == round_wide(v));
}

TEST_CASE("fixed: windows of periodic images differ by the window of the shift", "[unit][base]") {
  std::int64_t const x = 0x123456789abcdef, shift = std::int64_t(77) << 15;
  CHECK(window(x + shift, 15) == wrap_add(window(x, 15), window(shift, 15)));
}

TEST_CASE("fixed: a 128-bit sum becomes the nearest double", "[unit][base]") {
  CHECK(to_double(Int128(-7)) == -7.0);
  CHECK(to_double(Int128(1) << 100) == std::ldexp(1.0, 100));
  CHECK(to_double((Int128(1) << 53) + 1) == 9007199254740992.0);  // tie to even
  CHECK(to_double((Int128(1) << 53) + 3) == 9007199254740996.0);  // tie to even
  CHECK(to_double((Int128(1) << 80) + (Int128(1) << 27) + 1) ==
        std::ldexp(1.0, 80) + std::ldexp(1.0, 28));  // sticky bit
}

TEST_CASE("fixed: doubles beyond 64 bits become their exact integers", "[unit][base]") {
  CHECK(round_int128(2.5) == 2);
  CHECK(round_int128(-3.5) == -4);
  CHECK(round_int128(0x1p+62) == Int128(1) << 62);
  CHECK(round_int128(-0x1.8p+90) == -(Int128(3) << 89));
  double const v = 0x1.23456789abcdep+77;
  CHECK(to_double(round_int128(v)) == v);
}
