// SPDX-License-Identifier: Apache-2.0
// One [[stage]] of the input.
#pragma once

#include <array>
#include <cstdint>
#include <string>
#include <string_view>
#include <tuple>

#include "base/field.hpp"
#include "dynamics/options.hpp"
#include "moves/options.hpp"

namespace lockstep {

enum class Method { minimize, md, mc };
template <>
struct EnumNames<Method> {
  static constexpr std::array<std::string_view, 3> names{"minimize", "md", "mc"};
};

/// Sub-tables `langevin`, `csvr`, `fire`, `mc` are read when the method or integrator asks for them.
struct StageOptions {
  std::string name;
  Method method = Method::md;
  Integrator integrator = Integrator::nve;
  double timestep = 0;
  std::int64_t steps = 0;               ///< MD steps, minimizer iterations or MC sweeps
  std::int64_t remove_drift_every = 0;  ///< 0: never
  LangevinOptions langevin;
  CsvrOptions csvr;
  FireOptions fire;
  McOptions mc;

  static constexpr std::tuple fields{
      Field{"name", &StageOptions::name, Unit::none, optional, "shown in the log"},
      Field{"method", &StageOptions::method, Unit::none, required, "what the stage does"},
      Field{"integrator", &StageOptions::integrator, Unit::none, any, "equations of motion (md)"},
      Field{"timestep", &StageOptions::timestep, Unit::time, optional& above(0),
            "length of one step (md; needed there)"},
      Field{"steps", &StageOptions::steps, Unit::none, required& at_least(0),
            "steps (md), iterations at most (minimize) or sweeps (mc)"},
      Field{"remove_drift_every", &StageOptions::remove_drift_every, Unit::none, at_least(0),
            "steps between removals of the total momentum (md; 0: never)"}};
};

/// [neighbor]: changes speed, never a bit.
struct NeighborOptions {
  double skin = 0;        ///< 0: chosen; at most a quarter of the largest cutoff
  double inner_skin = 0;  ///< 0: chosen
  static constexpr std::tuple fields{
      Field{"skin", &NeighborOptions::skin, Unit::length, at_least(0),
            "list radius beyond the cutoff (0: chosen; at most a quarter of the cutoff)"},
      Field{"inner_skin", &NeighborOptions::inner_skin, Unit::length, at_least(0),
            "the same of the pruned list (0: chosen)"}};
};

}  // namespace lockstep
