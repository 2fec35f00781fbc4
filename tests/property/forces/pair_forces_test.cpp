// SPDX-License-Identifier: Apache-2.0
// Forces through domains, clusters and lists against a plain sum over all pairs and images.
#include "forces/pair_forces.hpp"

#include <algorithm>
#include <catch2/catch_test_macros.hpp>
#include <catch2/generators/catch_generators.hpp>
#include <cmath>
#include <random>

#include "neighbor/forecast.hpp"
#include "output/sorted.hpp"

using namespace lockstep;

namespace {

struct System {
  State state;
  std::vector<PairTable> tables;
  double cutoff = 0;
};

/// Whether x, or an image of it, is nearer than 0.25 to any of the others: such forces have no digits left to
/// compare.
bool overlaps(Box const& box, std::vector<Vec3<std::int64_t>> const& others, Vec3<std::int64_t> x) {
  for (auto const& other : others)
    for (int image = 0; image < 125; ++image) {
      auto const d = x - other - box.shift({image % 5 - 2, image / 5 % 5 - 2, image / 25 - 2});
      double r2 = 0;
      for (int c = 0; c < 3; ++c) r2 += double(d[c]) * position_unit * double(d[c]) * position_unit;
      if (r2 < 0.25 * 0.25) return true;
    }
  return false;
}

PairOptions pair_options(PairPotential potential, double cutoff) {
  PairOptions pair;
  pair.potential = potential;
  pair.cutoff = cutoff;
  pair.truncation = Truncation::force_shift;
  for (auto const& [i, j, depth, length] :
       {std::tuple("A", "A", 1.0, 0.3), {"A", "B", 0.7, 0.35}, {"B", "B", 0.5, 0.4}}) {
    PairCoefficients row;
    row.species = {i, j};
    if (potential == PairPotential::lennard_jones) {
      row.values = {depth, length};
    } else {
      row.values = {depth, 1 / length, length};  // Morse
    }
    pair.coefficients.push_back(row);
  }
  return pair;
}

/// The same random particles on every layout: those of rank r are every size-th one.
System random_system(Comm const& comm, unsigned seed, Precision precision, Vec3<double> edges,
                     Vec3<double> tilts, int n, double cutoff, double filled,
                     PairPotential potential = PairPotential::lennard_jones) {
  PairOptions const pair = pair_options(potential, cutoff);
  std::mt19937_64 random(seed);
  std::uniform_real_distribution<double> uniform(0, 1);
  std::vector<std::string> const species{"A", "B"};
  System s;
  s.cutoff = cutoff;
  s.state.masses = {1.0, 2.0};
  s.state.scales =
      choose_scales({&pair, 1}, species, precision, 1.0, double(n) / (edges.x * edges.y * edges.z));
  s.state.box = make_box(edges, tilts.x, tilts.y, tilts.z, s.state.scales.window_shift);
  s.state.n_particles = n;
  s.tables.push_back(make_pair_table(pair, species, pair_energy_scale(s.state.scales), s.state.scales));
  std::vector<Vec3<std::int64_t>> placed;
  for (int i = 0; i < n; ++i) {
    Particle p{};
    p.id = i + 1;
    p.species = uniform(random) < 0.5 ? 0 : 1;
    do {
      for (int d = 0; d < 3; ++d)
        p.x[d] = std::int64_t(filled * uniform(random) * double(s.state.box.edge(d)));
    } while (overlaps(s.state.box, placed, p.x));
    placed.push_back(p.x);
    if (i % comm.size() == comm.rank()) s.state.push_back(p);
  }
  return s;
}

/// Forces by a plain double sum over pairs and lattice shifts, true units; overlapping pairs included.
std::vector<Vec3<double>> plain_forces(Comm const& comm, System const& s) {
  SortedSlice const slice = gather_by_id(comm, s.state);
  std::vector<std::vector<Particle>> to(std::size_t(comm.size()), slice.particles);
  std::vector<Particle> all;
  for (auto const& from : comm.all_to_all(to)) all.insert(all.end(), from.begin(), from.end());
  std::sort(all.begin(), all.end(), [](Particle const& a, Particle const& b) { return a.id < b.id; });
  Box const& box = s.state.box;
  auto const edges = box.edges();
  auto const reach = [&](double edge) { return int(s.cutoff / edge) + 2; };
  Vec3<int> const most{reach(edges.x) + 1, reach(edges.y) + 1, reach(edges.z)};
  std::vector<Vec3<double>> forces(all.size());
  for (std::size_t i = 0; i < all.size(); ++i)
    for (std::size_t j = 0; j < all.size(); ++j)
      for (int nz = -most.z; nz <= most.z; ++nz)
        for (int ny = -most.y; ny <= most.y; ++ny)
          for (int nx = -most.x; nx <= most.x; ++nx) {
            if (i == j) continue;  // an own image pulls as much as it pushes
            auto const d = all[i].x - all[j].x - box.shift({nx, ny, nz});
            Vec3<double> const r{double(d.x) * position_unit, double(d.y) * position_unit,
                                 double(d.z) * position_unit};
            double const distance = std::sqrt(r.x * r.x + r.y * r.y + r.z * r.z);
            if (!(distance < s.cutoff)) continue;
            auto const term = s.tables[0].at(all[i].species, all[j].species, distance);
            for (int c = 0; c < 3; ++c) forces[i][c] += term.force_over_r * r[c];
          }
  return forces;
}

/// Largest difference of state.f from the plain sum, as part of the largest force.
double worst_difference(Comm const& comm, System const& s) {
  auto const expected = plain_forces(comm, s);
  double worst = 0, largest = 1;
  for (auto const& f : expected) largest = std::max({largest, std::abs(f.x), std::abs(f.y), std::abs(f.z)});
  for (LocalIndex i = 0; i < s.state.n_owned; ++i)
    for (int d = 0; d < 3; ++d) {
      double const f = double(s.state.f(i, d)) * s.state.scales.force_unit();
      worst = std::max(worst, std::abs(f - expected[std::size_t(s.state.id(i) - 1)][d]));
    }
  return comm.max(worst) / largest;
}

void compare(System s, double tolerance, KernelWidth width) {
  Comm const comm;
  Domain domain(comm, true);
  Neighbors neighbors(comm, s.state.scales, s.cutoff, 0.2 * s.cutoff, 0.1 * s.cutoff, 1);
  PairForces forces(comm, s.state.scales, s.tables, width, 1);
  neighbors.build(s.state, domain);
  forces.compute(s.state, neighbors, domain, false);
  CHECK(comm.sum(std::int64_t(s.state.n_owned)) == s.state.n_particles);
  CHECK(worst_difference(comm, s) < tolerance);
}

struct Shape {
  char const* name;
  Vec3<double> edges, tilts;
  int n;
  double cutoff, filled;
};

}  // namespace

