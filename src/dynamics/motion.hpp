// SPDX-License-Identifier: Apache-2.0
// What kicks and drifts have in common: their factors, and the check for runaways.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "base/for_particles.hpp"
#include "base/number.hpp"
#include "state/state.hpp"

namespace lockstep {

/// What a loop over velocities saw on this rank.
struct Motion {
  double max_speed = 0;     ///< largest component of a velocity, length units per time unit
  ParticleId runaway = -1;  ///< lowest id that moves too fast or was kicked too hard, or -1: stop the run
};

/// A velocity that means "out of range": every check finds it.
inline constexpr std::int64_t runaway_velocity = std::int64_t(1) << 62;

/// Velocity units per force unit in a kick of `dt` (ps or tau). @returns [n_species]
std::vector<double> kick_factors(Scales const& scales, std::span<double const> masses, double dt);
/// Position units per velocity unit in a drift of `dt`.
double drift_factor(double dt);
/// The velocity, in units, from which on a particle is a runaway: the speed limit, or a drift of 2^51
/// position units.
std::int64_t velocity_limit(double drift_factor);
/// The answer of a loop whose largest |v| was `largest`. @cost a search for the id if there is a runaway
Motion motion_of(State const& state, std::int64_t largest, std::int64_t limit);

LOCKSTEP_FUNCTION std::int64_t magnitude(std::int64_t v) { return v < 0 ? wrap_sub(std::int64_t(0), v) : v; }
LOCKSTEP_FUNCTION std::int64_t larger(std::int64_t a, std::int64_t b) { return a > b ? a : b; }

/// v + round(value), or a runaway if the increment is out of range or NaN.
LOCKSTEP_FUNCTION std::int64_t kicked(std::int64_t v, double value) {
  return __builtin_fabs(value) < 0x1p+51 ? wrap_add(v, round_to_fixed(value)) : runaway_velocity;
}

/// round(value) as a velocity, or a runaway if it is out of range or NaN.
LOCKSTEP_FUNCTION std::int64_t velocity_of(double value) {
  return __builtin_fabs(value) < 0x1p+61 ? round_to_fixed_wide(value) : runaway_velocity;
}

/// Numbers per species for kernels: one value in a register, or a table.
class PerSpecies {
 public:
  PerSpecies() = default;
  explicit PerSpecies(std::span<double const> values);
  bool one() const { return values_.extent(0) <= 1; }
  double first() const { return first_; }
  double const* data() const { return values_.data(); }

 private:
  View<double*> values_;
  double first_ = 0;
};

/// PerSpecies as a functor reads it; `one` spares the look-up.
template <bool one>
struct SpeciesTable {
  double first;
  double const* values;
  SpeciesTable(PerSpecies const& p) : first(p.first()), values(p.data()) {}
  LOCKSTEP_FUNCTION double of(SpeciesId s) const {
    if constexpr (one)
      return first;
    else
      return values[s];
  }
};

}  // namespace lockstep
