// SPDX-License-Identifier: Apache-2.0
// lockstep run.
#include <fmt/format.h>

#include <chrono>
#include <cstdio>
#include <filesystem>
#include <limits>

#include "app/build_info.hpp"
#include "app/commands.hpp"
#include "app/interruption.hpp"
#include "app/simulation.hpp"
#include "app/terminal.hpp"
#include "base/for_particles.hpp"

namespace lockstep {
namespace {

using Clock = std::chrono::steady_clock;

std::string output_path(RunInput const& in) {
  std::filesystem::path const path(in.output.directory);
  return path.is_absolute() ? path.string() : (std::filesystem::path(in.folder) / path).string();
}

RecorderOptions recorder_options(RunInput const& in, Simulation const& simulation, Terminal& terminal) {
  Engine const& engine = *simulation.engine;
  RecorderOptions options;
  options.output = in.output;
  options.header = {in.units, in.title, in.resolved, in.hash, std::string(build_info()), simulation.species};
  options.record.version = std::string(version());
  options.record.build = std::string(build_info());
  options.record.versions = library_versions();
  options.record.title = in.title;
  options.record.input_hash = in.hash;
  options.record.device = loops_on_host ? "cpu" : "cuda";
  options.record.kernel = std::string(engine.forces().kernel_name());
  options.record.threads = engine.options().n_threads;
  options.record.first_step = engine.state.step;
  options.record.n_particles = engine.state.n_particles;
  options.show = [&terminal](Row const& row) { terminal.row(row); };
  return options;
}

Performance performance_of(RunInput const& in, Engine const& engine, RunResult const& result,
                           double output_seconds) {
  Performance p;
  p.wall_seconds = result.seconds;
  p.output_seconds = output_seconds;
  if (result.seconds <= 0) return p;
  p.particle_steps_per_second = double(engine.state.n_particles) * double(result.steps) / result.seconds;
  p.ns_per_day = time_per_day(in.units, result.simulated_time, result.seconds);
  return p;
}

/// The simulation the directory asks for: fresh, or from its checkpoint.
struct Begin {
  Simulation simulation;
  Checkpoint checkpoint;
  bool resumed = false;
};

/// Frames of other fields or storage cannot follow those that are there: trajectory.h5 shows all as one.
void check_trajectory(RunInput const& in, Checkpoint const& from) {
  if (from.output.frames == 0) return;
  TrajectoryOptions const before = parse_run_input(from.input, in.path, {}).output.trajectory;
  TrajectoryOptions const& now = in.output.trajectory;
  if (before.fields_written == now.fields_written && before.storage == now.storage) return;
  throw InputError(in.path + ": output.trajectory",
                   "asks for other fields or another storage than the frames so far",
                   "trajectory.h5 shows all frames of a run as one",
                   "set `fields` and `storage` back, or give the run a new output.directory");
}

Begin begin(Comm const& comm, RunInput const& in, Arguments const& arguments, RunDirectory const& directory) {
  std::string notice;
  Begin b;
  b.resumed = find_start(comm, directory, in.hash, notice) == Start::resume;
  if (b.resumed) {
    Restored restored = resume_checkpoint(comm, directory, in.hash);
    if (!restored.warning.empty()) notice += (notice.empty() ? "" : "\n") + restored.warning;
    b.checkpoint = restored.checkpoint;
    check_trajectory(in, b.checkpoint);
    b.simulation = make_simulation(comm, in, arguments, std::move(restored.state), b.checkpoint.species);
  } else {
    b.simulation = make_simulation(comm, in, arguments);
  }
  if (comm.root() && !notice.empty()) fmt::print(stderr, "lockstep: {}\n", notice);
  if (comm.root() && b.resumed && !arguments.quiet)
    fmt::print("continuing from step {}\n", b.simulation.engine->state.step);
  return b;
}

void introduce(Comm const& comm, RunInput const& in, Engine const& engine) {
  if (!comm.root()) return;
  fmt::print("{}\n{}: {} particles, {} rank{} x {} thread{}, {} precision, kernels {}\n", build_info(),
             in.title, engine.state.n_particles, comm.size(), comm.size() == 1 ? "" : "s",
             engine.options().n_threads, engine.options().n_threads == 1 ? "" : "s",
             in.precision == Precision::mixed ? "mixed" : "double", engine.forces().kernel_name());
  std::fflush(stdout);
}

}  // namespace

ExitCode run_command(Comm const& comm, Arguments const& arguments) {
  auto const start = Clock::now();
  RunInput const in = read_run_input(arguments.input, arguments.set);
  RunDirectory const directory(comm, output_path(in));
  Begin b = begin(comm, in, arguments, directory);
  Engine& engine = *b.simulation.engine;
  if (!arguments.quiet) introduce(comm, in, engine);

  std::int64_t total = 0;
  for (StageOptions const& stage : in.stages) total += stage.steps;
  Terminal terminal(in.units, engine.state.n_particles, in.stages.empty() ? 0 : in.stages.back().timestep,
                    total, arguments.quiet);
  Recorder recorder(comm, directory, recorder_options(in, b.simulation, terminal),
                    b.resumed ? &b.checkpoint : nullptr, engine.state.step);
  RunOptions options;
  options.stages = in.stages;
  options.seed = in.seed;
  options.kT_unit = in.kT(1.0);
  options.initial.seed = in.seed;
  if (in.system.temperature >= 0) options.initial.kT = in.kT(in.system.temperature);
  options.initial.momentum = in.system.remove_drift ? Momentum::conserved : Momentum::free;
  options.wish = [&] {
    double const left = arguments.walltime > 0
                            ? arguments.walltime - std::chrono::duration<double>(Clock::now() - start).count()
                            : std::numeric_limits<double>::infinity();
    return present_wish(left);
  };
  options.progress = [&](std::int64_t step, std::int64_t) { terminal.progress(step); };
  RunResult result;
  try {
    result = run_stages(engine, recorder, options, b.resumed);
  } catch (SimulationError const& e) {
    terminal.end();
    recorder.emergency(engine, e.what());
    throw;
  }
  terminal.end();
  Performance const performance = performance_of(in, engine, result, recorder.output_seconds());
  recorder.finish(engine.state.step, result.finished ? "finished" : "checkpointed", performance);
  if (comm.root() && !arguments.quiet)
    fmt::print(
        "{} at step {}: {:.3f} M particle-steps/s, {:.4g} {}/day, {:.2f} s ({:.2f} s output), results in "
        "{}\n",
        result.finished ? "finished" : "checkpointed", engine.state.step,
        performance.particle_steps_per_second * 1e-6, performance.ns_per_day,
        in.units == UnitSystem::physical ? "ns" : "tau", result.seconds, recorder.output_seconds(),
        directory.path());
  return result.finished ? ExitCode::done : ExitCode::checkpointed;
}

}  // namespace lockstep
