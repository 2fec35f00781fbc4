// SPDX-License-Identifier: Apache-2.0
// The vocabulary of formulas, and the conversions between fixed and floating point.
#include "base/number.hpp"

#include <catch2/catch_template_test_macros.hpp>
#include <catch2/catch_test_macros.hpp>
#include <cmath>
#include <limits>

#include "base/fixed.hpp"

using namespace lockstep;

TEMPLATE_TEST_CASE("number: round goes to the nearest integer, ties to even", "[unit][base]", float, double) {
  using T = TestType;
  CHECK(lockstep::round(T(2.5)) == T(2));
  CHECK(lockstep::round(T(3.5)) == T(4));
  CHECK(lockstep::round(T(-2.5)) == T(-2));
  CHECK(lockstep::round(T(-0.75)) == T(-1));
  T const top = std::is_same_v<T, float> ? T(0x1.fffffp+21) : T(0x1.ffffffffffffp+50);
  CHECK(lockstep::round(top) == std::nearbyint(top));
}

TEMPLATE_TEST_CASE("number: exp2_integer is a power of two over the whole normal range", "[unit][base]",
                   float, double) {
  using T = TestType;
  for (int n = std::numeric_limits<T>::min_exponent - 1; n < std::numeric_limits<T>::max_exponent; ++n)
    CHECK(exp2_integer(T(n)) == std::ldexp(T(1), n));
}

TEMPLATE_TEST_CASE("number: mantissa and exponent give the number back, at the edges of their range too",
                   "[unit][base]", float, double) {
  using T = TestType;
  T const root = std::sqrt(T(0.5));
  T const samples[] = {T(1),
                       T(0.1),
                       T(3),
                       root,
                       std::nextafter(root, T(0)),
                       T(2) * root,
                       std::nextafter(T(2) * root, T(0)),
                       std::numeric_limits<T>::min(),
                       std::numeric_limits<T>::max()};
  for (T x : samples) {
    T const m = mantissa_of(x), e = exponent_of(x);
    CHECK(std::ldexp(m, int(e)) == x);
    CHECK(m >= root);
    CHECK(m < T(2) * root);
  }
}

TEST_CASE("number: min and max give the second argument where one is NaN", "[unit][base]") {
  double const nan = std::numeric_limits<double>::quiet_NaN();
  CHECK(lockstep::min(nan, 1.0) == 1.0);
  CHECK(lockstep::max(nan, 1.0) == 1.0);
  CHECK(lockstep::min(2.0, 1.0) == 1.0);
  CHECK(lockstep::max(2.0, 1.0) == 2.0);
}

TEST_CASE("number: round_i32 goes to the nearest integer, ties to even, up to the int32 range",
          "[unit][base]") {
  CHECK(round_i32(2.5f) == 2);
  CHECK(round_i32(-3.5f) == -4);
  CHECK(round_i32(-3.5) == -4);
  CHECK(round_i32(0x1.fffffep+30f) == 2147483520);
  CHECK(round_i32(-0x1.fffffep+30f) == -2147483520);
}

TEST_CASE("fixed: fixed_to_double is the processor's own conversion", "[unit][base]") {
  std::uint64_t word = 1;
  for (int k = 0; k < 10000; ++k) {
    word = word * 6364136223846793005u + 1442695040888963407u;
    auto const value = static_cast<std::int64_t>(word) >> (k % 64);
    REQUIRE(fixed_to_double(value) == static_cast<double>(value));
  }
  for (std::int64_t v : {std::int64_t(0), std::int64_t(-1), std::numeric_limits<std::int64_t>::min(),
                         std::numeric_limits<std::int64_t>::max()})
    CHECK(fixed_to_double(v) == static_cast<double>(v));
}
