// SPDX-License-Identifier: Apache-2.0
// Particles grouped in clusters of four, in columns along z: the layout pair kernels read.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "base/kokkos.hpp"
#include "base/shared_vector.hpp"
#include "domain/domain.hpp"
#include "kernels/neighbor_build.hpp"
#include "state/state.hpp"

namespace lockstep {

/// Owned columns first, each filled up to whole rows of two clusters; then ghost columns, filled up to whole
/// clusters. A slot is 4 cluster + lane. The owned particles of the State are kept in slot order.
class Clusters {
 public:
  /// Orders the owned particles by column and height. Call it before the halo is planned.
  void sort(State& state, Brick const& brick);
  /// Slots of owned particles and ghosts, and their geometry now. @param radius of the list, length units.
  void build(State const& state, Brick const& brick, std::span<Ghost const> ghosts, double radius);

  std::uint32_t n_rows() const { return n_owned_clusters_ / row_clusters; }
  std::uint32_t n_clusters() const { return n_clusters_; }
  ClusterGeometry geometry() const {
    return {coordinates_.data(), bounds_.data(), bounds_stride(), n_owned_clusters_};
  }
  ColumnGrid const& owned_grid() const { return owned_grid_; }
  ColumnGrid const& ghost_grid() const { return ghost_grid_; }
  /// [n_owned], [n_ghosts]
  std::uint32_t owned_slot(LocalIndex i) const { return owned_slots_[std::size_t(i)]; }
  std::span<std::uint32_t const> owned_slots() const { return owned_slots_; }
  /// The first particle of each owned cluster, and one past the last: [n_owned_clusters + 1].
  std::span<LocalIndex const> first_particles() const { return first_particle_; }
  std::span<std::uint32_t const> ghost_slots() const { return ghost_slots_; }
  /// The largest coordinate, ghosts included: float geometry is good to 2^-23 of it.
  double extent() const { return extent_; }
  std::uint8_t const* species() const { return species_.data(); }
  /// The particle in each slot: an owned index, or n_owned + ghost index; -1 if empty. @cost O(slots)
  std::vector<LocalIndex> particles_of_slots() const;

 private:
  struct Columns {
    int nx = 1, ny = 1;
    double width_x = 1, width_y = 1;
  };
  static Columns choose_columns(State const& state, Brick const& brick);
  std::size_t bounds_stride() const { return std::size_t(n_clusters_) + 16; }
  /// Slots of owned particles, whose columns are in order.
  void place_owned(State const& state);
  void set_bounds();

  Columns columns_;
  ColumnGrid owned_grid_, ghost_grid_;
  std::uint32_t n_owned_clusters_ = 0, n_clusters_ = 0;
  std::vector<std::uint32_t> owned_first_, ghost_first_;  // first cluster of each column, one past the end
  std::vector<LocalIndex> column_count_;                  // owned particles per column
  std::vector<std::uint32_t> owned_slots_, ghost_slots_;
  std::vector<LocalIndex> first_particle_;
  std::vector<float> coordinates_, bounds_;
  SharedVector<std::uint8_t> species_;
  double extent_ = 0;
};

/// Word index of component 0 of a slot in [n_clusters, 3, 4]; component d is 4 d further.
inline std::size_t word_of(std::uint32_t slot) { return std::size_t(slot / 4) * 12 + slot % 4; }

}  // namespace lockstep
