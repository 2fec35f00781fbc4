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

/// Units of a structure file. `automatic`: as the input if that is lj, else as the file's first line says.
enum class FileUnits { automatic, lj, real, metal, lockstep };
template <>
struct EnumNames<FileUnits> {
  static constexpr std::array<std::string_view, 5> names{"auto", "lj", "real", "metal", "lockstep"};
};

/// system.lattice = { ... }: generated structures. `cells` for crystals, `particles` for random. Exactly one
/// of the two densities is given; both are those of the filled part.
struct LatticeOptions {
  LatticeKind kind = LatticeKind::fcc;
  double density = 0;                ///< particles per volume; 0: from mass_density
  double mass_density = 0;           ///< amu/nm^3 or m/sigma^3
  std::vector<std::int64_t> cells;   ///< 3 counts of unit cells
  std::int64_t particles = 0;        ///< (random)
  double min_distance = 0;           ///< (random) no two particles nearer than this; 0: chosen
  std::vector<std::string> species;  ///< names, one per share; default: the first species
  std::vector<double> composition;   ///< shares of the species, sum 1; assigned by the seed
  std::vector<double>
      filled;  ///< fractions x, y, z of the box that are filled (droplets, slabs); default 1,1,1
  static constexpr std::tuple fields{
      Field{"kind", &LatticeOptions::kind, Unit::none, required, "the structure"},
      Field{"density", &LatticeOptions::density, Unit::number_density, optional& above(0),
            "particles per volume of the filled part"},
      Field{"mass_density", &LatticeOptions::mass_density, Unit::mass_density, optional& above(0),
            "mass per volume of the filled part, instead of density"},
      Field{"cells", &LatticeOptions::cells, Unit::none, optional& at_least(1),
            "unit cells along x, y and z (crystals)"},
      Field{"particles", &LatticeOptions::particles, Unit::none, optional& at_least(1), "how many (random)"},
      Field{"min_distance", &LatticeOptions::min_distance, Unit::length, at_least(0),
            "least distance between particles (random; 0: three quarters of the mean spacing)"},
      Field{"species", &LatticeOptions::species, Unit::none, optional,
            "names of the species placed (absent: the first, or all if there is a composition)"},
      Field{"composition", &LatticeOptions::composition, Unit::none, optional& at_least(0) & at_most(1),
            "share of each species, sum 1; who is what follows from the seed"},
      Field{"filled", &LatticeOptions::filled, Unit::none, optional& above(0) & at_most(1),
            "fraction of the x, y and z edge, about the center, that holds particles (droplets, slabs); for "
            "crystals rounded to whole unit cells"}};
};

/// [system]
struct SystemOptions {
  std::string file;         ///< HDF5 (trajectory, segment, system.h5) or a LAMMPS data file; empty: lattice
  std::int64_t frame = -1;  ///< of an HDF5 file; -1: the last
  FileUnits file_units = FileUnits::automatic;
  bool has_lattice = false;
  LatticeOptions lattice;
  double temperature = -1;  ///< of the initial velocities; negative: none drawn
  bool remove_drift = true;
  static constexpr std::tuple fields{
      Field{"file", &SystemOptions::file, Unit::none, optional,
            "structure to read, relative to the input file: a LAMMPS data file, or an HDF5 file laid out as "
            "trajectories are"},
      Field{"frame", &SystemOptions::frame, Unit::none, optional& at_least(0),
            "of an HDF5 file, counted from 0 (absent: the last)"},
      Field{"file_units", &SystemOptions::file_units, Unit::none, any,
            "units of that file: LAMMPS lj, real or metal, or lockstep (nm, ps, amu, e); HDF5 files say it "
            "themselves"},
      Field{"temperature", &SystemOptions::temperature, Unit::temperature, optional& at_least(0),
            "of the initial velocities, drawn from the seed (absent: those of the file, or zero)"},
      Field{"remove_drift", &SystemOptions::remove_drift, Unit::none, any,
            "initial velocities have no total momentum"}};
};

/// [[species]]
struct SpeciesOptions {
  std::string name;
  double mass = 0;  ///< 0: that of the structure file
  static constexpr std::tuple fields{
      Field{"name", &SpeciesOptions::name, Unit::none, required, "as pairs and files call it"},
      Field{"mass", &SpeciesOptions::mass, Unit::mass, optional& above(0),
            "of one particle (needed for lattices; otherwise the structure file's if absent)"}};
};

}  // namespace lockstep
