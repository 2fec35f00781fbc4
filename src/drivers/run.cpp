// SPDX-License-Identifier: Apache-2.0
// The loop over stages and steps.
#include "drivers/run.hpp"

#include <algorithm>
#include <chrono>

#include "dynamics/kinetic.hpp"

namespace lockstep {
namespace {

using Clock = std::chrono::steady_clock;

std::unique_ptr<Stage> make_stage(Engine& engine, StageOptions const& options, RunOptions const& run) {
  if (options.method == Method::minimize) return make_minimize_stage(engine, options, run.initial);
  if (options.method == Method::mc) return make_mc_stage(engine, options, run.seed, run.kT_unit);
  return make_md_stage(engine, options, run.seed, run.kT_unit);
}

std::int64_t stage_degrees_of_freedom(StageOptions const& options, std::int64_t n_particles) {
  bool const conserved = options.method != Method::md || options.integrator != Integrator::langevin;
  return degrees_of_freedom(n_particles, conserved ? Momentum::conserved : Momentum::free);
}

/// Steps of one stage. @returns whether the run should stop here.
class StageRun {
 public:
  StageRun(Engine& engine, Recorder& recorder, RunOptions const& run, StageOptions const& options, bool last)
      : engine_(engine),
        recorder_(recorder),
        run_(run),
        options_(options),
        last_(last),
        stage_(make_stage(engine, options, run)),
        dof_(stage_degrees_of_freedom(options, engine.state.n_particles)) {}

  bool go(bool resumed) {
    State& s = engine_.state;
    stage_->start(resumed);
    recorder_.record(engine_, *stage_, options_.name, dof_, last_ && options_.steps == 0);
    while (s.stage_step < options_.steps && !stage_->done()) {
      std::int64_t const next = s.step + 1;
      bool const ends = s.stage_step + 1 == options_.steps;
      Wish wish = run_.wish ? run_.wish() : Wish::nothing;
      if (recorder_.checkpoint_due(next)) wish = std::max(wish, Wish::checkpoint);
      auto const agreed = Wish(stage_->step(ends || recorder_.due(next), std::int64_t(wish)));
      recorder_.record(engine_, *stage_, options_.name, dof_, last_ && (ends || stage_->done()));
      if (engine_.comm().root() && run_.progress) run_.progress(s.step, options_.steps - s.stage_step);
      if (agreed >= Wish::checkpoint) recorder_.checkpoint(engine_, *stage_);
      if (agreed >= Wish::stop) return true;
    }
    if (last_) recorder_.checkpoint(engine_, *stage_);
    stage_->store();  // the next stage may go on from it
    return false;
  }

 private:
  Engine& engine_;
  Recorder& recorder_;
  RunOptions const& run_;
  StageOptions const& options_;
  bool last_;
  std::unique_ptr<Stage> stage_;
  std::int64_t dof_;
};

}  // namespace

RunResult run_stages(Engine& engine, Recorder& recorder, RunOptions const& options, bool resumed) {
  State& s = engine.state;
  RunResult result;
  auto const start = Clock::now();
  std::int64_t const first_step = s.step;
  double const first_time = s.time;
  bool stopped = false;
  while (!stopped && s.stage < std::int64_t(options.stages.size())) {
    bool const last = s.stage + 1 == std::int64_t(options.stages.size());
    StageRun stage(engine, recorder, options, options.stages[std::size_t(s.stage)], last);
    stopped = stage.go(resumed);
    resumed = false;
    if (stopped || last) break;
    s.stage += 1;
    s.stage_step = 0;
    s.stage_start_time = s.time;
    auto const is_mc = [&](std::int64_t k) { return options.stages[std::size_t(k)].method == Method::mc; };
    if (!is_mc(s.stage) || !is_mc(s.stage - 1)) s.extra.clear();
  }
  result.finished = !stopped;
  result.steps = s.step - first_step;
  result.simulated_time = s.time - first_time;
  result.seconds = std::chrono::duration<double>(Clock::now() - start).count();
  return result;
}

}  // namespace lockstep
