// SPDX-License-Identifier: Apache-2.0
// List kernels, once per instruction set.
#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "kernels/simd/neighbor_build.cpp"
#include "hwy/foreach_target.h"
#include "hwy/highway.h"

#include <algorithm>
#include <cmath>
#include <vector>

#include "kernels/neighbor_build.hpp"
#include "kernels/simd/pack-inl.hpp"

HWY_BEFORE_NAMESPACE();
namespace lockstep::HWY_NAMESPACE {

inline constexpr int per_vector = lanes / 4;
inline constexpr int vectors = 4 / per_vector;

/// Group g of four coordinates, each over one 128-bit block.
HWY_INLINE FloatVec spread4(float const* four, int g) {
  alignas(64) std::int32_t index[lanes];
  for (int k = 0; k < lanes; ++k) index[k] = g * per_vector + k / 4;
  return hn::TableLookupLanes(hn::LoadDup128(FloatTag(), four), hn::SetTableIndices(FloatTag(), index));
}

/// One row of i clusters ready to be held against j clusters.
struct SearchRow {
  FloatVec xi[2][3][vectors];
  FloatVec box_low[2][3], box_high[2][3];  // bounds of each cluster, in all lanes
  float low[3], high[3];                   // of both together

  HWY_INLINE void load(ClusterGeometry const& clusters, std::uint32_t row) {
    const FloatTag d;
    std::size_t const first = std::size_t(2) * row;
    bool const both = clusters.bounds[first + 1] < empty_bound;  // a column's last cluster may be empty
    for (int c = 0; c < 3; ++c) {
      float const* const lower = clusters.bounds + std::size_t(c) * clusters.stride + first;
      float const* const upper = lower + 3 * clusters.stride;
      low[c] = both ? std::min(lower[0], lower[1]) : lower[0];
      high[c] = both ? std::max(upper[0], upper[1]) : upper[0];
      for (int h = 0; h < 2; ++h) {
        box_low[h][c] = hn::Set(d, lower[h]);
        box_high[h][c] = hn::Set(d, upper[h]);
      }
    }
    for (int h = 0; h < 2; ++h)
      for (int c = 0; c < 3; ++c)
        for (int g = 0; g < vectors; ++g)
          xi[h][c][g] = spread4(clusters.x + (first + std::size_t(h)) * cluster_words + 4 * c, g);
  }

  /// Which of the clusters j, j + 1, ... (one per lane) come within the radius of cluster h's bounds.
  HWY_INLINE std::uint32_t clusters_within(ClusterGeometry const& clusters, int h, std::uint32_t j,
                                           float radius2) const {
    const FloatTag d;
    FloatVec sum = hn::Zero(d);
    for (int c = 0; c < 3; ++c) {
      float const* const lower = clusters.bounds + std::size_t(c) * clusters.stride + j;
      FloatVec const below = hn::Sub(hn::LoadU(d, lower), box_high[h][c]);
      FloatVec const above = hn::Sub(box_low[h][c], hn::LoadU(d, lower + 3 * clusters.stride));
      FloatVec const gap = hn::Max(hn::Max(below, above), hn::Zero(d));
      sum = hn::MulAdd(gap, gap, sum);
    }
    return bits_of(hn::Lt(sum, hn::Set(d, radius2)));
  }

