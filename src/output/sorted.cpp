// SPDX-License-Identifier: Apache-2.0
// A sort with exact splitters: found by counting, so every rank gets its rows in one exchange.
#include "output/sorted.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <limits>

#include "base/error.hpp"

namespace lockstep {
namespace {

/// Ids at which the rows of ranks 1, 2, ... begin; the range of ids; whether it has no gaps.
struct Splitters {
  std::vector<std::int64_t> ids;  ///< [size + 1] rank r takes ids[r] <= id < ids[r + 1]
  bool contiguous = false;
};

/// Bisects all splitters at once: the least id with at least `first_row` ids below it.
void bisect(Comm const& comm, State const& state, std::int64_t total, std::vector<std::int64_t>& ids) {
  std::vector<ParticleId> sorted(state.id.data(), state.id.data() + state.n_owned);
  std::sort(sorted.begin(), sorted.end());
  auto const size = std::size_t(comm.size());
  std::vector<std::int64_t> low(size, ids.front()), high(size, ids.back()), below(size);
  auto const middle = [&](std::size_t r) { return low[r] + (high[r] - low[r]) / 2; };
  for (;;) {
    bool open = false;
    for (std::size_t r = 1; r < size; ++r) {
      open = open || low[r] < high[r];
      below[r] = std::lower_bound(sorted.begin(), sorted.end(), middle(r)) - sorted.begin();
    }
    if (!open) break;  // the same on all ranks
    comm.sum(below);
    for (std::size_t r = 1; r < size; ++r) {
      std::int64_t const m = middle(r);
      if (low[r] == high[r]) continue;
      if (below[r] >= first_row(total, comm.size(), int(r)))
        high[r] = m;
      else
        low[r] = m + 1;
    }
  }
  for (std::size_t r = 1; r < size; ++r) ids[r] = low[r];
}

Splitters find_splitters(Comm const& comm, State const& state, std::int64_t total) {
  std::int64_t least = std::numeric_limits<std::int64_t>::max(), most = -1;
  for (LocalIndex i = 0; i < state.n_owned; ++i) {
    least = std::min(least, state.id(i));
    most = std::max(most, state.id(i));
  }
  least = comm.min(least);
  most = comm.max(most);
  Splitters splitters{std::vector<std::int64_t>(std::size_t(comm.size()) + 1, least),
                      most - least + 1 == total};
  splitters.ids.back() = most + 1;
  if (splitters.contiguous)
    for (int r = 0; r < comm.size(); ++r) splitters.ids[r] = least + first_row(total, comm.size(), r);
  else
    bisect(comm, state, total, splitters.ids);
  return splitters;
}

std::vector<std::vector<Particle>> deal(Comm const& comm, State const& state, Splitters const& splitters) {
  std::vector<std::vector<Particle>> to(std::size_t(comm.size()));
  if (comm.size() == 1) to[0].reserve(std::size_t(state.n_owned));
  for (LocalIndex i = 0; i < state.n_owned; ++i) {
    auto const after = std::upper_bound(splitters.ids.begin() + 1, splitters.ids.end() - 1, state.id(i));
    to[std::size_t(after - splitters.ids.begin() - 1)].push_back(state.particle(i));
  }
  return comm.size() == 1 ? std::move(to) : comm.all_to_all(to);
}

/// Puts particles whose ids have no gaps straight into their rows; false if an id occurs twice.
bool place(Comm const& comm, State const& state, Splitters const& splitters, std::vector<Particle>& rows) {
  std::vector<bool> taken(rows.size(), false);
  bool good = true;
  auto const put = [&](Particle const& p) {
    auto const row = std::size_t(p.id - splitters.ids[std::size_t(comm.rank())]);
    if (row >= rows.size() || taken[row]) {
      good = false;
      return;
    }
    taken[row] = true;
    rows[row] = p;
  };
  if (comm.size() == 1) {
    for (LocalIndex i = 0; i < state.n_owned; ++i) put(state.particle(i));
    return good;
  }
  for (auto const& part : deal(comm, state, splitters))
    for (Particle const& p : part) put(p);
  return good;
}

bool sort_rows(Comm const& comm, State const& state, Splitters const& splitters,
               std::vector<Particle>& rows) {
  auto const parts = deal(comm, state, splitters);
  std::size_t n = 0;
  for (auto const& part : parts) n += part.size();
  bool const fits = n == rows.size();
  rows.clear();
  for (auto const& part : parts) rows.insert(rows.end(), part.begin(), part.end());
  std::sort(rows.begin(), rows.end(), [](Particle const& a, Particle const& b) { return a.id < b.id; });
  auto const twin =
      std::adjacent_find(rows.begin(), rows.end(), [](auto& a, auto& b) { return a.id == b.id; });
  return fits && twin == rows.end();
}

}  // namespace

SortedSlice gather_by_id(Comm const& comm, State const& state) {
  SortedSlice slice;
  slice.total = comm.sum(std::int64_t(state.n_owned));
  if (slice.total == 0) return slice;
  Splitters const splitters = find_splitters(comm, state, slice.total);
  slice.first = first_row(slice.total, comm.size(), comm.rank());
  slice.particles.resize(std::size_t(first_row(slice.total, comm.size(), comm.rank() + 1) - slice.first));
  bool const ok = splitters.contiguous ? place(comm, state, splitters, slice.particles)
                                       : sort_rows(comm, state, splitters, slice.particles);
  if (!comm.agree(ok))
    throw ResourceError(
        fmt::format("step {}: two particles have the same id", state.step),
        "output is ordered by id, and every particle is written once",
        "This is a fault of the engine or of the structure file: check its ids, then report it");
  return slice;
}

}  // namespace lockstep
