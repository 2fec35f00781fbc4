// SPDX-License-Identifier: Apache-2.0
// Sums that do not depend on order or ranks.
#include "base/exact_sum.hpp"

#include <algorithm>
#include <bit>
#include <catch2/catch_test_macros.hpp>
#include <catch2/matchers/catch_matchers_floating_point.hpp>
#include <cmath>
#include <limits>
#include <random>

using namespace lockstep;

namespace {

/// Values over forty decades, both signs, the same on every rank.
std::vector<double> values(int n) {
  std::mt19937_64 random(11);
  std::uniform_real_distribution<double> mantissa(-1, 1), exponent(-20, 20);
  std::vector<double> v(std::size_t(n), 0.0);
  for (double& x : v) x = mantissa(random) * std::pow(10.0, exponent(random));
  return v;
}

/// This rank's share of the values: a random one, chosen by the seed.
std::vector<double> share(std::vector<double> const& all, Comm const& comm, unsigned seed) {
  std::mt19937_64 random(seed);
  std::vector<double> mine;
  for (double x : all)
    if (int(random() % std::uint64_t(comm.size())) == comm.rank()) mine.push_back(x);
  return mine;
}

std::uint64_t bits(double x) { return std::bit_cast<std::uint64_t>(x); }

}  // namespace

TEST_CASE("exact_sum: any order and any split over ranks gives the same bits", "[property][base]") {
  Comm const comm;
  auto all = values(10001);
  double const whole = exact_sum(comm, comm.root() ? all : std::vector<double>{});
  for (unsigned seed = 1; seed <= 5; ++seed) {
    CHECK(bits(exact_sum(comm, share(all, comm, seed))) == bits(whole));
    std::shuffle(all.begin(), all.end(), std::mt19937_64(seed));
  }
  std::sort(all.begin(), all.end());
  CHECK(bits(exact_sum(comm, share(all, comm, 9))) == bits(whole));
}

TEST_CASE("exact_sum: as near to the true sum as one rounding", "[property][base]") {
  Comm const comm;
  auto const all = values(10000);
  long double reference = 0;  // 64 bits of mantissa; sorted by magnitude, its error is far below a double's
  auto sorted = all;
  std::sort(sorted.begin(), sorted.end(), [](double a, double b) { return std::abs(a) < std::abs(b); });
  for (double x : sorted) reference += x;
  CHECK_THAT(exact_sum(comm, comm.root() ? all : std::vector<double>{}),
             Catch::Matchers::WithinRel(double(reference), 1e-15));
}

TEST_CASE("exact_sum: cancellation, zeros, denormals and the largest numbers", "[property][base]") {
  Comm const comm;
  auto const sum = [&](std::vector<double> v) {
    return exact_sum(comm, comm.root() ? v : std::vector<double>{});
  };
  CHECK(sum({}) == 0.0);
  CHECK(sum({0.0, -0.0}) == 0.0);
  CHECK(sum({1e16, 1.0, -1e16}) == 1.0);
  CHECK(sum({0x1p+40, 0x1p-40, -0x1p+40}) == 0x1p-40);
  CHECK(sum({0x1p-1074, 0x1p-1074, -0x1p-1073, 0x1p-1074}) == 0x1p-1074);
  CHECK(sum({0x1p+1023, 0x1p+1023, -0x1p+1023}) == 0x1p+1023);
  CHECK(std::isinf(sum({0x1p+1023, 0x1p+1023})));
}

TEST_CASE("exact_sum: a NaN or infinity anywhere is NaN on all ranks", "[property][base]") {
  Comm const comm;
  double const bad[] = {std::numeric_limits<double>::quiet_NaN(), std::numeric_limits<double>::infinity()};
  for (double b : bad) {
    std::vector<double> v{1.0, 2.0};
    if (comm.rank() == comm.size() - 1) v.push_back(b);
    CHECK(std::isnan(exact_sum(comm, v)));
  }
}

TEST_CASE("exact_sums: columns have their own exponents", "[property][base]") {
  Comm const comm;
  std::vector<double> const v =
      comm.root() ? std::vector{1e300, 1e-300, 1e300, 2e-300} : std::vector<double>{};
  auto const sums = exact_sums(comm, v, 2);
  CHECK(sums[0] == 2e300);
  CHECK_THAT(sums[1], Catch::Matchers::WithinRel(3e-300, 1e-15));
}
