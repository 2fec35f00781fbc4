// SPDX-License-Identifier: Apache-2.0
// Own elementary functions against long double: the stated bounds hold, the limits are the stated ones.
#include "base/math.hpp"

#include <array>
#include <bit>
#include <catch2/catch_template_test_macros.hpp>
#include <catch2/catch_test_macros.hpp>
#include <cmath>
#include <limits>
#include <random>

#include "base/digest.hpp"

using namespace lockstep;

namespace {

/// Error of `value` in units in the last place of the true result.
template <class T>
double ulps(T value, long double exact) {
  T const rounded = std::abs(T(exact));
  long double const ulp =
      (long double)(std::nextafter(rounded, std::numeric_limits<T>::infinity())) - rounded;
  return double(std::abs((long double)(value)-exact) / ulp);
}

/// Largest error over random arguments, uniform in [low, high].
template <class T, class F, class G>
double worst(T low, T high, F const& own, G const& exact, int n = 300000) {
  std::mt19937_64 random(5);
  std::uniform_real_distribution<T> x_of(low, high);
  double w = 0;
  for (int k = 0; k < n; ++k) {
    T const x = x_of(random);
    w = std::max(w, ulps<T>(own(x), exact((long double)(x))));
  }
  return w;
}

template <class T>
constexpr T low_limit = std::is_same_v<T, float> ? T(-87) : T(-708);
template <class T>
constexpr T high_limit = std::is_same_v<T, float> ? T(88) : T(709);
template <class T>
constexpr T infinity = std::numeric_limits<T>::infinity();

}  // namespace

TEMPLATE_TEST_CASE("math: exp keeps its bound and is cut off outside its range", "[property][base]", float,
                   double) {
  using T = TestType;
  auto const own = [](T x) { return math::exp(x); };
  auto const exact = [](long double x) { return std::exp(x); };
  double const bound = std::is_same_v<T, float> ? 1.1 : 1.0;
  CHECK(worst<T>(low_limit<T>, high_limit<T>, own, exact) <= bound);
  CHECK(worst<T>(T(-1), T(1), own, exact) <= bound);
  CHECK(math::exp(T(0)) == T(1));
  CHECK(math::exp(std::nextafter(low_limit<T>, -infinity<T>)) == T(0));
  CHECK(math::exp(low_limit<T>) > T(0));
  CHECK(math::exp(-infinity<T>) == T(0));
  CHECK(math::exp(std::numeric_limits<T>::lowest()) == T(0));
  CHECK(std::isfinite(math::exp(high_limit<T>)));
  CHECK(math::exp(std::nextafter(high_limit<T>, infinity<T>)) == infinity<T>);
  CHECK(math::exp(infinity<T>) == infinity<T>);
  CHECK(std::isnan(math::exp(std::numeric_limits<T>::quiet_NaN())));
}

TEMPLATE_TEST_CASE("math: log is within 1 ulp, near 1 too", "[property][base]", float, double) {
  using T = TestType;
  auto const own = [](T x) { return math::log(x); };
  auto const exact = [](long double x) { return std::log(x); };
  CHECK(worst<T>(T(0.4), T(2.5), own, exact) <= 1.0);
  CHECK(worst<T>(T(0.999), T(1.001), own, exact) <= 1.0);
  CHECK(worst<T>(T(0), T(1e30), own, exact) <= 1.0);
  CHECK(worst<T>(T(1e-30), T(1e-28), own, exact) <= 1.0);
  CHECK(math::log(T(1)) == T(0));
  CHECK(math::log(T(0)) == -infinity<T>);
  CHECK(std::isnan(math::log(T(-1))));
  CHECK(std::isnan(math::log(infinity<T>)));
  CHECK(std::isnan(math::log(std::numeric_limits<T>::quiet_NaN())));
}

