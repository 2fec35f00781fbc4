// SPDX-License-Identifier: Apache-2.0
// Where particles will be in a few steps: lists are made for there. A wrong forecast costs time, never a
// pair.
#pragma once

#include "state/state.hpp"

namespace lockstep {

/// The largest speed of this rank's particles, length units per time unit; above zero.
double fastest(State const& state);
/// Moves every position by `time` (ps or tau) times its velocity; -time takes that back exactly, also when
/// particles were wrapped, sorted or sent to other ranks in between.
void drift_ahead(State& state, double time);
/// to = x + time v + time^2 a: the middle between here and the place after 2 time at constant force.
/// @param most length units: the part of each component that forces may add
void foretell(State const& state, double time, double most, View<std::int64_t**> const& to);

}  // namespace lockstep
