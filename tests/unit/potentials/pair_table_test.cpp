// SPDX-License-Identifier: Apache-2.0
#include "potentials/pair_table.hpp"

#include <catch2/catch_test_macros.hpp>
#include <catch2/matchers/catch_matchers_floating_point.hpp>
#include <cmath>
#include <cstring>

#include "potentials/pair_list.hpp"

using namespace lockstep;
using Catch::Matchers::WithinAbs;
using Catch::Matchers::WithinRel;

namespace {

std::vector<std::string> const one{"A"}, two{"A", "B"};
Scales const exact{.precision = Precision::double_,
                   .force_bits = 37,
                   .energy_bits = 47,
                   .virial_bits = 43,
                   .window_shift = 0};

PairCoefficients row(std::string a, std::string b, double epsilon, double sigma, double cutoff = 0) {
  return {.species = {a, b}, .values = {epsilon, sigma}, .cutoff = cutoff};
}
PairOptions lj(std::vector<PairCoefficients> rows, Truncation truncation = Truncation::cut,
               double cutoff = 2.5) {
  PairOptions o;
  o.cutoff = cutoff;
  o.truncation = truncation;
  o.switch_from = truncation == Truncation::switch_ ? 0.8 * cutoff : 0;
  o.coefficients = std::move(rows);
  return o;
}
double lj_energy(double r) { return 4 * (std::pow(r, -12) - std::pow(r, -6)); }
double lj_force(double r) { return 24 * (2 * std::pow(r, -13) - std::pow(r, -7)); }

}  // namespace

TEST_CASE("pair table: entries are symmetric and scaled by a power of two", "[unit][potentials]") {
  auto const t = make_pair_table(
      lj({row("A", "A", 1, 1), row("B", "A", 1.5, 0.8, 2.0), row("B", "B", 0.5, 0.88)}), two, 32768, exact);
  REQUIRE(t.entries.size() == 4);
  CHECK(std::memcmp(&t.entry(0, 1), &t.entry(1, 0), sizeof(PairEntry)) == 0);
  CHECK(t.entry(0, 1).cutoff == 2.0);
  CHECK(t.entry(1, 1).cutoff == 2.5);
  CHECK(t.max_cutoff == 2.5);
  CHECK(t.entry(0, 1).p[0] == 4 * 1.5 * 32768);
  CHECK(t.entry(0, 1).p[1] == 0.8 * 0.8);
  CHECK(t.at(0, 1, 2.0).energy == 0);
  CHECK_THAT(t.at(0, 0, 1.1).energy, WithinRel(lj_energy(1.1), 1e-14));  // a few roundings
  CHECK_THAT(t.at(0, 0, 1.1).force_over_r, WithinRel(lj_force(1.1) / 1.1, 1e-14));
}

TEST_CASE("pair table: a pair whose energies are all zero does not interact", "[unit][potentials]") {
  auto const t =
      make_pair_table(lj({row("A", "A", 1, 1), row("A", "B", 0, 1), row("B", "B", 1, 1)}), two, 1, Scales{});
  CHECK(t.entry(0, 0).interacts);
  CHECK_FALSE(t.entry(0, 1).interacts);
  CHECK(t.entry(0, 1).cutoff == 0);
  CHECK(t.at(1, 0, 1.0).energy == 0);
}

