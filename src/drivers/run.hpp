// SPDX-License-Identifier: Apache-2.0
// All stages of a run, from a fresh start or a checkpoint, until they are done or someone asks to stop.
#pragma once

#include <cstdint>
#include <functional>
#include <vector>

#include "drivers/recorder.hpp"

namespace lockstep {

/// What a running program wants of the run; larger wins over all ranks.
enum class Wish : std::int64_t { nothing = 0, checkpoint = 1, stop = 2 };

struct RunOptions {
  std::vector<StageOptions> stages;
  std::uint64_t seed = 0;
  double kT_unit = 1;  ///< kT of a temperature of 1
  InitialVelocities initial;
  std::function<Wish()> wish;  ///< asked on every rank before each step (signals, wall time)
  std::function<void(std::int64_t step, std::int64_t last_step)>
      progress;  ///< rank 0, after each step; may be empty
};

struct RunResult {
  bool finished = false;  ///< false: stopped after a checkpoint
  std::int64_t steps = 0;
  double seconds = 0;  ///< of stepping, output included
  double simulated_time = 0;
};

/// Runs from the state's stage and step on. Collective.
/// @param resumed whether the state came from a checkpoint.
/// @throws SimulationError on all ranks
RunResult run_stages(Engine& engine, Recorder& recorder, RunOptions const& options, bool resumed);

}  // namespace lockstep
