// SPDX-License-Identifier: Apache-2.0
// Lists are stale by measured displacement, never by a fixed number of steps.
#include "neighbor/neighbors.hpp"

#include <algorithm>

namespace lockstep {
namespace {

/// A resting particle's share of the largest reach: others may set it in motion.
constexpr double slow_share = 0.35;
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
      n_chunks_(n_threads == 1 ? 1 : 4 * n_threads) {
  // windows drop up to one unit per particle; the factor covers the rounding of r2
  radius_ = cutoff_ * (1 + 0x1p-20) + 2 * unit_ + skin_;
}

template <class Word>
void Neighbors::pack_words(State const& state, View<Word*> const& words, View<Word*> const& at_build) {
  auto const slots = clusters_.owned_slots();
  Word* const out = words.data();
  Word const* const before = at_build.data();
  Word const* const pruned = sizeof(Word) == 4 ? reinterpret_cast<Word const*>(windows_at_prune_.data())
                                               : reinterpret_cast<Word const*>(positions_at_prune_.data());
  int const s = scales_.window_shift;
  std::int64_t const *const x = &state.x(0, 0), *const y = &state.x(0, 1), *const z = &state.x(0, 2);
  using Real = std::conditional_t<sizeof(Word) == 4, float, double>;
  float const* const reach = reach_.data();
  Real largest = 0, beyond = -1;
  for (std::size_t i = 0; i < slots.size(); ++i) {
    std::size_t const at = word_of(slots[i]);
    std::int64_t const position[3] = {x[i], y[i], z[i]};
    Real d2 = 0, p2 = 0;
    for (std::size_t c = 0; c < 3; ++c) {
      Word w;
      if constexpr (sizeof(Word) == 4) {
        w = window(position[c], s);
      } else {
        w = position[c];
      }
      out[at + 4 * c] = w;
      auto const d = Real(wrap_sub(w, before[at + 4 * c])), p = Real(wrap_sub(w, pruned[at + 4 * c]));
      d2 += d * d;
      p2 += p * p;
    }
    largest = std::max(largest, d2);
    Real const r = reach[slots[i]];
    beyond = std::max(beyond, p2 - r * r);
  }
  moved_ = double(largest);
  beyond_ = double(beyond);
}

void Neighbors::pack(State const& state) {
  if (state.n_owned == 0 || n_builds_ == 0) {
    moved_ = 0;
    beyond_ = -1;
  } else if (scales_.precision == Precision::double_) {
    pack_words(state, positions_, positions_at_build_);
  } else {
    pack_words(state, windows_, windows_at_build_);
  }
}

Neighbors::Verdict Neighbors::stale(double step_length, std::int64_t signal) {
  double largest[4] = {moved_, beyond_, step_length, double(signal)};
  comm_.max(largest);
  auto const exceeds = [&](double square, double skin) {
    double const twice2 = 4 * square * unit_ * unit_;
    return !(twice2 * (1 + 1e-5) < skin * skin);  // NaN and infinity too
  };
  if (!(largest[1] < 0)) inner_valid_ = false;
  bool const stale = n_builds_ == 0 || exceeds(largest[0], skin_) || !(2 * largest[2] < skin_);
  return {stale, std::int64_t(largest[3])};
}

void Neighbors::build(State& state, Domain& domain) {
  domain.migrate(state);
  clusters_.sort(state, domain.brick());
  auto const ghosts = domain.build_halo(state, radius_);
  clusters_.build(state, domain.brick(), ghosts, radius_);
  build_lists();
  std::size_t const n = std::size_t(clusters_.n_clusters()) * cluster_words;
  if (scales_.precision == Precision::double_) {
    fit(positions_, "neighbor:positions", n);
    fit(positions_at_build_, "neighbor:positions_at_build", n);
    fit(positions_at_prune_, "neighbor:positions_at_prune", n);
  } else {
    fit(windows_, "neighbor:windows", n);
    fit(windows_at_build_, "neighbor:windows_at_build", n);
    fit(windows_at_prune_, "neighbor:windows_at_prune", n);
  }
  fit(reach_, "neighbor:reach", n / 3);
  ++n_builds_;
  pack(state);
  if (scales_.precision == Precision::double_) {
    std::copy_n(positions_.data(), n, positions_at_build_.data());
  } else {
    std::copy_n(windows_.data(), n, windows_at_build_.data());
  }
  moved_ = 0;
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

void Neighbors::prune_if_stale(State const& state) {
  if (!inner_valid_) prune(state);
}

void Neighbors::set_reach(State const& state) {
  // a ghost's reach is at least its owner's: the largest there is
  double const most = 0.5 * inner_skin_ / unit_, least = slow_share * most;
  std::fill_n(reach_.data(), std::size_t(clusters_.n_clusters()) * cluster_size, float(most));
  auto const slots = clusters_.owned_slots();
  auto const speed2 = [&](std::size_t i) {
    auto const n = LocalIndex(i);
    double const x = double(state.v(n, 0)), y = double(state.v(n, 1)), z = double(state.v(n, 2));
    return x * x + y * y + z * z;
  };
  double fastest2 = 1;
  for (std::size_t i = 0; i < slots.size(); ++i) fastest2 = std::max(fastest2, speed2(i));
  double const scale2 = (most - least) * (most - least) / fastest2;
  for (std::size_t i = 0; i < slots.size(); ++i)
    reach_(slots[i]) = float((least + __builtin_sqrt(speed2(i) * scale2)) * (1 - 1e-6));
}

void Neighbors::prune(State const& state) {
  set_reach(state);
  // rounding of r2 and of the reaches, one unit per particle that windows drop
  auto const cutoff =
      float((cutoff_ * (1 + 0x1p-20) / unit_ + 2) * (1 + 1e-6) + 0.5 * inner_skin_ / unit_ * 1e-5);
  Kokkos::parallel_for(
      "neighbor:prune",
      Kokkos::RangePolicy<Kokkos::DefaultHostExecutionSpace, Kokkos::Schedule<Kokkos::Dynamic>>(
          0, int(outer_local_.size()), Kokkos::ChunkSize(1)),
      [&](int c) {
        auto const k = std::size_t(c);
        if (scales_.precision == Precision::double_) {
          prune_pairs(outer_local_[k], positions_.data(), reach_.data(), cutoff, inner_local_[k]);
          prune_pairs(outer_halo_[k], positions_.data(), reach_.data(), cutoff, inner_halo_[k]);
        } else {
          prune_pairs(outer_local_[k], windows_.data(), reach_.data(), cutoff, inner_local_[k]);
          prune_pairs(outer_halo_[k], windows_.data(), reach_.data(), cutoff, inner_halo_[k]);
        }
      });
  std::size_t const n = std::size_t(clusters_.n_clusters()) * cluster_words;
  if (scales_.precision == Precision::double_) {
    std::copy_n(positions_.data(), n, positions_at_prune_.data());
  } else {
    std::copy_n(windows_.data(), n, windows_at_prune_.data());
  }
  inner_valid_ = true;
  ++n_prunes_;
}

void Neighbors::set_ghosts(std::span<std::int32_t const> words) {
  auto const slots = clusters_.ghost_slots();
  for (std::size_t g = 0; g < slots.size(); ++g)
    for (std::size_t d = 0; d < 3; ++d) windows_(word_of(slots[g]) + 4 * d) = words[3 * g + d];
}

void Neighbors::set_ghosts(std::span<std::int64_t const> words) {
  auto const slots = clusters_.ghost_slots();
  for (std::size_t g = 0; g < slots.size(); ++g)
    for (std::size_t d = 0; d < 3; ++d) positions_(word_of(slots[g]) + 4 * d) = words[3 * g + d];
}

}  // namespace lockstep
