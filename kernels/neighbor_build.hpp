// SPDX-License-Identifier: Apache-2.0
// The contract of the list kernels: search of cluster pairs, pruning. Lists are supersets: any lane nearer
// than the radius is in, some beyond it may be; which ones differs between instruction sets and decides no
// bit of a force.
#pragma once

#include <cstdint>
#include <span>
#include <type_traits>

#include "base/shared_vector.hpp"
#include "kernels/pair.hpp"

namespace lockstep {

/// A grid of columns along z. Clusters of column c: first_cluster[c] .. first_cluster[c + 1], sorted by z.
struct ColumnGrid {
  int nx = 1, ny = 1;
  float x0 = 0, y0 = 0;            ///< lower corner, lengths relative to the domain's
  float width_x = 1, width_y = 1;  ///< of a column
  std::uint32_t const* first_cluster = nullptr;
};

/// Both bounds of a cluster without particles: far from everything, and above every other cluster of its
/// column.
inline constexpr float empty_bound = 1e15f;

/// Geometry of all clusters at list build, in lengths relative to the domain's corner.
struct ClusterGeometry {
  float const* x = nullptr;  ///< [n_clusters, 3, 4]; NaN where no particle is
  float const* bounds =
      nullptr;             ///< [6, stride] lower x, y, z, upper x, y, z; empty_bound if empty, and at the end
  std::size_t stride = 0;  ///< n_clusters and at least 16 more
  std::uint32_t n_owned = 0;  ///< clusters before this one are owned; even
};

/// Part of a half list: the rows first_row .. last_row, `start` and `middle` indexed from first_row.
struct PairListChunk {
  std::uint32_t first_row = 0, last_row = 0;
  SharedVector<std::uint32_t> start, middle;
  SharedVector<PairListEntry> entries;  ///< [start.back()], and spare room

  std::uint32_t n_entries() const { return start.empty() ? 0 : start.back(); }
  PairListView view() const { return {first_row, start.data(), middle.data(), entries.data()}; }
};

/// body(n, i) for an owned cluster's particles i .. i + n; n is a constant where the cluster is full, so that
/// loops over it become vector code.
template <class Body>
void for_lanes(std::span<std::int32_t const> first_particle, std::uint32_t cluster, Body const& body) {
  std::int32_t const i = first_particle[cluster], n = first_particle[cluster + 1] - i;
  if (n == cluster_size) {
    body(std::integral_constant<std::int32_t, cluster_size>(), i);
  } else {
    body(n, i);
  }
}

/// Where the particles of owned clusters are and should be: all in coordinate units of Word (windows or
/// positions).
template <class Word>
struct PackClusters {
  std::span<std::int32_t const> first_particle;  ///< [n_owned_clusters + 1]
  std::int64_t const* x[3];                      ///< [n_owned] position units
  int window_shift;
  Word* now;                  ///< [n_clusters, 3, 4] written; slots without a particle may be
  Word const *outer, *inner;  ///< [n_clusters, 3, 4] references of the two lists
  float const* reach;         ///< [n_clusters, 4] in the inner list
};
/// How far particles are from their references.
struct Excursion {
  double outer2 = 0;   ///< largest squared distance from the outer one
  double beyond = -1;  ///< the same from the inner one less the squared reach: negative while all are within
};
/// Brings the particles' coordinates into the order kernels read.
template <class Word>
Excursion pack_clusters(PackClusters<Word> const& args);

/// Fills the chunk's rows with all cluster pairs within `radius`: with later owned clusters (`grid` of owned
/// columns) or with ghosts (`grid` of ghost columns).
void search_pairs(ClusterGeometry const& clusters, ColumnGrid const& grid, bool ghosts, float radius,
                  PairListChunk& chunk);

/// Fills `inner` with the entries of `outer` that have a lane within `cutoff` + reach[i] + reach[j] now.
/// @param x windows. @param reach [n_clusters, 4] how far each particle may go before the inner list is
/// stale.
/// @param cutoff and reach are in coordinate units.
void prune_pairs(PairListChunk const& outer, std::int32_t const* x, float const* reach, float cutoff,
                 PairListChunk& inner);
/// The same on int64 positions (double precision).
void prune_pairs(PairListChunk const& outer, std::int64_t const* x, float const* reach, float cutoff,
                 PairListChunk& inner);

/// Adds each particle's live lanes, as i and as j, to counts[slot].
void count_partners(PairListChunk const& chunk, std::uint32_t* counts);

}  // namespace lockstep
