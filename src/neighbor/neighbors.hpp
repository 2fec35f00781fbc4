// SPDX-License-Identifier: Apache-2.0
// Pair lists: when they are stale, how they are built and pruned, and the coordinates kernels read.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "base/comm.hpp"
#include "base/kokkos.hpp"
#include "domain/domain.hpp"
#include "kernels/neighbor_build.hpp"
#include "neighbor/clusters.hpp"
#include "state/state.hpp"

namespace lockstep {

/// An outer list of radius cutoff + skin, and an inner list pruned from it, in which each particle has a
/// reach of its own, the larger the faster it is. Both are made for reference positions, the middle of the
/// way that each particle goes while the list holds if it keeps its velocity, and are stale when one is
/// farther from its reference than half the skin, or than its reach. So they are exact supersets of the pairs
/// within the cutoff at every step, however wrong the forecast.
class Neighbors {
 public:
  /// @param cutoff the largest of all pairs. @param skin at most a quarter of it. Length units.
  Neighbors(Comm const& comm, Scales const& scales, double cutoff, double skin, double inner_skin,
            int n_threads);

  /// Radius of the outer list: that of the halo too.
  double radius() const { return radius_; }
  /// Takes the owned particles' coordinates now (ghosts follow by set_ghosts) and measures how far they went.
  void pack(State const& state);
  struct Verdict {
    bool stale;           ///< the outer list may miss a pair at the present positions
    std::int64_t signal;  ///< the largest of all ranks
  };
  /// Collective; call it after pack. @param step_length the farthest a particle went in the last step, length
  /// units: half the skin and beyond is stale unmeasured. @param signal a small number that travels with the
  /// reduction.
  Verdict stale(double step_length, std::int64_t signal);
  /// Moves particles to their ranks, plans the halo, builds the outer list. Packs.
  void build(State& state, Domain& domain);
  /// Ghost coordinates of this step. @param words [n_ghosts, 3]
  void set_ghosts(std::span<std::int32_t const> words);
  void set_ghosts(std::span<std::int64_t const> words);
  /// Whether the inner lists hold for the present positions.
  bool inner_valid() const { return inner_valid_; }
  /// Prunes the inner lists if they may miss a pair; call it with ghosts in place.
  void prune_if_stale(State const& state, Domain& domain);

  Clusters const& clusters() const { return clusters_; }
  std::vector<PairListChunk> const& local_lists() const { return inner_local_; }
  std::vector<PairListChunk> const& halo_lists() const { return inner_halo_; }
  std::int32_t const* windows() const { return windows_.now.data(); }
  std::int64_t const* positions() const { return positions_.now.data(); }
  /// Whether some particle has more partners than an int32 force may take.
  bool long_rows() const { return long_rows_; }
  std::int64_t n_builds() const { return n_builds_; }
  std::int64_t n_prunes() const { return n_prunes_; }

 private:
  /// What kernels read, windows (int32) or positions (int64), and the references of both lists:
  /// [n_clusters, 3, 4]. Those of ghosts are kept for the inner list only.
  template <class Word>
  struct Coordinates {
    View<Word*> now, outer, inner;
  };
  /// body(windows_) or body(positions_), whichever this precision uses.
  template <class Body>
  void with_coordinates(Body const& body) {
    scales_.precision == Precision::double_ ? body(positions_) : body(windows_);
  }
  template <class Word>
  void pack_words(State const& state, Coordinates<Word> const& x);
  void build_lists();
  template <class Word>
  void set_inner_references(State const& state, Domain& domain, Coordinates<Word> const& x);
  void prune(State const& state, Domain& domain);

  Comm comm_;
  Scales scales_;
  double cutoff_, skin_, inner_skin_, radius_, unit_;
  int n_chunks_;
  Clusters clusters_;
  std::vector<PairListChunk> outer_local_, outer_halo_, inner_local_, inner_halo_;
  Coordinates<std::int32_t> windows_;
  Coordinates<std::int64_t> positions_;
  View<std::int64_t**> references_;  // [capacity, 3] of owned particles, position units, while pruning
  View<float*> reach_;               // [n_clusters, 4] coordinate units
  Excursion off_;                    // rank-local until stale()
  double step_length_ = 0;           // of the last step, all ranks
  bool inner_valid_ = false, long_rows_ = false;
  std::int64_t n_builds_ = 0, n_prunes_ = 0;
};

}  // namespace lockstep
