// SPDX-License-Identifier: Apache-2.0
// State, domains, lists and forces together: "the forces at the present positions".
#pragma once

#include <array>
#include <cstdint>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "base/comm.hpp"
#include "base/unit.hpp"
#include "domain/domain.hpp"
#include "drivers/stage_options.hpp"
#include "forces/pair_forces.hpp"
#include "neighbor/neighbors.hpp"
#include "state/state.hpp"

namespace lockstep {

/// What the engine needs beyond the state. Nothing here but `tables`, `tail` and `units` decides a bit.
struct EngineOptions {
  UnitSystem units = UnitSystem::lj;
  std::vector<PairTable> tables;  ///< one per [[pair]]
  std::vector<bool> tail;         ///< [n_tables] whether its tail correction counts
  NeighborOptions neighbor;
  KernelWidth width = KernelWidth::automatic;
  int n_threads = 1;
  bool balanced = true;
};

/// Potential energy and virial in true units (kJ/mol or epsilon).
struct Potential {
  std::vector<std::pair<std::string, double>> terms;  ///< pair, tail
  double energy = 0;
  std::array<double, 6> virial{};  ///< xx, yy, zz, xy, xz, yz of sum d_a f_b over pairs
  double tail_pressure = 0;        ///< kJ/mol/nm^3 or epsilon/sigma^3
};

class Engine {
 public:
  /// Takes the state; particles may lie on any rank. Collective.
  Engine(Comm const& comm, State state, EngineOptions options);

  State state;

  Comm const& comm() const { return comm_; }
  EngineOptions const& options() const { return options_; }
  /// Makes state.f the forces at the present positions; rebuilds and prunes lists as needed. Collective.
  /// @param step_length the farthest a particle went since the last call, length units.
  /// @param signal travels with the reduction that decides on rebuilds. @returns the largest of all ranks.
  std::int64_t update_forces(double step_length, std::int64_t signal, bool want_sums);
  /// Of the last update_forces with want_sums; the same on all ranks.
  Potential potential() const;
  /// Number of particles of each species, over all ranks.
  std::vector<std::int64_t> const& species_counts() const { return counts_; }
  /// Throws on all ranks if any has a runaway. @param runaway particle id or -1. Collective.
  void check_motion(ParticleId runaway) const;

  PairForces const& forces() const { return *forces_; }
  Neighbors const& neighbors() const { return *neighbors_; }
  Domain const& domain() const { return domain_; }

 private:
  Comm comm_;
  EngineOptions options_;
  Domain domain_;
  std::unique_ptr<Neighbors> neighbors_;
  std::unique_ptr<PairForces> forces_;
  std::vector<std::int64_t> counts_;
};

}  // namespace lockstep
