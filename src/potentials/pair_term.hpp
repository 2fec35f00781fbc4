// SPDX-License-Identifier: Apache-2.0
// What a pair potential answers; base/number.hpp lists the arithmetic it may use.
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
LOCKSTEP_FUNCTION PairTerm<T> evaluate(T r2, typename Potential::template Pair<T> const& pair,
                                       Shared const& shared) {
  if constexpr (requires { Potential::at(r2, pair, shared); })
    return Potential::at(r2, pair, shared);
  else
    return Potential::at(r2, pair);
}

}  // namespace lockstep
