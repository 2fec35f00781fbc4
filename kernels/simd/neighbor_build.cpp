// SPDX-License-Identifier: Apache-2.0
// List kernels, once per instruction set.
#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "kernels/simd/neighbor_build.cpp"
#include "hwy/foreach_target.h"
#include "hwy/highway.h"

#include <algorithm>
#include <cmath>

#include "kernels/neighbor_build.hpp"
#include "kernels/simd/pack-inl.hpp"

HWY_BEFORE_NAMESPACE();
namespace lockstep::HWY_NAMESPACE {

inline constexpr int per_vector = lanes / 4;
inline constexpr int vectors = 4 / per_vector;

/// Bits of a mask of `lanes` lanes.
inline std::uint32_t bits_of(FloatMask m) {
  std::uint8_t bytes[8] = {};
  hn::StoreMaskBits(FloatTag(), m, bytes);
  std::uint32_t bits;
  __builtin_memcpy(&bits, bytes, 4);
  return bits;
}

/// Four coordinates, each over one 128-bit block.
inline FloatVec spread4(float const* four, int g) {
  alignas(64) float values[lanes];
  for (int k = 0; k < lanes; ++k) values[k] = four[g * per_vector + k / 4];
  return hn::Load(FloatTag(), values);
}

/// One row of i clusters ready to be held against j clusters.
struct SearchRow {
  FloatVec xi[2][3][vectors];
  float const* bounds;    // of cluster 0, then of cluster 1
  float low[3], high[3];  // of both together

  inline void load(ClusterGeometry const& clusters, std::uint32_t row) {
    bounds = clusters.bounds + std::size_t(12) * row;
    bool const both = bounds[6] < empty_bound;  // the second cluster of a column's last row may be empty
    for (int c = 0; c < 3; ++c) {
      low[c] = both ? std::min(bounds[c], bounds[6 + c]) : bounds[c];
      high[c] = both ? std::max(bounds[3 + c], bounds[9 + c]) : bounds[3 + c];
    }
    for (int h = 0; h < 2; ++h)
      for (int c = 0; c < 3; ++c)
        for (int g = 0; g < vectors; ++g)
          xi[h][c][g] = spread4(clusters.x + std::size_t(2 * row + h) * cluster_words + 4 * c, g);
  }

  static inline float gap2(float const* a, float const* b) {
    float sum = 0;
    for (int c = 0; c < 3; ++c) {
      float const gap = std::max(0.0f, std::max(a[c] - b[3 + c], b[c] - a[3 + c]));
      sum += gap * gap;
    }
    return sum;
  }