TEMPLATE_TEST_CASE("math: real powers keep their bound over the range of Mie exponents", "[property][base]",
                   float, double) {
  using T = TestType;
  for (T y : {T(0.5), T(6.66), T(12), T(49.3)}) {
    auto const own = [y](T x) { return math::pow(x, y); };
    auto const exact = [y](long double x) { return std::pow(x, (long double)(y)); };
    CHECK(worst<T>(T(0.3), T(3), own, exact) <= 5.0);
  }
  CHECK(math::pow(T(2), T(10)) == T(1024));
  CHECK(math::pow(T(0), T(3)) == T(0));
  CHECK(math::pow(T(1e20), T(30)) == infinity<T>);
  CHECK(math::pow(T(1e-20), T(30)) == T(0));
  CHECK(std::isnan(math::pow(std::numeric_limits<T>::quiet_NaN(), T(2))));
  CHECK(std::isnan(math::pow(T(-1), T(2))));
}

TEMPLATE_TEST_CASE("math: integer powers are within their exponent in ulp", "[property][base]", float,
                   double) {
  using T = TestType;
  for (int n : {1, 2, 3, 6, 12, 13, -1, -7}) {
    auto const own = [n](T x) { return math::pow(x, n); };
    auto const exact = [n](long double x) { return std::pow(x, (long double)(n)); };
    CHECK(worst<T>(T(0.5), T(2), own, exact, 20000) <= std::abs(n));
  }
  CHECK(math::pow(T(3), 0) == T(1));
  CHECK(math::pow(T(-2), 5) == T(-32));
}

TEST_CASE("math: expm1 is within 2 ulp", "[property][base]") {
  auto const own = [](double x) { return math::expm1(x); };
  auto const exact = [](long double x) { return std::expm1(x); };
  CHECK(worst<double>(-1e-6, 1e-6, own, exact) <= 2.0);
  CHECK(worst<double>(-2, 2, own, exact) <= 2.0);
  CHECK(worst<double>(-40, 700, own, exact) <= 2.0);
  CHECK(math::expm1(-800) == -1.0);
  CHECK(math::expm1(0) == 0.0);
  CHECK(math::expm1(710) == infinity<double>);
}

TEST_CASE("math: sine and cosine are within 1 ulp for all |x| < 2^20", "[property][base]") {
  auto const sin = [](double x) { return math::sincos(x).sin; };
  auto const cos = [](double x) { return math::sincos(x).cos; };
  auto const exact_sin = [](long double x) { return std::sin(x); };
  auto const exact_cos = [](long double x) { return std::cos(x); };
  for (double range : {1e-3, 1.0, 10.0, 1048575.0}) {
    CHECK(worst<double>(-range, range, sin, exact_sin) <= 1.0);
    CHECK(worst<double>(-range, range, cos, exact_cos) <= 1.0);
  }
  // the doubles next to multiples of pi/2, where cancellation is worst
  double w = 0;
  for (int q = 1; q < 600000; q += 7) {
    double const x = double(q * 1.57079632679489661923L);
    w = std::max(w, ulps<double>(q % 2 == 0 ? sin(x) : cos(x), q % 2 == 0 ? exact_sin(x) : exact_cos(x)));
  }
  CHECK(w <= 1.0);
}

TEST_CASE("math: sine and cosine of turns are within 1 ulp and exact at quarters", "[property][base]") {
  constexpr long double two_pi = 6.283185307179586476925286766559L;
  auto const sin = [](double u) { return math::sincos_turns(u).sin; };
  auto const cos = [](double u) { return math::sincos_turns(u).cos; };
  // up to a quarter only: beyond, 2 pi u in long double loses more than the bound near the zeros
  CHECK(worst<double>(-0.25, 0.25, sin, [&](long double u) { return std::sin(two_pi * u); }) <= 1.0);
  CHECK(worst<double>(-0.125, 0.125, cos, [&](long double u) { return std::cos(two_pi * u); }) <= 1.0);
  for (int q = -8; q <= 8; ++q) {
    int const expected_sin[] = {0, 1, 0, -1}, expected_cos[] = {1, 0, -1, 0};
    CHECK(sin(0.25 * q) == expected_sin[(q + 8) % 4]);
    CHECK(cos(0.25 * q) == expected_cos[(q + 8) % 4]);
  }
  CHECK(sin(0.375) == -sin(0.625));
  CHECK(sin(1.0 + 0.0625) == sin(0.0625));
}

