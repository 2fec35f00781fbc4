// SPDX-License-Identifier: Apache-2.0
// Laws that hold for every line of pair.def and every truncation.
#include <catch2/catch_template_test_macros.hpp>
#include <catch2/generators/catch_generators.hpp>
#include <catch2/generators/catch_generators_range.hpp>
#include <catch2/matchers/catch_matchers_floating_point.hpp>
#include <cstring>
#include <random>

#include "examples.hpp"
#include "potentials/detail/pair_scan.hpp"
#include "potentials/truncation.hpp"

using namespace lockstep;
using namespace lockstep::test;
using Catch::Matchers::WithinAbs;
using Catch::Matchers::WithinRel;

namespace {

Scales const exact{.precision = Precision::double_, .window_shift = 0};
double constexpr core = 0.82;  // the examples are steep here and defined

std::vector<double> random_distances(int n, double from, double to) {
  std::mt19937_64 engine(7);
  std::uniform_real_distribution<double> uniform(from, to);
  std::vector<double> r(static_cast<std::size_t>(n));
  for (double& v : r) v = uniform(engine);
  return r;
}

}  // namespace

TEMPLATE_LIST_TEST_CASE("pair potential: force is minus the slope of the energy", "[property][potentials]",
                        PairPotentials) {
  TableFile const file;
  auto const truncation = GENERATE(from_range(truncations));
  auto const t = make_pair_table(section<TestType>(truncation, file), species, 1, exact);
  double const end = t.entry(0, 1).cutoff,
               h = 1e-5;  // central difference: error h^2 U'''/6, U'''/F below 1000
  for (double const r : random_distances(200, core, end - 2 * h)) {
    double const slope = (t.at(0, 1, r + h).energy - t.at(0, 1, r - h).energy) / (2 * h);
    INFO("r = " << r);
    CHECK_THAT(t.at(0, 1, r).force_over_r * r, WithinRel(-slope, 1e-6) || WithinAbs(-slope, 1e-6));
  }
}

TEMPLATE_LIST_TEST_CASE("pair table: an entry is the same with its species exchanged",
                        "[property][potentials]", PairPotentials) {
  TableFile const file;
  auto const s =
      choose_scales(std::array{section<TestType>(Truncation::cut, file)}, species, Precision::mixed, 1, 0.8);
  auto const t =
      make_pair_table(section<TestType>(GENERATE(from_range(truncations)), file), species, 4096, s);
  CHECK(t.entry(0, 1).interacts);
  CHECK(std::memcmp(&t.entry(0, 1), &t.entry(1, 0), sizeof(PairEntry)) == 0);
}

TEMPLATE_LIST_TEST_CASE("pair table: energies scale by powers of two without a rounding",
                        "[property][potentials]", PairPotentials) {
  TableFile const file;
  auto const options = section<TestType>(GENERATE(from_range(truncations)), file);
  auto const plain = make_pair_table(options, species, 1, exact),
             scaled = make_pair_table(options, species, 0x1p37, exact);
  for (double const r : random_distances(100, core, 2.49)) {
    CHECK(plain.at(1, 1, r).energy == scaled.at(1, 1, r).energy);
    CHECK(plain.at(1, 1, r).force_over_r == scaled.at(1, 1, r).force_over_r);
  }
}

TEMPLATE_LIST_TEST_CASE("truncation: energy and force end at the cutoff as they should",
                        "[property][potentials]", PairPotentials) {
  TableFile const file;
  auto const truncation = GENERATE(from_range(truncations));
  auto const t = make_pair_table(section<TestType>(truncation, file), species, 1, exact);
  double const rc = t.entry(0, 0).cutoff;
  auto const last = t.at(0, 0, rc * (1 - 1e-12));
  CHECK(t.at(0, 0, rc).energy == 0);
  CHECK(t.at(0, 0, rc).force_over_r == 0);
  if (truncation != Truncation::cut)
    CHECK_THAT(last.energy, WithinAbs(0, 1e-10));  // slopes times 1e-12, roundings
  if (truncation == Truncation::force_shift || truncation == Truncation::switch_)
    CHECK_THAT(last.force_over_r, WithinAbs(0, 1e-9));
}

TEMPLATE_LIST_TEST_CASE("truncation: the switch leaves what lies before it", "[property][potentials]",
                        PairPotentials) {
  TableFile const file;
  auto const bare = make_pair_table(section<TestType>(Truncation::cut, file), species, 1, exact);
  auto const options = section<TestType>(Truncation::switch_, file);
  auto const t = make_pair_table(options, species, 1, exact);
  for (double const r : random_distances(50, core, options.switch_from * (1 - 1e-12))) {
    CHECK(t.at(0, 0, r).energy == bare.at(0, 0, r).energy);
    CHECK(t.at(0, 0, r).force_over_r == bare.at(0, 0, r).force_over_r);
  }
}

