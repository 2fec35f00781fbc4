// SPDX-License-Identifier: Apache-2.0
// All random streams of Lockstep. Their numbers are part of the contract: append, never renumber.
#pragma once

#include <cstdint>

namespace lockstep {

/// What a random number is for. Values are below 2^12.
enum class Stream : std::uint16_t {
  initial_velocity = 1,
  lattice = 2,
  composition = 3,
  langevin = 4,
  csvr = 5,
  mc_grid = 6,
  mc_order = 7,
  mc_move = 8,
  mc_accept = 9,
  mc_select = 10,
  mc_insert = 11,
  mc_volume = 12,
  tempering = 13,
  barostat = 14,
  minimizer = 15,
  test = 4095,
};

}  // namespace lockstep
