// SPDX-License-Identifier: Apache-2.0
// Langevin dynamics by the BAOAB splitting.
#pragma once

#include <cstdint>
#include <span>

#include "dynamics/motion.hpp"

namespace lockstep {

/// What is the same for all particles of a step.
struct BaoabConstants {
  double drift_factor;  ///< of half a step
  double keep;          ///< exp(-friction dt): the share of the velocity that friction leaves
  std::uint64_t seed, step;
};

/// Samples NVT by friction and noise on every particle. A step is begin (half kick, half drift, friction and
/// noise, half drift), new forces, finish (half kick). The noise is a function of seed, step and particle id.
/// Ensemble NVT; momentum is not conserved; nothing to store between steps.
/// @source doi:10.1093/amrx/abs010
class Langevin {
 public:
  /// @param masses [n_species] amu or m. @param dt ps or tau. @param kT kJ/mol or epsilon. @param friction
  /// 1/ps or 1/tau.
  Langevin(Scales const& scales, std::span<double const> masses, double dt, double kT, double friction,
           std::uint64_t seed);

  /// @param step the number of this step since the start of the run: never the same for two steps.
  Motion begin(State& state, std::int64_t step) const;
  Motion finish(State& state) const;
  /// finish of one step and begin of the next in one pass; `step` is that of the next.
  Motion finish_and_begin(State& state, std::int64_t step) const;

 private:
  BaoabConstants at(std::int64_t step) const;

  PerSpecies kick_factor_, noise_;
  BaoabConstants constants_;
};

}  // namespace lockstep