TEMPLATE_LIST_TEST_CASE("pair potential: float agrees with double outside the guard",
                        "[property][potentials]", PairPotentials) {
  TableFile const file;
  auto const options = section<TestType>(GENERATE(from_range(truncations)), file);
  auto const s = choose_scales({&options, 1}, species, Precision::mixed, 1, 0.8);
  auto const t = make_pair_table(options, species, exp2i(s.force_bits), s);
  PairEntry const& e = t.entry(0, 1);
  // relative: 2^-24 of r2 changes a core r^-12 by 12 x 2^-24, and there are a dozen roundings more;
  // absolute: the two terms of Buckingham, 60 in energy and 1500 in force over r, cancel, at 10 x 2^-24 each
  double const relative = 0x1p-17, absolute = 0x1p-14 * t.energy_scale;
  for (double const r : random_distances(2000, e.guard, e.cutoff)) {
    auto const d = detail::entry_at(t, e, double(float(r * r)));
    auto const f = detail::entry_at_float(t, e, double(float(r * r)));
    INFO("r = " << r);
    CHECK_THAT(double(f.energy), WithinRel(d.energy, relative) || WithinAbs(d.energy, absolute));
    CHECK_THAT(double(f.force_over_r),
               WithinRel(d.force_over_r, relative) || WithinAbs(d.force_over_r, 16 * absolute));
  }
}

TEMPLATE_LIST_TEST_CASE("guard: from it to the cutoff nothing leaves the narrow ranges",
                        "[property][potentials]", PairPotentials) {
  TableFile const file;
  auto const options = section<TestType>(GENERATE(from_range(truncations)), file);
  double const kT = GENERATE(0.1, 1.0, 20.0);
  auto const s = choose_scales({&options, 1}, species, Precision::mixed, kT, 0.8);
  auto const t = make_pair_table(options, species, exp2i(s.force_bits), s);
  PairEntry const& e = t.entry(0, 0);
  REQUIRE(e.guard > 0);  // coincident particles are never narrow
  REQUIRE(e.guard < e.cutoff);
  int outside = 0;
  for (int k = 0; k <= 100000; ++k) {
    double const r = e.guard + (e.cutoff - e.guard) * k / 100000.0;
    auto const d = t.at(0, 0, r);
    auto const f = detail::entry_at_float(t, e, r * r);
    auto const leaves = [&](double energy, double force_over_r) {
      double const force = std::abs(force_over_r) * r;
      return !(std::abs(energy) < s.narrow_energy() && force < s.narrow_force() &&
               force * r < s.narrow_virial());
    };
    if (leaves(d.energy, d.force_over_r) ||
        leaves(f.energy / t.energy_scale, f.force_over_r / t.energy_scale))
      ++outside;
  }
  CHECK(outside == 0);
}

TEMPLATE_LIST_TEST_CASE("guard: it is far below where pairs usually are", "[property][potentials]",
                        PairPotentials) {
  TableFile const file;
  auto const options = section<TestType>(Truncation::cut, file);
  auto const s = choose_scales({&options, 1}, species, Precision::mixed, 1, 0.8);
  auto const t = make_pair_table(options, species, 1, s);
  CHECK(t.at(0, 0, t.entry(0, 0).guard).energy > 5);  // Boltzmann factor below 1% at this temperature
}

TEMPLATE_LIST_TEST_CASE("tail correction: it is the integral beyond the cutoff", "[property][potentials]",
                        PairPotentials) {
  TableFile const file;
  auto const options = section<TestType>(Truncation::cut, file);
  auto const t = make_pair_table(options, species, 2, exact);
  std::array<std::int64_t, 2> const counts{100, 0};
  double const volume = 150, pi = std::acos(-1.0);
  double energy = 0, virial = 0;
  if (options.potential != PairPotential::wca && options.potential != PairPotential::tabulated) {
    auto p = t.entry(0, 0).p;
    int const n = 200000;
    for (int k = 0; k < n; ++k) {  // midpoint rule in 1/r: error 1/n^2
      double const x = (k + 0.5) / n / 2.5, r = 1 / x, dr = 1 / (2.5 * n * x * x);
      auto const u = detail::pair_functions(options.potential).at(r * r, p, nullptr);
      energy += r * r * u.energy * dr / 2;
      virial += r * r * r * u.force_over_r * r * dr / 2;
    }
  }
  auto const tail = tail_correction(t, counts, volume);
  CHECK_THAT(tail.energy, WithinRel(2 * pi / volume * 1e4 * energy, 1e-8) || WithinAbs(0, 1e-300));
  CHECK_THAT(tail.pressure,
             WithinRel(2 * pi / (3 * volume * volume) * 1e4 * virial, 1e-8) || WithinAbs(0, 1e-300));
}
