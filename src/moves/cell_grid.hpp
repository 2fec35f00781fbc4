// SPDX-License-Identifier: Apache-2.0
// The cells of a colored sweep: which do not see each other, which are neighbors.
#pragma once

#include <array>
#include <cstdint>
#include <vector>

#include "state/box.hpp"

namespace lockstep {

/// A cell as a neighbor sees it: displaced by a lattice vector.
struct NeighborCell {
  std::int64_t cell;
  Vec3<std::int64_t> shift;  ///< position units
  bool home;                 ///< the cell itself, not displaced
};

/// Divides the primary brick, displaced by a grid shift, into n.x n.y n.z cells with edges at floor(k L / n).
///
/// n is even in each direction, or 1 where the box has no room for two cells. Cells are no narrower than
/// (cutoff + 2 reach) (1 + 2^-20), so that particles of two cells of one color, which have at least one other
/// cell between them in some direction, never interact; the factor covers what windows and float distances
/// round off. Boxes that are not orthogonal are one cell. Follows from box, cutoff, reach and mean density
/// alone.
class CellGrid {
 public:
  /// @param reach of a moved unit beyond its center (0 for particles), length units like `cutoff`.
  /// @param granularity log2 of the step of grid shifts, in position units.
  CellGrid(Box const& box, double cutoff, double reach, std::int64_t n_particles, int granularity);

  /// Displaces the grid by uniform random words, for one sweep.
  void set_shift(std::array<std::uint64_t, 3> const& words);

  Vec3<std::int32_t> n() const { return n_; }
  std::int64_t n_cells() const { return std::int64_t(n_.x) * n_.y * n_.z; }
  int n_colors() const { return 1 << (int(n_.x > 1) + int(n_.y > 1) + int(n_.z > 1)); }
  int color_of(std::int64_t cell) const;
  /// Where a position (any image) lies relative to the displaced grid: in [0, edge) of every direction.
  Vec3<std::int64_t> local(Vec3<std::int64_t> x) const;
  /// The cell of a local position.
  std::int64_t cell_of(Vec3<std::int64_t> y) const;
  Vec3<std::int64_t> low(std::int64_t cell) const;
  Vec3<std::int64_t> high(std::int64_t cell) const;
  /// All cells and images whose particles may be within the cutoff of a particle of `cell`, itself first.
  void neighbors(std::int64_t cell, std::vector<NeighborCell>& found) const;

 private:
  Vec3<std::int32_t> place(std::int64_t cell) const;
  void images(std::vector<NeighborCell>& found) const;

  Box box_;
  std::int64_t width_, granule_;  // least width of a cell, position units; step of shifts
  Vec3<std::int32_t> n_;
  std::vector<std::int64_t> edges_[3];  // [n + 1]
  Vec3<std::int64_t> shift_{0, 0, 0};
};

}  // namespace lockstep
