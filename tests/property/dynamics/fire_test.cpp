// SPDX-License-Identifier: Apache-2.0
// FIRE: finds the minimum, keeps its displacement limit, goes on after a restart, does not see ranks.
#include "dynamics/fire.hpp"

#include <catch2/catch_test_macros.hpp>
#include <cmath>

#include "property/dynamics/systems.hpp"
#include "state/digest.hpp"

using namespace lockstep;
using namespace lockstep::test;

namespace {

/// Springs to the point (8, 8, 8), softer by a factor 30 along z.
void uneven_springs(State& s) {
  spring_forces(s, 30.0, 8.0);
  for (LocalIndex i = 0; i < s.n_owned; ++i) s.f(i, 2) /= 30;
}

FireOptions options(double tolerance, double displacement) {
  FireOptions o;
  o.force_tolerance = tolerance;
  o.max_displacement = displacement;
  return o;
}

}  // namespace

TEST_CASE("fire: reaches the minimum of uneven springs", "[property][dynamics]") {
  Comm const comm;
  State s = scattered(50, {1.0, 4.0}, comm.rank(), comm.size());
  Fire fire(options(1e-6, 0.5), s.scales, s.masses, 0.02);
  fire.start(s);
  Fire::Status status;
  int steps = 0;
  do {
    uneven_springs(s);
    status = fire.step(comm, s);
  } while (!status.converged && ++steps < 3000);
  CHECK(status.converged);
  CHECK(status.largest_force <= 1e-6);
  CHECK(steps < 1500);  // plain steepest descent with a stable step would need some 10,000
  for (LocalIndex i = 0; i < s.n_owned; ++i)
    for (int d = 0; d < 3; ++d) CHECK(std::abs(double(s.x(i, d)) * position_unit - 8.0) < 1e-6);
}

TEST_CASE("fire: no particle moves further than allowed, however large the forces", "[property][dynamics]") {
  Comm const comm;
  State s = scattered(10, {1.0});
  s.scales.force_bits = 10;
  Fire fire(options(1e-6, 0.05), s.scales, s.masses, 0.01);
  fire.start(s);
  for (int step = 0; step < 50; ++step) {
    State before = scattered(10, {1.0});
    spring_forces(s, step < 3 ? 1e13 : 1.0, 8.0);
    for (LocalIndex i = 0; i < 10; ++i) before.set(i, s.particle(i));
    auto const status = fire.step(comm, s);
    CHECK(status.motion.runaway == -1);
    CHECK(status.largest_move <= 0.05 * (1 + 1e-12));
    for (LocalIndex i = 0; i < 10; ++i) {
      double d2 = 0;
      for (int d = 0; d < 3; ++d) d2 += std::pow(double(s.x(i, d) - before.x(i, d)) * position_unit, 2);
      CHECK(std::sqrt(d2) <= 0.05 * 1.5 + 1e-9);  // a step uphill first takes half of the last one back
    }
  }
}

TEST_CASE("fire: ranks do not matter, and a restart goes on with the same bits", "[property][dynamics]") {
  Comm const comm;
  State split = scattered(40, {1.0, 2.0}, comm.rank(), comm.size()), whole = scattered(40, {1.0, 2.0});
  if (!comm.root()) whole.n_owned = 0;
  Fire a(options(1e-6, 0.1), split.scales, split.masses, 0.02), b = a;
  a.start(split);
  b.start(whole);
  for (int step = 0; step < 120; ++step) {
    uneven_springs(split);
    uneven_springs(whole);
    a.step(comm, split);
    b.step(comm, whole);
    if (step == 60) {
      auto const words = b.words();
      b = Fire(options(1e-6, 0.1), split.scales, split.masses, 0.02);
      b.restore(words);
    }
  }
  CHECK(state_digest(comm, split) == state_digest(comm, whole));
}

TEST_CASE("fire: at the minimum nothing moves", "[property][dynamics]") {
  Comm const comm;
  State s = scattered(5, {1.0});
  Fire fire(options(1e-3, 0.1), s.scales, s.masses, 0.02);
  fire.start(s);
  auto const status = fire.step(comm, s);  // forces are zero
  CHECK(status.converged);
  CHECK(status.largest_move == 0.0);
}
