// SPDX-License-Identifier: Apache-2.0
// The Weeks-Chandler-Andersen potential.
#pragma once

#include <tuple>

#include "base/field.hpp"
#include "potentials/pair_term.hpp"

namespace lockstep {

/// Weeks-Chandler-Andersen: Lennard-Jones cut at its minimum and raised by its depth,
/// U(r) = 4 epsilon [(sigma/r)^12 - (sigma/r)^6] + epsilon for r < 2^(1/6) sigma, else 0: purely repulsive.
/// @source doi:10.1063/1.1674820 eq. 4
struct Wca {
  struct Coefficients {
    double epsilon = 0, sigma = 0;
  };
  template <class T>
  struct Pair {
    T epsilon4, sigma2, epsilon;
  };
  static constexpr std::tuple fields{Field{"epsilon", &Coefficients::epsilon, Unit::energy,
                                           required& at_least(0), "energy at the distance sigma"},
                                     Field{"sigma", &Coefficients::sigma, Unit::length, required& above(0),
                                           "size; the range is 2^(1/6) sigma"}};
  static constexpr Coefficients example{1, 1};

  static Pair<double> prepare(Coefficients const& c) { return {4 * c.epsilon, c.sigma * c.sigma, c.epsilon}; }
  static double own_cutoff(Coefficients const& c) { return 1.122462048309373 * c.sigma; }  // 2^(1/6)
  static PairTail tail(Pair<double> const&, double) { return {}; }

  /// Energy and -U'(r)/r at r2 = r*r > 0. The loop owns the cutoff.
  template <class T>
  LOCKSTEP_FUNCTION static PairTerm<T> at(T r2, Pair<T> const& p) {
    T const inverse_r2 = T(1) / r2;
    T const s2 = p.sigma2 * inverse_r2;
    T const s6 = s2 * s2 * s2;
    T const es6 = p.epsilon4 * s6;
    return {fma(es6, s6 - T(1), p.epsilon), es6 * inverse_r2 * fma(T(12), s6, T(-6))};
  }
};

}  // namespace lockstep
