// SPDX-License-Identifier: Apache-2.0
// Exact sums per species.
#include "dynamics/kinetic.hpp"

#include <algorithm>
#include <vector>

#include "base/for_particles.hpp"

namespace lockstep {
namespace {

/// Sums of a block, [n_species * width]; empty is zero.
struct Sums {
  std::vector<Int128> values;
  Sums& operator+=(Sums const& other) {
    if (values.empty()) values.assign(other.values.size(), 0);
    for (std::size_t k = 0; k < other.values.size(); ++k) values[k] += other.values[k];
    return *this;
  }
};

constexpr std::size_t count_at = 0, v_at = 1, vv_at = 4, full_width = 10;
constexpr int pairs[6][2] = {{0, 0}, {1, 1}, {2, 2}, {0, 1}, {0, 2}, {1, 2}};

/// Adds `add(i, sums of its species)` over all particles, of all ranks.
template <class Add>
std::vector<Int128> species_sums(Comm const& comm, State const& s, std::size_t width, Add const& add) {
  std::size_t const size = width * s.masses.size();
  SpeciesId const* const species = s.species.data();
  auto const block = [&](LocalIndex begin, LocalIndex end, Sums& sums) {
    sums.values.assign(size, 0);
    for (LocalIndex i = begin; i < end; ++i) add(i, &sums.values[width * std::size_t(species[i])]);
  };
  auto total = sum_over_blocks<Sums>("kinetic:sums", s.n_owned, block);
  total.values.resize(size, 0);
  comm.sum(total.values);
  return total.values;
}

double energy_of(double mass, Int128 v2) { return mass * (to_double(v2) * velocity_unit * velocity_unit); }

Vec3<std::int64_t> mean_velocity(std::vector<Int128> const& sums, std::vector<double> const& masses,
                                 double mass) {
  Vec3<std::int64_t> mean{};
  for (int d = 0; d < 3 && mass > 0; ++d) {
    double momentum = 0;
    for (std::size_t s = 0; s < masses.size(); ++s)
      momentum += masses[s] * to_double(sums[full_width * s + v_at + std::size_t(d)]);
    mean[d] = round_to_fixed_wide(momentum / mass);
  }
  return mean;
}

}  // namespace

std::int64_t degrees_of_freedom(std::int64_t n_particles, Momentum momentum) {
  return std::max<std::int64_t>(0, 3 * n_particles - (momentum == Momentum::conserved ? 3 : 0));
}

Kinetic kinetic(Comm const& comm, State const& state) {
  auto const v = columns(state.v);
  auto const sums = species_sums(comm, state, full_width, [v](LocalIndex i, Int128* sum) {
    sum[count_at] += 1;
    for (int d = 0; d < 3; ++d) sum[v_at + std::size_t(d)] += v[d][i];
    for (std::size_t k = 0; k < 6; ++k) sum[vv_at + k] += Int128(v[pairs[k][0]][i]) * v[pairs[k][1]][i];
  });
  Kinetic result;
  double twice = 0;
  for (std::size_t s = 0; s < state.masses.size(); ++s) {
    double const mass = state.masses[s];
    Int128 const* const sum = &sums[full_width * s];
    result.mass += mass * to_double(sum[count_at]);
    for (int d = 0; d < 3; ++d)
      result.momentum[d] += mass * (to_double(sum[v_at + std::size_t(d)]) * velocity_unit);
    for (std::size_t k = 0; k < 6; ++k) result.tensor[k] += energy_of(mass, sum[vv_at + k]);
    twice += energy_of(mass, sum[vv_at] + sum[vv_at + 1] + sum[vv_at + 2]);
  }
  result.energy = 0.5 * twice;
  result.mean_velocity = mean_velocity(sums, state.masses, result.mass);
  return result;
}

double kinetic_energy(Comm const& comm, State const& state) {
  auto const v = columns(state.v);
  auto const sums = species_sums(comm, state, 1, [v](LocalIndex i, Int128* sum) {
    *sum += Int128(v[0][i]) * v[0][i] + Int128(v[1][i]) * v[1][i] + Int128(v[2][i]) * v[2][i];
  });
  double twice = 0;
  for (std::size_t s = 0; s < state.masses.size(); ++s) twice += energy_of(state.masses[s], sums[s]);
  return 0.5 * twice;
}

double kinetic_temperature(double kinetic_energy, std::int64_t degrees_of_freedom) {
  return degrees_of_freedom > 0 ? 2.0 * kinetic_energy / double(degrees_of_freedom) : 0.0;
}

}  // namespace lockstep
