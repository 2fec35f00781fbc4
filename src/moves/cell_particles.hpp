// SPDX-License-Identifier: Apache-2.0
// The particles of a sweep by cell: dealt to ranks, with a halo of neighbor cells.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "base/comm.hpp"
#include "moves/cell_grid.hpp"
#include "state/state.hpp"

namespace lockstep {

/// A particle as a sweep sees it.
struct Site {
  Vec3<std::int64_t> y;  ///< relative to the displaced grid, position units
  ParticleId id;
  SpeciesId species;
  LocalIndex index;   ///< in the state of its owner; -1 in copies
  std::int64_t cell;  ///< moves keep it
};

/// Cells are dealt to ranks in equal runs of their numbers: any number of ranks works, some may be empty. A
/// rank also holds copies of the neighbor cells of its own. Members are collective.
class CellParticles {
 public:
  CellParticles(Comm const& comm, CellGrid const& grid);

  /// Sends every particle of the state to the rank of its cell, then copies to those who see them.
  void deal(State& state, CellGrid const& grid);
  /// Sends the positions of these own cells to the ranks that see them.
  void refresh(std::span<std::int64_t const> changed);
  /// Writes the positions of own particles back: wrapped, with their images.
  void store(State& state, CellGrid const& grid) const;

  std::int64_t first_cell() const { return border(comm_.rank()); }
  std::int64_t last_cell() const { return border(comm_.rank() + 1); }
  /// The particles of a cell that this rank owns or sees, by id.
  std::span<Site> of(std::int64_t cell) {
    return std::span(sites_).subspan(first_[std::size_t(cell)],
                                     first_[std::size_t(cell) + 1] - first_[std::size_t(cell)]);
  }
  std::span<Site const> of(std::int64_t cell) const {
    return std::span(sites_).subspan(first_[std::size_t(cell)],
                                     first_[std::size_t(cell) + 1] - first_[std::size_t(cell)]);
  }

 private:
  struct Position {
    std::int64_t cell, place;
    Vec3<std::int64_t> y;
  };

  std::int64_t border(int rank) const;
  int owner(std::int64_t cell) const;
  void migrate(State& state, CellGrid const& grid) const;
  void sort();

  Comm comm_;
  std::int64_t n_cells_;
  std::vector<std::vector<int>> seen_by_;  // [own cells] other ranks
  std::vector<Site> sites_, unsorted_;     // sorted by cell, then id
  std::vector<std::uint32_t> first_;       // [n_cells + 1]
};

}  // namespace lockstep
