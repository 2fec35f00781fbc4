// SPDX-License-Identifier: Apache-2.0
// Checks of the [[pair]] sections.
#include <fmt/format.h>

#include <algorithm>
#include <optional>
#include <set>
#include <utility>

#include "app/detail/input_check.hpp"
#include "app/detail/input_walk.hpp"
#include "base/quantity.hpp"

namespace lockstep::detail {
namespace {

using SpeciesPair = std::pair<int, int>;

/// The sigma of a row, if its potential has one.
std::optional<double> sigma_of(PairPotential potential, PairCoefficients const& row) {
  std::size_t k = 0;
  for (auto const& field : coefficient_fields(potential)) {
    if (field.name == "sigma" && field.unit == Unit::length) return row.values.at(k);
    ++k;
  }
  return std::nullopt;
}

void check_cutoff(RunInput const& in, PairOptions const& pair, PairCoefficients const& row,
                  std::string const& path, std::string const& row_path, Checker& c) {
  double const cutoff = row.cutoff > 0 ? row.cutoff : pair.cutoff;
  auto const sigma = sigma_of(pair.potential, row);
  std::string const at = row.cutoff > 0 ? row_path + ".cutoff" : path + ".cutoff";
  std::string const unit = unit_name(Unit::length, in.units);
  if (sigma && cutoff > 0 && cutoff <= *sigma && c.good(row_path + ".sigma"))
    c.fault(at, fmt::format("= {} {} is shorter than sigma ({} {})", cutoff, unit, *sigma, unit),
            "the potential would be cut inside its repulsive core",
            fmt::format("Set it to at least {} {}; 2.5 sigma is usual", 1.2 * *sigma, unit));
  if (pair.truncation == Truncation::switch_ && cutoff > 0 && pair.switch_from >= cutoff)
    c.fault(path + ".switch_from",
            fmt::format("= {} {} is not below the cutoff ({} {})", pair.switch_from, unit, cutoff, unit),
            "the potential is switched off between the two",
            fmt::format("Set it to about {} {}", 0.9 * cutoff, unit));
}

void check_section_cutoff(PairOptions const& pair, std::string const& path, Checker& c) {
  auto const own = [](PairCoefficients const& row) { return row.cutoff > 0; };
  bool const brings_its_own = EnumNames<PairPotential>::names[std::size_t(pair.potential)] == "wca";
  if (pair.cutoff == 0 && !brings_its_own &&
      !std::all_of(pair.coefficients.begin(), pair.coefficients.end(), own))
    c.fault(path + ".cutoff",
            c.given(path + ".cutoff") ? "= 0 ends the potential before it begins" : "is missing",
            "without it every particle would interact with every other",
            "Add it; 2.5 sigma is usual for Lennard-Jones");
}

void check_units(PairCoefficients const& row, std::string const& row_path, Checker& c) {
  if (!row.units.empty() && row.units != "internal" && row.units != "real" && row.units != "metal")
    c.fault(row_path + ".units", fmt::format("= \"{}\" is not one of internal, real or metal", row.units),
            "it says what the numbers of the table file mean",
            "Choose one of them, or leave it out if the file says it");
}

void check_row(RunInput const& in, std::size_t i, std::size_t k, std::set<SpeciesPair>& rows, Checker& c) {
  auto const& pair = in.pairs[i];
  auto const& row = pair.coefficients[k];
  std::string const path = fmt::format("pair.{}", i), row_path = fmt::format("pair.{}.coefficients.{}", i, k);
  std::array<int, 2> index{-1, -1};
  for (std::size_t s = 0; s < 2; ++s) {
    std::string const& name = row.species[s];
    index[s] = species_index(in.species, name);
    if (index[s] < 0 && c.given(row_path + ".species") && c.good(row_path + ".species"))
      c.fault(fmt::format("{}.species.{}", row_path, s), fmt::format("= \"{}\" is not a species", name),
              "a pair is made of species of this input", species_advice(in.species, name));
  }
  if (index[0] >= 0 && index[1] >= 0 && !rows.insert(std::minmax(index[0], index[1])).second)
    c.fault(row_path + ".species",
            fmt::format("lists {} and {} a second time", row.species[0], row.species[1]),
            "only one row can be meant", "Remove one of them");
  check_cutoff(in, pair, row, path, row_path, c);
  check_units(row, row_path, c);
}

void check_covered(RunInput const& in, std::set<SpeciesPair> const& covered, Checker& c) {
  std::string missing;
  for (int a = 0; a < int(in.species.size()); ++a)
    for (int b = a; b < int(in.species.size()); ++b)
      if (!covered.contains({a, b}) && missing.size() < 200)
        missing += fmt::format("{}{}-{}", missing.empty() ? "" : ", ", in.species[std::size_t(a)].name,
                               in.species[std::size_t(b)].name);
  std::string const path = fmt::format("pair.{}.coefficients", in.pairs.size() - 1);
  if (!missing.empty() && c.good_inside(path))
    c.fault(path, fmt::format("have no row for {}", missing),
            "particles of a forgotten pair would pass through each other in silence",
            "Add a row (epsilon 0 for none), or `mixing = \"lorentz_berthelot\"` to the section");
}

}  // namespace

void check_pairs(RunInput const& in, Checker& c) {
  if (in.pairs.empty())
    return c.fault("pair", "is missing", "the particles would not feel each other",
                   "Add a [[pair]] section (for an ideal gas lennard_jones with epsilon 0)");
  std::set<SpeciesPair> covered;
  bool mixed = false;
  for (std::size_t i = 0; i < in.pairs.size(); ++i) {
    auto const& pair = in.pairs[i];
    std::string const path = fmt::format("pair.{}", i);
    std::set<SpeciesPair> rows;
    for (std::size_t k = 0; k < pair.coefficients.size(); ++k) check_row(in, i, k, rows, c);
    if (pair.coefficients.empty())
      c.fault(path + ".coefficients", "is missing", "no pair of species would take part",
              "Add `coefficients = [ { species = [\"A\", \"A\"], ... } ]`");
    check_section_cutoff(pair, path, c);
    if (pair.truncation == Truncation::switch_ && !c.given(path + ".switch_from"))
      c.fault(path + ".switch_from", "is missing",
              "truncation = \"switch\" needs the distance where it begins",
              "Add it, for example nine tenths of the cutoff");
    covered.merge(rows);
    mixed = mixed || pair.mixing != Mixing::none;
  }
  if (!mixed) check_covered(in, covered, c);
}

}  // namespace lockstep::detail
