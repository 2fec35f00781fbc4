// SPDX-License-Identifier: Apache-2.0
// Small systems for the tests of Monte Carlo: jittered lattices of two species.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "base/philox.hpp"
#include "drivers/engine.hpp"
#include "kernels/pair.hpp"

namespace lockstep::test {

struct McSystem {
  std::vector<PairOptions> pairs;
  Precision precision = Precision::mixed;
  Vec3<double> edges{6.5, 6.5, 6.5};
  double bx = 0, cx = 0, cy = 0;
  int per_edge = 5;  ///< particles along each edge
  double jitter = 0.1;
  double kT = 1;
  int n_threads = 1;
};

/// Two species of Lennard-Jones particles with one row per pair.
inline PairOptions lennard_jones(double cutoff, Truncation truncation) {
  PairOptions o;
  o.potential = PairPotential::lennard_jones;
  o.cutoff = cutoff;
  o.truncation = truncation;
  if (truncation == Truncation::switch_) o.switch_from = 0.8 * cutoff;
  auto const row = [&](char const* i, char const* j, double epsilon, double sigma) {
    PairCoefficients c{.species = {i, j}};
    c.values[0] = epsilon;
    c.values[1] = sigma;
    o.coefficients.push_back(c);
  };
  row("A", "A", 1.0, 1.0);
  row("A", "B", 1.5, 0.8);
  row("B", "B", 0.5, 0.88);
  return o;
}

/// The particles of this rank are every size-th, so that they start on any rank but the right one.
inline State mc_state(Comm const& comm, McSystem const& system, Scales const& scales) {
  State s;
  s.scales = scales;
  s.masses = {1.0, 1.0};
  s.box = make_box(system.edges, system.bx, system.cx, system.cy, scales.window_shift);
  int const m = system.per_edge;
  s.n_particles = std::int64_t(m) * m * m;
  for (std::int64_t id = comm.rank(); id < s.n_particles; id += comm.size()) {
    Philox const philox(5, Stream::test, 0, std::uint64_t(id));
    std::int64_t const place[3] = {id % m, id / m % m, id / m / m};
    Particle p{id, SpeciesId(id % 3 == 0), {}, {}, {}, {}};
    for (int d = 0; d < 3; ++d) {
      double const jitter = system.jitter * (2 * philox.uniform53(std::uint32_t(d)) - 1);
      p.x[d] = round_wide((double(place[d]) + 0.5 + jitter) / m * double(s.box.edge(d)));
    }
    s.box.wrap(p.x, p.image);
    s.push_back(p);
  }
  return s;
}

inline std::unique_ptr<Engine> mc_engine(Comm const& comm, McSystem const& system) {
  std::vector<std::string> const names{"A", "B"};
  double const volume = system.edges.x * system.edges.y * system.edges.z;
  double const n = double(system.per_edge) * system.per_edge * system.per_edge;
  Scales const scales = choose_scales(system.pairs, names, system.precision, system.kT, n / volume);
  EngineOptions options;
  options.tables = make_pair_tables(system.pairs, names, pair_energy_scale(scales), scales);
  options.tail.assign(options.tables.size(), false);
  options.n_threads = system.n_threads;
  return std::make_unique<Engine>(comm, mc_state(comm, system, scales), options);
}

}  // namespace lockstep::test
