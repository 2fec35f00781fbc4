// SPDX-License-Identifier: Apache-2.0
// The whole input as options: what the reader fills and the drivers take.
#pragma once

#include <array>
#include <cstdint>
#include <string>
#include <string_view>
#include <tuple>
#include <vector>

#include "base/field.hpp"
#include "base/scales.hpp"
#include "base/unit.hpp"
#include "drivers/stage_options.hpp"
#include "output/output_options.hpp"
#include "potentials/pair_options.hpp"
#include "state/system_options.hpp"

namespace lockstep {

template <>
struct EnumNames<UnitSystem> {
  static constexpr std::array<std::string_view, 2> names{"lj", "physical"};
};
template <>
struct EnumNames<Precision> {
  static constexpr std::array<std::string_view, 2> names{"mixed", "double"};
};

struct RunInput {
  std::string title;
  UnitSystem units = UnitSystem::physical;
  std::uint64_t seed = 0;
  Precision precision = Precision::mixed;
  SystemOptions system;
  std::vector<SpeciesOptions> species;  ///< with a structure file: its types, in its order
  std::vector<PairOptions> pairs;
  std::vector<StageOptions> stages;
  NeighborOptions neighbor;
  OutputOptions output;

  std::string path;      ///< of the input file, as given
  std::string folder;    ///< that relative file names start from
  std::string resolved;  ///< the input with every default written out, as TOML
  std::string
      hash;  ///< 32 hex digits over what decides the trajectory: not title, output, neighbor, walltime

  static constexpr std::tuple fields{
      Field{"title", &RunInput::title, Unit::none, any, "shown in outputs"},
      Field{"units", &RunInput::units, Unit::none, any,
            "physical: each value with a dimension is a string with its unit; lj: plain numbers in units of "
            "epsilon, "
            "sigma and m"},
      Field{
          "seed", &RunInput::seed, Unit::none, optional& at_least(0),
          "of every random number; needed where anything is random, so that independent runs are told apart"},
      Field{"precision", &RunInput::precision, Unit::none, any,
            "mixed: pairs in float, sums in integers; double: pairs in double too"}};

  /// kT of a temperature given in this input.
  double kT(double temperature) const {
    return units == UnitSystem::lj ? temperature : boltzmann_kj_per_mol_kelvin * temperature;
  }
};

/// Reads and checks the file with the `--set key=value` changes. Structure and table files named in it are
/// read too, for the species and the hash. @throws InputError with all faults.
RunInput read_run_input(std::string const& path, std::vector<std::string> const& set);
/// The same of a text. @param path only for messages and to find files beside it.
RunInput parse_run_input(std::string const& text, std::string const& path,
                         std::vector<std::string> const& set);
/// The resolved input that a file of the run directory `directory` holds. The structure file is not read (its
/// species are in the resolved input), nor is the hash made; names of tables are relative to the folder that
/// output.directory was relative to.
RunInput parse_stored_input(std::string const& text, std::string const& directory);
/// The JSON schema of the input.
std::string run_input_schema();
/// All keys as Markdown tables, for the docs.
std::string run_input_reference();

}  // namespace lockstep
