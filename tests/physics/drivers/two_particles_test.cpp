// SPDX-License-Identifier: Apache-2.0
// Two particles in a periodic cube: the distribution of their distance against exact weights.
#include <array>
#include <catch2/catch_test_macros.hpp>
#include <cmath>
#include <cstdio>
#include <fstream>
#include <sstream>
#include <string>
#include <vector>

#include "moves/sweep.hpp"
#include "property/drivers/mc_system.hpp"

using namespace lockstep;
using namespace lockstep::test;

namespace {

struct Exact {
  double kT, edge, cutoff, mean_energy, std_energy, mean_virial, widom, near;
};

std::vector<Exact> exact_cases() {
  std::ifstream file(std::string(LOCKSTEP_REFERENCE) + "/physics/two_lj_particles_exact.csv");
  std::string line;
  std::getline(file, line);
  std::vector<Exact> all;
  while (std::getline(file, line)) {
    for (char& c : line)
      if (c == ',') c = ' ';
    Exact e{};
    std::istringstream(line) >> e.kT >> e.edge >> e.cutoff >> e.mean_energy >> e.std_energy >>
        e.mean_virial >> e.widom >> e.near;
    all.push_back(e);
  }
  return all;
}

double energy(double r, double cutoff) { return r < cutoff ? 4 * (std::pow(r, -12) - std::pow(r, -6)) : 0; }
double virial(double r, double cutoff) {
  return r < cutoff ? 24 * (2 * std::pow(r, -12) - std::pow(r, -6)) : 0;
}

State two_particles(Exact const& e, Scales const& scales) {
  State s;
  s.scales = scales;
  s.masses = {1.0};
  s.box = make_box({e.edge, e.edge, e.edge}, 0, 0, 0, scales.window_shift);
  s.n_particles = 2;
  for (std::int64_t id = 0; id < 2; ++id) {
    Particle p{id, 0, {}, {}, {}, {}};
    p.x.x = id * s.box.edge(0) / 2;
    s.push_back(p);
  }
  return s;
}

double distance(State const& s) {
  double sum = 0;
  for (int d = 0; d < 3; ++d) {
    double const edge = double(s.box.edge(d)) * position_unit;
    double x = double(s.x(0, d) - s.x(1, d)) * position_unit;
    x -= edge * std::round(x / edge);
    sum += x * x;
  }
  return std::sqrt(sum);
}

/// Edges of bins of distance up to the cutoff; the last bin is all beyond.
constexpr std::array edges{0.0, 1.0, 1.05, 1.1, 1.15, 1.2, 1.3, 1.4, 1.5, 1.6, 1.8, 2.0, 2.2, 2.4};

/// Probabilities of the bins: 4 pi r^2 exp(-U / kT) by the midpoint rule, all inside the cube's inscribed
/// sphere.
std::vector<double> probabilities(Exact const& e) {
  std::vector<double> p;
  double inside = 0, z = e.edge * e.edge * e.edge;
  for (std::size_t b = 0; b < edges.size(); ++b) {
    double const low = edges[b], high = b + 1 < edges.size() ? edges[b + 1] : e.cutoff;
    double sum = 0;
    constexpr int steps = 20000;
    for (int k = 0; k < steps; ++k) {
      double const r = low + (high - low) * (k + 0.5) / steps;
      sum += 4 * M_PI * r * r * std::exp(-energy(r, e.cutoff) / e.kT) * (high - low) / steps;
    }
    p.push_back(sum);
    inside += sum;
  }
  z += inside - 4 * M_PI / 3 * std::pow(e.cutoff, 3);
  for (double& v : p) v /= z;
  p.push_back(1 - inside / z);
  return p;
}

struct Samples {
  std::vector<double> counts = std::vector<double>(edges.size() + 1);
  double n = 0, energy = 0, virial = 0, virial2 = 0, near = 0;
};

/// Every `thin`-th sweep: by then the distance has forgotten itself (steps of a quarter of the box, wells of
/// kT).
Samples sample(Exact const& e, int n, int thin) {
  PairOptions pair;
  pair.cutoff = e.cutoff;
  pair.coefficients.push_back({.species = {"A", "A"}});
  pair.coefficients[0].values[0] = pair.coefficients[0].values[1] = 1.0;
  std::vector<std::string> const names{"A"};
  Scales const scales = choose_scales({&pair, 1}, names, Precision::mixed, e.kT, 0.01);
  std::vector<PairTable> const tables{make_pair_table(pair, names, pair_energy_scale(scales), scales)};
  State state = two_particles(e, scales);
  Sweep sweep(Comm(), state, tables, {23, e.kT, 1});
  Samples s;
  for (std::uint64_t k = 1; k <= std::uint64_t(n) * std::uint64_t(thin); ++k) {
    sweep.run(state, k, 0.25 * e.edge);
    if (k % std::uint64_t(thin) != 0) continue;
    double const r = distance(state), w = virial(r, e.cutoff);
    std::size_t bin = 0;
    while (bin + 1 < edges.size() && r >= edges[bin + 1]) ++bin;
    s.counts[r < e.cutoff ? bin : edges.size()] += 1;
    s.n += 1;
    s.energy += energy(r, e.cutoff);
    s.virial += w;
    s.virial2 += w * w;
    s.near += r < 1.5 ? 1 : 0;
  }
  return s;
}

}  // namespace

TEST_CASE("mc: two particles have the exact distribution of distances", "[physics][drivers]") {
  auto const cases = exact_cases();
  REQUIRE(cases.size() == 5);
  for (Exact const& e : cases) {
    Samples const s = sample(e, 10000, 40);
    auto const p = probabilities(e);
    double chi2 = 0;
    for (std::size_t b = 0; b < p.size(); ++b) {
      if (p[b] * s.n < 5) continue;
      chi2 += (s.counts[b] - p[b] * s.n) * (s.counts[b] - p[b] * s.n) / (p[b] * s.n);
    }
    double const z_energy = (s.energy / s.n - e.mean_energy) / (e.std_energy / std::sqrt(s.n));
    double const variance = s.virial2 / s.n - s.virial * s.virial / (s.n * s.n);
    double const z_virial = (s.virial / s.n - e.mean_virial) / std::sqrt(variance / s.n);
    double const z_near = (s.near / s.n - e.near) / std::sqrt(e.near * (1 - e.near) / s.n);
    std::printf("T %.1f edge %.1f: chi2 %.1f of %zu bins, z energy %.2f, virial %.2f, near %.2f\n", e.kT,
                e.edge, chi2, p.size(), z_energy, z_virial, z_near);
    // 14 degrees of freedom: 36 is exceeded with probability 0.001; the draws are fixed
    CHECK(chi2 < 36);
    CHECK(std::abs(z_energy) < 3.5);
    CHECK(std::abs(z_virial) < 3.5);
    CHECK(std::abs(z_near) < 3.5);
  }
}
