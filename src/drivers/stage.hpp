// SPDX-License-Identifier: Apache-2.0
// What every method of a stage offers to the run.
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "drivers/engine.hpp"
#include "dynamics/kinetic.hpp"

namespace lockstep {

/// A number of a log row.
using Quantities = std::vector<std::pair<std::string, double>>;

/// The velocities that a run begins with, and that a minimization leaves behind.
struct InitialVelocities {
  std::uint64_t seed = 0;
  double kT = -1;  ///< negative: zero velocities
  Momentum momentum = Momentum::conserved;
};

/// One running stage. `step` moves state.step and state.stage_step on by one and keeps to the order of house
/// rules: integrator, lists, forces, integrator; nothing else.
class Stage {
 public:
  virtual ~Stage() = default;
  /// Before the first step, of a fresh stage or of one restored from `state.extra`.
  virtual void start(bool resumed) = 0;
  /// One step. @param observe whether the state is looked at after it (then it is complete and sums are
  /// known).
  /// @param signal as of Engine::update_forces. @returns the largest of all ranks; if it is positive the
  /// state is complete too.
  virtual std::int64_t step(bool observe, std::int64_t signal) = 0;
  /// Whether the stage ends before its steps are up.
  virtual bool done() const { return false; }
  /// Adds what only this method knows to a log row.
  virtual void report(Quantities& row) const = 0;
  /// kT of the ensemble if the stage samples positions alone (then rows hold it, not that of velocities);
  /// else 0.
  virtual double configurational_kT() const { return 0; }
  /// Puts what a checkpoint must hold into state.extra.
  virtual void store() = 0;
};

std::unique_ptr<Stage> make_md_stage(Engine& engine, StageOptions const& options, std::uint64_t seed,
                                     double kT_unit);
/// One step is one sweep. A stage without a max_displacement goes on with that of the Monte-Carlo stage
/// before it, found in state.extra.
std::unique_ptr<Stage> make_mc_stage(Engine& engine, StageOptions const& options, std::uint64_t seed,
                                     double kT_unit);
/// @param initial the velocities of the state when the stage ends.
std::unique_ptr<Stage> make_minimize_stage(Engine& engine, StageOptions const& options,
                                           InitialVelocities const& initial);

}  // namespace lockstep
