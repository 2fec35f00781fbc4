// SPDX-License-Identifier: Apache-2.0
// Quantities as text: "2 fs", "0.5 kcal/mol", "1/ps" to internal units and back.
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "base/unit.hpp"

namespace lockstep {

/// A value in internal units, or what is wrong with the text ("'foo' is not a unit Lockstep knows").
struct ParsedQuantity {
  std::optional<double> value;
  std::string problem;
};

/// Reads "value unit" as a value of dimension `unit` in internal units (nm, ps, amu, e, kJ/mol, K; s for wall
/// time).
///
/// Units combine with * / ^ and parentheses: "kcal/mol/angstrom^2", "1 g/cm^3", "5/ps". Factors are exact
/// decimals, multiplied as decimals and rounded to a double once; only a denominator that is no power of ten
/// (1/min) costs a second rounding. @source SI 2019 and CODATA 2018: e, k_B and N_A are exact; 1 amu is taken
/// as 1 g/mol.
ParsedQuantity parse_quantity(std::string_view text, Unit unit);

/// The shortest decimal that reads back to the same double, always with a point or an exponent: "0.5", "1.0",
/// "1e+20".
std::string exact_text(double value);

/// Name of the internal unit, "" for a pure number: "kJ/mol/nm^3", "epsilon/sigma^3".
std::string unit_name(Unit unit, UnitSystem system);

/// Units that a value of this dimension is usually given in, for messages and docs: "fs, ps or ns".
std::string usual_units(Unit unit);

}  // namespace lockstep
