// SPDX-License-Identifier: Apache-2.0
// Dealing, halo and refresh of cells.
#include "moves/cell_particles.hpp"

#include <algorithm>

namespace lockstep {
namespace {

Vec3<std::int64_t> position(State const& s, LocalIndex i) { return {s.x(i, 0), s.x(i, 1), s.x(i, 2)}; }

}  // namespace

CellParticles::CellParticles(Comm const& comm, CellGrid const& grid)
    : comm_(comm), n_cells_(grid.n_cells()), first_(std::size_t(n_cells_) + 1, 0) {
  std::vector<NeighborCell> neighbors;
  seen_by_.resize(std::size_t(last_cell() - first_cell()));
  if (comm_.size() == 1) return;
  for (auto cell = first_cell(); cell < last_cell(); ++cell) {
    auto& ranks = seen_by_[std::size_t(cell - first_cell())];
    grid.neighbors(cell, neighbors);
    for (auto const& neighbor : neighbors)
      if (int const other = owner(neighbor.cell); other != comm_.rank()) ranks.push_back(other);
    std::sort(ranks.begin(), ranks.end());
    ranks.erase(std::unique(ranks.begin(), ranks.end()), ranks.end());
  }
}

std::int64_t CellParticles::border(int rank) const { return n_cells_ * rank / comm_.size(); }

int CellParticles::owner(std::int64_t cell) const {
  auto rank = int(cell * comm_.size() / n_cells_);
  while (cell < border(rank)) --rank;
  while (cell >= border(rank + 1)) ++rank;
  return rank;
}

void CellParticles::migrate(State& state, CellGrid const& grid) const {
  if (comm_.size() == 1) return;
  std::vector<std::vector<Particle>> to(std::size_t(comm_.size()));
  LocalIndex kept = 0;
  for (LocalIndex i = 0; i < state.n_owned; ++i) {
    int const target = owner(grid.cell_of(grid.local(position(state, i))));
    Particle const p = state.particle(i);
    if (target != comm_.rank()) {
      to[std::size_t(target)].push_back(p);
    } else {
      if (kept != i) state.set(kept, p);
      ++kept;
    }
  }
  state.n_owned = kept;
  for (auto const& from : comm_.all_to_all(to))
    for (Particle const& p : from) state.push_back(p);
}

void CellParticles::deal(State& state, CellGrid const& grid) {
  migrate(state, grid);
  unsorted_.clear();
  std::vector<std::vector<Site>> to(std::size_t(comm_.size()));
  for (LocalIndex i = 0; i < state.n_owned; ++i) {
    auto const y = grid.local(position(state, i));
    Site const site{y, state.id(i), state.species(i), i, grid.cell_of(y)};
    unsorted_.push_back(site);
    for (int rank : seen_by_[std::size_t(site.cell - first_cell())]) {
      to[std::size_t(rank)].push_back(site);
      to[std::size_t(rank)].back().index = -1;
    }
  }
  if (comm_.size() > 1)
    for (auto const& from : comm_.all_to_all(to)) unsorted_.insert(unsorted_.end(), from.begin(), from.end());
  sort();
}

void CellParticles::sort() {
  std::fill(first_.begin(), first_.end(), 0);
  for (Site const& s : unsorted_) ++first_[std::size_t(s.cell) + 1];
  for (std::size_t c = 1; c < first_.size(); ++c) first_[c] += first_[c - 1];
  std::vector<std::uint32_t> next(first_.begin(), first_.end() - 1);
  sites_.resize(unsorted_.size());
  for (Site const& s : unsorted_) sites_[next[std::size_t(s.cell)]++] = s;
  for (std::size_t c = 0; c + 1 < first_.size(); ++c)
    std::sort(sites_.begin() + first_[c], sites_.begin() + first_[c + 1],
              [](Site const& a, Site const& b) { return a.id < b.id; });
}

void CellParticles::refresh(std::span<std::int64_t const> changed) {
  if (comm_.size() == 1) return;
  std::vector<std::vector<Position>> to(std::size_t(comm_.size()));
  for (std::int64_t cell : changed)
    for (int rank : seen_by_[std::size_t(cell - first_cell())]) {
      std::int64_t place = 0;
      for (Site const& s : of(cell)) to[std::size_t(rank)].push_back({cell, place++, s.y});
    }
  for (auto const& from : comm_.all_to_all(to))
    for (Position const& p : from) of(p.cell)[std::size_t(p.place)].y = p.y;
}

void CellParticles::store(State& state, CellGrid const& grid) const {
  for (auto cell = first_cell(); cell < last_cell(); ++cell)
    for (Site const& s : of(cell)) {
      auto x = position(state, s.index);
      x = x + (s.y - grid.local(x));
      Vec3<std::int32_t> image{state.image(s.index, 0), state.image(s.index, 1), state.image(s.index, 2)};
      state.box.wrap(x, image);
      for (int d = 0; d < 3; ++d) {
        state.x(s.index, d) = x[d];
        state.image(s.index, d) = image[d];
      }
    }
}

}  // namespace lockstep
