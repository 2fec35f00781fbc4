// SPDX-License-Identifier: Apache-2.0
// Kinetic energy, momentum and temperature from exact sums.
#pragma once

#include <array>
#include <cstdint>

#include "base/comm.hpp"
#include "state/state.hpp"

namespace lockstep {

/// Whether the total momentum is a constant of the motion (three degrees of freedom fewer).
enum class Momentum { conserved, free };

/// 3N - 3 or 3N, at least 0.
std::int64_t degrees_of_freedom(std::int64_t n_particles, Momentum momentum);

/// Of all particles; the same on all ranks. Per species the sums of v and v v are exact integers; they meet
/// the mass once, in species order.
struct Kinetic {
  double energy = 0;                   ///< kJ/mol or epsilon
  Vec3<double> momentum{};             ///< amu nm/ps or m sigma/tau
  std::array<double, 6> tensor{};      ///< sum of m v_a v_b: xx, yy, zz, xy, xz, yz; kJ/mol or epsilon
  double mass = 0;                     ///< total, amu or m
  Vec3<std::int64_t> mean_velocity{};  ///< of the center of mass, velocity units, rounded
};

/// @cost one collective reduction
Kinetic kinetic(Comm const& comm, State const& state);
/// The energy alone, the same bits. @cost one collective reduction
double kinetic_energy(Comm const& comm, State const& state);

/// kT of a kinetic energy: 2 K / degrees of freedom; 0 without any.
double kinetic_temperature(double kinetic_energy, std::int64_t degrees_of_freedom);

}  // namespace lockstep
