// SPDX-License-Identifier: Apache-2.0
#include "potentials/tabulated.hpp"

#include <unistd.h>

#include <catch2/catch_test_macros.hpp>
#include <catch2/matchers/catch_matchers_floating_point.hpp>
#include <catch2/matchers/catch_matchers_string.hpp>
#include <cmath>
#include <cstdio>
#include <filesystem>
#include <fstream>
#include <functional>

#include "base/error.hpp"
#include "potentials/pair_table.hpp"

using namespace lockstep;
using Catch::Matchers::ContainsSubstring;
using Catch::Matchers::WithinAbs;
using Catch::Matchers::WithinRel;

namespace {

std::vector<std::string> const one{"A"};
Scales const exact{.precision = Precision::double_, .window_shift = 0};

/// A file that goes with the object.
struct File {
  std::string path =
      (std::filesystem::temp_directory_path() / ("lockstep_tabulated_" + std::to_string(getpid()))).string();
  explicit File(std::string const& text) { std::ofstream(path) << text; }
  ~File() { std::filesystem::remove(path); }
  File(File const&) = delete;
};

double morse(double r) {
  double const e = std::exp(-1.35 * (r - 2.75));
  return 0.4 * e * (e - 2);
}
double morse_force(double r) {
  double const e = std::exp(-1.35 * (r - 2.75));
  return 2 * 0.4 * 1.35 * e * (e - 1);
}

/// n rows of the Morse potential with 15 digits, as tables are usually written.
std::string table(std::string const& header, int n, std::function<double(double)> const& distance) {
  std::string text = header + "\n\n";
  char line[120];
  for (int i = 0; i < n; ++i) {
    double const r = distance(double(i) / (n - 1));
    std::snprintf(line, sizeof line, "%d %.15g %.15e %.15e\n", i + 1, r, morse(r), morse_force(r));
    text += line;
  }
  return text;
}
double even(double t) { return 1.6 + (6.5 - 1.6) * t; }
double even_in_r2(double t) { return std::sqrt(1.6 * 1.6 + (6.5 * 6.5 - 1.6 * 1.6) * t); }

PairTable read(std::string const& text, double cutoff = 6.5, std::string units = "") {
  File const file(text);
  PairOptions o;
  o.potential = PairPotential::tabulated;
  o.cutoff = cutoff;
  o.coefficients = {{.species = {"A", "A"}, .file = file.path, .keyword = "MORSE", .units = units}};
  return make_pair_table(o, one, 1, exact);
}
std::string fault(std::string const& text, double cutoff = 6.5, std::string units = "") {
  try {
    read(text, cutoff, units);
  } catch (InputError const& e) {
    CHECK(e.diagnostics().size() == 1);
    return e.what();
  }
  return "";
}
/// Largest error of energy and force between 1.6 and 6.49, relative to the largest energy and force.
double worst(PairTable const& t) {
  double error = 0;
  for (int k = 0; k < 20000; ++k) {
    double const r = 1.6 + 4.89 * (k + 0.37) / 20000;
    auto const u = t.at(0, 0, r);
    error = std::max({error, std::abs(u.energy - morse(r)) / morse(1.6),
                      std::abs(u.force_over_r * r - morse_force(r)) / morse_force(1.6)});
  }
  return error;
}

}  // namespace

TEST_CASE("tabulated: a fine table gives its formula within 1e-8", "[unit][potentials]") {
  CHECK(worst(read(table("MORSE\nN 4000 R 1.6 6.5", 4000, even))) < 1e-8);
  // at 1.6 the rows are 2.5 times as far apart as even ones, at fourth order 40 times the error
  CHECK(worst(read(table("MORSE\nN 4000 RSQ 1.6 6.5", 4000, even_in_r2))) < 1e-7);
  CHECK(worst(read(table("MORSE\nN 4000", 4000, even))) < 1e-8);
}

TEST_CASE("tabulated: the error falls with the fourth power of the spacing", "[unit][potentials]") {
  double const coarse = worst(read(table("MORSE\nN 50 R 1.6 6.5", 50, even)));
  double const fine = worst(read(table("MORSE\nN 99 R 1.6 6.5", 99, even)));
  CHECK(coarse / fine > 6);  // 16 inside; 8 where the slopes at the ends are estimated from three rows
}

TEST_CASE("tabulated: slopes at the ends (FP) are used", "[unit][potentials]") {
  auto const slope = [](double r) {
    double const e = std::exp(-1.35 * (r - 2.75));
    return -2 * 0.4 * 1.35 * 1.35 * e * (2 * e - 1);
  };
  char header[100];
  std::snprintf(header, sizeof header, "MORSE\nN 50 R 1.6 6.5 FP %.15g %.15g", slope(1.6), slope(6.5));
  CHECK(worst(read(table(header, 50, even))) < 0.5 * worst(read(table("MORSE\nN 50 R 1.6 6.5", 50, even))));
}

TEST_CASE("tabulated: below its first distance energy and force are not numbers", "[unit][potentials]") {
  auto const t = read(table("MORSE\nN 400 R 1.6 6.5", 400, even));
  CHECK(std::isnan(t.at(0, 0, 1.5999).energy));
  CHECK(std::isnan(t.at(0, 0, 0.01).force_over_r));
  CHECK_FALSE(std::isnan(t.at(0, 0, 1.6001).energy));
}

