// SPDX-License-Identifier: Apache-2.0
// What a [[pair]] section may not say: each fault with its place, reason and way out.
#include <catch2/catch_test_macros.hpp>
#include <catch2/matchers/catch_matchers_string.hpp>
#include <limits>

#include "base/error.hpp"
#include "potentials/pair_table.hpp"

using namespace lockstep;
using Catch::Matchers::ContainsSubstring;

namespace {

std::vector<std::string> const two{"A", "B"};

PairCoefficients row(std::string a, std::string b, std::vector<double> values = {1, 1}) {
  PairCoefficients c{.species = {a, b}};
  std::copy(values.begin(), values.end(), c.values.begin());
  return c;
}
/// Sound: Lennard-Jones with all rows.
PairOptions sound() {
  PairOptions o;
  o.cutoff = 2.5;
  o.coefficients = {row("A", "A"), row("A", "B"), row("B", "B")};
  return o;
}
std::vector<Diagnostic> faults(PairOptions const& o) {
  try {
    make_pair_table(o, two, 1, Scales{});
  } catch (InputError const& e) { return e.diagnostics(); }
  return {};
}
void check_one(PairOptions const& o, std::string const& where, std::string const& problem,
               std::string const& fix) {
  auto const all = faults(o);
  REQUIRE(all.size() == 1);
  CHECK(all[0].where == where);
  CHECK_THAT(all[0].problem, ContainsSubstring(problem));
  CHECK_THAT(all[0].fix, ContainsSubstring(fix));
  CHECK_FALSE(all[0].why.empty());
}

}  // namespace

TEST_CASE("pair errors: a sound section has none", "[unit][potentials]") { CHECK(faults(sound()).empty()); }

TEST_CASE("pair errors: an unknown species is named with the known ones", "[unit][potentials]") {
  auto o = sound();
  o.coefficients.push_back(row("A", "X"));
  check_one(o, "[[pair]].coefficients[3].species", "\"X\", which is no species", "Use one of: A, B");
}

TEST_CASE("pair errors: a missing pair is named", "[unit][potentials]") {
  auto o = sound();
  o.coefficients.erase(o.coefficients.begin() + 1);
  check_one(o, "[[pair]].coefficients", "no row for the pair A-B", "set `mixing`");
  o.mixing = Mixing::geometric;
  CHECK(faults(o).empty());
  o.coefficients.pop_back();  // B-B: neither it nor A-B can be had
  CHECK(faults(o).size() == 2);
}

TEST_CASE("pair errors: repeated and contradicting rows are told apart", "[unit][potentials]") {
  auto o = sound();
  o.coefficients.push_back(row("B", "A"));
  check_one(o, "[[pair]].coefficients[3]", "lists again the pair B-A", "Remove one");
  o.coefficients.back().values[0] = 2;
  check_one(o, "[[pair]].coefficients[3]", "contradicts an earlier row of the pair B-A", "Remove one");
}

TEST_CASE("pair errors: coefficients out of range are named with their range", "[unit][potentials]") {
  auto o = sound();
  o.coefficients[1].values = {-1, 1};
  check_one(o, "[[pair]].coefficients[1].epsilon", "= -1 is out of range", "at least 0");
  o.coefficients[1].values = {1, 0};
  check_one(o, "[[pair]].coefficients[1].sigma", "= 0 is out of range", "above 0");
  o.coefficients[1].values = {1, std::numeric_limits<double>::infinity()};
  check_one(o, "[[pair]].coefficients[1].sigma", "= inf is out of range", "above 0");
}

TEST_CASE("pair errors: cutoffs must be there, positive and outside the core", "[unit][potentials]") {
  auto o = sound();
  o.coefficients[2].cutoff = 0.9;
  check_one(o, "[[pair]].coefficients[2].cutoff", "= 0.9 is not longer than sigma (1) of B-B",
            "at least 1.2");
  o.coefficients[2].cutoff = -3;
  check_one(o, "[[pair]].coefficients[2].cutoff", "= -3 is out of range", "above 0");
  o = sound();
  o.cutoff = 0;
  CHECK(faults(o).size() == 3);
  CHECK(faults(o)[0].where == "[[pair]].cutoff");
  CHECK_THAT(faults(o)[0].problem, ContainsSubstring("is missing for A-A"));
}

