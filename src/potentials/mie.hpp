// SPDX-License-Identifier: Apache-2.0
// The Mie potential.
#pragma once

#include <string>
#include <tuple>

#include "base/field.hpp"
#include "base/math.hpp"
#include "potentials/pair_term.hpp"

namespace lockstep {

/// Mie: U(r) = C epsilon [(sigma/r)^n - (sigma/r)^m] with C = n/(n-m) (n/m)^(m/(n-m)), real exponents n > m
/// > 3.
/// @source doi:10.1002/andp.19033160802
struct Mie {
  struct Coefficients {
    double epsilon = 0, sigma = 0, n = 0, m = 0;
  };
  template <class T>
  struct Pair {
    T factor, sigma2, half_n, half_m;  // factor = C epsilon
  };
  static constexpr std::tuple fields{
      Field{"epsilon", &Coefficients::epsilon, Unit::energy, required& at_least(0), "depth of the well"},
      Field{"sigma", &Coefficients::sigma, Unit::length, required& above(0), "distance at which U is zero"},
      Field{"n", &Coefficients::n, Unit::none, required& above(3) & at_most(100),
            "exponent of the repulsion"},
      Field{"m", &Coefficients::m, Unit::none, required& above(3) & at_most(100),
            "exponent of the attraction"}};
  static constexpr Coefficients example{1, 1, 14.5, 6.25};

  static std::string problem(Coefficients const& c) {
    return c.n > c.m ? "" : "has an exponent n of the repulsion that is not above m of the attraction";
  }
  static Pair<double> prepare(Coefficients const& c) {
    double const factor = c.n / (c.n - c.m) * math::pow(c.n / c.m, c.m / (c.n - c.m));
    return {factor * c.epsilon, c.sigma * c.sigma, 0.5 * c.n, 0.5 * c.m};
  }
  static PairTail tail(Pair<double> const& p, double cutoff) {
    double const q2 = p.sigma2 / (cutoff * cutoff), n = 2 * p.half_n, m = 2 * p.half_m;
    double const volume = p.factor * cutoff * cutoff * cutoff;
    double const repulsion = volume * math::pow(q2, p.half_n) / (n - 3);
    double const attraction = volume * math::pow(q2, p.half_m) / (m - 3);
    return {repulsion - attraction, n * repulsion - m * attraction};
  }

  /// Energy and -U'(r)/r at r2 = r*r > 0. The loop owns the cutoff.
  template <class T>
  LOCKSTEP_FUNCTION static PairTerm<T> at(T r2, Pair<T> const& p) {
    T const inverse_r2 = T(1) / r2;
    T const s2 = p.sigma2 * inverse_r2;
    T const a = math::pow(s2, p.half_n), b = math::pow(s2, p.half_m);
    T const slope = fma(p.half_n, a, -(p.half_m * b));
    return {p.factor * (a - b), p.factor * T(2) * inverse_r2 * slope};
  }
};

}  // namespace lockstep
