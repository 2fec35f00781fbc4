// SPDX-License-Identifier: Apache-2.0
// Kicks and drifts, one pass each.
#include "dynamics/velocity_verlet.hpp"

namespace lockstep {
namespace {

/// `kicks` half kicks, then a drift if `drifts`. @returns the largest |v| component
template <int kicks, bool drifts, bool one_species>
struct Propagate {
  Columns<std::int64_t> x, v, f;
  SpeciesId const* species;
  SpeciesTable<one_species> kick_factor;
  double drift_factor;

  LOCKSTEP_FUNCTION std::int64_t component(int d, LocalIndex i, double factor) const {
    std::int64_t velocity = v[d][i];
    if constexpr (kicks > 0) {
      double const increment = factor * fixed_to_double(f[d][i]);
      for (int k = 0; k < kicks; ++k) velocity = kicked(velocity, increment);
      v[d][i] = velocity;
    }
    if constexpr (drifts)
      x[d][i] = wrap_add(x[d][i], round_to_fixed(drift_factor * fixed_to_double(velocity)));
    return magnitude(velocity);
  }
  LOCKSTEP_FUNCTION std::int64_t operator()(LocalIndex i) const {
    double const factor = kicks == 0 ? 0.0 : kick_factor.of(one_species ? 0 : species[i]);
    return larger(larger(component(0, i, factor), component(1, i, factor)), component(2, i, factor));
  }
};

template <int kicks, bool drifts>
Motion propagate(char const* label, State& s, PerSpecies const& kick_factor, double drift_factor) {
  auto const run = [&](auto one) {
    Propagate<kicks, drifts, one.value> const body{columns(s.x),     columns(s.v), columns(s.f),
                                                   s.species.data(), kick_factor,  drift_factor};
    return max_over_particles(label, s.n_owned, body);
  };
  bool const one = kick_factor.one();
  std::int64_t const largest = one ? run(std::true_type()) : run(std::false_type());
  return motion_of(s, largest, velocity_limit(drift_factor));
}

}  // namespace

VelocityVerlet::VelocityVerlet(Scales const& scales, std::span<double const> masses, double dt)
    : kick_factor_(kick_factors(scales, masses, 0.5 * dt)), drift_factor_(lockstep::drift_factor(dt)) {}

Motion VelocityVerlet::kick(State& s) const {
  return propagate<1, false>("velocity_verlet:kick", s, kick_factor_, drift_factor_);
}

Motion VelocityVerlet::drift(State& s) const {
  return propagate<0, true>("velocity_verlet:drift", s, kick_factor_, drift_factor_);
}

Motion VelocityVerlet::begin(State& s) const {
  return propagate<1, true>("velocity_verlet:begin", s, kick_factor_, drift_factor_);
}

Motion VelocityVerlet::finish_and_begin(State& s) const {
  return propagate<2, true>("velocity_verlet:finish_and_begin", s, kick_factor_, drift_factor_);
}

}  // namespace lockstep
