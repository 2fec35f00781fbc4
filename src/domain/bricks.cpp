// SPDX-License-Identifier: Apache-2.0
// Recursive bisection, one level of the tree at a time. Integer counts decide, so all ranks agree.
#include "domain/bricks.hpp"

#include <algorithm>

namespace lockstep {
namespace {

constexpr int bins = 512;

int bin_of(std::int64_t x, std::int64_t low, std::int64_t high) {
  auto const width = double(high - low);
  return std::clamp(int(double(x - low) / width * bins), 0, bins - 1);
}

/// The plane that has share/total of the volume below it.
std::int64_t plane_by_volume(std::int64_t low, std::int64_t high, int share, int total) {
  return low + std::int64_t(Int128(high - low) * share / total);
}

/// The plane that has about share/total of the counted particles below it.
std::int64_t plane_by_count(std::int64_t const* counts, std::int64_t low, std::int64_t high, int share,
                            int total) {
  std::int64_t sum = 0;
  for (int b = 0; b < bins; ++b) sum += counts[b];
  if (sum == 0) return plane_by_volume(low, high, share, total);
  auto const wanted = std::int64_t(Int128(sum) * share / total);
  if (wanted == 0) return plane_by_volume(low, high, share, total);
  std::int64_t below = 0;
  int b = 0;
  while (b < bins - 1 && below + counts[b] < wanted) below += counts[b++];
  double const part = counts[b] == 0 ? 0.5 : double(wanted - below) / double(counts[b]);
  auto const plane = low + std::int64_t(double(high - low) * (double(b) + part) / bins);
  return std::clamp(plane, low + 1, std::max(low + 1, high - 1));
}

}  // namespace

Bricks::Bricks(Comm const& comm, State const& state, bool balanced) {
  Brick const all{{0, 0, 0}, {state.box.edge(0), state.box.edge(1), state.box.edge(2)}};
  nodes_.push_back({0, comm.size(), 0, 0, -1, -1, all});
  std::vector<int> level{0};
  while (!level.empty()) {
    std::vector<int> to_split;
    for (int n : level)
      if (nodes_[std::size_t(n)].n_ranks > 1) to_split.push_back(n);
    split(to_split, comm, state, balanced);
    level.clear();
    for (int n : to_split) {
      level.push_back(nodes_[std::size_t(n)].below);
      level.push_back(nodes_[std::size_t(n)].above);
    }
  }
  bricks_.resize(std::size_t(comm.size()));
  for (Node const& n : nodes_)
    if (n.below < 0) bricks_[std::size_t(n.first_rank)] = n.brick;
}

void Bricks::split(std::vector<int> const& level, Comm const& comm, State const& state, bool balanced) {
  if (level.empty()) return;
  std::vector<int> place(nodes_.size(), -1);
  for (std::size_t k = 0; k < level.size(); ++k) {
    place[std::size_t(level[k])] = int(k);
    Node& n = nodes_[std::size_t(level[k])];
    auto const edge = n.brick.high - n.brick.low;
    n.axis = edge.z >= edge.x && edge.z >= edge.y ? 2 : edge.y >= edge.x ? 1 : 0;
  }
  std::vector<std::int64_t> counts(level.size() * bins, 0);
  if (balanced) {
    for (LocalIndex i = 0; i < state.n_owned; ++i) {
      auto const [x, image] = state.wrapped(i);
      int at = 0;
      while (nodes_[std::size_t(at)].below >= 0) {
        Node const& n = nodes_[std::size_t(at)];
        at = x[n.axis] < n.plane ? n.below : n.above;
      }
      if (place[std::size_t(at)] < 0) continue;
      Node const& n = nodes_[std::size_t(at)];
      ++counts[std::size_t(place[std::size_t(at)] * bins +
                           bin_of(x[n.axis], n.brick.low[n.axis], n.brick.high[n.axis]))];
    }
    comm.sum(counts);
  }
  for (std::size_t k = 0; k < level.size(); ++k) {
    Node n = nodes_[std::size_t(level[k])];
    int const share = n.n_ranks / 2;
    std::int64_t const low = n.brick.low[n.axis], high = n.brick.high[n.axis];
    n.plane = balanced ? plane_by_count(&counts[k * bins], low, high, share, n.n_ranks)
                       : plane_by_volume(low, high, share, n.n_ranks);
    Brick below = n.brick, above = n.brick;
    below.high[n.axis] = n.plane;
    above.low[n.axis] = n.plane;
    n.below = int(nodes_.size());
    n.above = n.below + 1;
    nodes_[std::size_t(level[k])] = n;
    nodes_.push_back({n.first_rank, share, 0, 0, -1, -1, below});
    nodes_.push_back({n.first_rank + share, n.n_ranks - share, 0, 0, -1, -1, above});
  }
}

int Bricks::owner(Vec3<std::int64_t> x) const {
  int at = 0;
  while (nodes_[std::size_t(at)].below >= 0) {
    Node const& n = nodes_[std::size_t(at)];
    at = x[n.axis] < n.plane ? n.below : n.above;
  }
  return nodes_[std::size_t(at)].first_rank;
}

}  // namespace lockstep
