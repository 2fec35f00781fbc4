// SPDX-License-Identifier: Apache-2.0
// Three states with known weights, through the same code as every attempt.
#include <array>
#include <catch2/catch_test_macros.hpp>
#include <cmath>

#include "moves/attempt.hpp"

using namespace lockstep;

namespace {

/// One particle on the places 0, 1, 2 with an energy each.
struct ThreeStates {
  std::array<double, 3> energy;
  std::int64_t place = 0;
  int count() const { return 1; }
  Vec3<std::int64_t> position(int) const { return {place, 0, 0}; }
  bool contains(Vec3<std::int64_t> x) const { return x.x >= 0 && x.x <= 2; }
  double change(int, Trial const& t) const {
    return energy[std::size_t(t.after.x)] - energy[std::size_t(t.before.x)];
  }
  void apply(int, Trial const& t) { place = t.after.x; }
};

/// One place up or down. With a bias, up is proposed with probability 3/4, and log_bias says so.
struct Hop {
  bool biased;
  Trial operator()(Vec3<std::int64_t> x, PhiloxBlock const& draw) const {
    bool const up = Philox::uniform_of(draw.word[0]) < (biased ? 0.75 : 0.5);
    double const bias = biased ? (up ? -std::log(3.0) : std::log(3.0)) : 0.0;
    return {x, {x.x + (up ? 1 : -1), 0, 0}, bias};
  }
};

void check_balance(bool biased) {
  constexpr std::uint32_t n = 1000000;
  double const beta = 0.7;
  ThreeStates system{{0.0, 1.3, -0.6}};
  std::array<std::array<double, 3>, 3> flow{};
  std::array<double, 3> visits{};
  for (std::uint32_t a = 0; a < n; ++a) {
    auto const from = std::size_t(system.place);
    attempt(system, Hop{biased}, beta, {11, 1 + a / 1000, 0, a % 1000});
    flow[from][std::size_t(system.place)] += 1;
    visits[std::size_t(system.place)] += 1;
  }
  double z = 0;
  for (double e : system.energy) z += std::exp(-beta * e);
  for (std::size_t i = 0; i < 3; ++i) {
    double const expected = std::exp(-beta * system.energy[i]) / z;
    // a visit lasts about 4 attempts: standard deviation below sqrt(2 x 4 x 0.25 / 10^6) = 0.0014; 4 of them
    CHECK(std::abs(visits[i] / n - expected) < 0.0057);
    for (std::size_t j = 0; j < i; ++j)  // a path between two ends: flows differ by one at most
      CHECK(std::abs(flow[i][j] - flow[j][i]) <= 1);
  }
  CHECK(flow[0][2] == 0);
}

}  // namespace

TEST_CASE("attempt: a symmetric move keeps the Boltzmann weights of three states", "[property][moves]") {
  check_balance(false);
}

TEST_CASE("attempt: a biased move with its log_bias keeps them too", "[property][moves]") {
  check_balance(true);
}
