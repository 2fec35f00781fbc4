// SPDX-License-Identifier: Apache-2.0
// Mixing rules for unlike pairs.
#pragma once

#include "potentials/pair_options.hpp"

namespace lockstep::detail {

struct EpsilonSigma {
  double epsilon, sigma;
};

/// Epsilon and sigma of an unlike pair; the same bits with a and b exchanged.
/// lorentz_berthelot: sqrt(e e'), (s + s')/2. geometric: sqrt(e e'), sqrt(s s').
/// sixth_power: 2 sqrt(e e') s^3 s'^3 / (s^6 + s'^6), ((s^6 + s'^6)/2)^(1/6). @source doi:10.1021/ja00038a003
EpsilonSigma mix_pair(Mixing rule, EpsilonSigma a, EpsilonSigma b);

}  // namespace lockstep::detail
