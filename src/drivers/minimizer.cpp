// SPDX-License-Identifier: Apache-2.0
// Minimization: steps of FIRE until the largest force is small.
#include "drivers/stage.hpp"
#include "dynamics/fire.hpp"

namespace lockstep {
namespace {

class MinimizeStage final : public Stage {
 public:
  MinimizeStage(Engine& engine, StageOptions const& options)
      : engine_(engine), fire_(options.fire, engine.state.scales, engine.state.masses, options.timestep) {}

  void start(bool resumed) override {
    if (resumed) {
      fire_.restore(engine_.state.extra);
    } else {
      fire_.start(engine_.state);
    }
    engine_.update_forces(0, 0, true);
  }

  std::int64_t step(bool observe, std::int64_t signal) override {
    State& s = engine_.state;
    status_ = fire_.step(engine_.comm(), s);
    engine_.check_motion(status_.motion.runaway);
    s.step += 1;
    s.stage_step += 1;
    return engine_.update_forces(status_.largest_move, signal, observe || status_.converged);
  }

  bool done() const override { return status_.converged; }

  void report(Quantities& row) const override { row.emplace_back("largest_force", status_.largest_force); }

  void store() override { engine_.state.extra = fire_.words(); }

 private:
  Engine& engine_;
  Fire fire_;
  Fire::Status status_;
};

}  // namespace

std::unique_ptr<Stage> make_minimize_stage(Engine& engine, StageOptions const& options) {
  return std::make_unique<MinimizeStage>(engine, options);
}

}  // namespace lockstep
