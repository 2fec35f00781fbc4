// SPDX-License-Identifier: Apache-2.0
// Velocity Verlet: reversible, the same bits however its passes are fused, the right frequency, runaways
// found.
#include "dynamics/velocity_verlet.hpp"

#include <catch2/catch_test_macros.hpp>
#include <catch2/matchers/catch_matchers_floating_point.hpp>
#include <cmath>
#include <string>

#include "property/dynamics/systems.hpp"

using namespace lockstep;
using namespace lockstep::test;

namespace {

void steps(State& s, double dt, int n) {
  VelocityVerlet const integrator(s.scales, s.masses, dt);
  bumpy_forces(s);
  for (int k = 0; k < n; ++k) {
    REQUIRE(integrator.begin(s).runaway == -1);
    bumpy_forces(s);
    integrator.finish(s);
  }
}

}  // namespace

TEST_CASE("velocity verlet: 1000 steps forward and 1000 back give every bit back", "[property][dynamics]") {
  for (auto masses : {std::vector{1.0}, std::vector{1.0, 39.948, 0.3}}) {
    State const start = scattered(1500, masses);
    State s = scattered(1500, masses);
    steps(s, 0.01, 1000);
    CHECK(!equal(s, start));
    steps(s, -0.01, 1000);
    CHECK(equal(s, start));
  }
}

TEST_CASE("velocity verlet: reversed velocities lead back too", "[property][dynamics]") {
  State const start = scattered(100, {1.0});
  State s = scattered(100, {1.0});
  auto const reverse = [&] {
    for (LocalIndex i = 0; i < s.n_owned; ++i)
      for (int d = 0; d < 3; ++d) s.v(i, d) = -s.v(i, d);
  };
  steps(s, 0.01, 1000);
  reverse();
  steps(s, 0.01, 1000);
  reverse();
  CHECK(equal(s, start));
}

TEST_CASE("velocity verlet: fused passes give the bits of single ones", "[property][dynamics]") {
  for (auto masses : {std::vector{1.0}, std::vector{1.0, 2.5}}) {
    State a = scattered(3000, masses), b = scattered(3000, masses);
    VelocityVerlet const integrator(a.scales, masses, 0.02);
    bumpy_forces(a);
    bumpy_forces(b);
    integrator.kick(a);
    integrator.drift(a);
    integrator.begin(b);
    CHECK(equal(a, b));
    integrator.finish(a);
    Motion const separate = integrator.begin(a), fused = integrator.finish_and_begin(b);
    CHECK(equal(a, b));
    CHECK(separate.max_speed == fused.max_speed);
  }
}

TEST_CASE("velocity verlet: equal masses of several species move like one species", "[property][dynamics]") {
  State a = scattered(1000, {2.0}), b = scattered(1000, {2.0, 2.0});
  steps(a, 0.01, 5);
  steps(b, 0.01, 5);
  CHECK(equal(a, b));
}

TEST_CASE("velocity verlet: a kick is force over the mass of the species", "[property][dynamics]") {
  State s = scattered(4, {1.0, 4.0});
  for (LocalIndex i = 0; i < 4; ++i) {
    s.v(i, 0) = 0;
    s.f(i, 0) = std::int64_t(1) << s.scales.force_bits;  // 1
  }
  VelocityVerlet(s.scales, s.masses, 0.5).kick(s);
  for (LocalIndex i = 0; i < 4; ++i)
    CHECK(double(s.v(i, 0)) * velocity_unit == 0.25 / s.masses[std::size_t(s.species(i))]);
}

TEST_CASE("velocity verlet: a spring swings with the frequency of the discrete equations",
          "[property][dynamics]") {
  // source: exact, arccos(1 - (w dt)^2 / 2) / dt, tabulated for these k, m, dt
  struct Row {
    double k, mass, dt, omega;
  };
  for (Row row :
       {Row{1, 1, 0.01, 1.000004166713}, Row{1, 1, 0.1, 1.000417136115}, Row{1, 1, 0.5, 1.010721020568},
        Row{4, 2, 0.05, 1.414508356050}, Row{100, 1, 0.1, 10.471975511966}}) {
    State s = scattered(1, {row.mass});
    for (int d = 0; d < 3; ++d) {
      s.x(0, d) = d == 0 ? std::int64_t(1) << position_bits : 0;
      s.v(0, d) = 0;
    }
    VelocityVerlet const integrator(s.scales, s.masses, row.dt);
    spring_forces(s, row.k);
    // released at rest, x(n) = cos(omega n dt): the phase after many steps gives omega
    int const n = 2 + int(100 / (row.omega * row.dt));
    double worst = 0;
    for (int k = 1; k <= n; ++k) {
      integrator.begin(s);
      spring_forces(s, row.k);
      integrator.finish(s);
      worst = std::max(worst, std::abs(double(s.x(0, 0)) * position_unit - std::cos(row.omega * k * row.dt)));
    }
    CAPTURE(row.k, row.mass, row.dt);
    CHECK(worst < 1e-9);  // 12 digits of omega times a phase of 100, and the rounding of some 10^4 steps
  }
}

TEST_CASE("velocity verlet: the largest speed and the lowest runaway id are reported",
          "[property][dynamics]") {
  State s = scattered(2500, {1.0});
  VelocityVerlet const integrator(s.scales, s.masses, 0.001);
  s.v(77, 1) = -round_wide(8.0 / velocity_unit);
  Motion const calm = integrator.drift(s);
  CHECK(calm.runaway == -1);
  CHECK(calm.max_speed == 8.0);

  s.v(1999, 2) = round_wide(speed_limit / velocity_unit);
  s.v(2001, 0) = -round_wide(1.5 * speed_limit / velocity_unit);
  CHECK(integrator.drift(s).runaway == 1999);
}

TEST_CASE("velocity verlet: a force too large for the velocity's integer is a runaway",
          "[property][dynamics]") {
  for (auto masses : {std::vector{1.0}, std::vector{1.0, 1.0}}) {
    State s = scattered(100, masses);
    s.scales.force_bits = 10;
    s.f(42, 1) = std::int64_t(-1) << 62;
    VelocityVerlet const integrator(s.scales, masses, 0.01);
    CHECK(integrator.begin(s).runaway == 42);
    CHECK(integrator.finish(s).runaway == 42);  // and stays one
  }
  State s = scattered(10, {1.0});
  s.scales.force_bits = 10;
  s.f(4, 0) = std::int64_t(1) << 27;  // a kick of 2^52 units, half of which would pass for a velocity
  CHECK(VelocityVerlet(s.scales, s.masses, 0x1p-6).kick(s).runaway == 4);
}

TEST_CASE("velocity verlet: without particles there is no motion", "[property][dynamics]") {
  State s = scattered(0, {1.0});
  VelocityVerlet const integrator(s.scales, s.masses, 0.01);
  CHECK(integrator.begin(s).max_speed == 0.0);
}
