// SPDX-License-Identifier: Apache-2.0
// Monte Carlo at constant volume and temperature: the order of one sweep, the running energy, tuning.
#include <algorithm>
#include <bit>
#include <string>

#include "base/error.hpp"
#include "drivers/stage.hpp"
#include "moves/sweep.hpp"

namespace lockstep {
namespace {

constexpr double anywhere = 1e30;  // how far a particle may have gone in a sweep: lists are built anew

std::string decimal(Int128 value) {
  bool const negative = value < 0;
  UInt128 rest = negative ? UInt128(0) - static_cast<UInt128>(value) : static_cast<UInt128>(value);
  std::string digits;
  do digits.insert(digits.begin(), char('0' + int(rest % 10)));
  while ((rest /= 10) != 0);
  return negative ? "-" + digits : digits;
}

/// What a checkpoint holds of a Monte-Carlo stage.
struct McMemory {
  double step = 0;                          // half the edge of the cube of translations, nm or sigma
  std::int64_t attempts = 0, accepted = 0;  // of the stage
  std::int64_t tune_attempts = 0, tune_accepted = 0;  // since the step was last changed
  Int128 energy = 0;                                  // running, energy units

  static constexpr std::size_t n_words = 7;
  std::vector<std::int64_t> words() const {
    return {std::bit_cast<std::int64_t>(step),
            attempts,
            accepted,
            tune_attempts,
            tune_accepted,
            std::int64_t(static_cast<std::uint64_t>(energy)),
            std::int64_t(energy >> 64)};
  }
  void restore(std::vector<std::int64_t> const& w) {
    LOCKSTEP_EXPECT(w.size() == n_words);
    step = std::bit_cast<double>(w[0]);
    attempts = w[1];
    accepted = w[2];
    tune_attempts = w[3];
    tune_accepted = w[4];
    auto const high = static_cast<UInt128>(static_cast<std::uint64_t>(w[6])) << 64;
    energy = static_cast<Int128>(high | static_cast<std::uint64_t>(w[5]));
  }
};

class McStage final : public Stage {
 public:
  McStage(Engine& engine, StageOptions const& options, std::uint64_t seed, double kT_unit)
      : engine_(engine),
        options_(options.mc),
        kT_(kT_unit * options.mc.temperature),
        sweep_(engine.comm(), engine.state, engine.options().tables,
               {seed, kT_, engine.options().n_threads}) {}

  void start(bool resumed) override {
    auto const& extra = engine_.state.extra;
    engine_.update_forces(anywhere, 0, true);
    if (resumed) {
      memory_.restore(extra);
      return check_energy();
    }
    double step = options_.max_displacement;
    if (step == 0 && extra.size() == McMemory::n_words) step = std::bit_cast<double>(extra[0]);
    if (step == 0) step = 0.1 * largest_cutoff();
    memory_ = {};
    memory_.step = std::min(step, sweep_.longest_step());
    memory_.energy = recomputed();
  }

  std::int64_t step(bool observe, std::int64_t signal) override {
    State& s = engine_.state;
    s.step += 1;
    s.stage_step += 1;
    SweepCount const count = sweep_.run(s, std::uint64_t(s.step), memory_.step);
    memory_.energy += count.change;
    memory_.attempts += count.attempts;
    memory_.accepted += count.accepted;
    if (options_.tune) tune(count);
    std::int64_t const answer = engine_.comm().max(signal);
    if (observe || answer > 0) {
      engine_.update_forces(anywhere, 0, true);
      check_energy();
    }
    return answer;
  }

  double configurational_kT() const override { return kT_; }

  void report(Quantities& row) const override {
    double const acceptance =
        memory_.attempts > 0 ? double(memory_.accepted) / double(memory_.attempts) : 0.0;
    row.emplace_back("acceptance", acceptance);
    row.emplace_back("max_displacement", memory_.step);
    row.emplace_back("running_energy", to_double(memory_.energy) * engine_.state.scales.energy_unit());
  }

  void store() override { engine_.state.extra = memory_.words(); }

 private:
  static constexpr std::int64_t tune_after = 2000;  // attempts: acceptance is known within a few percent

  double largest_cutoff() const {
    double cutoff = 0;
    for (auto const& table : engine_.options().tables) cutoff = std::max(cutoff, table.max_cutoff);
    return cutoff > 0 ? cutoff : sweep_.longest_step();
  }

  Int128 recomputed() const {
    Int128 sum = 0;
    for (Int128 energy : engine_.forces().energies().energy) sum += energy;
    return sum;
  }

  /// The same integers everywhere, so the same answer on all ranks.
  void check_energy() const {
    Int128 const now = recomputed();
    if (now == memory_.energy) return;
    throw SimulationError(engine_.state.step, -1,
                          "the running energy of the Monte-Carlo moves, " + decimal(memory_.energy) +
                              " energy units, is not the recomputed one, " + decimal(now),
                          "this is a fault of the program or of the machine's memory: please report it");
  }

  /// Steps grow and shrink with acceptance over its aim, by a quarter at most.
  void tune(SweepCount const& count) {
    memory_.tune_attempts += count.attempts;
    memory_.tune_accepted += count.accepted;
    if (memory_.tune_attempts < tune_after) return;
    double const rate = double(memory_.tune_accepted) / double(memory_.tune_attempts);
    double const factor = std::clamp(rate / options_.target_acceptance, 0.8, 1.25);
    memory_.step = std::min(memory_.step * factor, sweep_.longest_step());
    memory_.tune_attempts = memory_.tune_accepted = 0;
  }

  Engine& engine_;
  McOptions options_;
  double kT_;
  Sweep sweep_;
  McMemory memory_;
};

}  // namespace

std::unique_ptr<Stage> make_mc_stage(Engine& engine, StageOptions const& options, std::uint64_t seed,
                                     double kT_unit) {
  return std::make_unique<McStage>(engine, options, seed, kT_unit);
}

}  // namespace lockstep
