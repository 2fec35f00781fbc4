// SPDX-License-Identifier: Apache-2.0
// Values of the formulas that can be had without them.
#include <catch2/catch_test_macros.hpp>
#include <catch2/matchers/catch_matchers_floating_point.hpp>
#include <cmath>

#include "potentials/pair_list.hpp"

using namespace lockstep;
using Catch::Matchers::WithinAbs;
using Catch::Matchers::WithinRel;

TEST_CASE("Mie: exponents 12 and 6 are Lennard-Jones", "[unit][potentials]") {
  auto const mie = Mie::prepare({1.3, 0.9, 12, 6});
  auto const lj = LennardJones::prepare({1.3, 0.9});
  for (double r : {0.8, 0.9, 1.01, 1.7, 2.4}) {  // pow within 2 ulp, cancelling terms below 20
    CHECK_THAT(Mie::at(r * r, mie).energy, WithinAbs(LennardJones::at(r * r, lj).energy, 1e-13));
    CHECK_THAT(Mie::at(r * r, mie).force_over_r, WithinAbs(LennardJones::at(r * r, lj).force_over_r, 1e-12));
  }
}

TEST_CASE("Mie: the well is epsilon deep where (n/m)^(1/(n-m)) sigma says", "[unit][potentials]") {
  double const n = 17.3, m = 5.5, r = 0.9 * std::pow(n / m, 1 / (n - m));
  auto const term = Mie::at(r * r, Mie::prepare({1.3, 0.9, n, m}));
  CHECK_THAT(term.energy, WithinRel(-1.3, 1e-13));
  CHECK_THAT(term.force_over_r, WithinAbs(0, 1e-12));
}

TEST_CASE("WCA: it is Lennard-Jones raised by epsilon and ends at its own cutoff", "[unit][potentials]") {
  Wca::Coefficients const c{1.3, 0.9};
  CHECK_THAT(Wca::own_cutoff(c), WithinRel(std::pow(2.0, 1.0 / 6) * 0.9, 1e-15));
  double const r = 0.95;
  CHECK_THAT(Wca::at(r * r, Wca::prepare(c)).energy,
             WithinRel(LennardJones::at(r * r, LennardJones::prepare({1.3, 0.9})).energy + 1.3, 1e-14));
  double const end = Wca::own_cutoff(c);
  CHECK_THAT(Wca::at(end * end, Wca::prepare(c)).energy, WithinAbs(0, 1e-15));
}

TEST_CASE("Buckingham: inside its barrier it falls without bound", "[unit][potentials]") {
  auto const p = Buckingham::prepare({2e5, 0.08, 4});
  double top = -1e9, at = 0;
  for (double r = 0.05; r < 1; r += 0.001)
    if (double const u = Buckingham::at(r * r, p).energy; u > top) top = u, at = r;
  CHECK(at > 0.1);
  CHECK(at < 0.7);
  CHECK(Buckingham::at(0.01 * 0.01, p).energy < -1e12);
  CHECK(Buckingham::at(0.01 * 0.01, p).force_over_r < 0);
}

TEST_CASE("Morse: it is -D0 at r0 and finite at contact", "[unit][potentials]") {
  auto const p = Morse::prepare({1.5, 5, 1.1});
  CHECK_THAT(Morse::at(1.1 * 1.1, p).energy, WithinRel(-1.5, 1e-14));
  double const e = std::exp(5 * 1.1);
  CHECK_THAT(Morse::at(1e-20, p).energy, WithinRel(1.5 * e * (e - 2), 1e-8));
}

TEST_CASE("pair.def: every potential has coefficients for tests or a table", "[unit][potentials]") {
  CHECK(std::tuple_size_v<PairPotentials> == EnumNames<PairPotential>::names.size());
  for (std::size_t k = 0; k < EnumNames<PairPotential>::names.size(); ++k) {
    auto const p = PairPotential(k);
    CHECK(coefficient_fields(p).empty() == reads_table(p));
    for (auto const& f : coefficient_fields(p)) CHECK(f.rule.required);
  }
}
