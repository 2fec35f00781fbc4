// SPDX-License-Identifier: Apache-2.0
// Gathering a cell's surroundings; energy changes as differences of integers.
#include "moves/neighborhood.hpp"

#include <algorithm>
#include <limits>

#include "base/fixed.hpp"

namespace lockstep {
namespace {

double gap(std::int64_t y, std::int64_t low, std::int64_t high) {
  return double(y < low ? low - y : y >= high ? y - high : 0) * position_unit;
}

}  // namespace

McTerms::McTerms(Scales const& s, std::span<PairTable const> tables) : scales(s) {
  for (auto const& table : tables) {
    kernels.push_back(make_mc_kernel(table, scales));
    n_species = table.n_species;
    cutoff = std::max(cutoff, table.max_cutoff);
  }
}

void Neighborhood::make_room(CellParticles const& particles) {
  std::size_t n = 0;
  for (auto const& neighbor : neighbors_) n += particles.of(neighbor.cell).size();
  at_.n = 0;
  at_.fit(n);
  for (auto& v : coarse_) v.resize(std::max(v.size(), n));
  species_.resize(std::max(species_.size(), n));
  own_of_.resize(std::max(own_of_.size(), n));
  found_.resize(std::max(found_.size(), n + 1));
  copies_.resize(std::max(copies_.size(), own_.size()));
  for (std::size_t i = 0; i < own_.size(); ++i) copies_[i].clear();
  for (auto& p : partners_) p.fit(n + mc_block);
}

void Neighborhood::put(std::uint32_t slot, Vec3<std::int64_t> y) {
  double const words[3] = {word(y.x, 0), word(y.y, 1), word(y.z, 2)};
  at_.x[slot] = words[0];
  at_.y[slot] = words[1];
  at_.z[slot] = words[2];
  for (int d = 0; d < 3; ++d) coarse_[d][slot] = float(words[d]);
}

void Neighborhood::add(Site const& site, Vec3<std::int64_t> shift, int own) {
  auto const slot = std::uint32_t(at_.n++);
  species_[slot] = site.species;
  own_of_[slot] = own;
  put(slot, site.y + shift);
  if (own >= 0) copies_[std::size_t(own)].push_back({slot, shift});
}

void Neighborhood::add_near(CellParticles const& particles, NeighborCell const& neighbor) {
  double const reach = terms_.cutoff * (1 + 0x1p-20), reach2 = reach * reach;
  auto const sites = particles.of(neighbor.cell);
  bool const itself = neighbor.cell == cell_;
  for (std::size_t k = 0; k < sites.size(); ++k) {
    if (!itself) {  // copies of movable particles are all kept: a move may bring them near
      auto const y = sites[k].y + neighbor.shift;
      double const gx = gap(y.x, low_.x, high_.x), gy = gap(y.y, low_.y, high_.y),
                   gz = gap(y.z, low_.z, high_.z);
      if (gx * gx + gy * gy + gz * gz > reach2) continue;
    }
    add(sites[k], neighbor.shift, itself ? int(k) : -1);
  }
}

void Neighborhood::gather(CellParticles& particles, CellGrid const& grid, std::int64_t cell) {
  cell_ = cell;
  own_ = particles.of(cell);
  low_ = grid.low(cell);
  high_ = grid.high(cell);
  std::int64_t const granule = std::int64_t(1) << terms_.scales.window_shift;
  for (int d = 0; d < 3; ++d) origin_[d] = low_[d] / granule * granule;
  if (own_.empty()) return;
  grid.neighbors(cell, neighbors_);
  make_room(particles);
  for (auto const& neighbor : neighbors_) add_near(particles, neighbor);
}

bool Neighborhood::contains(Vec3<std::int64_t> y) const {
  bool in = true;
  for (int d = 0; d < 3; ++d) in = in && low_[d] <= y[d] && y[d] < high_[d];
  return in;
}

void Neighborhood::find_partners(int i, double const (&before)[3], double const (&after)[3]) {
  float const a[3] = {float(before[0]), float(before[1]), float(before[2])},
              b[3] = {float(after[0]), float(after[1]), float(after[2])};
  double const unit = exp2i(terms_.scales.window_shift - position_bits);
  double extent = 0;  // floats of this size are wrong by 2^-24 of it
  for (int d = 0; d < 3; ++d) extent = std::max(extent, double(high_[d] - low_[d]) * position_unit);
  double const limit = (terms_.cutoff * (1 + 1e-5) + 1e-6 * (extent + terms_.cutoff)) / unit;
  McCoarse const coarse{coarse_[0].data(), coarse_[1].data(), coarse_[2].data(), std::uint32_t(at_.n)};
  std::uint32_t const n = find_near(coarse, a, b, float(limit * limit), found_.data());
  for (auto& p : partners_) p.n = 0;
  for (std::uint32_t k = 0; k < n; ++k) {
    std::uint32_t const slot = found_[k];
    if (own_of_[slot] == i) continue;
    partners_[std::size_t(species_[slot])].push(at_.x[slot], at_.y[slot], at_.z[slot]);
  }
  for (auto& p : partners_)
    while (p.n % mc_block != 0) p.push(mc_far, mc_far, mc_far);
}

double Neighborhood::change(int i, Trial const& trial) {
  double before[3], after[3];
  for (int d = 0; d < 3; ++d) {
    before[d] = word(trial.before[d], d);
    after[d] = word(trial.after[d], d);
  }
  find_partners(i, before, after);
  McEnergy old, now;
  int const row = own_[std::size_t(i)].species * terms_.n_species;
  for (auto const& kernel : terms_.kernels)
    for (int j = 0; j < terms_.n_species; ++j) {
      auto const& p = partners_[std::size_t(j)];
      McPartners const partners{p.x.data(), p.y.data(), p.z.data(), int(p.n)};
      kernel->add(row + j, before, partners, old);
      kernel->add(row + j, after, partners, now);
    }
  if (!old.finite || !now.finite) return std::numeric_limits<double>::infinity();
  last_ = now.sum - old.sum;
  return to_double(last_);
}

void Neighborhood::apply(int i, Trial const& trial) {
  own_[std::size_t(i)].y = trial.after;
  for (auto const& copy : copies_[std::size_t(i)]) put(copy.slot, trial.after + copy.shift);
  total_ += last_;
}

}  // namespace lockstep
