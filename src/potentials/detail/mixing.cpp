// SPDX-License-Identifier: Apache-2.0
// Mixing rules for unlike pairs.
#include "potentials/detail/mixing.hpp"

#include "base/math.hpp"

namespace lockstep::detail {

EpsilonSigma mix_pair(Mixing rule, EpsilonSigma a, EpsilonSigma b) {
  double const epsilon = sqrt(a.epsilon * b.epsilon);
  switch (rule) {
    case Mixing::lorentz_berthelot:
      return {epsilon, 0.5 * (a.sigma + b.sigma)};
    case Mixing::geometric:
      return {epsilon, sqrt(a.sigma * b.sigma)};
    case Mixing::sixth_power: {
      double const a3 = a.sigma * a.sigma * a.sigma, b3 = b.sigma * b.sigma * b.sigma;
      double const sum = a3 * a3 + b3 * b3;
      return {2 * epsilon * (a3 * b3) / sum, sqrt(math::cbrt(0.5 * sum))};
    }
    case Mixing::none:
      break;
  }
  return {0, 0};
}

}  // namespace lockstep::detail
