// SPDX-License-Identifier: Apache-2.0
// Velocity Verlet in fixed point: increments are rounded, sums are exact, so every step can be undone bit for
// bit.
#pragma once

#include <span>

#include "dynamics/motion.hpp"

namespace lockstep {

/// Kicks by half a step, drifts by a whole one. @source doi:10.1063/1.442716
///
/// A step is begin, new forces, finish. Positions are not wrapped: State::x is continuous since the last list
/// build. Negative dt runs backwards. A runaway leaves a broken state behind: stop the run and name the id.
class VelocityVerlet {
 public:
  /// @param masses [n_species] amu or m. @param dt ps or tau.
  VelocityVerlet(Scales const& scales, std::span<double const> masses, double dt);

  /// v += round(f dt / 2m).
  Motion kick(State& state) const;
  /// x += round(v dt).
  Motion drift(State& state) const;
  /// kick, drift in one pass.
  Motion begin(State& state) const;
  /// kick.
  Motion finish(State& state) const { return kick(state); }
  /// kick (finish of this step), kick, drift (begin of the next) in one pass: for steps that nobody observes.
  Motion finish_and_begin(State& state) const;

 private:
  PerSpecies kick_factor_;
  double drift_factor_;
};

}  // namespace lockstep