TEST_CASE("pair table: shift, force shift and switch follow their formulas", "[unit][potentials]") {
  double const r = 2.2, rc = 2.5, rs = 2.0;
  auto const at = [&](Truncation k) {
    return make_pair_table(lj({row("A", "A", 1, 1)}, k), one, 1, exact).at(0, 0, r);
  };
  double const u = lj_energy(r), f = lj_force(r), uc = lj_energy(rc), fc = lj_force(rc);
  CHECK_THAT(at(Truncation::cut).energy, WithinAbs(u, 1e-15));
  CHECK_THAT(at(Truncation::shift).energy, WithinAbs(u - uc, 1e-15));
  CHECK_THAT(at(Truncation::shift).force_over_r * r, WithinAbs(f, 1e-15));
  CHECK_THAT(at(Truncation::force_shift).energy, WithinAbs(u - uc + (r - rc) * fc, 1e-15));
  CHECK_THAT(at(Truncation::force_shift).force_over_r * r, WithinAbs(f - fc, 1e-15));
  double const d = rc * rc - rs * rs, a = rc * rc - r * r, b = rc * rc + 2 * r * r - 3 * rs * rs;
  double const s = a * a * b / (d * d * d), slope = (-4 * r * a * b + 4 * r * a * a) / (d * d * d);
  CHECK_THAT(at(Truncation::switch_).energy, WithinAbs(u * s, 1e-15));
  CHECK_THAT(at(Truncation::switch_).force_over_r * r, WithinAbs(f * s - u * slope, 1e-15));
}

TEST_CASE("pair table: the mixing rules give the hand-calculated values", "[unit][potentials]") {
  auto o = lj({row("A", "A", 1.0, 1.0), row("B", "B", 4.0, 0.5)});
  auto const mixed = [&](Mixing m) {
    o.mixing = m;
    auto const p = make_pair_table(o, two, 1, exact).entry(0, 1).p;
    return std::pair{p[0] / 4, std::sqrt(p[1])};
  };
  CHECK(mixed(Mixing::lorentz_berthelot) == std::pair{2.0, 0.75});
  CHECK(mixed(Mixing::geometric).first == 2.0);
  CHECK_THAT(mixed(Mixing::geometric).second, WithinRel(std::sqrt(0.5), 1e-15));
  // 2 sqrt(4) (1/8) / (1 + 1/64) = 32/65;  ((1 + 1/64)/2)^(1/6)
  CHECK_THAT(mixed(Mixing::sixth_power).first, WithinRel(32.0 / 65.0, 1e-15));
  CHECK_THAT(mixed(Mixing::sixth_power).second, WithinRel(std::pow(65.0 / 128.0, 1.0 / 6), 1e-15));
}

TEST_CASE("pair table: a listed unlike pair is not mixed", "[unit][potentials]") {
  auto o = lj({row("A", "A", 1, 1), row("A", "B", 3, 0.9), row("B", "B", 4, 0.5)});
  o.mixing = Mixing::geometric;
  CHECK(make_pair_table(o, two, 1, exact).entry(1, 0).p[0] == 12);
}

TEST_CASE("pair table: several sections may share the pairs among them", "[unit][potentials]") {
  std::vector const sections{lj({row("A", "A", 1, 1), row("B", "B", 1, 1)}), lj({row("A", "B", 2, 1)})};
  auto const t = make_pair_tables(sections, two, 1, exact);
  CHECK(t[0].entry(0, 0).interacts);
  CHECK_FALSE(t[0].entry(0, 1).interacts);
  CHECK(t[1].entry(0, 1).interacts);
}

TEST_CASE("scales: the Lennard-Jones liquid has force unit 2^-15 and 256 addends", "[unit][potentials]") {
  std::vector const pairs{lj({row("A", "A", 1, 1)})};
  for (double kT : {0.0, 0.7, 1.0, 1.44}) {
    auto const s = choose_scales(pairs, one, Precision::mixed, kT, 0.8442);
    CHECK(s.force_bits == 15);
    CHECK(s.log2_addends == 8);
    CHECK(s.narrow_force() == 256);
    CHECK(s.narrow_energy() == 32);   // >= 2 x 14.4
    CHECK(s.narrow_virial() == 512);  // >= 2 x 256 x 0.87
    CHECK(s.window_shift == 15);      // 2^(32 + 15 - 44) = 8 >= 2.6 x 2.5
  }
}

TEST_CASE("scales: double precision is 22 bits finer and reads whole positions", "[unit][potentials]") {
  std::vector const pairs{lj({row("A", "A", 1, 1)})};
  auto const m = choose_scales(pairs, one, Precision::mixed, 1, 0.8442);
  auto const d = choose_scales(pairs, one, Precision::double_, 1, 0.8442);
  CHECK(d.force_bits == m.force_bits + 22);
  CHECK(d.energy_bits == m.energy_bits + 22);
  CHECK(d.virial_bits == m.virial_bits + 22);
  CHECK(d.window_shift == 0);
}

