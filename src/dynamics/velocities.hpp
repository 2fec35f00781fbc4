// SPDX-License-Identifier: Apache-2.0
// Setting, shifting and scaling of all velocities.
#pragma once

#include <cstdint>

#include "base/comm.hpp"
#include "dynamics/kinetic.hpp"
#include "dynamics/motion.hpp"
#include "state/state.hpp"

namespace lockstep {

/// Maxwell-Boltzmann velocities at kT (kJ/mol or epsilon), a function of seed and particle id alone. Local.
void draw_velocities(State& state, std::uint64_t seed, double kT);

/// Subtracts the velocity of the center of mass, rounded to a velocity unit, from every particle. What is
/// left of the momentum is below half a velocity unit times the total mass. Collective.
void remove_drift(Comm const& comm, State& state);

/// v = round(factor v) for every particle. Local.
Motion scale_velocities(State& state, double factor);

/// The velocities a run begins with: drawn, without drift if the momentum is conserved, then scaled so that
/// the kinetic temperature with these degrees of freedom is kT to rounding. Collective.
void initial_velocities(Comm const& comm, State& state, std::uint64_t seed, double kT, Momentum momentum);

}  // namespace lockstep
