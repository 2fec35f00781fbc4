// SPDX-License-Identifier: Apache-2.0
// Canonical sampling through velocity rescaling.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "base/comm.hpp"
#include "dynamics/motion.hpp"

namespace lockstep {

/// Stochastic velocity rescaling (Bussi, Donadio, Parrinello): one factor for all velocities, drawn so that
/// the kinetic energy follows the canonical distribution. Ensemble NVT; momentum is conserved. Apply once per
/// step, after the integrator's finish. Every rank computes the same factor from exact sums.
/// @source doi:10.1063/1.2408420, appendix
class Csvr {
 public:
  /// @param kT kJ/mol or epsilon. @param relaxation_time of the kinetic energy, in the unit of dt.
  Csvr(double dt, double kT, double relaxation_time, std::int64_t degrees_of_freedom, std::uint64_t seed);

  /// Draws the factor of this step and scales the velocities. Collective. @param step since the start of the
  /// run
  Motion apply(Comm const& comm, State& state, std::int64_t step);
  /// The factor for a kinetic energy; negative ones, exact in the theory, have vanishing probability.
  double factor(double kinetic_energy, std::int64_t step) const;

  /// Energy the bath has taken so far: total energy + heat is the conserved quantity.
  double heat() const { return heat_; }
  /// What a checkpoint must hold: one word.
  std::vector<std::int64_t> words() const;
  void restore(std::span<std::int64_t const> words);

 private:
  double kT_, keep_, heat_ = 0;
  std::int64_t degrees_of_freedom_;
  std::uint64_t seed_;
};

class Philox;
/// Sum of n squared normal deviates. Attempt k of its rejection loop uses draws first + 2k and first + 2k
/// + 1.
double sum_of_squared_gaussians(Philox const& philox, std::int64_t n, std::uint32_t first);

}  // namespace lockstep
