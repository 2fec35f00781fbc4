// SPDX-License-Identifier: Apache-2.0
// Cells from integers alone.
#include "moves/cell_grid.hpp"

#include <algorithm>

#include "base/math.hpp"

namespace lockstep {
namespace {

constexpr std::int32_t most_cells = 1 << 20;  // per direction

/// The largest even number of cells no narrower than `width`, or 1.
std::int32_t cells_along(std::int64_t edge, std::int64_t width) {
  std::int64_t const n = std::min<std::int64_t>(edge / std::max<std::int64_t>(width, 1), most_cells) / 2 * 2;
  return n < 2 ? 1 : std::int32_t(n);
}

/// Steps n that bring [0, edge) + offset + n edge within `reach` of [0, edge), with a step to spare.
std::array<std::int64_t, 2> steps(std::int64_t offset, std::int64_t edge, std::int64_t reach) {
  std::int64_t const turns = offset / edge, span = reach / edge + 2;
  return {-turns - span, -turns + span};
}

bool apart(std::int64_t displacement, std::int64_t edge, std::int64_t reach) {
  return displacement > edge + reach || displacement < -edge - reach;
}

}  // namespace

CellGrid::CellGrid(Box const& box, double cutoff, double reach, std::int64_t n_particles, int granularity)
    : box_(box), granule_(std::int64_t(1) << granularity), n_{1, 1, 1} {
  double const needed = (cutoff + 2 * reach) * (1 + 0x1p-20);
  width_ = round_wide(needed / position_unit) + 1;
  if (box.orthogonal()) {
    // thin systems: cells that hold two particles on average
    double const share = 2 * box.volume() / double(std::max<std::int64_t>(n_particles, 1));
    auto const roomy = round_wide(math::pow(share, 1.0 / 3.0) / position_unit);
    for (int d = 0; d < 3; ++d)
      n_[d] = cells_along(box.edge(d), std::max(width_, std::min(roomy, box.edge(d) / 2)));
  }
  for (int d = 0; d < 3; ++d)
    for (std::int32_t k = 0; k <= n_[d]; ++k)
      edges_[d].push_back(std::int64_t(UInt128(box.edge(d)) * UInt128(k) / UInt128(n_[d])));
}

void CellGrid::set_shift(std::array<std::uint64_t, 3> const& words) {
  for (int d = 0; d < 3; ++d) {
    auto const steps = std::uint64_t(edges_[d][1] / granule_);
    shift_[d] = std::int64_t((UInt128(words[std::size_t(d)]) * steps) >> 64) * granule_;
  }
}

Vec3<std::int32_t> CellGrid::place(std::int64_t cell) const {
  return {std::int32_t(cell % n_.x), std::int32_t(cell / n_.x % n_.y), std::int32_t(cell / n_.x / n_.y)};
}

int CellGrid::color_of(std::int64_t cell) const {
  auto const at = place(cell);
  int color = 0, bit = 0;
  for (int d = 0; d < 3; ++d)
    if (n_[d] > 1) color |= (at[d] & 1) << bit++;
  return color;
}

Vec3<std::int64_t> CellGrid::local(Vec3<std::int64_t> x) const {
  Vec3<std::int64_t> y = x + shift_;
  Vec3<std::int32_t> image{};
  box_.wrap(y, image);
  return y;
}

std::int64_t CellGrid::cell_of(Vec3<std::int64_t> y) const {
  std::int64_t at[3];
  for (int d = 0; d < 3; ++d) {
    auto const& edges = edges_[d];
    auto k = std::clamp(std::int64_t(double(y[d]) / double(edges.back()) * n_[d]), std::int64_t(0),
                        std::int64_t(n_[d]) - 1);
    while (y[d] < edges[std::size_t(k)]) --k;
    while (y[d] >= edges[std::size_t(k + 1)]) ++k;
    at[d] = k;
  }
  return at[0] + n_.x * (at[1] + n_.y * at[2]);
}

Vec3<std::int64_t> CellGrid::low(std::int64_t cell) const {
  auto const at = place(cell);
  return {edges_[0][std::size_t(at.x)], edges_[1][std::size_t(at.y)], edges_[2][std::size_t(at.z)]};
}

Vec3<std::int64_t> CellGrid::high(std::int64_t cell) const {
  auto const at = place(cell);
  return {edges_[0][std::size_t(at.x) + 1], edges_[1][std::size_t(at.y) + 1],
          edges_[2][std::size_t(at.z) + 1]};
}

void CellGrid::images(std::vector<NeighborCell>& found) const {
  auto const z = steps(0, box_.c.z, width_);
  for (auto nz = z[0]; nz <= z[1]; ++nz) {
    if (apart(nz * box_.c.z, box_.c.z, width_)) continue;
    auto const y = steps(nz * box_.c.y, box_.b.y, width_);
    for (auto ny = y[0]; ny <= y[1]; ++ny) {
      if (apart(nz * box_.c.y + ny * box_.b.y, box_.b.y, width_)) continue;
      auto const x = steps(nz * box_.c.x + ny * box_.b.x, box_.a.x, width_);
      for (auto nx = x[0]; nx <= x[1]; ++nx) {
        auto const shift = box_.shift({std::int32_t(nx), std::int32_t(ny), std::int32_t(nz)});
        if (apart(shift.x, box_.a.x, width_) || (nx == 0 && ny == 0 && nz == 0)) continue;
        found.push_back({0, shift, false});
      }
    }
  }
}

void CellGrid::neighbors(std::int64_t cell, std::vector<NeighborCell>& found) const {
  found.assign(1, {cell, {0, 0, 0}, true});
  if (n_cells() == 1) return images(found);
  auto const at = place(cell);
  struct Along {
    std::int64_t k, shift;
  };
  std::vector<Along> along[3];
  for (int d = 0; d < 3; ++d) {
    std::int64_t const edge = box_.edge(d), reach = n_[d] > 1 ? 1 : width_ / edge + 1;
    for (std::int64_t k = at[d] - reach; k <= at[d] + reach; ++k) {
      std::int64_t const turns = k >= 0 ? k / n_[d] : -((n_[d] - 1 - k) / n_[d]);
      along[d].push_back({k - turns * n_[d], turns * edge});
    }
  }
  for (auto const& z : along[2])
    for (auto const& y : along[1])
      for (auto const& x : along[0]) {
        std::int64_t const other = x.k + n_.x * (y.k + n_.y * z.k);
        Vec3<std::int64_t> const shift{x.shift, y.shift, z.shift};
        if (other == cell && shift == Vec3<std::int64_t>{0, 0, 0}) continue;
        found.push_back({other, shift, false});
      }
}

}  // namespace lockstep