TEST_CASE("pair errors: wca brings its own cutoff and refuses a shorter one", "[unit][potentials]") {
  auto o = sound();
  o.potential = PairPotential::wca;
  o.cutoff = 0;
  CHECK(faults(o).empty());
  o.cutoff = 1.2;
  CHECK(faults(o).empty());
  o.coefficients[0].cutoff = 1.1;
  check_one(o, "[[pair]].coefficients[0].cutoff", "= 1.1 is shorter than the 1.122462048309373",
            "Remove the cutoff");
}

TEST_CASE("pair errors: the switch needs its beginning, below the cutoff, and nobody else does",
          "[unit][potentials]") {
  auto o = sound();
  o.switch_from = 2;
  check_one(o, "[[pair]].switch_from", "truncation = \"cut\"", "Remove switch_from");
  o.truncation = Truncation::switch_;
  CHECK(faults(o).empty());
  o.switch_from = 0;
  check_one(o, "[[pair]].switch_from", "is missing", "0.8 cutoff");
  o.switch_from = 2.4;
  o.coefficients[0].cutoff = 2.2;
  check_one(o, "[[pair]].switch_from", "= 2.4 is not below the cutoff 2.2 of A-A", "below the cutoff");
}

TEST_CASE("pair errors: a tail correction needs a bare potential", "[unit][potentials]") {
  auto o = sound();
  o.tail_correction = true;
  CHECK(faults(o).empty());
  o.truncation = Truncation::shift;
  check_one(o, "[[pair]].tail_correction", "contradicts truncation = \"shift\"", "\"cut\"");
}

TEST_CASE("pair errors: mixing needs epsilon and sigma, and the rest equal", "[unit][potentials]") {
  auto o = sound();
  o.potential = PairPotential::mie;
  o.coefficients = {row("A", "A", {1, 1, 12, 6}), row("B", "B", {1, 1, 14, 6})};
  o.mixing = Mixing::lorentz_berthelot;
  check_one(o, "[[pair]].mixing", "can't mix n 12 of A and 14 of B", "List the pair A-B");
  o.potential = PairPotential::morse;
  auto const all = faults(o);
  REQUIRE(all.size() == 2);  // and A-B is missing
  CHECK_THAT(all[0].problem, ContainsSubstring("does not fit potential = \"morse\""));
}

TEST_CASE("pair errors: Mie exponents must be ordered", "[unit][potentials]") {
  auto o = sound();
  o.potential = PairPotential::mie;
  for (auto& c : o.coefficients) c.values = {1, 1, 12, 6};
  CHECK(faults(o).empty());
  o.coefficients[0].values = {1, 1, 6, 12};
  check_one(o, "[[pair]].coefficients[0]", "n of the repulsion that is not above m", "manual");
}

TEST_CASE("pair errors: tables are for tabulated pairs, and those need one", "[unit][potentials]") {
  auto o = sound();
  o.coefficients[0].file = "x.txt";
  check_one(o, "[[pair]].coefficients[0]", "names a table", "Write potential = \"tabulated\"");
  o = sound();
  o.potential = PairPotential::tabulated;
  auto const all = faults(o);
  REQUIRE(all.size() == 3);
  CHECK_THAT(all[0].problem, ContainsSubstring("has no file"));
  CHECK(reads_table(PairPotential::tabulated));
  CHECK_FALSE(reads_table(PairPotential::morse));
}

TEST_CASE("pair errors: all faults are reported at once, with the place in the file", "[unit][potentials]") {
  auto o = sound();
  o.where = "run.toml:10:1";
  o.tail_correction = true;
  o.truncation = Truncation::force_shift;
  o.coefficients[0].where = "run.toml:14:3";
  o.coefficients[0].values[1] = -1;
  o.coefficients[1] = row("A", "C");
  auto const all = faults(o);
  REQUIRE(all.size() == 4);
  CHECK(all[0].where == "run.toml:10:1: [[pair]].tail_correction");
  CHECK(all[1].where == "run.toml:14:3: [[pair]].coefficients[0].sigma");
  CHECK(all[2].where == "run.toml:10:1: [[pair]].coefficients[1].species");
  CHECK_THAT(all[3].problem, ContainsSubstring("A-B"));
}

TEST_CASE("pair errors: no section has to serve all pairs if together they do", "[unit][potentials]") {
  auto a = sound(), b = sound();
  a.coefficients.resize(1);
  b.coefficients.erase(b.coefficients.begin(), b.coefficients.begin() + 2);
  try {
    make_pair_tables(std::array{a, b}, two, 1, Scales{});
    FAIL("A-B is missing");
  } catch (InputError const& e) {
    REQUIRE(e.diagnostics().size() == 1);
    CHECK_THAT(e.what(), ContainsSubstring("A-B"));
  }
}
