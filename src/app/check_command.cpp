// SPDX-License-Identifier: Apache-2.0
// lockstep check: everything `run` would verify, and what it would need; lockstep schema.
#include <fmt/format.h>

#include <algorithm>
#include <chrono>

#include "app/commands.hpp"
#include "app/simulation.hpp"
#include "app/terminal.hpp"
#include "base/kokkos.hpp"

namespace lockstep {
namespace {

/// Bytes of a frame per particle.
double frame_bytes(TrajectoryOptions const& t) {
  double bytes = 0;
  for (TrajectoryField field : t.fields_written)
    bytes += field == TrajectoryField::image ? 12 : t.storage == Storage::lossless ? 24 : 12;
  return bytes;
}

std::string size_text(double bytes) {
  char const* const names[] = {"B", "kB", "MB", "GB", "TB"};
  int k = 0;
  while (bytes >= 1000 && k < 4) {
    bytes /= 1000;
    ++k;
  }
  return fmt::format("{:.3g} {}", bytes, names[k]);
}

/// Particle-steps per second if a step were its forces alone: the best of a few evaluations. Collective.
double force_rate(Comm const& comm, Engine& engine) {
  using Clock = std::chrono::steady_clock;
  double best = 1e300, spent = 0;
  for (int repeat = 0; repeat < 10 && spent < 1; ++repeat) {
    comm.barrier();
    auto const start = Clock::now();
    engine.update_forces(0, 0, false);
    double const seconds = comm.max(std::chrono::duration<double>(Clock::now() - start).count());
    best = std::min(best, seconds);
    spent += seconds;
  }
  return double(engine.state.n_particles) / best;
}

/// Simulated time per day of each md stage; Monte Carlo is not timed, its moves are not these forces.
void print_speed(RunInput const& in, double rate, double n_particles) {
  for (std::size_t k = 0; k < in.stages.size(); ++k) {
    StageOptions const& stage = in.stages[k];
    if (stage.method != Method::md) continue;
    fmt::print(
        "speed          stage {}: at most {:.3g} {}/day, {:.3g} M particle-steps/s (its forces, timed "
        "here)\n",
        k, time_per_day(in.units, rate / n_particles * stage.timestep, 1.0),
        in.units == UnitSystem::physical ? "ns" : "tau", rate * 1e-6);
  }
}

void predict(Comm const& comm, RunInput const& in, Engine const& engine) {
  State const& s = engine.state;
  std::int64_t steps = 0;
  for (StageOptions const& stage : in.stages) steps += stage.steps;
  double entries = 0;
  for (auto const* lists : {&engine.neighbors().local_lists(), &engine.neighbors().halo_lists()})
    for (auto const& list : *lists) entries += double(list.n_entries());
  double const n = double(s.n_particles), slots = 4.0 * engine.neighbors().clusters().n_clusters();
  double const memory = 104.0 * double(s.capacity()) + slots * (12 * 4 + 1) + entries * 24;
  auto const edges = s.box.edges();
  fmt::print("particles      {}\nbox            {:.9g} x {:.9g} x {:.9g} {}\n", s.n_particles, edges.x,
             edges.y, edges.z, in.units == UnitSystem::lj ? "sigma" : "nm");
  fmt::print("layout         {} rank(s) x {} thread(s); rank 0 owns {} particles and sees {} ghosts\n",
             comm.size(), engine.options().n_threads, s.n_owned, engine.domain().n_ghosts());
  fmt::print("kernel         {}\nmemory         about {} on rank 0\n", engine.forces().kernel_name(),
             size_text(memory));
  if (in.output.trajectory.every > 0) {
    double const frames = 1 + double(steps / in.output.trajectory.every);
    fmt::print("trajectory     {:.0f} frames, {}\n", frames,
               size_text(frames * n * frame_bytes(in.output.trajectory)));
  }
  fmt::print("checkpoint     {} each, two are kept\nsteps          {} in {} stage(s)\n", size_text(72 * n),
             steps, in.stages.size());
}

}  // namespace

ExitCode check_command(Comm const& comm, Arguments const& arguments) {
  RunInput const in = read_run_input(arguments.input, arguments.set);
  Simulation simulation = make_simulation(comm, in, arguments);
  simulation.engine->update_forces(0, 0, true);
  double const rate = force_rate(comm, *simulation.engine);
  if (comm.root()) {
    fmt::print("{}\n# ---\n", in.resolved);
    predict(comm, in, *simulation.engine);
    print_speed(in, rate, double(simulation.engine->state.n_particles));
    fmt::print("input          good, hash {}\n", in.hash);
  }
  return ExitCode::done;
}

ExitCode schema_command(Comm const& comm, Arguments const& arguments) {
  if (comm.root()) fmt::print("{}\n", arguments.markdown ? run_input_reference() : run_input_schema());
  return ExitCode::done;
}

}  // namespace lockstep
