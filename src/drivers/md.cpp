// SPDX-License-Identifier: Apache-2.0
// Molecular dynamics: the order of one step.
#include <cmath>
#include <optional>

#include "drivers/stage.hpp"
#include "dynamics/csvr.hpp"
#include "dynamics/kinetic.hpp"
#include "dynamics/langevin.hpp"
#include "dynamics/velocities.hpp"
#include "dynamics/velocity_verlet.hpp"

namespace lockstep {
namespace {

class MdStage final : public Stage {
 public:
  MdStage(Engine& engine, StageOptions const& options, std::uint64_t seed, double kT_unit)
      : engine_(engine), options_(options) {
    State const& s = engine.state;
    if (options.integrator == Integrator::langevin) {
      langevin_.emplace(s.scales, s.masses, options.timestep, kT_unit * options.langevin.temperature,
                        options.langevin.friction, seed);
    } else {
      verlet_.emplace(s.scales, s.masses, options.timestep);
    }
    if (options.integrator == Integrator::nvt_csvr)
      csvr_.emplace(options.timestep, kT_unit * options.csvr.temperature, options.csvr.relaxation_time,
                    degrees_of_freedom(s.n_particles, Momentum::conserved), seed);
  }

  void start(bool resumed) override {
    if (resumed && csvr_) csvr_->restore(engine_.state.extra);
    engine_.update_forces(0, 0, true);
  }

  std::int64_t step(bool observe, std::int64_t signal) override {
    State& s = engine_.state;
    Motion const motion = begin(s.step + 1);
    s.step += 1;
    s.stage_step += 1;
    s.time = s.stage_start_time + double(s.stage_step) * options_.timestep;
    // a component is below max_speed, so a particle goes less than sqrt(3) times as far
    bool const runaway = motion.runaway >= 0;
    double const length = runaway ? 0.0 : 1.7320509 * motion.max_speed * options_.timestep;
    std::int64_t const answer = engine_.update_forces(length, runaway ? runaway_signal : signal, observe);
    if (answer >= runaway_signal) engine_.check_motion(motion.runaway);
    bool const remove = options_.remove_drift_every > 0 && s.stage_step % options_.remove_drift_every == 0;
    if (observe || answer > 0 || csvr_ || remove) finish(remove);
    return answer;
  }

  void report(Quantities& row) const override {
    if (csvr_) row.emplace_back("heat_taken", csvr_->heat());
  }

  void store() override {
    engine_.state.extra.clear();
    if (csvr_) engine_.state.extra = csvr_->words();
  }

 private:
  static constexpr std::int64_t runaway_signal = 1000;

  Motion begin(std::int64_t step) {
    State& s = engine_.state;
    bool const both = half_done_;
    half_done_ = true;
    if (langevin_) return both ? langevin_->finish_and_begin(s, step) : langevin_->begin(s, step);
    return both ? verlet_->finish_and_begin(s) : verlet_->begin(s);
  }

  void finish(bool remove) {
    State& s = engine_.state;
    half_done_ = false;
    Motion const motion = langevin_ ? langevin_->finish(s) : verlet_->finish(s);
    engine_.check_motion(motion.runaway);
    if (csvr_) csvr_->apply(engine_.comm(), s, s.step);
    if (remove) remove_drift(engine_.comm(), s);
  }

  Engine& engine_;
  StageOptions options_;
  std::optional<VelocityVerlet> verlet_;
  std::optional<Langevin> langevin_;
  std::optional<Csvr> csvr_;
  bool half_done_ =
      false;  // the last step still lacks its second kick, which the next step's first takes along
};

}  // namespace

std::unique_ptr<Stage> make_md_stage(Engine& engine, StageOptions const& options, std::uint64_t seed,
                                     double kT_unit) {
  return std::make_unique<MdStage>(engine, options, seed, kT_unit);
}

}  // namespace lockstep
