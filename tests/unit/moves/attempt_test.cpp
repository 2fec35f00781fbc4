// SPDX-License-Identifier: Apache-2.0
// The acceptance rule, the draws of an attempt, the symmetry of translations.
#include "moves/attempt.hpp"

#include <catch2/catch_test_macros.hpp>
#include <cstdlib>
#include <limits>

#include "moves/translate.hpp"

using namespace lockstep;

namespace {

/// A cell with one particle and an energy change of the test's choice.
struct OneParticle {
  int n = 1;
  double energy = 0;
  bool inside = true;
  int applied = 0, asked = 0;
  int count() const { return n; }
  Vec3<std::int64_t> position(int) const { return {0, 0, 0}; }
  bool contains(Vec3<std::int64_t>) const { return inside; }
  double change(int, Trial const&) {
    ++asked;
    return energy;
  }
  void apply(int, Trial const&) { ++applied; }
};

constexpr double infinity = std::numeric_limits<double>::infinity(),
                 not_a_number = std::numeric_limits<double>::quiet_NaN();

int accepted_of_1000(OneParticle& system, double beta = 1) {
  int sum = 0;
  for (std::uint32_t a = 0; a < 1000; ++a)
    sum += attempt(system, Translate{1000.0}, beta, {7, 1, 2, a}) == Outcome::accepted ? 1 : 0;
  return sum;
}

}  // namespace

TEST_CASE("accept: never for NaN and minus infinity, always from zero on", "[unit][moves]") {
  for (double u : {0x1p-54, 0.5, 1 - 0x1p-53}) {
    CHECK_FALSE(accept(not_a_number, u));
    CHECK_FALSE(accept(-infinity, u));
    CHECK_FALSE(accept(-709.0, u));
    CHECK(accept(0.0, u));
    CHECK(accept(infinity, u));
  }
  CHECK(accept(-0.5, 0.6065));  // exp(-0.5) = 0.60653
  CHECK_FALSE(accept(-0.5, 0.6066));
}

TEST_CASE("attempt: an energy that is infinite or not a number changes nothing", "[unit][moves]") {
  OneParticle system;
  system.energy = infinity;
  CHECK(accepted_of_1000(system) == 0);
  system.energy = not_a_number;
  CHECK(accepted_of_1000(system) == 0);
  CHECK(system.applied == 0);
}

TEST_CASE("attempt: the share accepted is the Boltzmann factor", "[unit][moves]") {
  OneParticle system;
  system.energy = 2;
  int const n = accepted_of_1000(system, 0.5);  // exp(-1) = 0.368, standard deviation of the count 15
  CHECK(n > 307);
  CHECK(n < 429);
  CHECK(system.applied == n);
  system.energy = -1;
  CHECK(accepted_of_1000(system) == 1000);
}

TEST_CASE("attempt: leaving the cell is rejected before any energy", "[unit][moves]") {
  OneParticle system;
  system.inside = false;
  CHECK(accepted_of_1000(system) == 0);
  CHECK(system.asked == 0);
}

TEST_CASE("attempt: an empty cell is a null attempt", "[unit][moves]") {
  OneParticle system;
  system.n = 0;
  CHECK(attempt(system, Translate{1.0}, 1.0, {7, 1, 2, 0}) == Outcome::null);
}

TEST_CASE("attempt draws: each of n particles is picked equally often", "[unit][moves]") {
  constexpr int n = 7, draws = 70000;
  int counts[n] = {};
  for (std::uint32_t a = 0; a < draws; ++a) ++counts[AttemptDraws(3, 1, 5, a).pick(n)];
  double chi2 = 0;
  for (int count : counts) chi2 += (count - draws / n) * (count - draws / n) / double(draws / n);
  CHECK(chi2 < 22.5);  // 6 degrees of freedom: exceeded with probability 0.001; the draws are fixed
}

TEST_CASE("translate: complementary words give opposite steps within the cube", "[unit][moves]") {
  Translate const move{1e12};
  for (std::uint32_t a = 0; a < 1000; ++a) {
    PhiloxBlock block = AttemptDraws(3, 1, 5, a).move(), opposite = block;
    for (auto& word : opposite.word) word = ~word;
    Trial const there = move({5, 6, 7}, block), back = move(there.after, opposite);
    CHECK(back.after == there.before);
    CHECK(there.log_bias == 0);
    for (int d = 0; d < 3; ++d) CHECK(std::abs(there.after[d] - there.before[d]) <= std::int64_t(1e12));
  }
}
