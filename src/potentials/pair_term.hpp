// SPDX-License-Identifier: Apache-2.0
// What a pair potential answers, and the arithmetic it may use on any number type.
#pragma once

#include <cstdint>

#include "base/function.hpp"
#include "base/number.hpp"

namespace lockstep {

/// Energy of one pair and minus its slope divided by r: the force on i is force_over_r * (x_i - x_j).
template <class T>
struct PairTerm {
  T energy, force_over_r;
};

/// Fused multiply-add a*b + c, one rounding; packs bring their own overload, found by argument-dependent lookup.
LOCKSTEP_FUNCTION float fma(float a, float b, float c) { return __builtin_fmaf(a, b, c); }
LOCKSTEP_FUNCTION double fma(double a, double b, double c) { return __builtin_fma(a, b, c); }
LOCKSTEP_FUNCTION float sqrt(float a) { return __builtin_sqrtf(a); }
LOCKSTEP_FUNCTION double sqrt(double a) { return __builtin_sqrt(a); }
/// The larger one; b where they can't be ordered. Packs bring their own overload.
LOCKSTEP_FUNCTION float max(float a, float b) { return a > b ? a : b; }
LOCKSTEP_FUNCTION double max(double a, double b) { return a > b ? a : b; }
/// The smaller one; b where they can't be ordered. Packs bring their own overload.
LOCKSTEP_FUNCTION float min(float a, float b) { return a < b ? a : b; }
LOCKSTEP_FUNCTION double min(double a, double b) { return a < b ? a : b; }
/// The nearest whole number, ties to even, for |a| < 2^22 (float) or 2^51 (double). Packs bring their own overload:
/// adding and subtracting 1.5 x 2^23 or 1.5 x 2^52 gives the same bits.
LOCKSTEP_FUNCTION float nearest_whole(float a) { return (a + 12582912.0f) - 12582912.0f; }
LOCKSTEP_FUNCTION double nearest_whole(double a) { return (a + 6755399441055744.0) - 6755399441055744.0; }

/// Integrals of a pair beyond its cutoff: of r^2 U(r) dr and of r^3 F(r) dr, F = -U'.
struct PairTail {
  double energy = 0, virial = 0;
};

/// PairTable::shared as a scalar kernel reads it; kernels over packs bring a type with the same `gather`.
template <class T>
struct SharedValues {
  T const* values = nullptr;
  /// The value at a whole number index >= 0.
  LOCKSTEP_FUNCTION T gather(T index) const { return values[static_cast<std::int32_t>(index)]; }
};

/// Energy and -U'(r)/r of any potential, whether or not it reads shared values.
template <class Potential, class T, class Shared>
LOCKSTEP_FUNCTION PairTerm<T> evaluate(T r2, typename Potential::template Pair<T> const& pair, Shared const& shared) {
  if constexpr (requires { Potential::at(r2, pair, shared); }) return Potential::at(r2, pair, shared);
  else return Potential::at(r2, pair);
}

}  // namespace lockstep
