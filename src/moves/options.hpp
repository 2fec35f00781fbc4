// SPDX-License-Identifier: Apache-2.0
// Options of Monte-Carlo moves.
#pragma once

#include <tuple>

#include "base/field.hpp"

namespace lockstep {

/// [stage.mc]
struct McOptions {
  double temperature = 0;       ///< K, or kT in epsilon
  double max_displacement = 0;  ///< 0: that of the mc stage before, else a tenth of the cutoff
  double target_acceptance = 0.4;
  bool tune = false;
  static constexpr std::tuple fields{
      Field{"temperature", &McOptions::temperature, Unit::temperature, required& above(0), "of the ensemble"},
      Field{"max_displacement", &McOptions::max_displacement, Unit::length, at_least(0),
            "half the edge of the cube a translation is drawn from (0: that of the mc stage before, "
            "else a tenth of the cutoff)"},
      Field{"target_acceptance", &McOptions::target_acceptance, Unit::none, above(0) & below(1),
            "accepted share of translations that tuning aims at"},
      Field{"tune", &McOptions::tune, Unit::none, any,
            "adapt max_displacement in this stage (equilibration only)"}};
};

}  // namespace lockstep
