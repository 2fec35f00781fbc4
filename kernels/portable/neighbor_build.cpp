// SPDX-License-Identifier: Apache-2.0
// List kernels in plain C++: pruning in double precision, partner counts.
#include "kernels/neighbor_build.hpp"

#include <vector>

#include "base/fixed.hpp"

namespace lockstep {
namespace {

/// Lanes of an entry whose particles are near enough now.
std::uint32_t lanes_within(PairListEntry entry, std::uint32_t row, std::int64_t const* x, float const* reach,
                           float cutoff) {
  std::uint32_t bits = 0;
  for (std::uint32_t bit = 0; bit < 32; ++bit) {
    if (((entry.lanes >> bit) & 1u) == 0) continue;
    std::uint32_t const i = 8 * row + bit / 4, j = 4 * entry.cluster + bit % 4;
    double r2 = 0;
    for (std::uint32_t c = 0; c < 3; ++c) {
      double const d = double(wrap_sub(x[(i / 4) * 12 + i % 4 + 4 * c], x[(j / 4) * 12 + j % 4 + 4 * c]));
      r2 += d * d;
    }
    double const limit = double(cutoff) + double(reach[i]) + double(reach[j]);
    if (r2 < limit * limit) bits |= 1u << bit;
  }
  return bits;
}

}  // namespace

void prune_pairs(PairListChunk const& outer, std::int64_t const* x, float const* reach, float cutoff,
                 PairListChunk& inner) {
  inner.first_row = outer.first_row;
  inner.last_row = outer.last_row;
  inner.entries.clear();
  inner.start.assign(1, 0);
  inner.middle.clear();
  for (std::uint32_t k = 0; k < outer.last_row - outer.first_row; ++k) {
    std::vector<PairListEntry> single[2];  // of cluster 0, of cluster 1
    for (std::uint32_t q = outer.start[k]; q < outer.start[k + 1]; ++q) {
      PairListEntry entry = outer.entries[q];
      entry.lanes = lanes_within(entry, outer.first_row + k, x, reach, cutoff);
      if (entry.lanes == 0) continue;
      bool const both = (entry.lanes & 0xffffu) != 0 && (entry.lanes >> 16) != 0;
      if (both) {
        inner.entries.push_back(entry);
      } else {
        single[(entry.lanes >> 16) != 0 ? 1 : 0].push_back(entry);
      }
    }
    inner.middle.push_back(std::uint32_t(inner.entries.size()));
    for (auto const& part : single) inner.entries.insert(inner.entries.end(), part.begin(), part.end());
    inner.start.push_back(std::uint32_t(inner.entries.size()));
  }
}

void count_partners(PairListChunk const& chunk, std::uint32_t* counts) {
  for (std::uint32_t k = 0; k < chunk.last_row - chunk.first_row; ++k)
    for (std::uint32_t q = chunk.start[k]; q < chunk.start[k + 1]; ++q) {
      PairListEntry const entry = chunk.entries[q];
      std::uint32_t* const i = counts + std::size_t(8) * (chunk.first_row + k);
      std::uint32_t* const j = counts + std::size_t(4) * entry.cluster;
      for (int b = 0; b < 8; ++b) i[b] += std::uint32_t(__builtin_popcount((entry.lanes >> (4 * b)) & 15u));
      for (int b = 0; b < 4; ++b) j[b] += std::uint32_t(__builtin_popcount(entry.lanes & (0x11111111u << b)));
    }
}

template <>
Excursion pack_clusters(PackClusters<std::int64_t> const& args) {
  Excursion result;
  for (std::uint32_t c = 0; c + 1 < args.first_particle.size(); ++c)
    for_lanes(args.first_particle, c, [&](auto n, std::int32_t i) {
      for (int k = 0; k < n; ++k) {
        double outer2 = 0, inner2 = 0;
        for (int d = 0; d < 3; ++d) {
          std::size_t const at = std::size_t(c) * cluster_words + std::size_t(4 * d + k);
          args.now[at] = args.x[d][i + k];
          auto const a = double(wrap_sub(args.now[at], args.outer[at]));
          auto const b = double(wrap_sub(args.now[at], args.inner[at]));
          outer2 += a * a;
          inner2 += b * b;
        }
        double const reach = args.reach[std::size_t(c) * cluster_size + std::size_t(k)];
        result.outer2 = std::max(result.outer2, outer2);
        result.beyond = std::max(result.beyond, inner2 - reach * reach);
      }
    });
  return result;
}

}  // namespace lockstep
