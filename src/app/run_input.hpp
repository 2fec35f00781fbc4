// SPDX-License-Identifier: Apache-2.0
// The whole input as options: what the reader fills and the drivers take.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "base/scales.hpp"
#include "base/unit.hpp"
#include "drivers/stage_options.hpp"
#include "output/output_options.hpp"
#include "potentials/pair_options.hpp"
#include "state/system_options.hpp"

namespace lockstep {

struct RunInput {
  std::string title;
  UnitSystem units = UnitSystem::physical;
  std::uint64_t seed = 0;
  Precision precision = Precision::mixed;
  SystemOptions system;
  std::vector<SpeciesOptions> species;
  std::vector<PairOptions> pairs;
  std::vector<StageOptions> stages;
  NeighborOptions neighbor;
  OutputOptions output;

  std::string path;      ///< of the input file, as given
  std::string folder;    ///< that relative file names start from
  std::string resolved;  ///< the input with every default written out, as TOML
  std::string hash;      ///< 32 hex digits over what decides the trajectory: not title, output, neighbor, walltime

  /// kT of a temperature given in this input.
  double kT(double temperature) const {
    return units == UnitSystem::lj ? temperature : boltzmann_kj_per_mol_kelvin * temperature;
  }
};

/// Reads and checks the file with the `--set key=value` changes. @throws InputError with all faults.
RunInput read_run_input(std::string const& path, std::vector<std::string> const& set);
/// The JSON schema of the input.
std::string run_input_schema();

}  // namespace lockstep