  /// Lanes of cluster h within the radius of cluster j.
  HWY_INLINE std::uint32_t lanes_within(int h, float const* xj, float radius2) const {
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

/// Where the next entry of a row goes, by the clusters it meets. By value in loops: a register each.
struct RowCursor {
  PairListEntry *both, *single[2];
  /// Stores the entry wherever it may belong and moves on where it does: no branch.
  HWY_INLINE void add(std::uint32_t cluster, std::uint32_t bits) {
    // 1 if any of the 16 bits is set, by a carry: comparisons would become branches that no predictor
    // foresees
    std::uint32_t const first = ((bits & 0xffffu) + 0xffffu) >> 16, second = ((bits >> 16) + 0xffffu) >> 16;
    *both = *single[0] = *single[1] = PairListEntry{cluster, bits};
    both += first & second;
    single[0] += first & (second ^ 1u);
    single[1] += second & (first ^ 1u);
  }
};

/// Keeps the entries of row after row: those that meet both clusters, then those of cluster 0, then of
/// cluster 1, so that the branches of the kernels are foreseen.
class RowWriter {
 public:
  explicit RowWriter(SharedVector<PairListEntry>& entries) : entries_(entries) {}

  /// A cursor with room for `more` entries.
  HWY_INLINE RowCursor begin(std::uint32_t more) {
    reserve(more);
    return {entries_.data() + n_[0], {single_[0].data() + n_[1], single_[1].data() + n_[2]}};
  }
  /// Takes over what the cursor has written.
  HWY_INLINE void end(RowCursor const& cursor) {
    n_[0] = std::uint32_t(cursor.both - entries_.data());
    for (int h = 0; h < 2; ++h) n_[1 + h] = std::uint32_t(cursor.single[h] - single_[h].data());
  }
  /// Ends the row. @returns where its entries of one cluster begin.
  HWY_INLINE std::uint32_t end_row() {
    std::uint32_t const middle = n_[0];
    reserve(0);
    for (int h = 0; h < 2; ++h) {
      for (std::uint32_t k = 0; k < n_[1 + h]; ++k) entries_[n_[0] + k] = single_[h][k];
      n_[0] += n_[1 + h];
      n_[1 + h] = 0;
    }
    return middle;
  }
  std::uint32_t size() const { return n_[0]; }

 private:
  HWY_INLINE void reserve(std::uint32_t more) {
    if (n_[0] + n_[1] + n_[2] + more + 3 > entries_.size())
      entries_.resize(entries_.size() + entries_.size() / 4 + more + 64);
    for (int h = 0; h < 2; ++h)
      if (n_[1 + h] + more + 1 > single_[h].size()) single_[h].resize(2 * (single_[h].size() + more) + 64);
  }

  SharedVector<PairListEntry>& entries_;
  std::vector<PairListEntry> single_[2];
  std::uint32_t n_[3] = {0, 0, 0};
};

/// Lanes i < j of a cluster with itself.
inline constexpr std::uint32_t upper_lanes = 0b0000'1000'1100'1110;

inline void search_column(ClusterGeometry const& clusters, SearchRow const& row, std::uint32_t first,
                          std::uint32_t last, float reach, float radius2, std::uint32_t own,
                          RowWriter& writer) {
  float const z_low = row.low[2] - reach, z_high = row.high[2] + reach;
  float const *const lower_z = clusters.bounds + 2 * clusters.stride, *const upper_z =
                                                                          lower_z + 3 * clusters.stride;
  std::uint32_t j = first, count = last - first;
  while (count > 16) {  // first cluster whose upper z reaches z_low, or a few before it
    std::uint32_t const half = count / 2;
    bool const below = upper_z[j + half] < z_low;
    j = below ? j + half : j;
    count -= half;
  }
  RowCursor cursor = writer.begin(last - j);
  for (; j < last && lower_z[j] <= z_high; j += std::uint32_t(lanes)) {
    std::uint32_t const inside = last - j >= std::uint32_t(lanes) ? ~0u : (1u << (last - j)) - 1u;
    std::uint32_t const near[2] = {row.clusters_within(clusters, 0, j, radius2) & inside,
                                   row.clusters_within(clusters, 1, j, radius2) & inside};
    for (std::uint32_t rest = near[0] | near[1]; rest != 0; rest &= rest - 1) {
      std::uint32_t const cluster = j + std::uint32_t(__builtin_ctz(rest));
      float const* const xj = clusters.x + std::size_t(cluster) * cluster_words;
      std::uint32_t bits = row.lanes_within(0, xj, radius2) | row.lanes_within(1, xj, radius2) << 16;
      if (cluster == own) bits &= upper_lanes;  // cluster 0 with itself; 1 with 0 is counted below
      if (cluster == own + 1) bits &= 0xffffu | (upper_lanes << 16);  // 0 with 1, and 1 with itself
      cursor.add(cluster, bits);
    }
  }
  writer.end(cursor);
}

void search(ClusterGeometry const& clusters, ColumnGrid const& grid, bool ghosts, float radius,
            PairListChunk& chunk) {
  float const radius2 = radius * radius;
  RowWriter writer(chunk.entries);
  SearchRow row;
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
    chunk.middle.push_back(writer.end_row());
    chunk.start.push_back(writer.size());
  }
}

/// i coordinates of one row of windows.
struct PruneRow {
  IntVec xi[2][3][vectors];
  FloatVec reach_i[2][vectors];  // cutoff included