TEST_CASE("scales: units follow density, cutoff, temperature and energy", "[unit][potentials]") {
  auto const at = [](PairOptions const& o, double kT, double density) {
    return choose_scales({&o, 1}, one, Precision::mixed, kT, density);
  };
  auto const base = at(lj({row("A", "A", 1, 1)}), 1, 0.8442);
  CHECK(at(lj({row("A", "A", 1, 1)}), 1, 0.01).log2_addends == 7);  // at least 128
  CHECK(at(lj({row("A", "A", 1, 1)}), 1, 1e9).log2_addends == 16);
  CHECK(at(lj({row("A", "A", 1, 1)}), 100, 0.8442).narrow_energy() == 2048);                 // 2 x 10 kT
  CHECK(at(lj({row("A", "A", 1, 1)}, Truncation::cut, 4.0), 1, 0.8442).window_shift == 16);  // 10.4 <= 16
  auto const large = at(lj({row("A", "A", 1024, 1)}), 1, 0.8442);
  CHECK(large.force_bits == base.force_bits - 10);
  CHECK(large.energy_bits == base.energy_bits - 10);
}

TEST_CASE("scales: an attraction without bound leaves the units fine", "[unit][potentials]") {
  PairOptions o;
  o.potential = PairPotential::buckingham;
  o.cutoff = 2.5;
  for (std::array<double, 3> const c : {std::array{3e4, 0.085, 3.0}, std::array{1e4, 0.1, 2.0},
                                        std::array{0.0, 0.1, 2.0}, std::array{2e5, 0.08, 4.0}}) {
    o.coefficients = {{{"A", "A"}, {c[0], c[1], c[2]}}};  // barrier below 0, none, none, above 0
    for (double kT : {0.0, 1.0}) {
      auto const s = choose_scales({&o, 1}, one, Precision::mixed, kT, 0.8);
      CHECK(s.narrow_force() > 0);
      CHECK(s.narrow_force() < 1e4);
      CHECK(s.narrow_energy() < 1e4);
    }
  }
}

TEST_CASE("tail correction: Lennard-Jones agrees with the closed form for a mixture", "[unit][potentials]") {
  auto const t = make_pair_table(lj({row("A", "A", 1, 1), row("A", "B", 2, 1, 3.0), row("B", "B", 1, 1)}),
                                 two, 4, exact);
  std::array<std::int64_t, 2> const n{300, 200};
  double const volume = 700, pi = std::acos(-1.0);
  auto const energy = [&](double e, double c) { return 4 * e * (std::pow(c, -9) / 9 - std::pow(c, -3) / 3); };
  auto const virial = [&](double e, double c) {
    return 24 * e * (2 * std::pow(c, -9) / 9 - std::pow(c, -3) / 3);
  };
  auto const sum = [&](auto f) { return (90000. + 40000.) * f(1, 2.5) + 2 * 60000. * f(2, 3.0); };
  auto const c = tail_correction(t, n, volume);
  CHECK_THAT(c.energy, WithinRel(2 * pi / volume * sum(energy), 1e-13));
  CHECK_THAT(c.pressure, WithinRel(2 * pi / (3 * volume * volume) * sum(virial), 1e-13));
}

TEST_CASE("guard: mixed entries have one, double entries have none", "[unit][potentials]") {
  auto const o = lj({row("A", "A", 1, 1)});
  CHECK(make_pair_table(o, one, 1, exact).entry(0, 0).guard == 0);
  auto const s = choose_scales({&o, 1}, one, Precision::mixed, 1, 0.8442);
  double const guard = make_pair_table(o, one, s.force_unit(), s).entry(0, 0).guard;
  CHECK(lj_force(guard) < 256);
  CHECK(lj_force(guard) > 256 * (1 - 0x1p-5));  // margin 2^-6 and one step of 2^-12: no wider than needed
}
