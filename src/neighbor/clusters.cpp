// SPDX-License-Identifier: Apache-2.0
// Sorting into columns and clusters.
#include "neighbor/clusters.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>

namespace lockstep {
namespace {

struct Key {
  std::uint32_t column;
  float z;
  LocalIndex index;
};

/// Orders by column, then height: counting sort over columns, then a sort within each.
void order(std::vector<Key>& keys, std::size_t n_columns, std::vector<LocalIndex>& counts) {
  counts.assign(n_columns, 0);
  for (Key const& k : keys) ++counts[k.column];
  std::vector<std::size_t> at(n_columns + 1, 0);
  for (std::size_t c = 0; c < n_columns; ++c) at[c + 1] = at[c] + std::size_t(counts[c]);
  std::vector<Key> sorted(keys.size());
  std::vector<std::size_t> next(at.begin(), at.end() - 1);
  for (Key const& k : keys) sorted[next[k.column]++] = k;
  for (std::size_t c = 0; c < n_columns; ++c)
    std::sort(sorted.begin() + std::ptrdiff_t(at[c]), sorted.begin() + std::ptrdiff_t(at[c + 1]),
              [](Key const& a, Key const& b) { return a.z < b.z; });
  keys.swap(sorted);
}

template <class V>
void permute(V const& values, std::vector<Key> const& keys) {
  std::vector<typename V::non_const_value_type> old(keys.size());
  for (std::size_t i = 0; i < keys.size(); ++i) old[i] = values(keys[i].index);
  for (std::size_t i = 0; i < keys.size(); ++i) values(i) = old[i];
}

float relative(std::int64_t x, std::int64_t corner) { return float(double(x - corner) * position_unit); }

}  // namespace

Clusters::Columns Clusters::choose_columns(State const& state, Brick const& brick) {
  Vec3<double> const edge{double(brick.high.x - brick.low.x) * position_unit,
                          double(brick.high.y - brick.low.y) * position_unit,
                          double(brick.high.z - brick.low.z) * position_unit};
  // a row of two clusters fills a cube at the mean density: more j clusters are shared by both than with
  // narrower columns
  double const volume_of_row = 8.0 * edge.x * edge.y * edge.z / std::max(1, state.n_owned);
  double low = 0, high = std::max({edge.x, edge.y, edge.z, 1e-30});
  for (int k = 0; k < 60; ++k) {
    double const middle = 0.5 * (low + high);
    (middle * middle * middle < volume_of_row ? low : high) = middle;
  }
  auto const cells = [&](double e) { return std::clamp(int(e / high), 1, 1 << 14); };
  int const nx = cells(edge.x), ny = cells(edge.y);
  return {nx, ny, edge.x / nx, edge.y / ny};
}

void Clusters::sort(State& state, Brick const& brick) {
  columns_ = choose_columns(state, brick);
  std::vector<Key> keys(std::size_t(state.n_owned));
  for (LocalIndex i = 0; i < state.n_owned; ++i) {
    int const cx = std::clamp(int(double(state.x(i, 0) - brick.low.x) * position_unit / columns_.width_x), 0,
                              columns_.nx - 1);
    int const cy = std::clamp(int(double(state.x(i, 1) - brick.low.y) * position_unit / columns_.width_y), 0,
                              columns_.ny - 1);
    keys[std::size_t(i)] = {std::uint32_t(cx + columns_.nx * cy), relative(state.x(i, 2), brick.low.z), i};
  }
  order(keys, std::size_t(columns_.nx) * std::size_t(columns_.ny), column_count_);
  permute(state.id, keys);
  permute(state.species, keys);
  for (int d = 0; d < 3; ++d) {
    permute(Kokkos::subview(state.x, Kokkos::ALL, d), keys);
    permute(Kokkos::subview(state.image, Kokkos::ALL, d), keys);
    permute(Kokkos::subview(state.v, Kokkos::ALL, d), keys);
    permute(Kokkos::subview(state.f, Kokkos::ALL, d), keys);
  }
}

void Clusters::place_owned(State const& state) {
  owned_slots_.resize(std::size_t(state.n_owned));
  owned_first_.assign(1, 0);
  LocalIndex i = 0;
  for (LocalIndex count : column_count_) {
    std::uint32_t const slot = 4 * owned_first_.back();
    for (LocalIndex k = 0; k < count; ++k) owned_slots_[std::size_t(i++)] = slot + std::uint32_t(k);
    owned_first_.push_back(owned_first_.back() + 2 * std::uint32_t((count + 7) / 8));
  }
  n_owned_clusters_ = owned_first_.back();
  first_particle_.assign(std::size_t(n_owned_clusters_) + 1, state.n_owned);
  for (LocalIndex p = state.n_owned - 1; p >= 0; --p)
    if (std::uint32_t const slot = owned_slots_[std::size_t(p)]; slot % 4 == 0) first_particle_[slot / 4] = p;
  for (std::uint32_t c = n_owned_clusters_; c-- > 0;)
    first_particle_[c] = std::min(first_particle_[c], first_particle_[c + 1]);
  owned_grid_ = {columns_.nx,        columns_.ny, 0, 0, float(columns_.width_x), float(columns_.width_y),
                 owned_first_.data()};
}

void Clusters::build(State const& state, Brick const& brick, std::span<Ghost const> ghosts, double radius) {
  place_owned(state);
  // ghosts: the same columns, continued outwards
  auto const beyond = [&](double width) { return int(std::min(radius / width, 16384.0)) + 1; };
  int const gx = beyond(columns_.width_x), gy = beyond(columns_.width_y);
  int const nx = columns_.nx + 2 * gx, ny = columns_.ny + 2 * gy;
  double const x0 = -gx * columns_.width_x, y0 = -gy * columns_.width_y;
  std::vector<Key> keys(ghosts.size());
  for (std::size_t g = 0; g < ghosts.size(); ++g) {
    double const x = double(ghosts[g].x.x - brick.low.x) * position_unit,
                 y = double(ghosts[g].x.y - brick.low.y) * position_unit;
    int const cx = std::clamp(int((x - x0) / columns_.width_x), 0, nx - 1);
    int const cy = std::clamp(int((y - y0) / columns_.width_y), 0, ny - 1);
    keys[g] = {std::uint32_t(cx + nx * cy), relative(ghosts[g].x.z, brick.low.z), LocalIndex(g)};
  }
  std::vector<LocalIndex> counts;
  order(keys, std::size_t(nx) * std::size_t(ny), counts);
  ghost_slots_.resize(ghosts.size());
  ghost_first_.assign(1, n_owned_clusters_);
  std::size_t g = 0;
  for (LocalIndex count : counts) {
    std::uint32_t const slot = 4 * ghost_first_.back();
    for (LocalIndex k = 0; k < count; ++k)
      ghost_slots_[std::size_t(keys[g++].index)] = slot + std::uint32_t(k);
    ghost_first_.push_back(ghost_first_.back() + std::uint32_t((count + 3) / 4));
  }
  n_clusters_ = ghost_first_.back();
  ghost_grid_ = {
      nx, ny, float(x0), float(y0), float(columns_.width_x), float(columns_.width_y), ghost_first_.data()};

  coordinates_.assign(std::size_t(n_clusters_) * cluster_words, std::numeric_limits<float>::quiet_NaN());
  species_.assign(std::size_t(n_clusters_) * cluster_size, 0);
  for (LocalIndex p = 0; p < state.n_owned; ++p) {
    std::uint32_t const slot = owned_slots_[std::size_t(p)];
    for (int d = 0; d < 3; ++d)
      coordinates_[word_of(slot) + std::size_t(4 * d)] = relative(state.x(p, d), brick.low[d]);
    species_[slot] = std::uint8_t(state.species(p));
  }
  for (std::size_t k = 0; k < ghosts.size(); ++k) {
    std::uint32_t const slot = ghost_slots_[k];
    for (int d = 0; d < 3; ++d)
      coordinates_[word_of(slot) + std::size_t(4 * d)] = relative(ghosts[k].x[d], brick.low[d]);
    species_[slot] = std::uint8_t(ghosts[k].species);
  }
  set_bounds();
}

void Clusters::set_bounds() {
  std::size_t const stride = bounds_stride();
  bounds_.assign(stride * 6, empty_bound);
  extent_ = 0;
  for (std::uint32_t c = 0; c < n_clusters_; ++c)
    for (std::size_t d = 0; d < 3; ++d) {
      float low = empty_bound, high = -empty_bound;
      for (std::size_t k = 0; k < 4; ++k) {
        float const v = coordinates_[c * std::size_t(12) + 4 * d + k];
        if (v == v) {
          low = std::min(low, v);
          high = std::max(high, v);
          extent_ = std::max(extent_, double(std::abs(v)));
        }
      }
      bounds_[d * stride + c] = low;
      bounds_[(3 + d) * stride + c] = std::max(low, high);
    }
}

std::vector<LocalIndex> Clusters::particles_of_slots() const {
  std::vector<LocalIndex> particles(std::size_t(n_clusters_) * cluster_size, -1);
  LocalIndex index = 0;
  for (std::uint32_t slot : owned_slots_) particles[slot] = index++;
  for (std::uint32_t slot : ghost_slots_) particles[slot] = index++;
  return particles;
}

}  // namespace lockstep
