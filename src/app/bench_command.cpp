// SPDX-License-Identifier: Apache-2.0
// lockstep bench: speed of a built-in system without output, as JSON.
#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <cmath>

#include "app/build_info.hpp"
#include "app/commands.hpp"
#include "app/report.hpp"
#include "app/simulation.hpp"
#include "drivers/stage.hpp"
#include "state/digest.hpp"

namespace lockstep {
namespace {

/// The smallest cube of fcc cells with at least n particles.
std::int64_t cells_for(std::int64_t n) {
  std::int64_t cells = 1;
  while (4 * cells * cells * cells < n) ++cells;
  return cells;
}

RunInput bench_input(Arguments const& a) {
  RunInput in;
  in.title = a.bench_case;
  in.units = UnitSystem::lj;
  in.seed = 2026;
  std::int64_t const cells = cells_for(a.bench_particles);
  in.system.has_lattice = true;
  in.system.lattice.kind = LatticeKind::fcc;
  in.system.lattice.cells = {cells, cells, cells};
  PairOptions pair;
  pair.cutoff = 2.5;
  auto const row = [](char const* i, char const* j, double epsilon, double sigma) {
    PairCoefficients c;
    c.species = {i, j};
    c.values = {epsilon, sigma};
    c.cutoff = 2.5 * sigma;
    return c;
  };
  if (a.bench_case == "lj-liquid") {
    in.system.lattice.density = 0.8442;
    in.system.temperature = 1.44;
    in.species = {{"A", 1.0}};
    pair.coefficients = {row("A", "A", 1, 1)};
  } else {
    in.system.lattice.density = 1.2;
    in.system.temperature = 1.0;
    in.system.lattice.species = {"A", "B"};
    in.system.lattice.composition = {0.8, 0.2};
    in.species = {{"A", 1.0}, {"B", 1.0}};
    pair.coefficients = {row("A", "A", 1, 1), row("A", "B", 1.5, 0.8), row("B", "B", 0.5, 0.88)};
  }
  in.pairs = {pair};
  StageOptions stage;
  stage.timestep = 0.005;
  stage.steps = a.bench_steps;
  in.stages = {stage};
  return in;
}

}  // namespace

ExitCode bench_command(Comm const& comm, Arguments const& arguments) {
  RunInput const in = bench_input(arguments);
  Simulation simulation = make_simulation(comm, in, arguments);
  Engine& engine = *simulation.engine;
  auto const stage = make_md_stage(engine, in.stages.front(), in.seed, 1.0);
  stage->start(false);
  auto const steps = [&](std::int64_t n) {
    comm.barrier();
    auto const start = std::chrono::steady_clock::now();
    for (std::int64_t k = 0; k < n; ++k) stage->step(k + 1 == n, 0);
    return comm.max(std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count());
  };
  steps(std::min<std::int64_t>(100, arguments.bench_steps));  // melts, warms up
  double best = 1e300;
  for (int repeat = 0; repeat < 3; ++repeat) best = std::min(best, steps(arguments.bench_steps));
  std::string const digest = state_digest(comm, engine.state).hex();
  double const n = double(engine.state.n_particles);
  Report r;
  r.put("case", in.title);
  r.put("n_particles", engine.state.n_particles);
  r.put("ranks", std::int64_t(comm.size()));
  r.put("threads", std::int64_t(engine.options().n_threads));
  r.put("kernel", engine.forces().kernel_name());
  r.put("steps", std::int64_t(arguments.bench_steps));
  r.put("particle_steps_per_second", n * double(arguments.bench_steps) / best);
  r.put("list_builds", engine.neighbors().n_builds());
  r.put("prunes", engine.neighbors().n_prunes());
  r.put("digest", digest);
  r.put("build", build_info());
  if (comm.root()) fmt::print("{}\n", r.text());
  return ExitCode::done;
}

}  // namespace lockstep
