// SPDX-License-Identifier: Apache-2.0
#include "base/quantity.hpp"

#include <catch2/catch_test_macros.hpp>
#include <charconv>
#include <string>

using namespace lockstep;

namespace {

double internal(std::string_view text, Unit unit) {
  auto const parsed = parse_quantity(text, unit);
  INFO(text << ": " << parsed.problem);
  REQUIRE(parsed.value.has_value());
  return *parsed.value;
}

bool says(std::string_view text, Unit unit, std::string_view part) {
  auto const parsed = parse_quantity(text, unit);
  INFO(text << ": " << parsed.problem);
  return !parsed.value && parsed.problem.find(part) != std::string::npos;
}

}  // namespace

// Expected values are the exact decimals of the SI of 2019, rounded by the compiler once.
TEST_CASE("quantity: every unit converts by its exact decimal factor, rounded once", "[unit][base]") {
  CHECK(internal("2 fs", Unit::time) == 0.002);
  CHECK(internal("0.1 fs", Unit::time) == 0.0001);
  CHECK(internal("3 ns", Unit::time) == 3000.0);
  CHECK(internal("3.405 angstrom", Unit::length) == 0.3405);
  CHECK(internal("3.405 A", Unit::length) == 0.3405);
  CHECK(internal("3.405 \u00c5", Unit::length) == 0.3405);
  CHECK(internal("340.5 pm", Unit::length) == 0.3405);
  CHECK(internal("300 K", Unit::temperature) == 300.0);
  CHECK(internal("39.948 g/mol", Unit::mass) == 39.948);
  CHECK(internal("39.948 amu", Unit::mass) == 39.948);
  CHECK(internal("0.5 kcal/mol", Unit::energy) == 2.092);
  CHECK(internal("0.1 kcal/mol", Unit::energy) == 0.4184);
  CHECK(internal("1 eV", Unit::energy) == 96.4853321233100184);
  CHECK(internal("119.8 kB*K", Unit::energy) == 0.996072621654758152);  // 119.8 x 0.00831446261815324
  CHECK(internal("1 kB K", Unit::energy) == boltzmann_kj_per_mol_kelvin);
  CHECK(internal("10 bar", Unit::pressure) == 0.602214076);
  CHECK(internal("1 atm", Unit::pressure) == 0.0610193412507);
  CHECK(internal("1 MPa", Unit::pressure) == 0.602214076);
  CHECK(internal("1 g/cm^3", Unit::mass_density) == 602.214076);
  CHECK(internal("1000 kg/m^3", Unit::mass_density) == 602.214076);
  CHECK(internal("1 mol/L", Unit::number_density) == 0.602214076);
  CHECK(internal("0.02 1/angstrom^3", Unit::number_density) == 20.0);
  CHECK(internal("1 pN", Unit::force) == 0.602214076);
  CHECK(internal("1 kcal/mol/angstrom", Unit::force) == 41.84);
  CHECK(internal("100 m/s", Unit::velocity) == 0.1);
  CHECK(internal("180 deg", Unit::angle) == 3.14159265358979323846);
  CHECK(internal("10 min", Unit::wall_time) == 600.0);
  CHECK(internal("1.5 h", Unit::wall_time) == 5400.0);
}

TEST_CASE("quantity: compound units, signs and spellings", "[unit][base]") {
  CHECK(internal("1/ps", Unit::inverse_time) == 1.0);
  CHECK(internal("0.5 1/ps", Unit::inverse_time) == 0.5);
  CHECK(internal("0.5/fs", Unit::inverse_time) == 500.0);
  CHECK(internal("5 ps^-1", Unit::inverse_time) == 5.0);
  CHECK(internal("1 kcal/(mol*angstrom)", Unit::force) == 41.84);
  CHECK(internal("1 kcal mol^-1 angstrom^-1", Unit::force) == 41.84);
  CHECK(internal("1 amu*nm^2/ps^2", Unit::energy) == 1.0);
  CHECK(internal("-1.5e2nm", Unit::length) == -150.0);
  CHECK(internal("2 e", Unit::charge) == 2.0);
  CHECK(internal("2e", Unit::charge) == 2.0);
  CHECK(internal("2e1 e", Unit::charge) == 20.0);
  CHECK(internal("1_000 nm", Unit::length) == 1000.0);
  CHECK(internal(".5 nm", Unit::length) == 0.5);
  CHECK(internal("0 nm", Unit::length) == 0.0);
  CHECK(internal("1e-400 nm", Unit::length) == 0.0);
}

TEST_CASE("quantity: faulty text is refused with its reason", "[unit][base]") {
  CHECK(says("2 foo", Unit::time, "'foo' is not a unit Lockstep knows"));
  CHECK(says("2 nm", Unit::time, "'nm' is not a unit of this quantity"));
  CHECK(says("2", Unit::time, "it has no unit"));
  CHECK(says("", Unit::time, "does not begin with a number"));
  CHECK(says("ps", Unit::time, "does not begin with a number"));
  CHECK(says("_1 ps", Unit::time, "does not begin with a number"));
  CHECK(says("2 ps^", Unit::time, "power after '^'"));
  CHECK(says("2 ps^99", Unit::time, "power after '^'"));
  CHECK(says("2 (ps", Unit::time, "a ')' is missing"));
  CHECK(says("2 ps)", Unit::time, "left over"));
  CHECK(says("2 ps//fs", Unit::time, "a unit is missing"));
  CHECK(says("1e999 ps", Unit::time, "too large"));
  CHECK(says("2 ((((((((((ps))))))))))", Unit::time, "too many parentheses"));
  CHECK(says(std::string(1000, '1') + " ps", Unit::time, "too long"));
  CHECK(says("300 K", Unit::wall_time, "not a unit of this quantity"));
}

TEST_CASE("quantity: text of a double reads back to the same bits", "[unit][base]") {
  for (double v : {0.1, 1.0, 1e20, 1e300, 0.996072621654758152, -2.5e-7, 123456789.123}) {
    std::string const text = exact_text(v);
    CHECK(text.find_first_of(".e") != std::string::npos);
    CHECK(internal(text + " nm", Unit::length) == v);
    CHECK(internal(text + " " + unit_name(Unit::pressure, UnitSystem::physical), Unit::pressure) == v);
  }
}

TEST_CASE("quantity: unit names are units that can be read", "[unit][base]") {
  CHECK(unit_name(Unit::pressure, UnitSystem::physical) == "kJ/mol/nm^3");
  CHECK(unit_name(Unit::pressure, UnitSystem::lj) == "epsilon/sigma^3");
  CHECK(unit_name(Unit::number_density, UnitSystem::physical) == "1/nm^3");
  CHECK(unit_name(Unit::none, UnitSystem::physical).empty());
  for (Unit u : {Unit::energy,         Unit::length,       Unit::time,         Unit::mass,
                 Unit::temperature,    Unit::charge,       Unit::angle,        Unit::force,
                 Unit::pressure,       Unit::velocity,     Unit::inverse_time, Unit::inverse_length,
                 Unit::number_density, Unit::mass_density, Unit::area,         Unit::volume,
                 Unit::wall_time,      Unit{-1},           Unit{2, 0, -1},     Unit{1, 6}})
    CHECK(internal("1 " + unit_name(u, UnitSystem::physical), u) == 1.0);
}
