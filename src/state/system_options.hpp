// SPDX-License-Identifier: Apache-2.0
// The [system] and [[species]] sections of the input.
#pragma once

#include <array>
#include <cstdint>
#include <string>
#include <string_view>
#include <tuple>
#include <vector>

#include "base/field.hpp"

namespace lockstep {

enum class LatticeKind { sc, bcc, fcc, diamond, random };
template <>
struct EnumNames<LatticeKind> {
  static constexpr std::array<std::string_view, 5> names{"sc", "bcc", "fcc", "diamond", "random"};
};

/// system.lattice = { ... }: generated structures. `cells` for crystals, `particles` for random.
struct LatticeOptions {
  LatticeKind kind = LatticeKind::fcc;
  double density = 0;
  std::vector<std::int64_t> cells;      ///< 3 counts of unit cells
  std::int64_t particles = 0;           ///< (random)
  double min_distance = 0;              ///< (random) no two particles nearer than this
  std::vector<std::string> species;     ///< names, one per share; default: the first species
  std::vector<double> composition;      ///< shares of the species, sum 1; assigned by the seed
  std::vector<double> filled;           ///< fractions x, y, z of the box that are filled (droplets, slabs); default 1,1,1
  static constexpr std::tuple fields{
      Field{"kind", &LatticeOptions::kind, Unit::none, required, "the structure"},
      Field{"density", &LatticeOptions::density, Unit::number_density, required & above(0), "particles per volume"},
      Field{"cells", &LatticeOptions::cells, Unit::none, any, "unit cells along each edge (crystals)"},
      Field{"particles", &LatticeOptions::particles, Unit::none, at_least(0), "how many (random)"},
      Field{"min_distance", &LatticeOptions::min_distance, Unit::length, at_least(0), "between particles (random)"},
      Field{"species", &LatticeOptions::species, Unit::none, any, "names of the species placed"},
      Field{"composition", &LatticeOptions::composition, Unit::none, any, "share of each species, assigned by the seed"},
      Field{"filled", &LatticeOptions::filled, Unit::none, any,
            "fraction of each edge, about the center, that holds particles; the box stays as large"}};
};

/// [system]
struct SystemOptions {
  std::string file;  ///< system.h5 or a LAMMPS data file; empty: lattice
  bool has_lattice = false;
  LatticeOptions lattice;
  double temperature = -1;  ///< of the initial velocities; negative: none drawn
  bool remove_drift = true;
  static constexpr std::tuple fields{
      Field{"file", &SystemOptions::file, Unit::none, any, "structure to read, relative to the input file"},
      Field{"temperature", &SystemOptions::temperature, Unit::temperature, any,
            "of the initial velocities, drawn from the seed (absent: those of the file, or zero)"},
      Field{"remove_drift", &SystemOptions::remove_drift, Unit::none, any,
            "initial velocities have no total momentum"}};
};

/// [[species]]
struct SpeciesOptions {
  std::string name;
  double mass = 0;
  static constexpr std::tuple fields{
      Field{"name", &SpeciesOptions::name, Unit::none, required, "as pairs and files call it"},
      Field{"mass", &SpeciesOptions::mass, Unit::mass, required & above(0), "of one particle"}};
};

}  // namespace lockstep
