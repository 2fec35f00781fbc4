// SPDX-License-Identifier: Apache-2.0
// The Lennard-Jones potential.
#pragma once

#include <tuple>

#include "base/field.hpp"
#include "potentials/pair_term.hpp"

namespace lockstep {

/// Lennard-Jones: U(r) = 4 epsilon [(sigma/r)^12 - (sigma/r)^6]. @source doi:10.1098/rspa.1924.0082
struct LennardJones {
  struct Coefficients {
    double epsilon = 0, sigma = 0;  // as the user writes them: doubles only, in the order of `fields`
  };
  template <class T>
  struct Pair {
    T epsilon4, sigma2;  // as the kernel reads them: T only
  };
  static constexpr std::tuple fields{
      Field{"epsilon", &Coefficients::epsilon, Unit::energy, required& at_least(0), "depth of the well"},
      Field{"sigma", &Coefficients::sigma, Unit::length, required& above(0), "distance at which U is zero"}};

  static constexpr Coefficients example{1, 1};  // for tests and docs, of a pair with cutoff 2.5

  static Pair<double> prepare(Coefficients const& c) { return {4 * c.epsilon, c.sigma * c.sigma}; }

  static PairTail tail(Pair<double> const& p, double cutoff) {
    double const s3 = p.sigma2 * sqrt(p.sigma2), c3 = cutoff * cutoff * cutoff, q = s3 / c3;
    double const twelve = p.epsilon4 * s3 * q * q * q / 9, six = p.epsilon4 * s3 * q / 3;
    return {twelve - six, 12 * twelve - 6 * six};
  }

  /// Energy and -U'(r)/r at r2 = r*r > 0; T is double, float or a SIMD pack. The loop owns the cutoff.
  template <class T>
  LOCKSTEP_FUNCTION static PairTerm<T> at(T r2, Pair<T> const& p) {
    T const inverse_r2 = T(1) / r2;
    T const s2 = p.sigma2 * inverse_r2;
    T const s6 = s2 * s2 * s2;
    T const es6 = p.epsilon4 * s6;
    return {es6 * (s6 - T(1)), es6 * inverse_r2 * fma(T(12), s6, T(-6))};
  }
};

}  // namespace lockstep