  /// Lanes of cluster h within the radius of cluster j.
  inline std::uint32_t lanes_within(int h, float const* xj, float radius2) const {
    const FloatTag d;
    FloatVec const x = hn::LoadDup128(d, xj), y = hn::LoadDup128(d, xj + 4), z = hn::LoadDup128(d, xj + 8);
    std::uint32_t bits = 0;
    for (int g = 0; g < vectors; ++g) {
      FloatVec const dx = hn::Sub(xi[h][0][g], x), dy = hn::Sub(xi[h][1][g], y), dz = hn::Sub(xi[h][2][g], z);
      FloatVec const r2 = hn::MulAdd(dz, dz, hn::MulAdd(dy, dy, hn::Mul(dx, dx)));
      bits |= bits_of(hn::Lt(r2, hn::Set(d, radius2))) << (g * lanes);
    }
    return bits;
  }
};

/// Appends the entries of one row: first those that meet both clusters, then the others.
struct RowWriter {
  std::vector<PairListEntry>& entries;
  std::vector<PairListEntry> single;
  inline void add(std::uint32_t cluster, std::uint32_t bits) {
    if (bits == 0) return;
    bool const both = (bits & 0xffffu) != 0 && (bits >> 16) != 0;
    (both ? entries : single).push_back({cluster, bits});
  }
  inline std::uint32_t middle() {
    auto const at = std::uint32_t(entries.size());
    entries.insert(entries.end(), single.begin(), single.end());
    single.clear();
    return at;
  }
};

/// Lanes i < j of a cluster with itself.
inline constexpr std::uint32_t upper_lanes = 0b0000'1000'1100'1110;

inline void search_column(ClusterGeometry const& clusters, SearchRow const& row, std::uint32_t first,
                          std::uint32_t last, float reach, float radius2, std::uint32_t own,
                          RowWriter& writer) {
  float const z_low = row.low[2] - reach, z_high = row.high[2] + reach;
  float const* const bounds = clusters.bounds;
  std::uint32_t lower = first, count = last - first;
  while (count > 0) {  // first cluster whose upper z reaches z_low
    std::uint32_t const half = count / 2;
    if (bounds[std::size_t(6) * (lower + half) + 5] < z_low) {
      lower += half + 1;
      count -= half + 1;
    } else {
      count = half;
    }
  }
  for (std::uint32_t j = lower; j < last; ++j) {
    float const* const bj = bounds + std::size_t(6) * j;
    if (bj[2] > z_high) break;
    std::uint32_t bits = 0;
    float const* const xj = clusters.x + std::size_t(j) * cluster_words;
    if (SearchRow::gap2(row.bounds, bj) < radius2) bits = row.lanes_within(0, xj, radius2);
    if (SearchRow::gap2(row.bounds + 6, bj) < radius2) bits |= row.lanes_within(1, xj, radius2) << 16;
    if (j == own) bits &= upper_lanes;  // cluster 0 with itself; 1 with 0 is counted below
    if (j == own + 1) bits &= 0xffffu | (upper_lanes << 16);  // 0 with 1, and 1 with itself
    writer.add(j, bits);
  }
}

void search(ClusterGeometry const& clusters, ColumnGrid const& grid, bool ghosts, float radius,
            PairListChunk& chunk) {
  float const radius2 = radius * radius;
  RowWriter writer{chunk.entries, {}};
  SearchRow row;
  chunk.entries.clear();
  chunk.start.assign(1, 0);
  chunk.middle.clear();
  for (std::uint32_t r = chunk.first_row; r < chunk.last_row; ++r) {
    row.load(clusters, r);
    float const low_x = row.low[0], high_x = row.high[0], low_y = row.low[1], high_y = row.high[1];
    auto const column = [](float v, float origin, float width, int n) {
      return std::clamp(int(std::floor((v - origin) / width)), 0, n - 1);
    };
    int const cx0 = column(low_x - radius, grid.x0, grid.width_x, grid.nx);
    int const cx1 = column(high_x + radius, grid.x0, grid.width_x, grid.nx);
    int const cy0 = column(low_y - radius, grid.y0, grid.width_y, grid.ny);
    int const cy1 = column(high_y + radius, grid.y0, grid.width_y, grid.ny);
    for (int cy = cy0; cy <= cy1; ++cy)
      for (int cx = cx0; cx <= cx1; ++cx) {
        int const c = cx + grid.nx * cy;
        std::uint32_t first = grid.first_cluster[c];
        std::uint32_t const last = grid.first_cluster[c + 1];
        if (!ghosts) first = std::max(first, 2 * r);  // half list: later clusters only
        if (first >= last) continue;
        // edge columns hold what lies beyond the grid by rounding: they have no outer bound
        float const x_low = cx == 0 ? -1e30f : grid.x0 + float(cx) * grid.width_x;
        float const x_high = cx == grid.nx - 1 ? 1e30f : grid.x0 + float(cx + 1) * grid.width_x;
        float const y_low = cy == 0 ? -1e30f : grid.y0 + float(cy) * grid.width_y;
        float const y_high = cy == grid.ny - 1 ? 1e30f : grid.y0 + float(cy + 1) * grid.width_y;
        float const slack = 1e-3f * radius;  // rounding of the column borders
        float const gx = std::max(0.0f, std::max(low_x - x_high, x_low - high_x) - slack);
        float const gy = std::max(0.0f, std::max(low_y - y_high, y_low - high_y) - slack);
        float const reach2 = radius2 - gx * gx - gy * gy;
        if (reach2 <= 0) continue;
        search_column(clusters, row, first, last, std::sqrt(reach2), radius2, ghosts ? ~0u - 1 : 2 * r,
                      writer);
      }
    chunk.middle.push_back(writer.middle());
    chunk.start.push_back(std::uint32_t(chunk.entries.size()));
  }
}

void prune(PairListChunk const& outer, std::int32_t const* x, double length, double radius,
           PairListChunk& inner) {
  const FloatTag d;
  const IntTag di;
  FloatVec const limit = hn::Set(d, float(radius * radius / (length * length)));
  RowWriter writer{inner.entries, {}};
  inner.first_row = outer.first_row;
  inner.last_row = outer.last_row;
  inner.entries.clear();
  inner.start.assign(1, 0);
  inner.middle.clear();
  for (std::uint32_t k = 0; k < outer.last_row - outer.first_row; ++k) {
    IntVec xi[2][3][vectors];
    for (int h = 0; h < 2; ++h)
      for (int c = 0; c < 3; ++c)
        for (int g = 0; g < vectors; ++g) {
          std::int32_t const* const four =
              x + std::size_t(2 * (outer.first_row + k) + h) * cluster_words + 4 * c;
          xi[h][c][g] = hn::BitCast(di, spread4(reinterpret_cast<float const*>(four), g));
        }
    for (std::uint32_t q = outer.start[k]; q < outer.start[k + 1]; ++q) {
      PairListEntry const entry = outer.entries[q];
      std::int32_t const* const xc = x + std::size_t(entry.cluster) * cluster_words;
      IntVec const xj = hn::LoadDup128(di, xc), yj = hn::LoadDup128(di, xc + 4),
                   zj = hn::LoadDup128(di, xc + 8);
      std::uint32_t bits = 0;
      for (int h = 0; h < 2; ++h) {
        if (((entry.lanes >> (16 * h)) & 0xffffu) == 0) continue;
        for (int g = 0; g < vectors; ++g) {
          FloatVec const dx = hn::ConvertTo(d, hn::Sub(xi[h][0][g], xj));
          FloatVec const dy = hn::ConvertTo(d, hn::Sub(xi[h][1][g], yj));
          FloatVec const dz = hn::ConvertTo(d, hn::Sub(xi[h][2][g], zj));
          FloatVec const r2 = hn::MulAdd(dz, dz, hn::MulAdd(dy, dy, hn::Mul(dx, dx)));
          bits |= bits_of(hn::Lt(r2, limit)) << (16 * h + g * lanes);
        }
      }
      writer.add(entry.cluster, bits & entry.lanes);
    }
    inner.middle.push_back(writer.middle());
    inner.start.push_back(std::uint32_t(inner.entries.size()));
  }
}

}  // namespace lockstep::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace lockstep {
HWY_EXPORT(search);
HWY_EXPORT(prune);

void search_pairs(ClusterGeometry const& clusters, ColumnGrid const& grid, bool ghosts, float radius,
                  PairListChunk& chunk) {
  HWY_DYNAMIC_DISPATCH(search)(clusters, grid, ghosts, radius, chunk);
}

void prune_pairs(PairListChunk const& outer, std::int32_t const* x, double length, double radius,
                 PairListChunk& inner) {
  HWY_DYNAMIC_DISPATCH(prune)(outer, x, length, radius, inner);
}

}  // namespace lockstep
#endif