TEST_CASE("pair forces: lists, halos and images give the plain sum over all pairs", "[property][forces]") {
  Shape const shapes[] = {
      {"cube", {7, 7, 7}, {0, 0, 0}, 300, 1.5, 1.0},
      {"flat", {9, 8, 1.1}, {0, 0, 0}, 150, 1.4, 1.0},
      {"several images", {1.7, 2.3, 2.1}, {0, 0, 0}, 20, 2.6, 1.0},
      {"tilted", {5, 6, 4}, {2.4, -1.9, 2.8}, 200, 1.5, 1.0},
      {"tilted, several images", {2, 2.2, 1.8}, {0.9, 1.0, -1.1}, 15, 2.5, 1.0},
      {"droplet in vapor", {30, 30, 30}, {0, 0, 0}, 200, 1.5, 0.12},
      {"thin vapor", {40, 40, 40}, {0, 0, 0}, 300, 2.0, 1.0},
      {"one particle", {5, 5, 5}, {0, 0, 0}, 1, 1.5, 1.0},
      {"two particles", {3, 3, 3}, {0, 0, 0}, 2, 1.5, 1.0},
  };
  Comm const comm;
  for (Shape const& shape : shapes) {
    unsigned const seed = 7u + unsigned(&shape - shapes);
    auto const system = [&](Precision p) {
      return random_system(comm, seed, p, shape.edges, shape.tilts, shape.n, shape.cutoff, shape.filled);
    };
    DYNAMIC_SECTION(shape.name << ", double") {
      // force unit 2^-37 and coarser: a few units per pair, relative to forces of overlapping particles
      compare(system(Precision::double_), 1e-10, KernelWidth::automatic);
    }
    DYNAMIC_SECTION(shape.name << ", mixed") {
      compare(system(Precision::mixed), 2e-5, KernelWidth::automatic);
    }
    DYNAMIC_SECTION(shape.name << ", mixed portable") {
      compare(system(Precision::mixed), 2e-5, KernelWidth::portable);
    }
  }
}

