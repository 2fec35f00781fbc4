// SPDX-License-Identifier: Apache-2.0
// The division of the primary cell into one brick per rank.
#pragma once

#include <cstdint>
#include <vector>

#include "base/comm.hpp"
#include "base/vec3.hpp"
#include "state/state.hpp"

namespace lockstep {

/// Position units, lower corner included, upper excluded.
struct Brick {
  Vec3<std::int64_t> low, high;
};

/// Recursive bisection of the primary cell: works for any number of ranks, primes included.
class Bricks {
 public:
  /// One brick per rank; planes where the particles divide by rank counts (`balanced`) or where the volume
  /// does.
  Bricks(Comm const& comm, State const& state, bool balanced);

  Brick const& of(int rank) const { return bricks_[std::size_t(rank)]; }
  int size() const { return int(bricks_.size()); }
  /// The rank that owns a wrapped position.
  int owner(Vec3<std::int64_t> x) const;

 private:
  struct Node {
    int first_rank, n_ranks, axis;  // of a split node: ranks below `plane` are the first n_ranks / 2
    std::int64_t plane;
    int below, above;  // nodes; -1: a leaf
    Brick brick;
  };
  void split(std::vector<int> const& nodes, Comm const& comm, State const& state, bool balanced);

  std::vector<Node> nodes_;
  std::vector<Brick> bricks_;
};

}  // namespace lockstep
