// SPDX-License-Identifier: Apache-2.0
// Steps 3 to 8 of a time step: lists, halo, forces.
#include "drivers/engine.hpp"

#include <algorithm>
#include <cstdint>

#include "base/error.hpp"

namespace lockstep {
namespace {

/// Skins that were fastest for liquids: far rebuilds, cheap prunes.
constexpr double default_skin = 0.24, default_inner_skin = 0.07;  // of the cutoff

}  // namespace

Engine::Engine(Comm const& comm, State initial, EngineOptions options)
    : state(std::move(initial)), comm_(comm), options_(std::move(options)), domain_(comm, options_.balanced) {
  double cutoff = 0;
  for (auto const& table : options_.tables) cutoff = std::max(cutoff, table.max_cutoff);
  double const skin = options_.neighbor.skin > 0 ? options_.neighbor.skin : default_skin * cutoff;
  double const inner =
      options_.neighbor.inner_skin > 0 ? options_.neighbor.inner_skin : default_inner_skin * cutoff;
  neighbors_ = std::make_unique<Neighbors>(comm_, state.scales, cutoff, skin, std::min(skin, inner),
                                           options_.n_threads);
  forces_ =
      std::make_unique<PairForces>(comm_, state.scales, options_.tables, options_.width, options_.n_threads);
  counts_.assign(state.masses.size(), 0);
  for (LocalIndex i = 0; i < state.n_owned; ++i) ++counts_[std::size_t(state.species(i))];
  comm_.sum(counts_);
}

std::int64_t Engine::update_forces(double step_length, std::int64_t signal, bool want_sums) {
  neighbors_->pack(state);
  auto const verdict = neighbors_->stale(step_length, signal);
  if (verdict.stale) neighbors_->build(state, domain_);
  forces_->compute(state, *neighbors_, domain_, want_sums);
  return verdict.signal;
}

Potential Engine::potential() const {
  Potential p;
  auto const& sums = forces_->energies();
  double pair = 0, tail = 0;
  bool any_tail = false;
  for (std::size_t t = 0; t < options_.tables.size(); ++t) {
    pair += to_double(sums.energy[t]) * state.scales.energy_unit();
    if (!options_.tail[t]) continue;
    any_tail = true;
    auto const correction = tail_correction(options_.tables[t], counts_, state.box.volume());
    tail += correction.energy;
    p.tail_pressure += correction.pressure;
  }
  p.terms.emplace_back("pair", pair);
  if (any_tail) p.terms.emplace_back("tail", tail);
  p.energy = pair + tail;
  for (std::size_t k = 0; k < 6; ++k) p.virial[k] = to_double(sums.virial[k]) * state.scales.virial_unit();
  return p;
}

void Engine::check_motion(ParticleId runaway) const {
  if (comm_.agree(runaway < 0)) return;
  ParticleId const lowest = comm_.min(runaway < 0 ? INT64_MAX : runaway);
  throw SimulationError(state.step, lowest,
                        "moves faster than any particle can, or was pushed by a force out of range",
                        "shorten the timestep, minimize first, or mend the structure near this particle");
}

}  // namespace lockstep
