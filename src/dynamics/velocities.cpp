// SPDX-License-Identifier: Apache-2.0
// Loops over velocities.
#include "dynamics/velocities.hpp"

#include "base/debug.hpp"
#include "base/philox.hpp"

namespace lockstep {
namespace {

struct Draw {
  std::uint64_t seed;
  ParticleId const* id;
  SpeciesId const* species;
  Columns<std::int64_t> v;
  double const* deviation;  // [n_species] sqrt(kT / m) in velocity units

  LOCKSTEP_FUNCTION void operator()(LocalIndex i) const {
    Philox const philox(seed, Stream::initial_velocity, 0, std::uint64_t(id[i]));
    auto const xy = philox.gaussian_pair(0), z = philox.gaussian_pair(1);
    double const scale = deviation[species[i]];
    v[0][i] = velocity_of(scale * xy.first);
    v[1][i] = velocity_of(scale * xy.second);
    v[2][i] = velocity_of(scale * z.first);
  }
};

struct Shift {
  Columns<std::int64_t> v;
  Vec3<std::int64_t> by;

  LOCKSTEP_FUNCTION void operator()(LocalIndex i) const {
    v[0][i] = wrap_sub(v[0][i], by.x);
    v[1][i] = wrap_sub(v[1][i], by.y);
    v[2][i] = wrap_sub(v[2][i], by.z);
  }
};

struct Scale {
  Columns<std::int64_t> v;
  double factor;

  LOCKSTEP_FUNCTION std::int64_t component(int d, LocalIndex i) const {
    std::int64_t const velocity = velocity_of(factor * fixed_to_double(v[d][i]));
    v[d][i] = velocity;
    return magnitude(velocity);
  }
  LOCKSTEP_FUNCTION std::int64_t operator()(LocalIndex i) const {
    return larger(larger(component(0, i), component(1, i)), component(2, i));
  }
};

}  // namespace

void draw_velocities(State& state, std::uint64_t seed, double kT) {
  LOCKSTEP_EXPECT(kT >= 0);
  std::vector<double> deviations;
  for (double mass : state.masses) deviations.push_back(sqrt(kT / mass) / velocity_unit);
  PerSpecies const table(deviations);
  for_each_particle("velocities:draw", state.n_owned,
                    Draw{seed, state.id.data(), state.species.data(), columns(state.v), table.data()});
}

void remove_drift(Comm const& comm, State& state) {
  auto const mean = kinetic(comm, state).mean_velocity;
  for_each_particle("velocities:shift", state.n_owned, Shift{columns(state.v), mean});
}

Motion scale_velocities(State& state, double factor) {
  std::int64_t const largest =
      max_over_particles("velocities:scale", state.n_owned, Scale{columns(state.v), factor});
  return motion_of(state, largest, velocity_limit(0));
}

void initial_velocities(Comm const& comm, State& state, std::uint64_t seed, double kT, Momentum momentum) {
  draw_velocities(state, seed, kT);
  if (momentum == Momentum::conserved) remove_drift(comm, state);
  double const target = 0.5 * double(degrees_of_freedom(state.n_particles, momentum)) * kT;
  double const energy = kinetic_energy(comm, state);
  if (energy > 0) scale_velocities(state, sqrt(target / energy));
}

}  // namespace lockstep