TEST_CASE("pair lists: hold every pair however particles move against the forecast", "[property][neighbor]") {
  Comm const comm;
  // which part of its velocity's way each particle really goes
  auto const [name, way] = GENERATE(table<char const*, double>(
      {{"as foretold", 1.0}, {"backwards", -1.0}, {"thrice as far", 3.0}, {"not at all", 0.0}}));
  auto const precision = GENERATE(Precision::mixed, Precision::double_);
  CAPTURE(name, int(precision));
  System s = random_system(comm, 99, precision, {6, 7, 5}, {0.5, 0, 0}, 150, 1.5, 1.0, PairPotential::morse);
  constexpr double time = 0.002;
  for (LocalIndex i = 0; i < s.state.n_owned; ++i)
    for (int d = 0; d < 3; ++d)  // one in seven is ten times as fast
      s.state.v(i, d) = std::int64_t((s.state.id(i) % 7 == 0 ? 10.0 : 1.0) *
                                     std::sin(double(3 * s.state.id(i) + d)) / velocity_unit);
  Domain domain(comm, true);
  Neighbors neighbors(comm, s.state.scales, s.cutoff, 0.2 * s.cutoff, 0.1 * s.cutoff, 1);
  PairForces forces(comm, s.state.scales, s.tables, KernelWidth::automatic, 1);
  for (int step = 0; step < 12; ++step) {
    double farthest2 = 0;
    for (LocalIndex i = 0; i < s.state.n_owned && step > 0; ++i) {
      double length2 = 0;
      for (int d = 0; d < 3; ++d) {
        double const move = way * time * double(s.state.v(i, d)) * velocity_unit;
        s.state.x(i, d) = wrap_add(s.state.x(i, d), std::int64_t(move / position_unit));
        length2 += move * move;
      }
      farthest2 = std::max(farthest2, length2);
    }
    neighbors.pack(s.state);
    if (neighbors.stale(std::sqrt(farthest2), 0).stale) neighbors.build(s.state, domain);
    forces.compute(s.state, neighbors, domain, false);
    CAPTURE(step);
    CHECK(worst_difference(comm, s) < (precision == Precision::mixed ? 2e-5 : 1e-10));
  }
  CHECK(neighbors.n_builds() < 12);
}

TEST_CASE("forecast: drift_ahead is taken back exactly", "[property][neighbor]") {
  Comm const comm;
  System s = random_system(comm, 5, Precision::mixed, {5, 5, 5}, {0, 0, 0}, 50, 1.5, 1.0);
  for (LocalIndex i = 0; i < s.state.n_owned; ++i)
    for (int d = 0; d < 3; ++d) s.state.v(i, d) = std::int64_t(std::sin(double(7 * i + d)) / velocity_unit);
  std::vector<Vec3<std::int64_t>> before;
  for (LocalIndex i = 0; i < s.state.n_owned; ++i) before.push_back(s.state.wrapped(i).first);
  drift_ahead(s.state, 3.7);
  s.state.wrap_all();
  drift_ahead(s.state, -3.7);
  for (LocalIndex i = 0; i < s.state.n_owned; ++i) {
    auto const x = s.state.wrapped(i).first;
    for (int d = 0; d < 3; ++d) CHECK(x[d] == before[std::size_t(i)][d]);
  }
}
