// SPDX-License-Identifier: Apache-2.0
// The Morse potential between unbonded particles.
#pragma once

#include <tuple>

#include "base/field.hpp"
#include "base/math.hpp"
#include "potentials/pair_term.hpp"

namespace lockstep {

/// Morse: U(r) = D0 (e^2 - 2 e), e = exp(-alpha (r - r0)). Finite at r = 0. @source doi:10.1103/PhysRev.34.57
/// eq. 4
struct Morse {
  struct Coefficients {
    double D0 = 0, alpha = 0, r0 = 0;
  };
  template <class T>
  struct Pair {
    T depth, alpha, r0;
  };
  static constexpr std::tuple fields{
      Field{"D0", &Coefficients::D0, Unit::energy, required& at_least(0), "depth of the well"},
      Field{"alpha", &Coefficients::alpha, Unit::inverse_length, required& above(0),
            "inverse width of the well"},
      Field{"r0", &Coefficients::r0, Unit::length, required& at_least(0), "distance of the minimum"}};
  static constexpr Coefficients example{1, 5, 1.1};

  static Pair<double> prepare(Coefficients const& c) { return {c.D0, c.alpha, c.r0}; }

  /// Energy and -U'(r)/r at r2 = r*r > 0. The loop owns the cutoff.
  template <class T>
  LOCKSTEP_FUNCTION static PairTerm<T> at(T r2, Pair<T> const& p) {
    T const r = sqrt(r2);
    T const e = math::exp(p.alpha * (p.r0 - r));
    T const de = p.depth * e;
    return {de * (e - T(2)), T(2) * p.alpha * de * (e - T(1)) / r};
  }
};

}  // namespace lockstep
