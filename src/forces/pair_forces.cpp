// SPDX-License-Identifier: Apache-2.0
// Runs the pair kernels and brings forces home. All sums are integer sums.
#include "forces/pair_forces.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <tuple>

#include "base/error.hpp"
#include "base/for_particles.hpp"

namespace lockstep {
namespace {

template <class T>
void fit(View<T*>& view, char const* name, std::size_t n) {
  if (view.extent(0) < n) view = View<T*>(std::string(name), n + n / 16);
}

using Host = Kokkos::DefaultHostExecutionSpace;

/// Faults kept per thread, of which the lowest is told: beyond so many it is the lowest of those.
constexpr std::uint32_t most_faults = 1u << 16;

/// body(0 .. n - 1), one host thread each; where kernels run on a device, one after another: only one thread
/// may launch them.
template <class Body>
void for_each_thread(char const* label, int n, Body const& body) {
  if constexpr (loops_on_host) {
    Kokkos::parallel_for(label, Kokkos::RangePolicy<Host>(0, n), body);
  } else {
    for (int thread = 0; thread < n; ++thread) body(thread);
  }
}

}  // namespace

PairForces::PairForces(Comm const& comm, Scales const& scales, std::vector<PairTable> tables,
                       KernelWidth width, int n_threads)
    : comm_(comm),
      scales_(scales),
      tables_(std::move(tables)),
      threads_(loops_on_host ? std::size_t(n_threads) : 1) {
  for (auto const& table : tables_) kernels_.push_back(make_pair_kernel(table, scales_, width));
  for (auto& t : threads_) {
    t.outliers = View<WideForce*>("pair:outliers", 256);
    t.counters = View<std::uint32_t*>("pair:counters", 2);
    t.faults = View<PairFault*>("pair:faults", 1);
  }
}

void PairForces::clear(Neighbors const& neighbors, bool want_sums) {
  std::size_t const n = std::size_t(neighbors.clusters().n_clusters()) * cluster_words;
  bool const wide = scales_.precision == Precision::double_ || long_rows_;
  for (auto& t : threads_) {
    if (wide) {
      fit(t.wide, "pair:wide", n);
    } else {
      fit(t.narrow, "pair:narrow", n);
    }
  }
  for_each_thread("pair:clear", int(threads_.size()), [&](int k) {
    auto& t = threads_[std::size_t(k)];
    if (wide) {
      std::fill_n(t.wide.data(), n, 0);
    } else {
      std::fill_n(t.narrow.data(), n, 0);
    }
    t.counters(0) = t.counters(1) = 0;
  });
  if (!want_sums) return;
  fit(row_sums_, "pair:row_sums", neighbors.clusters().n_rows());
  std::fill_n(row_sums_.data(), neighbors.clusters().n_rows(), RowSums{});
}

void PairForces::run(PairKernel const& kernel, Neighbors const& neighbors, Lists which, bool want_sums) {
  auto const& lists = which == Lists::local ? neighbors.local_lists() : neighbors.halo_lists();
  int const n_threads = int(threads_.size()), n_lists = int(lists.size());
  for_each_thread("pair:run", n_threads, [&](int thread) {
    auto const& t = threads_[std::size_t(thread)];
    PairOutput const output{t.narrow.data(),   t.wide.data(),  row_sums_.data(),
                            t.outliers.data(), &t.counters(0), std::uint32_t(t.outliers.extent(0)),
                            t.faults.data(),   &t.counters(1), std::uint32_t(t.faults.extent(0))};
    for (int c = thread; c < n_lists; c += n_threads) {
      auto const& list = lists[std::size_t(c)];
      PairArgs args;
      args.x = neighbors.windows();
      args.x_wide = neighbors.positions();
      args.species = neighbors.clusters().species();
      args.list = list.view();
      args.first_row = list.first_row;
      args.last_row = list.last_row;
      args.sums = want_sums;
      args.long_rows = long_rows_;
      kernel.run(args, output);
    }
  });
}

void PairForces::refresh(State const& state, Neighbors& neighbors, Domain& domain, PairKernel const* overlap,
                         bool want_sums) {
  auto const meanwhile = [&] {
    if (overlap != nullptr) run(*overlap, neighbors, Lists::local, want_sums);
  };
  if (scales_.precision == Precision::double_) {
    domain.begin_refresh<std::int64_t>(state.x, 0);
    meanwhile();
    neighbors.set_ghosts(domain.end_refresh<std::int64_t>());
  } else {
    domain.begin_refresh<std::int32_t>(state.x, scales_.window_shift);
    meanwhile();
    neighbors.set_ghosts(domain.end_refresh<std::int32_t>());
  }
}

bool PairForces::grow_outliers() {
  bool grown = false;
  for (auto& t : threads_) {
    if (t.counters(0) > t.outliers.extent(0)) {
      t.outliers = View<WideForce*>("pair:outliers", 2 * t.counters(0));
      grown = true;
    }
    std::uint32_t const faults = std::min(t.counters(1), most_faults);
    if (faults > t.faults.extent(0)) {
      t.faults = View<PairFault*>("pair:faults", faults);
      grown = true;
    }
  }
  return grown;
}

template <class Word>
void PairForces::collect_words(State& state, Neighbors const& neighbors, bool first,
                               View<Word*> ThreadBuffers::*words) {
  auto const first_particle = neighbors.clusters().first_particles();
  auto const ghosts = neighbors.clusters().ghost_slots();
  Columns<std::int64_t> const f = columns(state.f);
  std::vector<Word const*> buffers;
  for (auto const& t : threads_) buffers.push_back((t.*words).data());
  Word const* const* const all = buffers.data();
  std::size_t const n_threads = buffers.size();
  auto const total = [=](std::size_t at) {
    std::int64_t sum = all[0][at];
    for (std::size_t t = 1; t < n_threads; ++t) sum = wrap_add(sum, std::int64_t(all[t][at]));
    return sum;
  };
  for_each_particle_on_host("pair:collect", std::int32_t(first_particle.size()) - 1, [&](std::int32_t c) {
    for_lanes(first_particle, std::uint32_t(c), [&](auto n, LocalIndex i) {
      for (int d = 0; d < 3; ++d) {
        std::int64_t sum[cluster_size];
        for (int k = 0; k < n; ++k) sum[k] = first ? 0 : f[d][i + k];
        for (std::size_t t = 0; t < n_threads; ++t) {
          Word const* const part = all[t] + std::size_t(c) * cluster_words + std::size_t(4 * d);
          for (int k = 0; k < n; ++k) sum[k] = wrap_add(sum[k], std::int64_t(part[k]));
        }
        for (int k = 0; k < n; ++k) f[d][i + k] = sum[k];
      }
    });
  });
  for (std::size_t g = 0; g < ghosts.size(); ++g)
    for (std::size_t d = 0; d < 3; ++d) {
      std::int64_t const sum = total(word_of(ghosts[g]) + 4 * d);
      auto& target = ghost_forces_[3 * g + d];
      target = first ? sum : wrap_add(target, sum);
    }
}

void PairForces::collect(State& state, Neighbors const& neighbors, bool first) {
  if (scales_.precision == Precision::double_ || long_rows_) {
    collect_words(state, neighbors, first, &ThreadBuffers::wide);
  } else {
    collect_words(state, neighbors, first, &ThreadBuffers::narrow);
  }
  std::vector<LocalIndex> particles;  // only steps with outliers pay for it
  for (auto const& t : threads_)
    for (std::uint32_t k = 0; k < t.counters(0); ++k) {
      if (particles.empty()) particles = neighbors.clusters().particles_of_slots();
      LocalIndex const p = particles[t.outliers(k).slot];
      for (int d = 0; d < 3; ++d) {
        auto& f = p < state.n_owned ? state.f(p, d) : ghost_forces_[std::size_t(3 * (p - state.n_owned) + d)];
        f = wrap_add(f, t.outliers(k).f[d]);
      }
    }
}

void PairForces::collect_sums(Neighbors const& neighbors) {
  Int128 totals[7] = {};
  for (std::uint32_t r = 0; r < neighbors.clusters().n_rows(); ++r) {
    totals[0] += row_sums_(r).energy;
    for (int k = 0; k < 6; ++k) totals[k + 1] += row_sums_(r).virial[k];
  }
  comm_.sum(totals);
  energies_.energy.push_back(totals[0]);
  for (std::size_t k = 0; k < 6; ++k) energies_.virial[k] += totals[k + 1];
}

void PairForces::check_faults(State const& state, Neighbors const& neighbors, Domain const& domain) {
  if (comm_.agree(found_faults_.empty())) return;
  // every rank learns the fault with the lowest ids, and of its images the nearest
  auto const particles = neighbors.clusters().particles_of_slots();
  auto const id = [&](std::uint32_t slot) {
    LocalIndex const p = particles[slot];
    return p < state.n_owned ? state.id(p) : domain.ghosts()[std::size_t(p - state.n_owned)].id;
  };
  std::tuple<std::int64_t, std::int64_t, double> lowest{INT64_MAX, INT64_MAX, 0};
  for (PairFault const& fault : found_faults_) {
    auto const [a, b] = std::minmax({id(fault.slot_i), id(fault.slot_j)});
    lowest = std::min(lowest, std::tuple(a, b, fault.distance));
  }
  auto const [first, second, distance] = lowest;
  std::int64_t const low = comm_.min(first);
  std::int64_t const high = comm_.min(first == low ? second : INT64_MAX);
  bool const mine = first == low && second == high;
  double const nearest = -comm_.max(mine ? -distance : -1e300);
  throw SimulationError(
      state.step, low,
      fmt::format("overlaps particle {} at distance {:.6g}: their force is beyond the range of the run", high,
                  nearest),
      "minimize first (method = \"minimize\"), shorten the timestep, or mend the structure");
}

void PairForces::compute(State& state, Neighbors& neighbors, Domain& domain, bool want_sums) {
  energies_ = {};
  found_faults_.clear();
  long_rows_ = neighbors.long_rows() && scales_.precision == Precision::mixed;
  ghost_forces_.assign(std::size_t(3) * std::size_t(domain.n_ghosts()), 0);
  bool refreshed = false;
  for (std::size_t term = 0; term < kernels_.size(); ++term) {
    PairKernel const& kernel = *kernels_[term];
    do {
      clear(neighbors, want_sums);
      bool const overlap = !refreshed && neighbors.inner_valid();
      if (!refreshed) refresh(state, neighbors, domain, overlap ? &kernel : nullptr, want_sums);
      refreshed = true;
      neighbors.prune_if_stale(state, domain);
      if (!overlap) run(kernel, neighbors, Lists::local, want_sums);
      run(kernel, neighbors, Lists::halo, want_sums);
    } while (grow_outliers());
    collect(state, neighbors, term == 0);
    for (auto const& t : threads_)
      for (std::uint32_t k = 0; k < std::min(t.counters(1), most_faults); ++k)
        found_faults_.push_back(t.faults(k));
    if (want_sums) collect_sums(neighbors);
  }
  check_faults(state, neighbors, domain);
  domain.return_forces(ghost_forces_, state);
}

}  // namespace lockstep
