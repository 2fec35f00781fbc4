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
  for (auto& t : threads_) {
    if (wide_) {
      fit(t.wide, "pair:wide", n);
    } else {
      fit(t.narrow, "pair:narrow", n);
    }
  }
  for_each_thread("pair:clear", int(threads_.size()), [&](int k) {
    auto& t = threads_[std::size_t(k)];
    if (wide_) {
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

void PairForces::run(PairKernel const& kernel, Neighbors const& neighbors,
                     std::span<PairListChunk const> lists, bool want_sums) {
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

void PairForces::begin_refresh(State const& state, Domain& domain) const {
  if (scales_.precision == Precision::double_) {
    domain.begin_refresh<std::int64_t>(state.x, 0);
  } else {
    domain.begin_refresh<std::int32_t>(state.x, scales_.window_shift);
  }
}

void PairForces::end_refresh(Neighbors& neighbors, Domain& domain) const {
  if (scales_.precision == Precision::double_) {
    neighbors.set_ghosts(domain.end_refresh<std::int64_t>());
  } else {
    neighbors.set_ghosts(domain.end_refresh<std::int32_t>());
  }
}

bool PairForces::outliers_fit() const {
  return std::all_of(threads_.begin(), threads_.end(), [](ThreadBuffers const& t) {
    return t.counters(0) <= t.outliers.extent(0) &&
           std::min(t.counters(1), most_faults) <= t.faults.extent(0);
  });
}

void PairForces::grow_outliers() {
  for (auto& t : threads_) {
    if (t.counters(0) > t.outliers.extent(0))
      t.outliers = View<WideForce*>("pair:outliers", 2 * t.counters(0));
    std::uint32_t const faults = std::min(t.counters(1), most_faults);
    if (faults > t.faults.extent(0)) t.faults = View<PairFault*>("pair:faults", faults);
  }
}

template <class Add>
void PairForces::collect_outliers(Neighbors const& neighbors, Add const& add) const {
  std::vector<LocalIndex> particles;  // only steps with outliers pay for it
  for (auto const& t : threads_)
    for (std::uint32_t k = 0; k < t.counters(0); ++k) {
      if (particles.empty()) particles = neighbors.clusters().particles_of_slots();
      add(particles[t.outliers(k).slot], t.outliers(k).f);
    }
}

template <class Word>
void PairForces::collect_owned(State& state, Neighbors const& neighbors, bool first,
                               View<Word*> ThreadBuffers::*words) {
  auto const first_particle = neighbors.clusters().first_particles();
  Columns<std::int64_t> const f = columns(state.f);
  std::vector<Word const*> buffers;
  for (auto const& t : threads_) buffers.push_back((t.*words).data());
  std::span<Word const* const> const all(buffers);
  for_each_particle_on_host("pair:collect", std::int32_t(first_particle.size()) - 1, [=](std::int32_t c) {
    for_lanes(first_particle, std::uint32_t(c), [&](auto n, LocalIndex i) {
      for (int d = 0; d < 3; ++d) {
        std::int64_t sum[cluster_size];
        for (int k = 0; k < n; ++k) sum[k] = first ? 0 : f[d][i + k];
        for (Word const* const buffer : all) {
          Word const* const part = buffer + std::size_t(c) * cluster_words + std::size_t(4 * d);
          for (int k = 0; k < n; ++k) sum[k] = wrap_add(sum[k], std::int64_t(part[k]));
        }
        for (int k = 0; k < n; ++k) f[d][i + k] = sum[k];
      }
    });
  });
  collect_outliers(neighbors, [&](LocalIndex p, std::int64_t const* force) {
    for (int d = 0; d < 3 && p < state.n_owned; ++d) state.f(p, d) = wrap_add(state.f(p, d), force[d]);
  });
}

template <class Word>
void PairForces::collect_ghosts(Neighbors const& neighbors, View<Word*> ThreadBuffers::*words) {
  auto const ghosts = neighbors.clusters().ghost_slots();
  for (auto const& t : threads_) {
    Word const* const part = (t.*words).data();
    for (std::size_t g = 0; g < ghosts.size(); ++g)
      for (std::size_t d = 0; d < 3; ++d) {
        auto& target = ghost_forces_[3 * g + d];
        target = wrap_add(target, std::int64_t(part[word_of(ghosts[g]) + 4 * d]));
      }
  }
  auto const n_owned = LocalIndex(neighbors.clusters().owned_slots().size());
  collect_outliers(neighbors, [&](LocalIndex p, std::int64_t const* force) {
    for (std::size_t d = 0; d < 3 && p >= n_owned; ++d) {
      auto& target = ghost_forces_[3 * std::size_t(p - n_owned) + d];
      target = wrap_add(target, force[d]);
    }
  });
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

void PairForces::compute_term(std::size_t term, State& state, Neighbors& neighbors, Domain& domain,
                              bool want_sums) {
  PairKernel const& kernel = *kernels_[term];
  bool refresh = term == 0, ghosts_wanted = true;
  for (;;) {
    clear(neighbors, want_sums);
    // ghosts travel here behind the first half of the local pairs, their forces home behind the rest
    std::size_t early = 0;
    if (refresh) {
      begin_refresh(state, domain);
      if (neighbors.inner_valid()) early = neighbors.local_lists().size() / 2;
      run(kernel, neighbors, std::span(neighbors.local_lists()).first(early), want_sums);
      end_refresh(neighbors, domain);
      refresh = false;
    }
    neighbors.prune_if_stale(state, domain);
    run(kernel, neighbors, neighbors.halo_lists(), want_sums);
    if (ghosts_wanted && outliers_fit()) {
      with_words([&](auto words) { collect_ghosts(neighbors, words); });
      if (term + 1 == kernels_.size()) domain.begin_return(ghost_forces_);
      ghosts_wanted = false;
    }
    run(kernel, neighbors, std::span(neighbors.local_lists()).subspan(early), want_sums);
    if (outliers_fit()) break;
    grow_outliers();
  }
  with_words([&](auto words) { collect_owned(state, neighbors, term == 0, words); });
}

void PairForces::compute(State& state, Neighbors& neighbors, Domain& domain, bool want_sums) {
  energies_ = {};
  found_faults_.clear();
  long_rows_ = neighbors.long_rows() && scales_.precision == Precision::mixed;
  wide_ = scales_.precision == Precision::double_ || long_rows_;
  ghost_forces_.assign(std::size_t(3) * std::size_t(domain.n_ghosts()), 0);
  for (std::size_t term = 0; term < kernels_.size(); ++term) {
    compute_term(term, state, neighbors, domain, want_sums);
    for (auto const& t : threads_)
      for (std::uint32_t k = 0; k < std::min(t.counters(1), most_faults); ++k)
        found_faults_.push_back(t.faults(k));
    if (want_sums) collect_sums(neighbors);
  }
  if (!kernels_.empty()) domain.end_return(state);
  check_faults(state, neighbors, domain);
}

}  // namespace lockstep
