// SPDX-License-Identifier: Apache-2.0
// Lists are stale by measured displacement, never by a fixed number of steps.
#include "neighbor/neighbors.hpp"

#include <algorithm>
#include <cmath>
#include <utility>

#include "base/for_particles.hpp"
#include "neighbor/forecast.hpp"

namespace lockstep {
namespace {

/// The part of the largest reach that every particle has: velocities and forces change.
constexpr double least_reach = 0.35;
/// How far ahead of the fastest particle its reference in the outer list lies, of what it may be off.
constexpr double outer_lead = 0.6;
/// Velocities foretell no more than about so many steps.
constexpr double most_steps_ahead = 12;
/// Rows in a chunk of a list at most.
constexpr std::uint32_t rows_per_chunk = 1u << 17;

template <class Word>
void fit(View<Word*>& view, char const* name, std::size_t n) {
  if (view.extent(0) < n) view = View<Word*>(std::string(name), n + n / 16);
}

}  // namespace

Neighbors::Neighbors(Comm const& comm, Scales const& scales, double cutoff, double skin, double inner_skin,
                     int n_threads)
    : comm_(comm),
      scales_(scales),
      cutoff_(cutoff),
      skin_(skin),
      inner_skin_(inner_skin),
      unit_(exp2i(scales.window_shift - position_bits)),
      n_chunks_(n_threads > 1     ? 4 * n_threads
                : comm.size() > 1 ? 2
                                  : 1) {
  // windows drop up to one unit per particle; the factor covers the rounding of r2
  radius_ = cutoff_ * (1 + 0x1p-20) + 2 * unit_ + skin_;
}

template <class Word>
void Neighbors::pack_words(State const& state, Coordinates<Word> const& x) {
  Columns<std::int64_t> const from = columns(state.x);
  off_ = pack_clusters<Word>({clusters_.first_particles(),
                              {from[0], from[1], from[2]},
                              scales_.window_shift,
                              x.now.data(),
                              x.outer.data(),
                              x.inner.data(),
                              reach_.data()});
}

void Neighbors::pack(State const& state) {
  off_ = {};
  if (state.n_owned > 0 && n_builds_ > 0) with_coordinates([&](auto const& x) { pack_words(state, x); });
}

Neighbors::Verdict Neighbors::stale(double step_length, std::int64_t signal) {
  double largest[4] = {off_.outer2, off_.beyond, step_length, double(signal)};
  comm_.max(largest);
  auto const exceeds = [&](double square, double skin) {
    double const twice2 = 4 * square * unit_ * unit_;
    return !(twice2 * (1 + 1e-5) < skin * skin);  // NaN and infinity too
  };
  if (!(largest[1] < 0)) inner_valid_ = false;
  step_length_ = largest[2];
  bool const stale = n_builds_ == 0 || exceeds(largest[0], skin_) || !(2 * largest[2] < skin_);
  return {stale, std::int64_t(largest[3])};
}

void Neighbors::build(State& state, Domain& domain) {
  // meanwhile positions are their references, by which owners are found too
  double const lead = std::min(outer_lead * 0.5 * skin_, most_steps_ahead * step_length_);
  double const time = lead / comm_.max(fastest(state));
  drift_ahead(state, time);
  domain.migrate(state);
  clusters_.sort(state, domain.brick());
  auto const ghosts = domain.build_halo(state, radius_);
  clusters_.build(state, domain.brick(), ghosts, radius_);
  build_lists();
  ++n_builds_;
  std::size_t const n = std::size_t(clusters_.n_clusters()) * cluster_words;
  fit(reach_, "neighbor:reach", n / 3);
  with_coordinates([&](auto& x) {
    fit(x.now, "neighbor:now", n);
    fit(x.outer, "neighbor:outer", n);
    fit(x.inner, "neighbor:inner", n);
    pack_words(state, x);
    std::swap(x.now, x.outer);
  });
  drift_ahead(state, -time);
  pack(state);
  inner_valid_ = false;
}

void Neighbors::build_lists() {
  // entries of a chunk are counted in 32 bits
  int const n_chunks = std::max(n_chunks_, int(clusters_.n_rows() / rows_per_chunk) + 1);
  auto const chunks = [&](std::vector<PairListChunk>& lists) {
    lists.resize(std::size_t(n_chunks));
    for (int c = 0; c < n_chunks; ++c) {
      auto const border = [&](int k) {
        return std::uint32_t(std::uint64_t(clusters_.n_rows()) * std::uint64_t(k) / std::uint64_t(n_chunks));
      };
      lists[std::size_t(c)].first_row = border(c);
      lists[std::size_t(c)].last_row = border(c + 1);
    }
  };
  chunks(outer_local_);
  chunks(outer_halo_);
  inner_local_.resize(std::size_t(n_chunks));
  inner_halo_.resize(std::size_t(n_chunks));
  // float coordinates relative to the corner carry an error of 2^-24 of the domain's size
  auto const radius = float(radius_ * (1 + 1e-5) + 1e-6 * clusters_.extent());
  auto const geometry = clusters_.geometry();
  Kokkos::parallel_for(
      "neighbor:search",
      Kokkos::RangePolicy<Kokkos::DefaultHostExecutionSpace, Kokkos::Schedule<Kokkos::Dynamic>>(
          0, n_chunks, Kokkos::ChunkSize(1)),
      [&](int c) {
        search_pairs(geometry, clusters_.owned_grid(), false, radius, outer_local_[std::size_t(c)]);
        search_pairs(geometry, clusters_.ghost_grid(), true, radius, outer_halo_[std::size_t(c)]);
      });
  std::vector<std::uint32_t> partners(std::size_t(clusters_.n_clusters()) * cluster_size, 0);
  for (auto const* lists : {&outer_local_, &outer_halo_})
    for (auto const& chunk : *lists) count_partners(chunk, partners.data());
  std::uint32_t const most = partners.empty() ? 0 : *std::max_element(partners.begin(), partners.end());
  long_rows_ = most >= (1u << scales_.log2_addends);
}

void Neighbors::prune_if_stale(State const& state, Domain& domain) {
  if (!inner_valid_) prune(state, domain);
}

template <class Word>
void Neighbors::set_inner_references(State const& state, Domain& domain, Coordinates<Word> const& x) {
  double const lead = std::min((1 - least_reach) * 0.5 * inner_skin_, most_steps_ahead * step_length_);
  if (references_.extent(0) < state.x.extent(0))
    references_ = View<std::int64_t**>("neighbor:references", state.x.extent(0), 3);
  foretell(state, lead / fastest(state), lead, references_);
  domain.begin_refresh<Word>(references_, scales_.window_shift);
  auto const owned = clusters_.owned_slots(), ghosts = clusters_.ghost_slots();
  Columns<std::int64_t> const reference = columns(references_);
  for (std::size_t i = 0; i < owned.size(); ++i)
    for (int d = 0; d < 3; ++d)
      x.inner(word_of(owned[i]) + std::size_t(4 * d)) =
          coordinate<Word>(reference[d][i], scales_.window_shift);
  auto const ghost_references = domain.end_refresh<Word>();
  for (std::size_t g = 0; g < ghosts.size(); ++g)
    for (std::size_t d = 0; d < 3; ++d) x.inner(word_of(ghosts[g]) + 4 * d) = ghost_references[3 * g + d];
  // from what a ghost's rank and its owner both know
  double const least = least_reach * 0.5 * inner_skin_ / unit_;
  std::size_t const n_clusters = clusters_.n_clusters();
  for (std::size_t c = 0; c < n_clusters; ++c)
    for (std::size_t k = 0; k < cluster_size; ++k) {
      double lead2 = 0;
      for (std::size_t d = 0; d < 3; ++d) {
        std::size_t const at = c * cluster_words + 4 * d + k;
        auto const ahead = double(wrap_sub(x.inner(at), x.now(at)));
        lead2 += ahead * ahead;
      }
      reach_(c * cluster_size + k) = float(least + __builtin_sqrt(lead2));
    }
}

void Neighbors::prune(State const& state, Domain& domain) {
  // rounding of r2 and of the reaches, one unit per particle that windows drop
  auto const cutoff =
      float((cutoff_ * (1 + 0x1p-20) / unit_ + 2) * (1 + 1e-6) + 0.5 * inner_skin_ / unit_ * 1e-5);
  with_coordinates([&](auto const& x) {
    set_inner_references(state, domain, x);
    Kokkos::parallel_for(
        "neighbor:prune",
        Kokkos::RangePolicy<Kokkos::DefaultHostExecutionSpace, Kokkos::Schedule<Kokkos::Dynamic>>(
            0, int(outer_local_.size()), Kokkos::ChunkSize(1)),
        [&](int c) {
          auto const k = std::size_t(c);
          prune_pairs(outer_local_[k], x.inner.data(), reach_.data(), cutoff, inner_local_[k]);
          prune_pairs(outer_halo_[k], x.inner.data(), reach_.data(), cutoff, inner_halo_[k]);
        });
  });
  inner_valid_ = true;
  ++n_prunes_;
}

void Neighbors::set_ghosts(std::span<std::int32_t const> words) {
  auto const slots = clusters_.ghost_slots();
  for (std::size_t g = 0; g < slots.size(); ++g)
    for (std::size_t d = 0; d < 3; ++d) windows_.now(word_of(slots[g]) + 4 * d) = words[3 * g + d];
}

void Neighbors::set_ghosts(std::span<std::int64_t const> words) {
  auto const slots = clusters_.ghost_slots();
  for (std::size_t g = 0; g < slots.size(); ++g)
    for (std::size_t d = 0; d < 3; ++d) positions_.now(word_of(slots[g]) + 4 * d) = words[3 * g + d];
}

}  // namespace lockstep
