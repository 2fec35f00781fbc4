// SPDX-License-Identifier: Apache-2.0
// Loops over particles, vectorised.
#include "neighbor/forecast.hpp"

#include <algorithm>
#include <cmath>
#include <vector>

#include "base/for_particles.hpp"

namespace lockstep {
namespace {

/// Position units per velocity unit.
double drift_of(double time) { return time * velocity_unit / position_unit; }

}  // namespace

double fastest(State const& state) {
  Columns<std::int64_t> const v = columns(state.v);
  double largest2 = 1;
  for (LocalIndex i = 0; i < state.n_owned; ++i) {
    double const x = fixed_to_double(v[0][i]), y = fixed_to_double(v[1][i]), z = fixed_to_double(v[2][i]);
    largest2 = std::max(largest2, x * x + y * y + z * z);
  }
  return std::sqrt(largest2) * velocity_unit;
}

void drift_ahead(State& state, double time) {
  double const factor = drift_of(time);
  Columns<std::int64_t> const x = columns(state.x), v = columns(state.v);
  for_each_particle_on_host("forecast:drift_ahead", state.n_owned, [=](LocalIndex i) {
    for (int d = 0; d < 3; ++d)
      x[d][i] = wrap_add(x[d][i], round_to_fixed(factor * fixed_to_double(v[d][i])));
  });
}

void foretell(State const& state, double time, double most, View<std::int64_t**> const& to) {
  double const drift = drift_of(time), limit = most / position_unit;
  std::vector<double> push;  // position units per force unit, by species
  for (double mass : state.masses)
    push.push_back(time * time * state.scales.force_unit() / mass / position_unit);
  double const* const push_of = push.data();
  SpeciesId const* const species = state.species.data();
  Columns<std::int64_t> const x = columns(state.x), v = columns(state.v), f = columns(state.f),
                              out = columns(to);
  for_each_particle_on_host("forecast:foretell", state.n_owned, [=](LocalIndex i) {
    double const p = push_of[species[i]];
    for (int d = 0; d < 3; ++d) {
      double const by_force = std::clamp(p * fixed_to_double(f[d][i]), -limit, limit);
      out[d][i] = wrap_add(x[d][i], round_to_fixed(drift * fixed_to_double(v[d][i]) + by_force));
    }
  });
}

}  // namespace lockstep
