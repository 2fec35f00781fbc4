// SPDX-License-Identifier: Apache-2.0
// Mixing rules for unlike pairs.
#include "potentials/detail/mixing.hpp"

#include "potentials/pair_term.hpp"

namespace lockstep::detail {

double cube_root(double x) {
  if (!(x > 0)) return 0;
  double scale = 1;
  while (x < 1) { x *= 8; scale *= 0.5; }
  while (x >= 8) { x *= 0.125; scale *= 2; }
  double y = 1.5;
  for (int k = 0; k < 8; ++k) y -= (y * y * y - x) / (3 * y * y);  // quadratic: 3 steps suffice from here
  return y * scale;
}

EpsilonSigma mix_pair(Mixing rule, EpsilonSigma a, EpsilonSigma b) {
  double const epsilon = sqrt(a.epsilon * b.epsilon);
  switch (rule) {
    case Mixing::lorentz_berthelot: return {epsilon, 0.5 * (a.sigma + b.sigma)};
    case Mixing::geometric: return {epsilon, sqrt(a.sigma * b.sigma)};
    case Mixing::sixth_power: {
      double const a3 = a.sigma * a.sigma * a.sigma, b3 = b.sigma * b.sigma * b.sigma;
      double const sum = a3 * a3 + b3 * b3;
      return {2 * epsilon * (a3 * b3) / sum, sqrt(cube_root(0.5 * sum))};
    }
    case Mixing::none: break;
  }
  return {0, 0};
}

}  // namespace lockstep::detail
