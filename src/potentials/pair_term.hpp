// SPDX-License-Identifier: Apache-2.0
// What a pair potential answers, and the arithmetic it may use on any number type.
#pragma once

#include <cmath>

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

}  // namespace lockstep
