// SPDX-License-Identifier: Apache-2.0
// What integer forces cost: the product's pair kernel against the same kernel with float sums and without the
// guard, on a melted Lennard-Jones liquid, in turn, best of many. Prints JSON. Not a test: it states no
// limit.
#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "bench/kernels/fixed_cost.cpp"
#include "hwy/foreach_target.h"
#include "hwy/highway.h"

#include <chrono>

#include "kernels/simd/pair-inl.hpp"
#include "potentials/lennard_jones.hpp"

HWY_BEFORE_NAMESPACE();
namespace lockstep::HWY_NAMESPACE {

struct FloatForces {
  using Word = float;
  using Tag = FloatTag;
  using Vec = FloatVec;
  static constexpr bool guarded = false;
  static inline Vec of(P f) { return f.v; }
  static inline Word sum(Word a, Word b) { return a + b; }
};

template <class Forces>
double seconds(PackArgs<LennardJones> const& k, PairArgs const& args, typename Forces::Word* f) {
  std::vector<std::uint32_t> near_rows;
  near_rows.reserve(args.last_row);
  auto const start = std::chrono::steady_clock::now();
  run_rows<LennardJones, Truncation::shift, false, Kinds::one, Forces>(k, args, f, nullptr, near_rows);
  return std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
}

/// Best seconds of one pass: fixed, float.
void time_both(KernelTable<LennardJones, float> const& table, PairArgs const& args, std::int32_t* fixed,
               float* floats, int repeats, double* best) {
  auto const k = pack_args(table);
  best[0] = best[1] = 1e300;
  for (int r = 0; r < repeats; ++r) {
    best[0] = std::min(best[0], seconds<FixedForces>(k, args, fixed));
    best[1] = std::min(best[1], seconds<FloatForces>(k, args, floats));
  }
}

}  // namespace lockstep::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
#include <cstdio>
#include <cstdlib>

#include "dynamics/velocities.hpp"
#include "dynamics/velocity_verlet.hpp"
#include "forces/pair_forces.hpp"

namespace lockstep {
HWY_EXPORT(time_both);

namespace {

struct Liquid {
  State state;
  std::vector<PairTable> tables;
};

Liquid fcc(int cells) {
  std::vector<std::string> const species{"A"};
  PairOptions pair;
  pair.cutoff = 2.5;
  PairCoefficients row;
  row.species = {"A", "A"};
  row.values = {1, 1};
  pair.coefficients = {row};
  Liquid l;
  State& s = l.state;
  s.masses = {1.0};
  s.scales = choose_scales({&pair, 1}, species, Precision::mixed, 1.44, 0.8442);
  l.tables = {make_pair_table(pair, species, pair_energy_scale(s.scales), s.scales)};
  double const a = 1.6795961913825074;  // (4 / 0.8442)^(1/3)
  s.box = make_box({a * cells, a * cells, a * cells}, 0, 0, 0, s.scales.window_shift);
  double const basis[4][3] = {{0, 0, 0}, {.5, .5, 0}, {.5, 0, .5}, {0, .5, .5}};
  for (int site = 0; site < 4 * cells * cells * cells; ++site) {
    int const c = site / 4;
    double const cell[3] = {double(c % cells), double(c / cells % cells), double(c / cells / cells)};
    Particle p{};
    p.id = site + 1;
    for (int d = 0; d < 3; ++d) p.x[d] = std::int64_t((cell[d] + basis[site % 4][d]) * a / position_unit);
    s.push_back(p);
  }
  s.n_particles = s.n_owned;
  return l;
}

}  // namespace
}  // namespace lockstep

int main(int argc, char** argv) {
  using namespace lockstep;
  MPI_Init(&argc, &argv);
  {
    Kokkos::ScopeGuard const kokkos(argc, argv);
    Comm const comm;
    Liquid l = fcc(argc > 1 ? std::atoi(argv[1]) : 20);
    State& s = l.state;
    initial_velocities(comm, s, 1, 1.44, Momentum::conserved);
    Domain domain(comm, true);
    Neighbors neighbors(comm, s.scales, 2.5, 0.6, 0.25, 1);
    PairForces forces(comm, s.scales, l.tables, KernelWidth::automatic, 1);
    VelocityVerlet const verlet(s.scales, s.masses, 0.005);
    neighbors.build(s, domain);
    forces.compute(s, neighbors, domain, false);
    for (int step = 0; step < 200; ++step) {  // melt
      double const length = 1.7320509 * 0.005 * verlet.begin(s).max_speed;
      neighbors.pack(s);
      if (neighbors.stale(length, 0).stale) neighbors.build(s, domain);
      forces.compute(s, neighbors, domain, false);
      verlet.finish(s);
    }
    KernelTable<LennardJones, float> const table(l.tables[0], s.scales);
    PairListChunk const& list = neighbors.local_lists().front();
    PairArgs args;
    args.x = neighbors.windows();
    args.species = neighbors.clusters().species();
    args.list = list.view();
    args.first_row = list.first_row;
    args.last_row = list.last_row;
    std::size_t const n = std::size_t(neighbors.clusters().n_clusters()) * cluster_words;
    View<std::int32_t*> const fixed("fixed", n);
    View<float*> const floats("floats", n);
    for (std::int64_t target : hwy::SupportedAndGeneratedTargets()) {
      hwy::GetChosenTarget().Update(target);
      double best[2];
      HWY_DYNAMIC_DISPATCH(time_both)(table, args, fixed.data(), floats.data(), 200, best);
      std::printf(
          "{\"kernel\": \"%s\", \"n_particles\": %d, \"entries_per_particle\": %.3f, \"fixed_ns\": %.2f, "
          "\"float_ns\": %.2f, \"ratio\": %.3f}\n",
          hwy::TargetName(target), s.n_owned, double(list.n_entries()) / s.n_owned, best[0] / s.n_owned * 1e9,
          best[1] / s.n_owned * 1e9, best[0] / best[1]);
    }
  }
  MPI_Finalize();
}
#endif
