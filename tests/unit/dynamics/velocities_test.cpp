// SPDX-License-Identifier: Apache-2.0
// Initial velocities: temperature, momentum, distribution, independence of ranks.
#include "dynamics/velocities.hpp"

#include <catch2/catch_test_macros.hpp>
#include <catch2/matchers/catch_matchers_floating_point.hpp>
#include <cmath>
#include <utility>

#include "property/dynamics/systems.hpp"
#include "state/digest.hpp"

using namespace lockstep;
using namespace lockstep::test;
using Catch::Matchers::WithinAbs;
using Catch::Matchers::WithinRel;

namespace {

std::vector<double> const masses{1.0, 16.0};

}  // namespace

TEST_CASE("velocities: the initial ones have the temperature asked for and no momentum", "[unit][dynamics]") {
  Comm const comm;
  State s = scattered(3001, masses, comm.rank(), comm.size());
  initial_velocities(comm, s, 99, 1.44, Momentum::conserved);
  auto const k = kinetic(comm, s);
  // each velocity is rounded to 2^-42: relative 1e-13 of one, far less of the sum
  CHECK_THAT(kinetic_temperature(k.energy, degrees_of_freedom(3001, Momentum::conserved)),
             WithinRel(1.44, 1e-14));
  double const unit = k.mass * velocity_unit;  // momentum of a mean velocity of one unit
  for (int d = 0; d < 3; ++d) CHECK_THAT(k.momentum[d], WithinAbs(0, unit));
}

TEST_CASE("velocities: do not depend on ranks or order", "[unit][dynamics]") {
  Comm const comm;
  State split = scattered(1000, masses, comm.rank(), comm.size());
  initial_velocities(comm, split, 5, 2.0, Momentum::conserved);
  State other = scattered(1000, masses);
  State const all = scattered(1000, masses);
  for (LocalIndex i = 0; i < all.n_owned; ++i) other.set(i, all.particle(all.n_owned - 1 - i));
  if (comm.rank() != comm.size() - 1) other.n_owned = 0;
  initial_velocities(comm, other, 5, 2.0, Momentum::conserved);
  CHECK(state_digest(comm, split) == state_digest(comm, other));
}

TEST_CASE("velocities: follow the Maxwell-Boltzmann distribution of each species", "[unit][dynamics]") {
  int const n = 40000;
  State s = scattered(n, masses);
  draw_velocities(s, 3, 0.7);
  for (SpeciesId kind : {0, 1}) {
    double m2 = 0, m4 = 0;
    for (LocalIndex i = kind; i < n; i += 2)
      for (int d = 0; d < 3; ++d) {
        double const v = double(s.v(i, d)) * velocity_unit / std::sqrt(0.7 / masses[std::size_t(kind)]);
        m2 += v * v;
        m4 += v * v * v * v;
      }
    double const samples = 1.5 * n;
    CHECK_THAT(m2 / samples, WithinAbs(1, 5 * std::sqrt(2 / samples)));  // 5 standard errors
    CHECK_THAT(m4 / samples, WithinAbs(3, 5 * std::sqrt(96 / samples)));
  }
}

TEST_CASE("velocities: other seeds and other ids draw other numbers", "[unit][dynamics]") {
  State a = scattered(2, {1.0}), b = scattered(2, {1.0});
  draw_velocities(a, 1, 1.0);
  draw_velocities(b, 2, 1.0);
  CHECK(a.v(0, 0) != b.v(0, 0));
  CHECK(a.v(0, 0) != a.v(1, 0));
  CHECK(a.v(0, 0) != a.v(0, 1));
  CHECK(a.v(0, 1) != a.v(0, 2));
  CHECK(a.v(0, 0) != a.v(0, 2));
}

TEST_CASE("velocities: removing the drift subtracts one velocity from all", "[unit][dynamics]") {
  Comm const comm;
  State s = scattered(10, masses, comm.rank(), comm.size());
  State const before = scattered(10, masses, comm.rank(), comm.size());
  auto const mean = kinetic(comm, s).mean_velocity;
  remove_drift(comm, s);
  for (LocalIndex i = 0; i < s.n_owned; ++i)
    for (int d = 0; d < 3; ++d) CHECK(before.v(i, d) - s.v(i, d) == mean[d]);
  CHECK(kinetic(comm, s).mean_velocity == Vec3<std::int64_t>{0, 0, 0});
}

TEST_CASE("velocities: scaling rounds to nearest and reports runaways", "[unit][dynamics]") {
  State s = scattered(3, {1.0});
  s.v(0, 0) = 5;
  s.v(1, 1) = -3;
  CHECK(scale_velocities(s, 0.5).runaway == -1);
  CHECK(s.v(0, 0) == 2);
  CHECK(s.v(1, 1) == -2);
  CHECK(scale_velocities(s, 1e9).runaway == 0);
  CHECK(scale_velocities(s, std::nan("")).runaway == 0);
}

TEST_CASE("velocities: a single particle at zero temperature is left at rest", "[unit][dynamics]") {
  Comm const comm;
  State s = scattered(1, {1.0}, comm.rank(), comm.size());
  initial_velocities(comm, s, 1, 1.0, Momentum::conserved);  // no degree of freedom is left
  CHECK(kinetic_energy(comm, s) == 0.0);
}