TEST_CASE("math: erfc is within 5 ulp down to the smallest results", "[property][base]") {
  auto const own = [](double x) { return math::erfc(x); };
  auto const exact = [](long double x) { return std::erfc(x); };
  CHECK(worst<double>(-6, 1, own, exact) <= 5.0);
  CHECK(worst<double>(0, 6, own, exact) <= 5.0);
  CHECK(worst<double>(6, 26, own, exact) <= 5.0);
  CHECK(math::erfc(0.0) == 1.0);
  CHECK(math::erfc(30.0) == 0.0);
  CHECK(math::erfc(infinity<double>) == 0.0);
  CHECK(math::erfc(-infinity<double>) == 2.0);
}

TEST_CASE("math: cbrt is within 1 ulp, odd, and exact for cubes", "[property][base]") {
  auto const own = [](double x) { return math::cbrt(x); };
  auto const exact = [](long double x) { return std::cbrt(x); };
  CHECK(worst<double>(0.1, 8, own, exact) <= 1.0);
  CHECK(worst<double>(-1e300, 1e300, own, exact) <= 1.0);
  CHECK(worst<double>(1e-300, 1e-299, own, exact) <= 1.0);
  for (int k = -100; k <= 100; ++k) CHECK(math::cbrt(double(k) * k * k) == k);
}

namespace {

/// The digest of f at 4096 arguments between low and high, as bits.
template <class T, class F>
std::string fingerprint(T low, T high, F const& f) {
  Digest sum;
  for (std::int64_t k = 0; k < 4096; ++k) {
    double const value = f(low + (high - low) * T(k) / T(4096));  // a float result is exact in double
    sum += digest_of(std::array{k, std::bit_cast<std::int64_t>(value)});
  }
  return sum.hex();
}

}  // namespace

TEST_CASE("math: the same bits on every compiler and processor", "[property][base]") {
  // golden values: printed by this test itself (g++ 12.2, x86-64-v3); a change of any bit of any result shows
  // here
  CHECK(fingerprint(-90.0f, 90.0f, [](float x) { return math::exp(x); }) ==
        "f849c492dc9b78f28c88f188ddaa5eef");
  CHECK(fingerprint(-710.0, 710.0, [](double x) { return math::exp(x); }) ==
        "67f86befb58ded915f37439da1296962");
  CHECK(fingerprint(0.0f, 9.0f, [](float x) { return math::log(x); }) == "f869916edf16295db025e18e5197000e");
  CHECK(fingerprint(0.0, 9.0, [](double x) { return math::log(x); }) == "191e78d4b5ee28989437298136b63259");
  CHECK(fingerprint(0.3f, 3.0f, [](float x) { return math::pow(x, 12.7f); }) ==
        "292892ed73adab13e3c990513613b3d3");
  CHECK(fingerprint(0.3, 3.0, [](double x) { return math::pow(x, 12.7); }) ==
        "d761b7e7ae63fbdb7b6689ae3ba633cb");
  CHECK(fingerprint(-30.0, 30.0, [](double x) { return math::expm1(x); }) ==
        "4b0b3b18e509e574e204b5920365960a");
  CHECK(fingerprint(-1e6, 1e6, [](double x) { return math::sincos(x).sin; }) ==
        "880201e82a04efb09a78085420932a3c");
  CHECK(fingerprint(-3.0, 3.0, [](double u) { return math::sincos_turns(u).cos; }) ==
        "fa91acf4e52c7ce1ac6e0419129677b5");
  CHECK(fingerprint(-6.0, 27.0, [](double x) { return math::erfc(x); }) ==
        "399cee4f05263d3806c807509454001c");
  CHECK(fingerprint(-9.0, 9.0, [](double x) { return math::cbrt(x); }) == "955a764fb2a6db5cf760ceef1b7de38b");
}
