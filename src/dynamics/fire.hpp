// SPDX-License-Identifier: Apache-2.0
// Minimization of the energy by FIRE.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "base/comm.hpp"
#include "dynamics/motion.hpp"
#include "dynamics/options.hpp"

namespace lockstep {

/// The fast inertial relaxation engine, version 2.0, semi-implicit Euler. Velocities of the state are the
/// minimizer's own: `start` sets them to zero, and so must the caller when it is done.
/// @source doi:10.1016/j.commatsci.2020.109584, algorithm 2
class Fire {
 public:
  /// @param dt the first time step, ps or tau; later ones are between 0.02 and 10 times it.
  Fire(FireOptions const& options, Scales const& scales, std::span<double const> masses, double dt);

  struct Status {
    bool converged = false;    ///< no force is above the tolerance: nothing was moved
    double largest_force = 0;  ///< of any particle, kJ/mol/nm or epsilon/sigma
    double largest_move = 0;   ///< of any particle in this step, nm or sigma
    Motion motion;
  };

  void start(State& state);
  /// One step downhill by the forces in `state`; forces of the new positions are the caller's next task.
  /// Collective.
  Status step(Comm const& comm, State& state);

  /// The largest force on a particle now, kJ/mol/nm or epsilon/sigma. Collective.
  double largest_force(Comm const& comm, State const& state) const;

  /// What a checkpoint must hold besides the state: four words.
  std::vector<std::int64_t> words() const;
  void restore(std::span<std::int64_t const> words);

 private:
  struct Sums;
  Sums sums(Comm const& comm, State const& state) const;
  void adapt(double power);

  FireOptions options_;
  double force_unit_, first_dt_, dt_, mixing_;
  std::int64_t downhill_ = 0, uphill_ = 0;  // steps in a row
  std::vector<double> masses_;
  PerSpecies kick_;
};

}  // namespace lockstep
