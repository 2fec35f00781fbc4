// SPDX-License-Identifier: Apache-2.0
#include "app/structure.hpp"

#include <unistd.h>

#include <algorithm>
#include <catch2/catch_test_macros.hpp>
#include <catch2/matchers/catch_matchers_floating_point.hpp>
#include <cmath>
#include <cstdio>
#include <filesystem>
#include <fstream>

#include "base/error.hpp"

using namespace lockstep;
using Catch::Matchers::WithinRel;

namespace {

std::string const head = R"(units = "lj"
seed = 11
[[species]]
name = "A"
mass = 1.0
[[species]]
name = "B"
mass = 3.0
[[pair]]
potential = "lennard_jones"
cutoff = 2.5
mixing = "geometric"
coefficients = [
  { species = ["A", "A"], epsilon = 1, sigma = 1 },
  { species = ["B", "B"], epsilon = 1, sigma = 1 },
]
)";

RunInput lattice(std::string const& text) {
  return parse_run_input(head + "[system]\nlattice = " + text + "\n", "run.toml", {});
}

std::vector<Site> sites_of(Structure const& s) {
  std::vector<Site> sites;
  for (std::int64_t k = 0; k < s.n_particles; ++k) sites.push_back(s.site(k));
  return sites;
}

double least_distance(Structure const& s) {
  double least = 1e30;
  auto const sites = sites_of(s);
  for (std::size_t i = 0; i < sites.size(); ++i)
    for (std::size_t j = 0; j < i; ++j) {
      double r2 = 0;
      for (int d = 0; d < 3; ++d) {
        double const delta = sites[i].position[d] - sites[j].position[d];
        r2 += std::pow(delta - s.edges[d] * std::round(delta / s.edges[d]), 2);
      }
      least = std::min(least, r2);
    }
  return std::sqrt(least);
}

std::string text_of(RunInput const& in) {
  try {
    make_structure(in);
  } catch (InputError const& e) { return e.what(); }
  return {};
}

/// A data file and an input that names it, removed at the end.
struct DataFile {
  std::filesystem::path folder;
  inline static int files = 0;  // with the process id: tests run side by side
  explicit DataFile(std::string const& text) {
    folder = std::filesystem::temp_directory_path() /
             ("lockstep_structure_" + std::to_string(getpid()) + "_" + std::to_string(files++));
    std::filesystem::create_directories(folder);
    std::ofstream(folder / "x.data") << text;
  }
  DataFile(DataFile const&) = delete;
  DataFile& operator=(DataFile const&) = delete;
  ~DataFile() { std::filesystem::remove_all(folder); }
  RunInput input(std::string const& text) const {
    return parse_run_input(text, (folder / "run.toml").string(), {});
  }
};

}  // namespace

// Nearest distances of the ideal crystals, with a = (basis / density)^(1/3).
TEST_CASE("structure: crystals have their count, density and nearest distance", "[unit][app]") {
  struct Case {
    char const* kind;
    double basis, nearest;
  };
  for (auto const& c : {Case{"sc", 1, 1}, Case{"bcc", 2, std::sqrt(0.75)}, Case{"fcc", 4, std::sqrt(0.5)},
                        Case{"diamond", 8, std::sqrt(3.0) / 4}}) {
    auto const s = make_structure(
        lattice(std::string("{ kind = \"") + c.kind + "\", density = 0.8, cells = [3, 4, 5] }"));
    INFO(c.kind);
    CHECK(s.n_particles == std::int64_t(60 * c.basis));
    CHECK_THAT(double(s.n_particles) / s.volume(), WithinRel(0.8, 1e-14));
    CHECK_THAT(least_distance(s), WithinRel(std::cbrt(c.basis / 0.8) * c.nearest, 1e-12));
  }
}

TEST_CASE("structure: ids run over x, then y, then z, the basis innermost", "[unit][app]") {
  auto const s = make_structure(lattice("{ kind = \"fcc\", density = 4, cells = [2, 3, 4] }"));  // a = 1
  auto const at = [&](std::int64_t id) { return s.site(id - 1).position; };
  CHECK(at(1) == Vec3<double>{0, 0, 0});
  CHECK(at(2) == Vec3<double>{0.5, 0.5, 0});
  CHECK(at(3) == Vec3<double>{0.5, 0, 0.5});
  CHECK(at(4) == Vec3<double>{0, 0.5, 0.5});
  CHECK(at(5) == Vec3<double>{1, 0, 0});
  CHECK(at(9) == Vec3<double>{0, 1, 0});
  CHECK(at(25) == Vec3<double>{0, 0, 1});
  CHECK(s.site(24).id == 25);
}

