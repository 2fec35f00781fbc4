// SPDX-License-Identifier: Apache-2.0
#include "app/detail/force_blame.hpp"

#include <algorithm>
#include <catch2/catch_test_macros.hpp>
#include <catch2/matchers/catch_matchers_string.hpp>

#include "base/philox.hpp"

using namespace lockstep;
using namespace lockstep::detail;
using Catch::Matchers::ContainsSubstring;

namespace {

/// A and B feel pair 1; pair 2 is between A and B only; pair 3 between B and B only.
std::string const input = R"(units = "lj"
[system]
lattice = { kind = "sc", density = 1, cells = [5, 5, 5] }
[[species]]
name = "A"
mass = 1
[[species]]
name = "B"
mass = 2
[[pair]]
potential = "lennard_jones"
cutoff = 2.5
mixing = "geometric"
coefficients = [
  { species = ["A", "A"], epsilon = 1, sigma = 0.8 },
  { species = ["B", "B"], epsilon = 0.5, sigma = 0.7 },
]
[[pair]]
potential = "morse"
cutoff = 2
coefficients = [ { species = ["A", "B"], D0 = 0.3, alpha = 3, r0 = 1.2 } ]
[[pair]]
potential = "lennard_jones"
cutoff = 2
coefficients = [ { species = ["B", "B"], epsilon = 0.2, sigma = 0.9 } ]
)";

/// 125 particles near the points of a lattice, ids from 10 in steps of 10, every third one B.
struct System {
  ForceField field{parse_run_input(input, "run.toml", {}), Scales{}};
  Places places;
  std::vector<TermForces> terms;
  Forces residual;

  System() {
    places.box = make_box({5, 5, 5}, 0, 0, 0, 15);
    for (int k = 0; k < 125; ++k) {
      auto const random = Philox(3, Stream::composition, 0, std::uint64_t(k)).block(0);
      places.ids.push_back(10 + 10 * k);
      places.species.push_back(k % 3 == 0 ? 1 : 0);
      Vec3<std::int64_t> x{k % 5, k / 5 % 5, k / 25};
      for (int d = 0; d < 3; ++d)
        x[d] = (x[d] << position_bits) + std::int64_t(double(random.word[d]) * 0x1p-35 / position_unit);
      places.x.push_back(x);
    }
    terms = term_forces(field, places, KernelWidth::portable);
    residual.resize(125);
  }
  std::string said() const {
    std::string text;
    for (auto const& sentence : blame(field, places, terms, residual)) text += sentence + "\n";
    return text;
  }
};

Vec3<std::int64_t> times(std::int64_t s, Vec3<std::int64_t> f) { return s * f; }

}  // namespace

TEST_CASE("force blame: the terms of one frame add up to the forces of all of them", "[unit][app]") {
  System s;
  for (auto const& term : s.terms) CHECK(!rows_with_force(term.forces).empty());
  ForceField all = s.field;
  Forces const sum = sum_of(s.terms, 125);
  for (KernelWidth width : {KernelWidth::portable, KernelWidth::automatic})
    CHECK(sum_of(term_forces(all, s.places, width), 125) == sum);
  Vec3<std::int64_t> total;
  for (auto const& f : sum) total = total + f;
  CHECK(total == Vec3<std::int64_t>{});  // Newton's third law, in integers
}

TEST_CASE("force blame: a missing and a doubled term are named", "[unit][app]") {
  System s;
  for (std::size_t i = 0; i < 125; ++i) s.residual[i] = times(-1, s.terms[1].forces[i]);
  CHECK_THAT(s.said(), ContainsSubstring("lack exactly pair 2 (morse)"));
  for (std::size_t i = 0; i < 125; ++i) s.residual[i] = s.terms[2].forces[i];
  CHECK_THAT(s.said(), ContainsSubstring("hold twice exactly pair 3 (lennard_jones)"));
  CHECK_THAT(s.said(), !ContainsSubstring("add up to zero"));
}

TEST_CASE("force blame: a term of another strength is named with its factor", "[unit][app]") {
  System s;
  for (std::size_t i = 0; i < 125; ++i)
    for (int d = 0; d < 3; ++d)
      s.residual[i][d] = round_wide(0.05 * double(s.terms[1].forces[i][d])) + std::int64_t(i % 3) - 1;
  CHECK_THAT(s.said(), ContainsSubstring("pair 2 (morse) times 1.05"));
}

TEST_CASE("force blame: one pair of particles is found, in a term or in all", "[unit][app]") {
  System s;
  Places const two{0, s.places.box, {40, 50}, {1, 0}, {s.places.x[3], s.places.x[4]}};  // B and A, neighbors
  auto const alone = term_forces(s.field, two, KernelWidth::portable);
  auto const change = [&](std::int64_t sign, Vec3<std::int64_t> f) {
    s.residual.assign(125, {});
    s.residual[3] = times(sign, f);
    s.residual[4] = times(-sign, f);
  };
  change(-1, alone[1].forces[0]);
  CHECK_THAT(s.said(), ContainsSubstring("lack the pair of particles 40 and 50 in pair 2 (morse)"));
  change(1, alone[0].forces[0]);
  CHECK_THAT(s.said(), ContainsSubstring("count the pair of particles 40 and 50 twice in pair 1"));
  change(-1, alone[0].forces[0] + alone[1].forces[0]);
  CHECK_THAT(s.said(), ContainsSubstring("lack the pair of particles 40 and 50 in all terms") &&
                           ContainsSubstring("pair lists"));
}

TEST_CASE("force blame: what cannot be told is said so, with the terms that act", "[unit][app]") {
  System s;
  s.residual[1] = {7, 0, 0};  // an A
  CHECK_THAT(s.said(), ContainsSubstring("cannot be told") &&
                           ContainsSubstring("pair 1 (lennard_jones) or pair 2 (morse)") &&
                           !ContainsSubstring("pair 3") && ContainsSubstring("do not add up to zero"));
}

TEST_CASE("force blame: the only term, or the only one that acts, is named", "[unit][app]") {
  System s;
  std::string text = input;
  text.replace(text.find("cutoff = 2.5"), 12, "cutoff = 2.0");
  text.replace(text.find("mixing = \"geometric\""), 20, "");
  text.replace(text.find("epsilon = 1,"), 12, "epsilon = 0,");
  s.field = ForceField(parse_run_input(text, "run.toml", {}), Scales{});
  s.terms = term_forces(s.field, s.places, KernelWidth::portable);
  s.residual[1] = {7, 0, 0};
  CHECK_THAT(s.said(), ContainsSubstring("is pair 2 (morse), the only one that acts on particle 20"));
  s.field.terms.erase(s.field.terms.begin() + 1, s.field.terms.end());
  s.terms.resize(1);
  CHECK_THAT(s.said(), ContainsSubstring("no single term acts on particle 20"));
  s.residual[1] = {};
  s.residual[3] = {7, 0, 0};
  CHECK_THAT(s.said(), ContainsSubstring("the term is pair 1 (lennard_jones), the only one"));
}

TEST_CASE("force blame: overlapping particles are told by their id", "[unit][app]") {
  System s;
  s.places.step = 12;
  s.places.x[7] = s.places.x[6];
  CHECK_THROWS_WITH(term_forces(s.field, s.places, KernelWidth::portable),
                    ContainsSubstring("step 12, particle 70") && ContainsSubstring("too near"));
}
