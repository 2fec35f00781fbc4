// SPDX-License-Identifier: Apache-2.0
// Which rank owns which particles, which ghosts it sees, and how positions and forces travel.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "base/comm.hpp"
#include "domain/bricks.hpp"
#include "state/state.hpp"

namespace lockstep {

/// A copy of another domain's particle, or of an own one a lattice vector away.
struct Ghost {
  ParticleId id;
  Vec3<std::int64_t> x;  ///< at list build: wrapped position + lattice shift
  SpeciesId species;
};

/// Bricks, migration, halo.
///
/// An unordered pair {i, j + n} belongs to the rank A of i if (n, rank of j) is above (0, A) in lexicographic
/// order of (n.z, n.y, n.x, rank): exactly one of its two sees it so, for any bricks and any number of
/// images. A's ghosts are the particles that are j in such a pair and lie within the list radius of its
/// brick; their forces go home.
class Domain {
 public:
  Domain(Comm const& comm, bool balanced) : comm_(comm), balanced_(balanced) {}

  /// Sends every particle to its owner; wraps all positions. New bricks if there are none yet or load has
  /// drifted.
  void migrate(State& state);
  /// Ghosts within `radius` (length units); plans the exchanges until the next call. The order of particles
  /// in `state` must not change while the plan is in use.
  std::span<Ghost const> build_halo(State const& state, double radius);

  Brick const& brick() const { return bricks_.front(); }
  Bricks const& bricks() const { return bricks_all_.front(); }
  int n_ghosts() const { return int(ghosts_.size()); }
  std::span<Ghost const> ghosts() const { return ghosts_; }

  /// Starts sending the coordinates of ghosts: windows (Word = int32) or positions (int64).
  /// @param x [n_owned, 3] position units: State::x, or another position of the owned particles.
  template <class Word>
  void begin_refresh(View<std::int64_t**> const& x, int window_shift);
  /// Waits for them. @returns [n_ghosts, 3], valid until the next refresh.
  template <class Word>
  std::span<Word const> end_refresh();
  /// Starts sending the forces on ghosts home. @param forces [n_ghosts, 3] force units; unchanged until
  /// end_return.
  void begin_return(std::span<std::int64_t const> forces);
  /// Waits for them and adds them to their owners' state.f.
  void end_return(State& state);

 private:
  void rebalance(State const& state);
  /// Faces of this rank's brick within `radius` of each particle, one bit each.
  std::vector<unsigned> faces_near(State const& state, double radius) const;
  void plan(State const& state, double radius);

  struct Peer {
    int rank;
    std::uint32_t first, count;
  };

  Comm comm_;
  bool balanced_;
  std::vector<Bricks> bricks_all_;  // none before the first migration
  std::vector<Brick> bricks_;       // this rank's
  std::vector<LocalIndex> send_index_;
  std::vector<Vec3<std::int64_t>> send_shift_;
  std::vector<Peer> send_, receive_;
  std::vector<Ghost> ghosts_;
  std::vector<std::int64_t> send_words_, receive_words_;
  std::int64_t const* own_forces_ = nullptr;  // on this rank's images of its own particles
  std::vector<MPI_Request> requests_;
};

}  // namespace lockstep
