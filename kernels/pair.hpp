// SPDX-License-Identifier: Apache-2.0
// The contract of the pair kernels: what they read, what they add, and that all of them give the same bits.
#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "base/fixed.hpp"
#include "base/scales.hpp"
#include "potentials/pair_table.hpp"

namespace lockstep {

inline constexpr int cluster_size = 4;  ///< particles per cluster
inline constexpr int row_clusters = 2;  ///< clusters of i particles that share a row of the list
inline constexpr int cluster_words = 3 * cluster_size;  ///< x0..x3, y0..y3, z0..z3

/// One cluster j met by a row. Bit 16 h + 4 i + j of `lanes`: particle i of the row's cluster h meets
/// particle j.
struct PairListEntry {
  std::uint32_t cluster;
  std::uint32_t lanes;
};

/// Part of a half list by rows of two i clusters: row r holds clusters 2r and 2r + 1. With k = r - first_row,
/// entries [start[k], middle[k]) meet both clusters of the row, [middle[k], start[k + 1]) one of them.
struct PairListView {
  std::uint32_t first_row = 0;
  std::uint32_t const* start = nullptr;
  std::uint32_t const* middle = nullptr;
  PairListEntry const* entries = nullptr;
};

/// A force that did not fit the narrow accumulators.
struct WideForce {
  std::uint32_t slot;  ///< 4 cluster + lane
  std::int64_t f[3];
};

/// Exact sums over the pairs of one row, in energy and virial units.
struct RowSums {
  Int128 energy;
  Int128 virial[6];  ///< xx, yy, zz, xy, xz, yz of sum d_a f_b
};

/// A pair whose force or energy no int64 holds: the run must stop.
struct PairFault {
  std::uint32_t slot_i, slot_j;
  double distance;  ///< nm or sigma
};

/// What one thread adds to. Forces on i are added, forces on j subtracted.
struct PairOutput {
  std::int32_t* narrow = nullptr;       ///< [n_clusters, 3, 4] force units (mixed)
  std::int64_t* wide = nullptr;         ///< [n_clusters, 3, 4] force units (double, and long rows of mixed)
  RowSums* sums = nullptr;              ///< [n_rows], added to (where PairArgs::sums)
  WideForce* outliers = nullptr;        ///< [max_outliers]
  std::uint32_t* n_outliers = nullptr;  ///< counts on past max_outliers: repeat with more room
  std::uint32_t max_outliers = 0;
  PairFault* faults = nullptr;        ///< [max_faults]
  std::uint32_t* n_faults = nullptr;  ///< counts on past max_faults
  std::uint32_t max_faults = 1;
};

struct PairArgs {
  std::int32_t const* x = nullptr;        ///< [n_clusters, 3, 4] windows of positions (mixed)
  std::int64_t const* x_wide = nullptr;   ///< [n_clusters, 3, 4] positions (double)
  std::uint8_t const* species = nullptr;  ///< [n_clusters, 4]
  PairListView list;
  std::uint32_t first_row = 0, last_row = 0;  ///< the thread's share
  bool sums = false;                          ///< energy and virial too
  bool only_near = false;                     ///< only pairs nearer than their guards (mixed)
  bool long_rows = false;                     ///< some particle has more than n_max partners: sum in int64
};

/// All pairs of a [[pair]] section, for one potential, truncation and precision.
class PairKernel {
 public:
  virtual ~PairKernel() = default;
  /// Adds forces on and by the rows' particles (and sums if asked). Thread-safe for different outputs.
  virtual void run(PairArgs const& args, PairOutput const& output) const = 0;
  virtual std::string_view name() const = 0;
};

enum class KernelWidth { automatic, portable, avx2, avx512, neon };

/// The best kernel this machine runs, or the one asked for. @throws ResourceError if it cannot be had here.
std::unique_ptr<PairKernel> make_pair_kernel(PairTable const& table, Scales const& scales, KernelWidth width);
/// The energy scale a PairTable must be made with, so that the kernels' forces come out in force units.
double pair_energy_scale(Scales const& scales);

}  // namespace lockstep
