// SPDX-License-Identifier: Apache-2.0
// Options of integrators and thermostats.
#pragma once

#include <array>
#include <string_view>
#include <tuple>

#include "base/field.hpp"

namespace lockstep {

enum class Integrator { nve, langevin, nvt_csvr };
template <>
struct EnumNames<Integrator> {
  static constexpr std::array<std::string_view, 3> names{"nve", "langevin", "nvt_csvr"};
};

/// [stage.langevin]
struct LangevinOptions {
  double temperature = 0;  ///< K, or kT in epsilon
  double friction = 1;
  static constexpr std::tuple fields{
      Field{"temperature", &LangevinOptions::temperature, Unit::temperature, required& above(0),
            "of the heat bath"},
      Field{"friction", &LangevinOptions::friction, Unit::inverse_time, above(0), "rate of collisions"}};
};

/// [stage.csvr]
struct CsvrOptions {
  double temperature = 0;  ///< K, or kT in epsilon
  double relaxation_time = 1;
  static constexpr std::tuple fields{
      Field{"temperature", &CsvrOptions::temperature, Unit::temperature, required& above(0),
            "of the heat bath"},
      Field{"relaxation_time", &CsvrOptions::relaxation_time, Unit::time, above(0), "of the kinetic energy"}};
};

/// [stage.fire]
struct FireOptions {
  double force_tolerance = 1e-4;
  double max_displacement = 0.05;
  static constexpr std::tuple fields{Field{"force_tolerance", &FireOptions::force_tolerance, Unit::force,
                                           above(0), "largest force to stop at"},
                                     Field{"max_displacement", &FireOptions::max_displacement, Unit::length,
                                           above(0), "of a particle in one step"}};
};

}  // namespace lockstep
