// SPDX-License-Identifier: Apache-2.0
// The Buckingham potential.
#pragma once

#include <tuple>

#include "base/field.hpp"
#include "base/math.hpp"
#include "potentials/pair_term.hpp"

namespace lockstep {

/// Buckingham: U(r) = A exp(-r/rho) - C/r^6. Below the top of its barrier (some tenth of the usual distance)
/// the formula falls to minus infinity; it is evaluated as it stands there too, so particles that got over
/// the barrier attract without bound, and the run stops with the range error of forces or energies.
/// @source doi:10.1098/rspa.1938.0173
struct Buckingham {
  struct Coefficients {
    double A = 0, rho = 0, C = 0;
  };
  template <class T>
  struct Pair {
    T a, inverse_rho, c;
  };
  static constexpr std::tuple fields{
      Field{"A", &Coefficients::A, Unit::energy, required& at_least(0), "factor of the repulsion"},
      Field{"rho", &Coefficients::rho, Unit::length, required& above(0), "decay length of the repulsion"},
      Field{"C", &Coefficients::C, Unit{1, 6}, required& at_least(0), "factor of the attraction"}};
  static constexpr Coefficients example{2e5, 0.08, 4};

  static Pair<double> prepare(Coefficients const& c) { return {c.A, 1 / c.rho, c.C}; }

  /// Energy and -U'(r)/r at r2 = r*r > 0. The loop owns the cutoff.
  template <class T>
  LOCKSTEP_FUNCTION static PairTerm<T> at(T r2, Pair<T> const& p) {
    T const r = sqrt(r2);
    T const inverse_r = T(1) / r;
    T const inverse_r2 = inverse_r * inverse_r;
    T const repulsion = p.a * math::exp(-(r * p.inverse_rho));
    T const attraction = p.c * inverse_r2 * inverse_r2 * inverse_r2;
    return {repulsion - attraction,
            fma(repulsion * p.inverse_rho, inverse_r, T(-6) * attraction * inverse_r2)};
  }
};

}  // namespace lockstep
