// SPDX-License-Identifier: Apache-2.0
// Reads one section of a LAMMPS pair table file.
#pragma once

#include <optional>
#include <vector>

#include "potentials/pair_options.hpp"

namespace lockstep::detail {

/// Distances (increasing), energies and forces in internal units.
struct PairTableFile {
  std::vector<double> r, energy, force;               ///< [N]
  std::optional<std::array<double, 2>> force_slopes;  ///< dF/dr at both ends (FP)
};

/// The section `row.keyword` of `row.file`. Units: `row.units`, else the tag "UNITS: x" in a comment of the
/// file, else internal ones. real: kcal/mol and Angstrom; metal: eV and Angstrom; internal, lj: as they are.
/// @throws InputError with file and line.
/// @source format: LAMMPS manual, pair_style table
PairTableFile read_pair_table_file(PairCoefficients const& row);

}  // namespace lockstep::detail
