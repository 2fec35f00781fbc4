// SPDX-License-Identifier: Apache-2.0
// Langevin dynamics: exact positions of oscillators, noise by id, fused passes.
#include "dynamics/langevin.hpp"

#include <catch2/catch_test_macros.hpp>
#include <catch2/matchers/catch_matchers_exception.hpp>
#include <catch2/matchers/catch_matchers_floating_point.hpp>
#include <cmath>
#include <stdexcept>

#include "property/dynamics/systems.hpp"

using namespace lockstep;
using namespace lockstep::test;
using Catch::Matchers::WithinRel;

TEST_CASE("langevin: springs have <x^2> = kT/k at any time step", "[property][dynamics]") {
  // BAOAB samples positions of a harmonic oscillator exactly, so a step of half a radian must not show;
  // velocity Verlet's own error would be 7%. 4,000 x 3 springs, 40 samples 25 steps (2 relaxation times)
  // apart, heavy and light: standard error sqrt(2 / 480,000) = 0.2%, and correlation may double its square
  double const kT = 0.8, dt = 0.5;
  for (double mass : {1.0, 2.0}) {
    double const k = mass;  // omega = 1
    State s = scattered(4000, {mass, mass});
    for (LocalIndex i = 0; i < s.n_owned; ++i)
      for (int d = 0; d < 3; ++d) s.x(i, d) = 0;
    Langevin const integrator(s.scales, s.masses, dt, kT, 1.0, 17);
    double sum = 0;
    int samples = 0;
    spring_forces(s, k);
    for (int step = 0; step < 1050; ++step) {
      REQUIRE(integrator.begin(s, step).runaway == -1);
      spring_forces(s, k);
      integrator.finish(s);
      if (step < 50 || step % 25 != 0) continue;
      for (LocalIndex i = 0; i < s.n_owned; ++i)
        for (int d = 0; d < 3; ++d) sum += std::pow(double(s.x(i, d)) * position_unit, 2);
      ++samples;
    }
    CHECK_THAT(sum / (12000.0 * samples), WithinRel(kT / k, 0.012));
  }
}

TEST_CASE("langevin: free particles reach the temperature of the bath", "[property][dynamics]") {
  State s = scattered(20000, {3.0});
  Langevin const integrator(s.scales, s.masses, 0.1, 1.7, 2.0, 4);
  for (int step = 0; step < 100; ++step) {
    integrator.begin(s, step);
    integrator.finish(s);
  }
  double sum = 0;
  for (LocalIndex i = 0; i < s.n_owned; ++i)
    for (int d = 0; d < 3; ++d) sum += 3.0 * std::pow(double(s.v(i, d)) * velocity_unit, 2);
  CHECK_THAT(sum / 60000, WithinRel(1.7, 5 * std::sqrt(2.0 / 60000)));  // 5 standard errors
}

TEST_CASE("langevin: the noise belongs to the id, not to the place in memory", "[property][dynamics]") {
  State const a = scattered(2500, {1.0, 5.0});
  State forward = scattered(2500, {1.0, 5.0}), backward = scattered(2500, {1.0, 5.0});
  for (LocalIndex i = 0; i < a.n_owned; ++i) backward.set(i, a.particle(a.n_owned - 1 - i));
  Langevin const integrator(a.scales, a.masses, 0.05, 1.0, 1.0, 8);
  for (int step = 0; step < 3; ++step)
    for (State* s : {&forward, &backward}) {
      bumpy_forces(*s);
      integrator.begin(*s, step);
    }
  bool same = true;
  for (LocalIndex i = 0; i < a.n_owned; ++i)
    for (int d = 0; d < 3; ++d) same = same && forward.v(i, d) == backward.v(a.n_owned - 1 - i, d);
  CHECK(same);
}

TEST_CASE("langevin: fused passes give the bits of single ones; other steps other noise",
          "[property][dynamics]") {
  for (auto masses : {std::vector{1.0}, std::vector{1.0, 2.5}}) {
    State a = scattered(3000, masses), b = scattered(3000, masses), c = scattered(3000, masses);
    Langevin const integrator(a.scales, masses, 0.02, 1.0, 1.0, 8);
    for (State* s : {&a, &b, &c}) bumpy_forces(*s);
    integrator.finish(a);
    integrator.begin(a, 6);
    integrator.finish_and_begin(b, 6);
    integrator.finish_and_begin(c, 7);
    CHECK(equal(a, b));
    CHECK(!equal(a, c));
  }
}

TEST_CASE("langevin: components have noise of their own", "[property][dynamics]") {
  State s = scattered(1, {1.0});
  for (int d = 0; d < 3; ++d) s.v(0, d) = 0;
  Langevin(s.scales, s.masses, 0.02, 1.0, 1.0, 8).begin(s, 0);
  CHECK(s.v(0, 0) != s.v(0, 1));
  CHECK(s.v(0, 0) != s.v(0, 2));
  CHECK(s.v(0, 1) != s.v(0, 2));
}

TEST_CASE("langevin: without friction it is velocity Verlet to rounding", "[property][dynamics]") {
  State a = scattered(10, {1.0});
  Langevin const integrator(a.scales, a.masses, 0.02, 1.0, 0.0, 8);
  State const before = scattered(10, {1.0});
  integrator.begin(a, 0);
  for (LocalIndex i = 0; i < a.n_owned; ++i) CHECK(a.v(i, 0) == before.v(i, 0));
}

TEST_CASE("langevin: a step or an id beyond the generator's range is found", "[property][dynamics]") {
  State s = scattered(10, {1.0});
  Langevin const integrator(s.scales, s.masses, 0.02, 1.0, 1.0, 8);
  CHECK_THROWS_AS(integrator.begin(s, -1), std::logic_error);
  CHECK_THROWS_AS(integrator.begin(s, std::int64_t(1) << 48), std::logic_error);
  s.id(3) = std::int64_t(1) << 48;
  CHECK(integrator.begin(s, 0).runaway == std::int64_t(1) << 48);
}
