// SPDX-License-Identifier: Apache-2.0
// Factors and the search for runaways.
#include "dynamics/motion.hpp"

#include <algorithm>

#include "base/debug.hpp"

namespace lockstep {

std::vector<double> kick_factors(Scales const& scales, std::span<double const> masses, double dt) {
  std::vector<double> factors;
  for (double mass : masses) {
    LOCKSTEP_EXPECT(mass > 0);
    factors.push_back(dt * scales.force_unit() / velocity_unit / mass);
  }
  return factors;
}

double drift_factor(double dt) { return dt * velocity_unit / position_unit; }

std::int64_t velocity_limit(double drift_factor) {
  double const size = drift_factor < 0 ? -drift_factor : drift_factor;
  double const limit = std::min(speed_limit / velocity_unit, 0x1p+51 / std::max(size, 1e-30));
  return static_cast<std::int64_t>(limit);
}

Motion motion_of(State const& state, std::int64_t largest, std::int64_t limit) {
  Motion motion{fixed_to_double(largest) * velocity_unit, -1};
  if (largest < limit) return motion;
  for (LocalIndex i = 0; i < state.n_owned; ++i) {
    bool flagged = false;
    for (int d = 0; d < 3; ++d) flagged = flagged || magnitude(state.v(i, d)) >= limit;
    if (flagged && (motion.runaway < 0 || state.id(i) < motion.runaway)) motion.runaway = state.id(i);
  }
  return motion;
}

PerSpecies::PerSpecies(std::span<double const> values)
    : values_("dynamics:per_species", values.size()), first_(values.empty() ? 0.0 : values[0]) {
  std::copy(values.begin(), values.end(), values_.data());
}

}  // namespace lockstep