TEST_CASE("structure: a filled part keeps the box and sits in its middle", "[unit][app]") {
  auto const s =
      make_structure(lattice("{ kind = \"sc\", density = 1, cells = [8, 8, 8], filled = [0.5, 1.0, 0.25] }"));
  CHECK(s.edges == Vec3<double>{8, 8, 8});
  CHECK(s.n_particles == 4 * 8 * 2);
  for (auto const& site : sites_of(s)) {
    CHECK((site.position.x >= 2 && site.position.x < 6));
    CHECK((site.position.z >= 3 && site.position.z < 5));
  }
}

TEST_CASE("structure: composition is exact, follows from the seed, and is well mixed", "[unit][app]") {
  auto const in = lattice("{ kind = \"sc\", density = 1, cells = [10, 10, 10], composition = [0.8, 0.2] }");
  auto const s = make_structure(in);
  auto const count = [&](std::int64_t from, std::int64_t to) {
    int n = 0;
    for (std::int64_t k = from; k < to; ++k) n += s.site(k).species;
    return n;
  };
  CHECK(count(0, 1000) == 200);
  for (int k = 0; k < 10; ++k)
    CHECK(std::abs(count(100 * k, 100 * k + 100) - 20) < 20);  // 5 sigma of hypergeometric: 19
  auto other = in;
  other.seed = 12;
  auto const t = make_structure(other);
  int differ = 0;
  for (std::int64_t k = 0; k < 1000; ++k) differ += s.site(k).species != t.site(k).species;
  CHECK(differ > 200);  // 320 expected
}

TEST_CASE("structure: mass density counts the masses of the composition", "[unit][app]") {
  auto const s = make_structure(
      lattice("{ kind = \"sc\", mass_density = 1.5, cells = [4, 4, 4], composition = [0.75, 0.25] }"));
  CHECK_THAT(double(s.n_particles) / s.volume(), WithinRel(1.0, 1e-14));
}

TEST_CASE("structure: random particles keep their distance and follow from the seed", "[unit][app]") {
  auto const in = lattice("{ kind = \"random\", density = 0.8, particles = 500, filled = [1.0, 1.0, 0.5] }");
  auto const s = make_structure(in);
  CHECK(s.n_particles == 500);
  CHECK_THAT(500 / (s.volume() * 0.5), WithinRel(0.8, 1e-14));
  CHECK(least_distance(s) > 0.75 / std::cbrt(0.8) * (1 - 1e-12));
  for (auto const& site : sites_of(s))
    CHECK((site.position.z > 0.25 * s.edges.z && site.position.z < 0.75 * s.edges.z));
  auto other = in;
  CHECK(make_structure(other).site(499).position == s.site(499).position);
  other.seed = 12;
  CHECK_FALSE(make_structure(other).site(499).position == s.site(499).position);
}

TEST_CASE("structure: what does not fit says so", "[unit][app]") {
  auto const dense =
      text_of(lattice("{ kind = \"random\", density = 1.0, particles = 100, min_distance = 1.0 }"));
  CHECK(dense.find("the particles do not fit") != std::string::npos);
  CHECK(dense.find("at random at most 0.38") != std::string::npos);
  CHECK(dense.find("Lower min_distance below") != std::string::npos);
  auto const jammed =
      text_of(lattice("{ kind = \"random\", density = 0.72, particles = 2000, min_distance = 1.0 }"));
  CHECK(jammed.find("finds no free place") != std::string::npos);
  CHECK(text_of(lattice("{ kind = \"sc\", density = 1e-20, cells = [2, 2, 2] }")).find("an edge must be") !=
        std::string::npos);
}

namespace {

std::string const triclinic = R"(LAMMPS data file, timestep = 0, units = real

4 atoms
2 atom types
-10 10 xlo xhi
0 30 ylo yhi
5 45 zlo zhi
1 2 3 xy xz yz

Masses

1 39.948
2 20.18

Atoms # charge

2 2 -0.5 10 5 6 0 0 1
1 1 0.5 -10 0 5 -1 0 0
4 1 0 12 31 46
3 1 0 -10 0 5

Velocities

1 0.01 0 0
2 0 -0.02 0
3 0 0 0.03
4 0 0 0
)";
std::string const argon = R"([system]
file = "x.data"
[[pair]]
potential = "lennard_jones"
cutoff = "1 nm"
mixing = "geometric"
coefficients = [
  { species = ["1", "1"], epsilon = "1 kJ/mol", sigma = "0.34 nm" },
  { species = ["2", "2"], epsilon = "1 kJ/mol", sigma = "0.3 nm" },
]
)";

}  // namespace

