// SPDX-License-Identifier: Apache-2.0
// Dimensions of quantities, as exponents of the internal units nm, ps, amu, e, kJ/mol, K (or sigma, tau, m,
// epsilon).
#pragma once

#include <cstdint>

namespace lockstep {

/// The dimension of a value: exponents of energy, length, time, mass, temperature, charge, angle, wall-clock
/// time. 1 kJ/mol = 1 amu nm^2/ps^2, so energies and masses are consistent without conversion.
struct Unit {
  std::int8_t energy_ = 0, length_ = 0, time_ = 0, mass_ = 0, temperature_ = 0, charge_ = 0, angle_ = 0;
  std::int8_t wall_time_ = 0;  ///< seconds of the machine's clock: the same in every unit system
  friend constexpr bool operator==(Unit const&, Unit const&) = default;

  static const Unit none, energy, length, time, mass, temperature, charge, angle;
  static const Unit force, pressure, velocity, inverse_time, inverse_length, number_density, mass_density,
      area, volume, wall_time;
};

inline constexpr Unit Unit::none{};
inline constexpr Unit Unit::energy{1};
inline constexpr Unit Unit::length{0, 1};
inline constexpr Unit Unit::time{0, 0, 1};
inline constexpr Unit Unit::mass{0, 0, 0, 1};
inline constexpr Unit Unit::temperature{0, 0, 0, 0, 1};
inline constexpr Unit Unit::charge{0, 0, 0, 0, 0, 1};
inline constexpr Unit Unit::angle{0, 0, 0, 0, 0, 0, 1};
inline constexpr Unit Unit::force{1, -1};
inline constexpr Unit Unit::pressure{1, -3};
inline constexpr Unit Unit::velocity{0, 1, -1};
inline constexpr Unit Unit::inverse_time{0, 0, -1};
inline constexpr Unit Unit::inverse_length{0, -1};
inline constexpr Unit Unit::number_density{0, -3};
inline constexpr Unit Unit::mass_density{0, -3, 0, 1};
inline constexpr Unit Unit::area{0, 2};
inline constexpr Unit Unit::volume{0, 3};
inline constexpr Unit Unit::wall_time{0, 0, 0, 0, 0, 0, 0, 1};

constexpr Unit operator*(Unit a, Unit b) {
  return {std::int8_t(a.energy_ + b.energy_),
          std::int8_t(a.length_ + b.length_),
          std::int8_t(a.time_ + b.time_),
          std::int8_t(a.mass_ + b.mass_),
          std::int8_t(a.temperature_ + b.temperature_),
          std::int8_t(a.charge_ + b.charge_),
          std::int8_t(a.angle_ + b.angle_),
          std::int8_t(a.wall_time_ + b.wall_time_)};
}

/// Boltzmann constant (kJ/mol/K), exact in the SI of 2019: k_B N_A. @source CODATA 2018
inline constexpr double boltzmann_kj_per_mol_kelvin = 0.00831446261815324;

enum class UnitSystem { lj, physical };

}  // namespace lockstep
