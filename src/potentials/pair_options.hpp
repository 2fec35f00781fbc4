// SPDX-License-Identifier: Apache-2.0
// A [[pair]] section of the input.
#pragma once

#include <array>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <tuple>
#include <vector>

#include "base/field.hpp"

namespace lockstep {

enum class PairPotential {
#define PAIR_POTENTIAL(name, type) name,
#include "potentials/pair.def"
#undef PAIR_POTENTIAL
};
template <>
struct EnumNames<PairPotential> {
  static constexpr std::array names{
#define PAIR_POTENTIAL(name, type) std::string_view(#name),
#include "potentials/pair.def"
#undef PAIR_POTENTIAL
  };
};

enum class Truncation { cut, shift, force_shift, switch_ };
template <>
struct EnumNames<Truncation> {
  static constexpr std::array<std::string_view, 4> names{"cut", "shift", "force_shift", "switch"};
};

enum class Mixing { none, lorentz_berthelot, geometric, sixth_power };
template <>
struct EnumNames<Mixing> {
  static constexpr std::array<std::string_view, 4> names{"none", "lorentz_berthelot", "geometric",
                                                         "sixth_power"};
};

inline constexpr int max_coefficients = 8;

/// One row of `coefficients`: the two species and the potential's own values in the order of its `fields`.
struct PairCoefficients {
  std::array<std::string, 2> species;
  std::array<double, max_coefficients> values{};
  double cutoff = 0;              ///< nm or sigma; 0: that of the section
  std::string file{}, keyword{};  ///< of a tabulated pair; the file as it is to be opened
  std::string units{};            ///< of a tabulated pair: internal, real or metal; empty: as the file says
  std::string where{};  ///< file:line:column of the row, for messages; empty if it came from no file
};

struct PairOptions {
  PairPotential potential = PairPotential::lennard_jones;
  double cutoff = 0;
  Truncation truncation = Truncation::cut;
  double switch_from = 0;
  bool tail_correction = false;
  Mixing mixing = Mixing::none;
  std::vector<PairCoefficients> coefficients;
  std::string where;  ///< file:line:column of the section, for messages; empty if it came from no file

  static constexpr std::tuple fields{
      Field{"potential", &PairOptions::potential, Unit::none, required, "the formula"},
      Field{"cutoff", &PairOptions::cutoff, Unit::length, at_least(0),
            "no interaction from here on (wca brings its own, 2^(1/6) sigma; all others need one)"},
      Field{"truncation", &PairOptions::truncation, Unit::none, any, "how the potential ends at the cutoff"},
      Field{"switch_from", &PairOptions::switch_from, Unit::length, at_least(0), "where `switch` begins"},
      Field{"tail_correction", &PairOptions::tail_correction, Unit::none, any,
            "adds the mean energy and pressure of pairs beyond the cutoff"},
      Field{"mixing", &PairOptions::mixing, Unit::none, any, "rule for unlike pairs that are not listed"}};
};

/// One coefficient of a potential, for the reader, the schema and the docs.
struct CoefficientField {
  std::string_view name;
  Unit unit;
  Rule rule;
  std::string_view doc;
};
/// The coefficients of a potential, in the order of PairCoefficients::values.
std::span<CoefficientField const> coefficient_fields(PairPotential potential);
/// Whether the rows of this potential name a file and a keyword instead of coefficients.
bool reads_table(PairPotential potential);

}  // namespace lockstep
