// SPDX-License-Identifier: Apache-2.0
// Kinetic sums: exact, independent of order and ranks.
#include "dynamics/kinetic.hpp"

#include <algorithm>
#include <catch2/catch_test_macros.hpp>
#include <catch2/matchers/catch_matchers_floating_point.hpp>

#include "property/dynamics/systems.hpp"

using namespace lockstep;
using namespace lockstep::test;
using Catch::Matchers::WithinRel;

namespace {

std::vector<double> const masses{1.5, 40.0};

State mine(Comm const& comm) { return scattered(5000, masses, comm.rank(), comm.size()); }

}  // namespace

TEST_CASE("kinetic: energy, tensor and momentum are the exact sums, rounded", "[unit][dynamics]") {
  Comm const comm;
  State const all = scattered(5000, masses);  // on every rank
  long double energy = 0, xy = 0, px = 0;
  for (LocalIndex i = 0; i < all.n_owned; ++i) {
    long double const m = masses[std::size_t(all.species(i))];
    long double v[3];
    for (int d = 0; d < 3; ++d) v[d] = (long double)(all.v(i, d)) * velocity_unit;
    energy += 0.5L * m * (v[0] * v[0] + v[1] * v[1] + v[2] * v[2]);
    xy += m * v[0] * v[1];
    px += m * v[0];
  }
  auto const k = kinetic(comm, mine(comm));
  CHECK_THAT(k.energy, WithinRel(double(energy), 1e-15));
  CHECK_THAT(k.tensor[3], WithinRel(double(xy), 1e-13));  // its two species nearly cancel
  CHECK_THAT(k.momentum.x, WithinRel(double(px), 1e-13));
  CHECK_THAT(k.tensor[0] + k.tensor[1] + k.tensor[2], WithinRel(2 * k.energy, 1e-15));
  CHECK(k.mass == 2500 * masses[0] + 2500 * masses[1]);
  CHECK(kinetic_energy(comm, mine(comm)) == k.energy);
}

TEST_CASE("kinetic: order and ranks do not matter, bit for bit", "[unit][dynamics]") {
  Comm const comm;
  State const split = mine(comm), all = scattered(5000, masses);
  State reversed = scattered(5000, masses);
  for (LocalIndex i = 0; i < all.n_owned; ++i) reversed.set(i, all.particle(all.n_owned - 1 - i));
  if (!comm.root()) reversed.n_owned = 0;
  auto const a = kinetic(comm, split), b = kinetic(comm, reversed);
  CHECK(a.energy == b.energy);
  CHECK(a.momentum == b.momentum);
  CHECK(a.tensor == b.tensor);
  CHECK(a.mean_velocity == b.mean_velocity);
}

TEST_CASE("kinetic: velocities at the speed limit do not overflow", "[unit][dynamics]") {
  Comm const comm;
  State s = scattered(64, {1.0}, comm.rank(), comm.size());
  for (LocalIndex i = 0; i < s.n_owned; ++i)
    for (int d = 0; d < 3; ++d) s.v(i, d) = round_wide(speed_limit / velocity_unit);
  CHECK(kinetic_energy(comm, s) == 0.5 * 64 * 3 * speed_limit * speed_limit);
}

TEST_CASE("kinetic: degrees of freedom and temperature", "[unit][dynamics]") {
  CHECK(degrees_of_freedom(100, Momentum::conserved) == 297);
  CHECK(degrees_of_freedom(100, Momentum::free) == 300);
  CHECK(degrees_of_freedom(0, Momentum::conserved) == 0);
  CHECK(kinetic_temperature(150, 300) == 1.0);
  CHECK(kinetic_temperature(1, 0) == 0.0);
}
