// SPDX-License-Identifier: Apache-2.0
// A sweep of translations: colors one after the other, the cells of a color at the same time.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "base/comm.hpp"
#include "moves/cell_grid.hpp"
#include "moves/cell_particles.hpp"
#include "moves/neighborhood.hpp"
#include "state/state.hpp"

namespace lockstep {

struct SweepOptions {
  std::uint64_t seed = 0;
  double kT = 1;  ///< kJ/mol or epsilon
  int n_threads = 1;
};

/// What a sweep did, over all ranks.
struct SweepCount {
  std::int64_t attempts = 0;  ///< with a particle: null attempts are not counted
  std::int64_t accepted = 0;
  Int128 change = 0;  ///< of the energy, energy units
  SweepCount& operator+=(SweepCount const& other);
};

/// Sweeps over the whole system. Which attempts are made, with which random numbers and partners, follows
/// from the system alone: ranks and threads only share the cells out.
class Sweep {
 public:
  Sweep(Comm const& comm, State const& state, std::span<PairTable const> tables, SweepOptions const& options);

  /// One sweep: every color once, in random order; each cell makes the same number of attempts, about one per
  /// particle of the mean cell. Afterwards the state is complete, on whichever ranks. Collective.
  /// @param number of the sweep: the key of its random numbers. @param step half the edge of the cube of
  /// translations, length units. @returns the sum over all ranks.
  SweepCount run(State& state, std::uint64_t number, double step);

  CellGrid const& grid() const { return grid_; }
  std::uint32_t attempts_per_cell() const { return attempts_; }
  /// Half the narrowest cell: longer steps would leave every cell.
  double longest_step() const;

 private:
  void displace_grid(std::uint64_t number);
  std::vector<int> color_order(std::uint64_t number) const;
  SweepCount run_color(int color, std::uint64_t number, double step);
  SweepCount run_cell(Neighborhood& neighborhood, std::int64_t cell, std::uint64_t number, double step);

  Comm comm_;
  SweepOptions options_;
  McTerms terms_;
  CellGrid grid_;
  CellParticles particles_;
  std::uint32_t attempts_;
  double beta_;                                   // 1/kT per energy unit
  std::vector<std::vector<std::int64_t>> cells_;  // [color] own cells
  std::vector<Neighborhood> threads_;
};

}  // namespace lockstep
