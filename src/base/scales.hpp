// SPDX-License-Identifier: Apache-2.0
// The units of the integers that forces, energies and virials are summed in.
#pragma once

#include <cstdint>

#include "base/fixed.hpp"

namespace lockstep {

enum class Precision { mixed, double_ };

/// Scales of the integers, fixed by the first input, stored in every checkpoint, never recomputed.
struct Scales {
  Precision precision = Precision::mixed;
  int force_bits = 15;   ///< one force unit is 2^-force_bits epsilon/sigma or kJ/mol/nm
  int energy_bits = 26;  ///< one energy unit is 2^-energy_bits epsilon or kJ/mol
  int virial_bits = 21;  ///< one virial unit is 2^-virial_bits epsilon or kJ/mol
  int window_shift =
      15;  ///< s: kernels see bits s..s+31 of positions; box vectors are multiples of 2^s; 0 in double
  int log2_addends = 8;  ///< an int32 force component takes at most 2^log2_addends addends (mixed only)
  friend bool operator==(Scales const&, Scales const&) = default;
  double force_unit() const { return exp2i(-force_bits); }
  double energy_unit() const { return exp2i(-energy_bits); }
  double virial_unit() const { return exp2i(-virial_bits); }
  /// A pair whose force component or energy or virial reaches these goes the wide way (mixed only).
  double narrow_force() const { return exp2i(31 - log2_addends - force_bits); }
  double narrow_energy() const { return exp2i(30 - energy_bits); }
  double narrow_virial() const { return exp2i(30 - virial_bits); }
};

}  // namespace lockstep
