// SPDX-License-Identifier: Apache-2.0
// Velocity rescaling: the canonical distribution of the kinetic energy, the same factor everywhere.
#include "dynamics/csvr.hpp"

#include <bit>
#include <catch2/catch_test_macros.hpp>
#include <catch2/matchers/catch_matchers_floating_point.hpp>
#include <cmath>

#include "base/philox.hpp"
#include "dynamics/kinetic.hpp"
#include "property/dynamics/systems.hpp"
#include "state/digest.hpp"

using namespace lockstep;
using namespace lockstep::test;
using Catch::Matchers::WithinAbs;
using Catch::Matchers::WithinRel;

TEST_CASE("csvr: sums of squared gaussians have the moments of chi-square", "[property][dynamics]") {
  int const samples = 100000;
  for (int n : {1, 2, 3, 8, 299}) {
    double m1 = 0, m2 = 0;
    for (int k = 0; k < samples; ++k) {
      double const x = sum_of_squared_gaussians(Philox(2, Stream::test, std::uint64_t(k), 0), n, 16);
      m1 += x;
      m2 += (x - n) * (x - n);
    }
    // variance 2n; fourth central moment 12 n (n + 4); 5 standard errors each
    CAPTURE(n);
    CHECK_THAT(m1 / samples, WithinAbs(n, 5 * std::sqrt(2.0 * n / samples)));
    CHECK_THAT(m2 / samples, WithinAbs(2 * n, 5 * std::sqrt((12.0 * n * (n + 4) - 4.0 * n * n) / samples)));
  }
  CHECK(sum_of_squared_gaussians(Philox(2, Stream::test, 0, 0), 0, 16) == 0.0);
}

TEST_CASE("csvr: the kinetic energy follows the canonical distribution", "[property][dynamics]") {
  double const kT = 0.9;
  for (int n : {1, 2, 3, 60}) {
    // relaxation over two steps: samples of the energy are nearly independent after 10 steps
    Csvr const thermostat(0.5, kT, 1.0, n, 7);
    double energy = 5 * n * kT, m1 = 0, m2 = 0;
    int const samples = 40000;
    double const mean = 0.5 * n * kT;
    for (std::int64_t step = 0; step < 10 * samples; ++step) {
      energy *= std::pow(thermostat.factor(energy, step), 2);
      if (step < 200 || step % 10 != 0) continue;
      m1 += energy;
      m2 += (energy - mean) * (energy - mean);
    }
    double const count = samples - 20, variance = 0.5 * n * kT * kT;
    double const fourth = 0.75 * n * (n + 4) * std::pow(kT, 4);
    CAPTURE(n);
    CHECK_THAT(m1 / count, WithinAbs(mean, 5 * std::sqrt(variance / count)));
    CHECK_THAT(m2 / count, WithinAbs(variance, 5 * std::sqrt((fourth - variance * variance) / count)));
  }
}

TEST_CASE("csvr: the energy relaxes with the time that was asked for", "[property][dynamics]") {
  // d<K>/dt = (K0 - K)/tau: the mean over seeds after one tau; standard error from 4,000 seeds, 5 of them
  double const kT = 1, start = 300;
  int const n = 300, seeds = 4000;
  double sum = 0, square = 0;
  for (int seed = 0; seed < seeds; ++seed) {
    Csvr const thermostat(0.1, kT, 2.0, n, std::uint64_t(seed));
    double energy = start;
    for (int step = 0; step < 20; ++step) energy *= std::pow(thermostat.factor(energy, step), 2);
    sum += energy;
    square += energy * energy;
  }
  double const mean = sum / seeds, deviation = std::sqrt(square / seeds - mean * mean);
  CHECK_THAT(mean, WithinAbs(150 + 150 * std::exp(-1.0), 5 * deviation / std::sqrt(double(seeds))));
}

TEST_CASE("csvr: every rank scales by the same factor; ranks and order do not matter",
          "[property][dynamics]") {
  Comm const comm;
  State split = scattered(999, {1.0, 3.0}, comm.rank(), comm.size()), whole = scattered(999, {1.0, 3.0});
  if (!comm.root()) whole.n_owned = 0;
  Csvr a(0.1, 1.0, 0.5, 3 * 999 - 3, 1), b = a;
  for (std::int64_t step = 0; step < 5; ++step) {
    CHECK(a.apply(comm, split, step).runaway == -1);
    b.apply(comm, whole, step);
  }
  CHECK(state_digest(comm, split) == state_digest(comm, whole));
  CHECK(std::bit_cast<std::uint64_t>(a.heat()) == std::bit_cast<std::uint64_t>(b.heat()));
}

TEST_CASE("csvr: the heat accounts for every change of the kinetic energy, over a restart too",
          "[property][dynamics]") {
  Comm const comm;
  State s = scattered(300, {1.0}, comm.rank(), comm.size());
  double const before = kinetic_energy(comm, s);
  Csvr thermostat(0.1, 1.0, 0.5, 897, 1);
  for (std::int64_t step = 0; step < 10; ++step) thermostat.apply(comm, s, step);
  Csvr resumed(0.1, 1.0, 0.5, 897, 1);
  resumed.restore(thermostat.words());
  for (std::int64_t step = 10; step < 20; ++step) resumed.apply(comm, s, step);
  CHECK_THAT(kinetic_energy(comm, s) + resumed.heat(), WithinRel(before, 1e-12));  // rounding of velocities
}

TEST_CASE("csvr: particles at rest stay at rest", "[property][dynamics]") {
  CHECK(Csvr(0.1, 1.0, 0.5, 10, 1).factor(0.0, 3) == 1.0);
  CHECK(Csvr(0.1, 1.0, 0.5, 0, 1).factor(1.0, 3) == 1.0);
}
