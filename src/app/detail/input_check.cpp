// SPDX-License-Identifier: Apache-2.0
// Checks of system, species, stages, neighbor and output.
#include "app/detail/input_check.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "base/quantity.hpp"
#include "input/suggest.hpp"

namespace lockstep::detail {
namespace {

constexpr std::int64_t most_particles = std::int64_t(1) << 40;
constexpr std::int64_t most_random_particles = std::int64_t(1) << 26;  // placed one after the other
constexpr double share_tolerance = 1e-9;                               // decimals like 0.333333333 shall pass

void check_lattice_size(LatticeOptions const& lattice, Checker& c) {
  std::string const at = "system.lattice.";
  if (lattice.kind == LatticeKind::random) {
    if (!c.given(at + "particles"))
      c.fault(at + "particles", "is missing", "it says how many particles are placed",
              "Add for example `particles = 1000`");
    else if (lattice.particles > most_random_particles)
      c.fault(at + "particles", fmt::format("= {} is too many", lattice.particles),
              fmt::format("random placement goes up to {}", most_random_particles),
              "Use a crystal and let it melt");
    return;
  }
  if (!c.given(at + "cells"))
    return c.fault(at + "cells", "is missing", "it says how many unit cells the box has along each edge",
                   "Add for example `cells = [10, 10, 10]`");
  if (!c.good_inside(at + "cells")) return;
  if (lattice.cells.size() != 3)
    return c.fault(at + "cells", fmt::format("has {} entries", lattice.cells.size()),
                   "it needs one each for x, y and z", "Write for example `cells = [10, 10, 10]`");
  std::int64_t product = 8;  // the largest basis
  for (std::int64_t n : lattice.cells) {
    if (n > most_particles / product)
      return c.fault(
          at + "cells",
          fmt::format("= [{}, {}, {}] is too many", lattice.cells[0], lattice.cells[1], lattice.cells[2]),
          fmt::format("a system has at most {} particles", most_particles), "Use fewer cells");
    product *= n;
  }
}

void check_composition(RunInput const& in, Checker& c) {
  auto const& lattice = in.system.lattice;
  std::string const at = "system.lattice.";
  for (std::size_t k = 0; k < lattice.species.size(); ++k) {
    std::string const& name = lattice.species[k];
    if (species_index(in.species, name) < 0)
      c.fault(at + fmt::format("species.{}", k), fmt::format("= \"{}\" is not a species", name),
              "each species placed needs a mass", species_advice(in.species, name));
    if (std::count(lattice.species.begin(), lattice.species.end(), name) > 1)
      c.fault(at + "species", fmt::format("names \"{}\" more than once", name),
              "its share would be ambiguous", "Name each species once");
  }
  std::size_t const n = lattice.species.empty() ? in.species.size() : lattice.species.size();
  if (lattice.composition.empty()) {
    if (lattice.species.size() > 1)
      c.fault(at + "composition", "is missing", "several species are placed, so each needs its share",
              "Add for example `composition = [0.8, 0.2]`");
    return;
  }
  double sum = 0;
  for (double share : lattice.composition) sum += share;
  if (lattice.composition.size() != n)
    c.fault(at + "composition", fmt::format("has {} shares", lattice.composition.size()),
            fmt::format("there are {} species", n), "Give one share for each");
  else if (sum < 1 - share_tolerance || sum > 1 + share_tolerance)
    c.fault(at + "composition", fmt::format("adds up to {}", sum), "the shares of all species are 1 together",
            "Correct the shares");
}

void check_lattice(RunInput const& in, Checker& c) {
  auto const& lattice = in.system.lattice;
  std::string const at = "system.lattice.";
  bool const number = c.given(at + "density"), mass = c.given(at + "mass_density");
  if (number == mass)
    c.fault(at + (number ? "mass_density" : "density"), number ? "is given beside density" : "is missing",
            "exactly one of density (particles per volume) and mass_density says how large the box is",
            number                       ? "Remove one of them"
            : in.units == UnitSystem::lj ? "Add for example `density = 0.8`"
                                         : "Add for example `mass_density = \"1 g/cm^3\"`");
  check_lattice_size(lattice, c);
  check_composition(in, c);
  if (c.given(at + "filled") && c.good_inside(at + "filled") && lattice.filled.size() != 3)
    c.fault(at + "filled", fmt::format("has {} entries", lattice.filled.size()),
            "it needs one each for x, y and z", "Write for example `filled = [1.0, 1.0, 0.5]`");
  for (std::size_t i = 0; i < in.species.size(); ++i)
    if (in.species[i].mass == 0)
      c.fault(fmt::format("species.{}.mass", i), "is missing", "a lattice has no file that could say it",
              in.units == UnitSystem::lj ? "Add `mass = 1.0`" : "Add for example `mass = \"39.948 amu\"`");
  if (in.species.empty())
    c.fault("species", "is missing", "the lattice needs particles to place",
            in.units == UnitSystem::lj ? "Add [[species]] with `name = \"A\"` and `mass = 1.0`"
                                       : "Add [[species]] with `name = \"Ar\"` and `mass = \"39.948 amu\"`");
}

std::string random_use(RunInput const& in) {
  auto const& lattice = in.system.lattice;
  if (in.system.temperature > 0) return "system.temperature draws velocities";
  if (in.system.has_lattice && lattice.kind == LatticeKind::random) return "system.lattice draws positions";
  if (in.system.has_lattice && !lattice.composition.empty())
    return "system.lattice.composition draws species";
  for (auto const& stage : in.stages) {
    if (stage.method == Method::mc) return "Monte Carlo draws moves";
    if (stage.method == Method::md && stage.integrator != Integrator::nve)
      return "the thermostat draws noise";
  }
  return {};
}

void check_neighbor(RunInput const& in, Checker& c) {
  double cutoff = 0;
  for (auto const& pair : in.pairs) {
    cutoff = std::max(cutoff, pair.cutoff);
    for (auto const& row : pair.coefficients) cutoff = std::max(cutoff, row.cutoff);
  }
  double const skin = in.neighbor.skin, inner = in.neighbor.inner_skin;
  std::string const unit = unit_name(Unit::length, in.units);
  if (cutoff > 0 && skin > 0.25 * cutoff)
    c.fault("neighbor.skin",
            fmt::format("= {} {} is more than a quarter of the cutoff ({} {})", skin, unit, cutoff, unit),
            "the kernels' coordinate window holds no more",
            fmt::format("Set it to at most {} {}, or 0 to have it chosen", 0.25 * cutoff, unit));
  if (cutoff > 0 && inner > 0.25 * cutoff)
    c.fault("neighbor.inner_skin",
            fmt::format("= {} {} is more than a quarter of the cutoff ({} {})", inner, unit, cutoff, unit),
            "the inner list lies within the outer one", "Set it to 0 to have it chosen");
  if (skin > 0 && inner > skin)
    c.fault("neighbor.inner_skin",
            fmt::format("= {} {} is more than the skin ({} {})", inner, unit, skin, unit),
            "the inner list lies within the outer one", fmt::format("Set it to at most {} {}", skin, unit));
}

}  // namespace

bool Checker::good(std::string const& path) const {
  std::string const where = document_.where(path);
  return std::none_of(faults_.begin(), faults_.end(), [&](Diagnostic const& d) { return d.where == where; });
}

bool Checker::good_inside(std::string const& path) const {
  auto const name_of = [](std::string const& where) {
    return where.substr(std::min(where.find(": ") + 2, where.size()));
  };
  std::string const name = name_of(document_.where(path));
  return std::none_of(faults_.begin(), faults_.end(),
                      [&](Diagnostic const& d) { return name_of(d.where).starts_with(name); });
}

void Checker::fault(std::string const& path, std::string problem, std::string why, std::string fix) {
  if (good(path))
    faults_.push_back({document_.where(path), std::move(problem), std::move(why), std::move(fix)});
}

int species_index(std::vector<SpeciesOptions> const& species, std::string const& name) {
  auto const found =
      std::find_if(species.begin(), species.end(), [&](auto const& s) { return s.name == name; });
  return found == species.end() ? -1 : int(found - species.begin());
}

std::string species_advice(std::vector<SpeciesOptions> const& species, std::string const& name) {
  std::vector<std::string> known;
  for (auto const& s : species) known.push_back(s.name);
  return known.empty() ? "Add a [[species]] of that name" : did_you_mean(name, known);
}

void check_system(RunInput const& in, Checker& c) {
  bool const file = c.given("system.file"), lattice = c.given("system.lattice");
  if (file == lattice)
    c.fault(
        file ? "system.lattice" : "system",
        file ? "is given beside system.file" : "has neither file nor lattice",
        "the particles come from exactly one of them",
        file ? "Remove one of them" : "Add `file = \"...\"`, or a lattice such as { kind = \"fcc\", ... }");
  if (file && in.system.file.empty())
    c.fault("system.file", "is empty", "it names the structure file", "Give its name or remove the key");
  if (in.system.has_lattice) check_lattice(in, c);
  if (std::string const use = random_use(in); !use.empty() && !c.given("seed"))
    c.fault("seed", "is missing", fmt::format("{}; a silent default would make independent runs alike", use),
            "Add for example `seed = 2026`");
}

void check_species(RunInput const& in, Checker& c) {
  for (std::size_t i = 0; i < in.species.size(); ++i) {
    auto const& name = in.species[i].name;
    std::string const path = fmt::format("species.{}.name", i);
    int const first = species_index(in.species, name);
    if (name.empty() && c.given(path))
      c.fault(path, "is empty", "pairs and files refer to it", "Give the species a name");
    else if (!name.empty() && first < int(i))
      c.fault(path, fmt::format("= \"{}\" is taken", name),
              fmt::format("species {} has the same name", first + 1), "Give each species its own name");
  }
}

void check_stages(RunInput const& in, Checker& c) {
  for (std::size_t i = 0; i < in.stages.size(); ++i) {
    auto const& stage = in.stages[i];
    std::string const at = fmt::format("stage.{}.", i);
    if (stage.method == Method::md && c.good(at + "method") && !c.given(at + "timestep"))
      c.fault(
          at + "timestep", "is missing", "molecular dynamics needs the length of a step",
          in.units == UnitSystem::lj ? "Add `timestep = 0.005`" : "Add for example `timestep = \"2 fs\"`");
  }
}

void check(RunInput const& in, Document const& document, std::vector<Diagnostic>& faults) {
  Checker c(document, faults);
  check_system(in, c);
  check_species(in, c);
  check_pairs(in, c);
  check_stages(in, c);
  check_neighbor(in, c);
  if (in.output.directory.empty())
    c.fault("output.directory", "is empty", "results need a place",
            "Write for example `directory = \"out\"`");
}

}  // namespace lockstep::detail
