// SPDX-License-Identifier: Apache-2.0
// Output in step: what a checkpoint says was written is on the disk before it.
#include "drivers/recorder.hpp"

#include "base/error.hpp"
#include "drivers/thermo.hpp"
#include "state/digest.hpp"

namespace lockstep {
namespace {

bool every(std::int64_t step, std::int64_t interval) { return interval > 0 && step % interval == 0; }

double seconds_since(std::chrono::steady_clock::time_point start) {
  return std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
}

}  // namespace

Recorder::Recorder(Comm const& comm, RunDirectory const& directory, RecorderOptions options,
                   Checkpoint const* from, std::int64_t step)
    : comm_(comm),
      directory_(directory),
      options_(std::move(options)),
      log_(comm, directory),
      trajectory_(comm, directory, options_.output.trajectory, options_.header),
      manifest_(comm, directory, options_.record) {
  if (from == nullptr) {
    log_.cut(0, 0);
    trajectory_.cut(-1, 0);
    return;
  }
  log_.cut(from->output.log_bytes, from->output.log_rows);
  trajectory_.cut(step, from->output.frames);
  last_row_ = last_frame_ = last_checkpoint_ = step;
}

bool Recorder::due(std::int64_t step) const {
  return every(step, options_.output.log.every) || every(step, options_.output.trajectory.every) ||
         every(step, options_.output.checkpoint.every_steps);
}

bool Recorder::checkpoint_due(std::int64_t step) const {
  if (every(step, options_.output.checkpoint.every_steps)) return true;
  double const interval = options_.output.checkpoint.every;
  return comm_.root() && interval > 0 && seconds_since(checkpoint_time_) > interval;
}

void Recorder::record(Engine& engine, Stage& stage, std::string const& stage_name, std::int64_t dof,
                      bool last) {
  State const& s = engine.state;
  bool const row_due = s.step != last_row_ &&
                       (every(s.step, options_.output.log.every) || (last && options_.output.log.every > 0));
  bool const frame_due = s.step != last_frame_ && (every(s.step, options_.output.trajectory.every) ||
                                                   (last && options_.output.trajectory.every > 0));
  if (!row_due && !frame_due) return;
  auto const start = Clock::now();
  stage.store();
  Digest const digest = state_digest(comm_, s);
  if (frame_due) {
    trajectory_.frame(s, digest);
    last_frame_ = s.step;
  }
  if (row_due) {
    Row row{s.step, s.time, stage_name, thermodynamics(engine, dof, stage.configurational_kT()),
            digest.hex()};
    stage.report(row.quantities);
    std::vector<LogField> fields{{"step", s.step}, {"time", s.time}, {"stage", row.stage}};
    for (auto const& [name, value] : row.quantities) fields.push_back({name, value});
    fields.push_back({"digest", row.digest});
    log_.row(fields);
    last_row_ = s.step;
    if (comm_.root() && options_.show) options_.show(row);
  }
  output_seconds_ += seconds_since(start);
}

void Recorder::checkpoint(Engine& engine, Stage& stage) {
  State const& s = engine.state;
  if (s.step == last_checkpoint_) return;
  auto const start = Clock::now();
  stage.store();
  trajectory_.close_segment();
  log_.sync();
  write_checkpoint(comm_, directory_, s, content(s));
  last_checkpoint_ = s.step;
  checkpoint_time_ = Clock::now();
  output_seconds_ += seconds_since(start);
}

Checkpoint Recorder::content(State const& s) const {
  Checkpoint c;
  c.input = options_.header.input;
  c.input_hash = options_.header.input_hash;
  c.build = options_.header.build;
  c.species = options_.header.species;
  c.digest = state_digest(comm_, s);
  c.output = {log_.bytes(), log_.rows(), trajectory_.frames()};
  return c;
}

void Recorder::emergency(Engine& engine, std::string const& reason) {
  try {
    trajectory_.close_segment();
    log_.sync();
    write_emergency_checkpoint(comm_, directory_, engine.state, content(engine.state));
    manifest_.update(engine.state.step, "failed: " + reason, {});
  } catch (ResourceError const&) {}
}

void Recorder::finish(std::int64_t step, std::string const& outcome, Performance const& performance) {
  manifest_.update(step, outcome, performance);
}

}  // namespace lockstep