TEST_CASE("structure: a LAMMPS file in real units arrives in nm and ps, its corner at 0", "[unit][app]") {
  DataFile const file(triclinic);
  RunInput const in = file.input(argon);
  CHECK(in.system.file_units == FileUnits::real);
  CHECK(in.species[1].name == "2");
  CHECK(in.species[1].mass == 20.18);
  auto const s = make_structure(in);
  CHECK(s.edges == Vec3<double>{2, 3, 4});
  CHECK((s.bx == 0.1 && s.cx == 0.2 && s.cy == 0.3));
  CHECK(s.site(0).position == Vec3<double>{0, 0, 0});
  CHECK(s.site(0).image == Vec3<std::int32_t>{-1, 0, 0});
  CHECK(s.site(1).position == Vec3<double>{2, 0.5, 0.1});
  CHECK(s.site(1).charge == -0.5);
  CHECK(s.site(1).velocity == Vec3<double>{0, -2, 0});
  CHECK(s.has_velocities);
}

TEST_CASE("structure: [[species]] may set the masses of a file, not its types", "[unit][app]") {
  DataFile const file(triclinic);
  CHECK(file.input(argon + "[[species]]\nname = \"2\"\nmass = \"4 amu\"\n").species[1].mass == 4.0);
  try {
    file.input(argon + "[[species]]\nname = \"3\"\nmass = \"4 amu\"\n");
    FAIL("read");
  } catch (InputError const& e) {
    CHECK(std::string(e.what()).find("= \"3\" is not a type of x.data") != std::string::npos);
  }
}

TEST_CASE("structure: units of the file and of the input must agree", "[unit][app]") {
  auto const message = [](std::string text, std::string const& input) {
    try {
      DataFile(text).input(input);
    } catch (InputError const& e) { return std::string(e.what()); }
    return std::string();
  };
  std::string unknown = triclinic;
  unknown.replace(0, unknown.find('\n'), "a file");
  CHECK(message(unknown, argon).find("does not say in which units") != std::string::npos);
  std::string lj = triclinic;
  lj.replace(lj.find("real"), 4, "lj");
  CHECK(message(lj, argon).find("does not say in which units") != std::string::npos);
  CHECK(message(lj, "[system]\nfile_units = \"real\"\n" + argon.substr(9)).find("means units lj") !=
        std::string::npos);
  CHECK(message(unknown, "[system]\nfile_units = \"metal\"\n" + argon.substr(9)).empty());
}

TEST_CASE("structure: the hash follows the content of the file", "[unit][app]") {
  std::string const a = DataFile(triclinic).input(argon).hash;
  CHECK(DataFile(triclinic).input(argon).hash == a);
  std::string changed = triclinic;
  changed.replace(changed.find("0.03"), 4, "0.04");
  CHECK(DataFile(changed).input(argon).hash != a);
}

TEST_CASE("structure: placing wraps particles, keeps where they are, and deals ids to ranks", "[unit][app]") {
  DataFile const file(triclinic);
  Comm const comm;
  auto const s = make_structure(file.input(argon));
  State state;
  state.scales.window_shift = 15;
  place(s, comm, state);
  CHECK(state.n_particles == 4);
  CHECK(comm.sum(std::int64_t(state.n_owned)) == 4);
  CHECK(state.masses == std::vector{39.948, 20.18});
  for (int d = 0; d < 3; ++d) CHECK(state.box.edge(d) % (1 << 15) == 0);
  for (LocalIndex i = 0; i < state.n_owned; ++i) {
    Particle const p = state.particle(i);
    Site const site = s.site(p.id - 1);
    CHECK(i + 1 + s.n_particles * comm.rank() / comm.size() == p.id);
    Vec3<std::int64_t> const unwrapped = p.x + state.box.shift(p.image), given = state.box.shift(site.image);
    for (int d = 0; d < 3; ++d) {
      CHECK((p.x[d] >= 0 && p.x[d] < state.box.edge(d)));
      CHECK(unwrapped[d] - given[d] == round_wide(site.position[d] / position_unit));
      CHECK(p.v[d] == round_wide(site.velocity[d] / velocity_unit));
    }
  }
}

TEST_CASE("structure: impossible particles are named on every rank", "[unit][app]") {
  for (auto const& [from, to, part] :
       {std::array{"12 31 46", "1e9 31 46", "particle 4 is too far outside the box"},
        std::array{"0.01 0 0", "1e6 0 0", "particle 1 is faster than 16384"},
        std::array{"-1 0 0", "2000000000 0 0", "particle 1 has the image flag 2000000000"}}) {
    std::string text = triclinic;
    text.replace(text.find(from), std::string(from).size(), to);
    DataFile const file(text);
    State state;
    try {
      place(make_structure(file.input(argon)), Comm(), state);
      FAIL("placed");
    } catch (InputError const& e) { CHECK(std::string(e.what()).find(part) != std::string::npos); }
  }
}
