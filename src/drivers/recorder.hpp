// SPDX-License-Identifier: Apache-2.0
// When and what a run writes: log rows, frames, checkpoints, manifest.
#pragma once

#include <chrono>
#include <cstdint>
#include <functional>
#include <string>

#include "drivers/stage.hpp"
#include "output/checkpoint.hpp"
#include "output/log.hpp"
#include "output/manifest.hpp"
#include "output/output_options.hpp"
#include "output/trajectory.hpp"

namespace lockstep {

/// One log row as the terminal shows it.
struct Row {
  std::int64_t step = 0;
  double time = 0;
  std::string stage;
  Quantities quantities;
  std::string digest;
};

struct RecorderOptions {
  OutputOptions output;
  TrajectoryHeader header;
  RunRecord record;
  std::function<void(Row const&)> show;  ///< called on rank 0 for each row; may be empty
};

/// All output of a run. Members are collective.
class Recorder {
 public:
  /// @param from the checkpoint the run goes on from, or nullptr for a fresh start: earlier output is cut
  /// back to it.
  Recorder(Comm const& comm, RunDirectory const& directory, RecorderOptions options, Checkpoint const* from,
           std::int64_t step);

  /// Whether anything is due at this step.
  bool due(std::int64_t step) const;
  /// Writes what is due at the state's step, once. @param last whether the run ends here: a row and a frame
  /// are due.
  void record(Engine& engine, Stage& stage, std::string const& stage_name, std::int64_t dof, bool last);
  /// Closes the trajectory's segment and writes a checkpoint.
  void checkpoint(Engine& engine, Stage& stage);
  /// After a SimulationError: keeps the frames so far, writes emergency.h5 and notes the reason. Never throws
  /// for output that fails: the first error is the one to report.
  void emergency(Engine& engine, std::string const& reason);
  /// Whether rank 0's clock asks for a checkpoint now (rank 0; false elsewhere), or the step does
  /// (everywhere).
  bool checkpoint_due(std::int64_t step) const;
  void finish(std::int64_t step, std::string const& outcome, Performance const& performance);
  double output_seconds() const { return output_seconds_; }

 private:
  Checkpoint content(State const& state) const;

  using Clock = std::chrono::steady_clock;

  Comm comm_;
  RunDirectory const& directory_;
  RecorderOptions options_;
  Log log_;
  Trajectory trajectory_;
  Manifest manifest_;
  std::int64_t last_row_ = -1, last_frame_ = -1, last_checkpoint_ = -1;
  Clock::time_point checkpoint_time_ = Clock::now();
  double output_seconds_ = 0;
};

}  // namespace lockstep
