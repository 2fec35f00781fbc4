// SPDX-License-Identifier: Apache-2.0
// The schedule of colored sweeps.
#include "moves/sweep.hpp"

#include <algorithm>
#include <array>
#include <numeric>

#include "base/kokkos.hpp"
#include "moves/translate.hpp"

namespace lockstep {
namespace {

constexpr double particle_reach = 0;  // of a moved particle beyond its center

std::uint32_t attempts_in_cell(std::int64_t n_particles, std::int64_t n_cells) {
  std::int64_t const mean = (n_particles + n_cells - 1) / n_cells;
  return std::uint32_t(std::clamp<std::int64_t>(mean, 1, Philox::draw_limit - 1));
}

}  // namespace

SweepCount& SweepCount::operator+=(SweepCount const& other) {
  attempts += other.attempts;
  accepted += other.accepted;
  change += other.change;
  return *this;
}

Sweep::Sweep(Comm const& comm, State const& state, std::span<PairTable const> tables,
             SweepOptions const& options)
    : comm_(comm),
      options_(options),
      terms_(state.scales, tables),
      grid_(state.box, terms_.cutoff, particle_reach, state.n_particles, state.scales.window_shift),
      particles_(comm, grid_),
      attempts_(attempts_in_cell(state.n_particles, grid_.n_cells())),
      beta_(state.scales.energy_unit() / options.kT),
      cells_(std::size_t(grid_.n_colors())) {
  for (auto cell = particles_.first_cell(); cell < particles_.last_cell(); ++cell)
    cells_[std::size_t(grid_.color_of(cell))].push_back(cell);
  threads_.reserve(std::size_t(options.n_threads));
  for (int k = 0; k < options.n_threads; ++k) threads_.emplace_back(terms_);
}

double Sweep::longest_step() const {
  double width = 0;
  for (int d = 0; d < 3; ++d) {
    double const w = double(grid_.high(0)[d]) * position_unit;
    width = d == 0 ? w : std::min(width, w);
  }
  return 0.5 * width;
}

void Sweep::displace_grid(std::uint64_t number) {
  Philox const philox(options_.seed, Stream::mc_grid, number, 0);
  std::array<std::uint64_t, 3> words;
  for (std::uint32_t d = 0; d < 3; ++d) {
    auto const block = philox.block(d);
    words[d] = (std::uint64_t(block.word[0]) << 32) | block.word[1];
  }
  grid_.set_shift(words);
}

std::vector<int> Sweep::color_order(std::uint64_t number) const {
  Philox const philox(options_.seed, Stream::mc_order, number, 0);
  std::vector<int> order(std::size_t(grid_.n_colors()));
  std::iota(order.begin(), order.end(), 0);
  for (auto k = std::uint32_t(order.size()) - 1; k > 0; --k) {
    auto const other = std::size_t((std::uint64_t(philox.block(k).word[0]) * (k + 1)) >> 32);
    std::swap(order[k], order[other]);
  }
  return order;
}

SweepCount Sweep::run_cell(Neighborhood& neighborhood, std::int64_t cell, std::uint64_t number, double step) {
  neighborhood.gather(particles_, grid_, cell);
  Translate const move{step / position_unit};
  SweepCount count;
  Int128 const before = neighborhood.total_change();
  for (std::uint32_t a = 0; a < attempts_; ++a) {
    AttemptDraws const draws(options_.seed, number, std::uint64_t(cell), a);
    Outcome const outcome = attempt(neighborhood, move, beta_, draws);
    count.attempts += outcome != Outcome::null ? 1 : 0;
    count.accepted += outcome == Outcome::accepted ? 1 : 0;
  }
  count.change = neighborhood.total_change() - before;
  return count;
}

SweepCount Sweep::run_color(int color, std::uint64_t number, double step) {
  auto const& cells = cells_[std::size_t(color)];
  int const n_threads = int(threads_.size()), n = int(cells.size());
  std::vector<SweepCount> counts(threads_.size());
  using Host = Kokkos::DefaultHostExecutionSpace;
  Kokkos::parallel_for("mc_sweep:color", Kokkos::RangePolicy<Host>(0, n_threads), [&](int thread) {
    auto const t = std::size_t(thread);
    SweepCount sum;
    for (int c = thread; c < n; c += n_threads)
      sum += run_cell(threads_[t], cells[std::size_t(c)], number, step);
    counts[t] = sum;
  });
  Host().fence();
  SweepCount total;
  for (auto const& c : counts) total += c;
  return total;
}

SweepCount Sweep::run(State& state, std::uint64_t number, double step) {
  displace_grid(number);
  particles_.deal(state, grid_);
  SweepCount total;
  for (int color : color_order(number)) {
    total += run_color(color, number, step);
    particles_.refresh(cells_[std::size_t(color)]);
  }
  particles_.store(state, grid_);
  Int128 sums[3] = {total.attempts, total.accepted, total.change};
  comm_.sum(sums);
  return {std::int64_t(sums[0]), std::int64_t(sums[1]), sums[2]};
}

}  // namespace lockstep
