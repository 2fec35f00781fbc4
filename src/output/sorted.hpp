// SPDX-License-Identifier: Apache-2.0
// Particles in the order of their ids, dealt evenly over the ranks.
#pragma once

#include <cstdint>
#include <vector>

#include "base/comm.hpp"
#include "state/state.hpp"

namespace lockstep {

/// This rank's contiguous part of all particles in ascending order of id.
struct SortedSlice {
  std::int64_t first = 0;           ///< row of particles[0]
  std::int64_t total = 0;           ///< rows of all ranks
  std::vector<Particle> particles;  ///< wrapped positions
};

/// First row of rank r when `total` rows are dealt over `size` ranks.
constexpr std::int64_t first_row(std::int64_t total, int size, int r) {
  return std::int64_t(static_cast<Int128>(total) * r / size);
}

/// Sorts the particles of all ranks by id; ids need not be contiguous. Collective.
/// @throws ResourceError on all ranks if an id occurs twice.
/// @cost one exchange of all particles; for gapped ids also up to 63 reductions of one word per rank.
SortedSlice gather_by_id(Comm const& comm, State const& state);

}  // namespace lockstep
