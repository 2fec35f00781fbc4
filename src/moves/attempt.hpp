// SPDX-License-Identifier: Apache-2.0
// One Metropolis attempt: pick, propose, energy change, accept, apply. The one acceptance rule.
#pragma once

#include <cstdint>

#include "base/math.hpp"
#include "base/philox.hpp"
#include "base/vec3.hpp"

namespace lockstep {

/// A proposed position (position units). log_bias: log of (probability of the way back / of the way there)
/// besides the energy; 0 for symmetric moves.
struct Trial {
  Vec3<std::int64_t> before, after;
  double log_bias = 0;
};

enum class Outcome { null, rejected, accepted };

/// A NaN rejects; so does an exponent of -infinity.
LOCKSTEP_FUNCTION bool accept(double exponent, double uniform) {
  return exponent >= 0 || uniform < math::exp(exponent);
}

/// The random numbers of one attempt: all of them exist whether or not they are asked for.
class AttemptDraws {
 public:
  AttemptDraws(std::uint64_t seed, std::uint64_t sweep, std::uint64_t cell, std::uint32_t attempt)
      : seed_(seed), sweep_(sweep), cell_(cell), attempt_(attempt) {}

  /// One of 0 .. n-1.
  int pick(int n) const {
    std::uint64_t const word = Philox(seed_, Stream::mc_select, sweep_, cell_).block(attempt_).word[0];
    return int((word * std::uint64_t(n)) >> 32);
  }
  PhiloxBlock move() const { return Philox(seed_, Stream::mc_move, sweep_, cell_).block(attempt_); }
  double uniform() const { return Philox(seed_, Stream::mc_accept, sweep_, cell_).uniform53(attempt_); }

 private:
  std::uint64_t seed_, sweep_, cell_;
  std::uint32_t attempt_;
};

/// One attempt on a cell. `System` offers count() (particles), position(i), contains(x) (whether x lies in
/// the cell), change(i, trial) (energy of the trial minus energy now; infinite if the trial's is beyond all
/// range) and apply(i, trial). Detailed balance: a move keeps the particle in its cell, so the cell's count n
/// is the same before and after, a particle is picked with probability 1/n both ways, and the rest is
/// Metropolis. An empty cell is a null attempt, which depends on nothing that changes.
/// @param beta 1/kT per unit of change().
template <class System, class Move>
Outcome attempt(System& system, Move const& move, double beta, AttemptDraws const& draws) {
  int const n = system.count();
  if (n == 0) return Outcome::null;
  int const i = draws.pick(n);
  Trial const trial = move(system.position(i), draws.move());
  if (!system.contains(trial.after)) return Outcome::rejected;
  double const exponent = trial.log_bias - beta * system.change(i, trial);
  if (!accept(exponent, draws.uniform())) return Outcome::rejected;
  system.apply(i, trial);
  return Outcome::accepted;
}

}  // namespace lockstep