  HWY_INLINE void load(std::int32_t const* x, float const* reach, float cutoff, std::uint32_t row) {
    for (int h = 0; h < 2; ++h)
      for (int g = 0; g < vectors; ++g)
        reach_i[h][g] = hn::Add(spread4(reach + std::size_t(2 * row + std::uint32_t(h)) * cluster_size, g),
                                hn::Set(FloatTag(), cutoff));
    for (int h = 0; h < 2; ++h)
      for (int c = 0; c < 3; ++c)
        for (int g = 0; g < vectors; ++g) {
          std::int32_t const* const four =
              x + std::size_t(2 * row + std::uint32_t(h)) * cluster_words + 4 * c;
          xi[h][c][g] = hn::BitCast(IntTag(), spread4(reinterpret_cast<float const*>(four), g));
        }
  }
  HWY_INLINE std::uint32_t lanes_within(std::uint32_t h, std::int32_t const* xc, float const* reach_j) const {
    const FloatTag d;
    const IntTag di;
    IntVec const xj = hn::LoadDup128(di, xc), yj = hn::LoadDup128(di, xc + 4),
                 zj = hn::LoadDup128(di, xc + 8);
    std::uint32_t bits = 0;
    for (int g = 0; g < vectors; ++g) {
      FloatVec const dx = hn::ConvertTo(d, hn::Sub(xi[h][0][g], xj));
      FloatVec const dy = hn::ConvertTo(d, hn::Sub(xi[h][1][g], yj));
      FloatVec const dz = hn::ConvertTo(d, hn::Sub(xi[h][2][g], zj));
      FloatVec const r2 = hn::MulAdd(dz, dz, hn::MulAdd(dy, dy, hn::Mul(dx, dx)));
      FloatVec const limit = hn::Add(reach_i[h][g], hn::LoadDup128(d, reach_j));
      bits |= bits_of(hn::Lt(r2, hn::Mul(limit, limit))) << (g * lanes);
    }
    return bits;
  }
};

void prune(PairListChunk const& outer, std::int32_t const* x, float const* reach, float cutoff,
           PairListChunk& inner) {
  PruneRow row;
  RowWriter writer(inner.entries);
  inner.first_row = outer.first_row;
  inner.last_row = outer.last_row;
  inner.start.assign(1, 0);
  inner.middle.clear();
  for (std::uint32_t k = 0; k < outer.last_row - outer.first_row; ++k) {
    row.load(x, reach, cutoff, outer.first_row + k);
    std::uint32_t q = outer.start[k];
    std::uint32_t const middle = outer.middle[k], end = outer.start[k + 1];
    RowCursor cursor = writer.begin(end - q);
    for (; q < middle; ++q) {
      PairListEntry const entry = outer.entries[q];
      std::int32_t const* const xc = x + std::size_t(entry.cluster) * cluster_words;
      float const* const reach_j = reach + std::size_t(entry.cluster) * cluster_size;
      std::uint32_t const bits = row.lanes_within(0, xc, reach_j) | row.lanes_within(1, xc, reach_j) << 16;
      cursor.add(entry.cluster, entry.lanes & bits);
    }
    for (; q < end; ++q) {
      PairListEntry const entry = outer.entries[q];
      std::int32_t const* const xc = x + std::size_t(entry.cluster) * cluster_words;
      float const* const reach_j = reach + std::size_t(entry.cluster) * cluster_size;
      std::uint32_t const h = (entry.lanes & 0xffffu) == 0 ? 1 : 0;
      cursor.add(entry.cluster, entry.lanes & (row.lanes_within(h, xc, reach_j) << (16 * h)));
    }
    writer.end(cursor);
    inner.middle.push_back(writer.end_row());
    inner.start.push_back(writer.size());
  }
}

/// Packs cluster by cluster, four lanes at a time.
struct Packer {
  using Wide = hn::FixedTag<std::uint64_t, 4>;
  using Narrow = hn::FixedTag<std::uint32_t, 4>;
  using Int = hn::FixedTag<std::int32_t, 4>;
  using Real = hn::FixedTag<float, 4>;