TEST_CASE("tabulated: other sections and comments are skipped", "[unit][potentials]") {
  auto const text = "# head\n\nOTHER\nN 2 BITMAP 1 2\n\n1 1 2 3 # x\n2 2 3 4\n\n" +
                    table("MORSE  # mine\nN 400 R 1.6 6.5", 400, even);
  CHECK_THAT(read(text).at(0, 0, 2.0).energy, WithinRel(morse(2.0), 1e-6));
}

TEST_CASE("tabulated: units of the file are converted", "[unit][potentials]") {
  auto const text = table("MORSE\nN 4000 R 1.6 6.5", 4000, even);
  // 1 eV = 96.48533212 kJ/mol, 1 kcal = 4.184 kJ, 1 Angstrom = 0.1 nm
  CHECK_THAT(read(text, 0.65, "metal").at(0, 0, 0.2).energy, WithinRel(96.48533212 * morse(2.0), 1e-8));
  CHECK_THAT(read("# UNITS: metal\n" + text, 0.65).at(0, 0, 0.2).energy,
             WithinRel(96.48533212 * morse(2.0), 1e-8));
  CHECK_THAT(read(text, 0.65, "real").at(0, 0, 0.2).energy, WithinRel(4.184 * morse(2.0), 1e-8));
  CHECK_THAT(read(text, 0.65, "real").at(0, 0, 0.2).force_over_r * 0.2,
             WithinRel(41.84 * morse_force(2.0), 1e-8));
  CHECK_THAT(read("# UNITS: metal\n" + text, 6.5, "internal").at(0, 0, 2.0).energy,
             WithinRel(morse(2.0), 1e-8));
  CHECK_THAT(fault(text, 6.5, "cgs"), ContainsSubstring("is in units \"cgs\""));
}

TEST_CASE("tabulated: what is wrong with a file is said with its line", "[unit][potentials]") {
  auto const rows = [](std::string const& header) { return table(header, 8, even); };
  CHECK_THAT(fault(""), ContainsSubstring("has no section \"MORSE\""));
  CHECK_THAT(fault(rows("ELSE\nN 8")), ContainsSubstring("Use one of: ELSE"));
  CHECK_THAT(fault("MORSE\n"), ContainsSubstring("ends after its keyword"));
  CHECK_THAT(fault(rows("MORSE\nR 1.6 6.5")), ContainsSubstring("has no N"));
  CHECK_THAT(fault(rows("MORSE\nN x")), ContainsSubstring("has no valid N"));
  CHECK_THAT(fault(rows("MORSE\nN 8 BITMAP 1.6 6.5")),
             ContainsSubstring(":2 \"BITMAP\" tables are not supported"));
  CHECK_THAT(fault(rows("MORSE\nN 8 Q 1")), ContainsSubstring("\"Q\" is no keyword"));
  CHECK_THAT(fault(rows("MORSE\nN 9")), ContainsSubstring("ends after 8 of 9 rows"));
  CHECK_THAT(fault("MORSE\nN 3\n\n1 1 3 1\n2 2 2 1\n3 3 1 1\n"), ContainsSubstring("has only 3 rows"));
  CHECK_THAT(fault("MORSE\nN 4\n\n1 1 4 1\n2 2 3\n"), ContainsSubstring(":5 has too few values"));
  CHECK_THAT(fault("MORSE\nN 4\n\n1 1 4 1\n2 2 nan 1\n"),
             ContainsSubstring(":5 \"nan\" is not a finite number"));
  CHECK_THAT(fault("MORSE\nN 4\n\n1 2 4 1\n2 2 3 1\n"),
             ContainsSubstring(":5 has the distance 2, not above"));
  CHECK_THAT(fault("MORSE\nN 4 R 1 4\n\n1 1 4 1\n2 2.5 3 1\n"),
             ContainsSubstring(":5 lists the distance 2.5, but the N line makes it 2"));
  CHECK_THAT(fault("MORSE\nN 4\n\n1 1 4 -1\n2 2 3 -1\n3 3 2 -1\n4 4 1 -1\n", 4),
             ContainsSubstring("not minus the slope"));
  CHECK_THAT(fault(rows("MORSE\nN 8"), 7), ContainsSubstring("covers 1.6 to 6.5, but the cutoff is 7"));
  PairOptions o;
  o.potential = PairPotential::tabulated;
  o.cutoff = 1;
  o.coefficients = {{.species = {"A", "A"}, .file = "no/such/file", .keyword = "X"}};
  CHECK_THROWS_WITH(make_pair_table(o, one, 1, exact), ContainsSubstring("no/such/file can't be opened"));
}

TEST_CASE("tabulated: a shallow outer well does not hide a deep inner one", "[unit][potentials]") {
  std::string text = "P\nN 1000 R 2 6\n\n";
  char line[120];
  for (int i = 0; i < 1000; ++i) {  // -1 at 3, a barrier at 4, -0.001 at 5
    double const r = 2 + 4 * i / 999.0;
    double u = 0, f = 0;
    for (auto const& [height, center] :
         {std::pair{-1.0, 3.0}, std::pair{0.05, 4.0}, std::pair{-0.001, 5.0}}) {
      double const d = r - center, bump = height * std::exp(-d * d / 0.08);
      u += bump;
      f += bump * 2 * d / 0.08;
    }
    std::snprintf(line, sizeof line, "%d %.15g %.15e %.15e\n", i + 1, r, u, f);
    text += line;
  }
  File const file(text);
  PairOptions o;
  o.potential = PairPotential::tabulated;
  o.cutoff = 6;
  o.coefficients = {{.species = {"A", "A"}, .file = file.path, .keyword = "P"}};
  CHECK(choose_scales({&o, 1}, one, Precision::mixed, 0, 0.1).narrow_energy() >= 10);
}
