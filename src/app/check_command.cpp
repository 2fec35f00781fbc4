// SPDX-License-Identifier: Apache-2.0
// lockstep check: everything `run` would verify, and what it would need; lockstep schema.
#include <fmt/format.h>

#include <algorithm>

#include "app/commands.hpp"
#include "app/simulation.hpp"
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
  if (comm.root()) {
    fmt::print("{}\n# ---\n", in.resolved);
    predict(comm, in, *simulation.engine);
    fmt::print("input          good, hash {}\n", in.hash);
  }
  return ExitCode::done;
}

ExitCode schema_command(Comm const& comm, Arguments const& arguments) {
  if (comm.root()) fmt::print("{}\n", arguments.markdown ? run_input_reference() : run_input_schema());
  return ExitCode::done;
}

}  // namespace lockstep
