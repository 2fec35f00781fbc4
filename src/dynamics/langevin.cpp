// SPDX-License-Identifier: Apache-2.0
// The loops of BAOAB.
#include "dynamics/langevin.hpp"

#include "base/debug.hpp"
#include "base/philox.hpp"

namespace lockstep {
namespace {

/// `kicks` half kicks; then, if `moves`, half drift, friction and noise, half drift. @returns the largest |v|
template <int kicks, bool moves, bool one_species>
struct Baoab {
  Columns<std::int64_t> x, v, f;
  ParticleId const* id;
  SpeciesId const* species;
  SpeciesTable<one_species> kick_factor, noise;
  BaoabConstants constants;

  LOCKSTEP_FUNCTION PhiloxBlock block(std::uint64_t key, std::uint32_t draw) const {
    return Philox::block_unchecked(constants.seed, Stream::langevin, constants.step, key, draw);
  }
  LOCKSTEP_FUNCTION std::int64_t moved(std::int64_t position, std::int64_t velocity) const {
    return wrap_add(position, round_to_fixed(constants.drift_factor * fixed_to_double(velocity)));
  }
  LOCKSTEP_FUNCTION std::int64_t component(int d, LocalIndex i, double factor, double kick) const {
    std::int64_t velocity = v[d][i];
    double const increment = factor * fixed_to_double(f[d][i]);
    for (int k = 0; k < kicks; ++k) velocity = kicked(velocity, increment);
    std::int64_t largest = magnitude(velocity);
    if constexpr (moves) {
      std::int64_t const position = moved(x[d][i], velocity);
      velocity = velocity_of(fma(constants.keep, fixed_to_double(velocity), kick));
      x[d][i] = moved(position, velocity);
      largest = larger(largest, magnitude(velocity));
    }
    v[d][i] = velocity;
    return largest;
  }
  LOCKSTEP_FUNCTION std::int64_t operator()(LocalIndex i) const {
    SpeciesId const kind = one_species ? 0 : species[i];
    double const factor = kick_factor.of(kind), deviation = noise.of(kind);
    double g[3] = {};
    if constexpr (moves) {
      auto const key = static_cast<std::uint64_t>(id[i]);
      auto const xy = Philox::gaussian_pair_of(block(key, 0)), z = Philox::gaussian_pair_of(block(key, 1));
      g[0] = deviation * xy.first;
      g[1] = deviation * xy.second;
      g[2] = key < Philox::id_limit ? deviation * z.first : __builtin_nan("");  // shows as a runaway
    }
    return larger(larger(component(0, i, factor, g[0]), component(1, i, factor, g[1])),
                  component(2, i, factor, g[2]));
  }
};

template <int kicks, bool moves>
Motion baoab(char const* label, State& s, PerSpecies const& kick_factor, PerSpecies const& noise,
             BaoabConstants const& constants) {
  auto const run = [&](auto one) {
    Baoab<kicks, moves, one.value> const body{columns(s.x),     columns(s.v), columns(s.f), s.id.data(),
                                              s.species.data(), kick_factor,  noise,        constants};
    return max_over_particles(label, s.n_owned, body);
  };
  std::int64_t const largest = kick_factor.one() ? run(std::true_type()) : run(std::false_type());
  return motion_of(s, largest, velocity_limit(constants.drift_factor));
}

}  // namespace

Langevin::Langevin(Scales const& scales, std::span<double const> masses, double dt, double kT,
                   double friction, std::uint64_t seed)
    : kick_factor_(kick_factors(scales, masses, 0.5 * dt)),
      constants_{drift_factor(0.5 * dt), math::exp(-friction * dt), seed, 0} {
  LOCKSTEP_EXPECT(kT >= 0 && friction >= 0);
  std::vector<double> noise;
  for (double mass : masses)
    noise.push_back(sqrt(kT / mass * -math::expm1(-2 * friction * dt)) / velocity_unit);
  noise_ = PerSpecies(noise);
}

BaoabConstants Langevin::at(std::int64_t step) const {
  LOCKSTEP_EXPECT(step >= 0 && std::uint64_t(step) < Philox::step_limit);
  BaoabConstants constants = constants_;
  constants.step = std::uint64_t(step);
  return constants;
}

Motion Langevin::begin(State& state, std::int64_t step) const {
  return baoab<1, true>("langevin:begin", state, kick_factor_, noise_, at(step));
}

Motion Langevin::finish(State& state) const {
  return baoab<1, false>("langevin:finish", state, kick_factor_, noise_, constants_);
}

Motion Langevin::finish_and_begin(State& state, std::int64_t step) const {
  return baoab<2, true>("langevin:finish_and_begin", state, kick_factor_, noise_, at(step));
}

}  // namespace lockstep