  PackClusters<std::int32_t> args;  // by value: what is stored cannot change it
  hn::Vec<Real> off = hn::Zero(Real()), beyond = hn::Set(Real(), -1.0f);

  /// @param from the first of the cluster's n particles; full: n is 4
  template <bool full>
  HWY_INLINE void pack(std::size_t cluster, std::int32_t from, std::int32_t n) {
    auto outer2 = hn::Zero(Real()), inner2 = hn::Zero(Real());
    for (int d = 0; d < 3; ++d) {
      auto const* const x = reinterpret_cast<std::uint64_t const*>(args.x[d]) + from;
      std::size_t const at = cluster * cluster_words + std::size_t(4 * d);
      alignas(32) std::uint64_t four[4] = {};
      if constexpr (!full) std::copy_n(x, n, four);
      auto const position = full ? hn::LoadU(Wide(), x) : hn::Load(Wide(), four);
      auto const now =
          hn::BitCast(Int(), hn::TruncateTo(Narrow(), hn::ShiftRightSame(position, args.window_shift)));
      hn::StoreU(now, Int(), args.now + at);
      auto const a = hn::ConvertTo(Real(), hn::Sub(now, hn::LoadU(Int(), args.outer + at)));
      auto const b = hn::ConvertTo(Real(), hn::Sub(now, hn::LoadU(Int(), args.inner + at)));
      outer2 = hn::MulAdd(a, a, outer2);
      inner2 = hn::MulAdd(b, b, inner2);
    }
    auto const reach = hn::LoadU(Real(), args.reach + cluster * cluster_size);
    auto over = hn::NegMulAdd(reach, reach, inner2);
    if constexpr (!full) {
      auto const live = hn::FirstN(Real(), std::size_t(n));
      outer2 = hn::IfThenElseZero(live, outer2);
      over = hn::IfThenElse(live, over, hn::Set(Real(), -1.0f));
    }
    off = hn::Max(off, outer2);
    beyond = hn::Max(beyond, over);
  }
};

Excursion pack(PackClusters<std::int32_t> const& args) {
  Packer packer{args};
  std::size_t const n_clusters = args.first_particle.size() - 1;
  for (std::size_t c = 0; c < n_clusters; ++c) {
    std::int32_t const from = args.first_particle[c], n = args.first_particle[c + 1] - from;
    if (n == cluster_size) {
      packer.pack<true>(c, from, n);
    } else {
      packer.pack<false>(c, from, n);
    }
  }
  return {double(hn::GetLane(hn::MaxOfLanes(Packer::Real(), packer.off))),
          double(hn::GetLane(hn::MaxOfLanes(Packer::Real(), packer.beyond)))};
}

}  // namespace lockstep::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace lockstep {
HWY_EXPORT(search);
HWY_EXPORT(prune);
HWY_EXPORT(pack);

void search_pairs(ClusterGeometry const& clusters, ColumnGrid const& grid, bool ghosts, float radius,
                  PairListChunk& chunk) {
  HWY_DYNAMIC_DISPATCH(search)(clusters, grid, ghosts, radius, chunk);
}

void prune_pairs(PairListChunk const& outer, std::int32_t const* x, float const* reach, float cutoff,
                 PairListChunk& inner) {
  HWY_DYNAMIC_DISPATCH(prune)(outer, x, reach, cutoff, inner);
}

template <>
Excursion pack_clusters(PackClusters<std::int32_t> const& args) {
  return HWY_DYNAMIC_DISPATCH(pack)(args);
}

}  // namespace lockstep
#endif
