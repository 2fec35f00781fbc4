// SPDX-License-Identifier: Apache-2.0
// Minimization: steps of FIRE until the largest force is small.
#include <algorithm>

#include "drivers/stage.hpp"
#include "dynamics/fire.hpp"
#include "dynamics/velocities.hpp"

namespace lockstep {
namespace {

/// The first time step of FIRE, which adapts it: the usual one of molecular dynamics for the lightest
/// particle.
/// @returns ps or tau
double first_timestep(UnitSystem units, std::vector<double> const& masses) {
  double lightest = masses.empty() ? 1.0 : masses.front();
  for (double mass : masses) lightest = std::min(lightest, mass);
  return (units == UnitSystem::lj ? 0.005 : 0.001) * sqrt(lightest);
}

class MinimizeStage final : public Stage {
 public:
  MinimizeStage(Engine& engine, StageOptions const& options, InitialVelocities const& initial)
      : engine_(engine),
        steps_(options.steps),
        initial_(initial),
        fire_(options.fire, engine.state.scales, engine.state.masses,
              first_timestep(engine.options().units, engine.state.masses)) {}

  void start(bool resumed) override {
    if (resumed) {
      restore();
    } else {
      fire_.start(engine_.state);
      if (steps_ == 0) set_velocities();
    }
    engine_.update_forces(0, 0, true);
    largest_force_ = fire_.largest_force(engine_.comm(), engine_.state);
  }

  std::int64_t step(bool observe, std::int64_t signal) override {
    State& s = engine_.state;
    auto const status = fire_.step(engine_.comm(), s);
    engine_.check_motion(status.motion.runaway);
    converged_ = status.converged;
    s.step += 1;
    s.stage_step += 1;
    bool const ends = converged_ || s.stage_step == steps_;
    if (ends) set_velocities();
    std::int64_t const answer = engine_.update_forces(status.largest_move, signal, observe || ends);
    if (observe || ends) largest_force_ = fire_.largest_force(engine_.comm(), s);
    return answer;
  }

  bool done() const override { return converged_; }

  void report(Quantities& row) const override { row.emplace_back("largest_force", largest_force_); }

  void store() override {
    engine_.state.extra = fire_.words();
    engine_.state.extra.push_back(converged_ ? 1 : 0);
  }

 private:
  void restore() {
    std::vector<std::int64_t> words = engine_.state.extra;
    converged_ = !words.empty() && words.back() != 0;
    if (!words.empty()) words.pop_back();
    fire_.restore(words);
  }

  /// The initial ones again: those of the minimizer mean nothing to the next stage.
  void set_velocities() {
    State& s = engine_.state;
    if (initial_.kT >= 0) {
      initial_velocities(engine_.comm(), s, initial_.seed, initial_.kT, initial_.momentum);
    } else {
      for (LocalIndex i = 0; i < s.n_owned; ++i)
        for (int d = 0; d < 3; ++d) s.v(i, d) = 0;
    }
  }

  Engine& engine_;
  std::int64_t steps_;
  InitialVelocities initial_;
  Fire fire_;
  double largest_force_ = 0;  // of the present positions, at observed steps
  bool converged_ = false;
};

}  // namespace

std::unique_ptr<Stage> make_minimize_stage(Engine& engine, StageOptions const& options,
                                           InitialVelocities const& initial) {
  return std::make_unique<MinimizeStage>(engine, options, initial);
}

}  // namespace lockstep
