// SPDX-License-Identifier: Apache-2.0
// The translation of one particle.
#pragma once

#include "base/fixed.hpp"
#include "moves/attempt.hpp"

namespace lockstep {

/// Moves one particle by a uniform step in a cube of edge 2 x `step`. A word and its complement give opposite
/// steps exactly, so the move is symmetric and log_bias stays 0.
struct Translate {
  double step;  ///< position units

  LOCKSTEP_FUNCTION std::int64_t component(std::uint32_t word) const {
    double const u = fma(2.0, Philox::uniform_of(word), -1.0);  // exact, odd under complement
    return round_to_fixed_wide(step * u);
  }
  LOCKSTEP_FUNCTION Trial operator()(Vec3<std::int64_t> x, PhiloxBlock const& draw) const {
    Vec3<std::int64_t> const d{component(draw.word[0]), component(draw.word[1]), component(draw.word[2])};
    return {x, x + d, 0.0};
  }
};

}  // namespace lockstep
