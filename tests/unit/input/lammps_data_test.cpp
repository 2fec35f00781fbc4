// SPDX-License-Identifier: Apache-2.0
#include "input/lammps_data.hpp"

#include <catch2/catch_test_macros.hpp>
#include <string>

#include "base/error.hpp"

using namespace lockstep;

namespace {

std::string const good = R"(# made by hand
2 atoms
2 atom types
0 bonds
0.0 10.0 xlo xhi
0.0 +1e1 ylo yhi   # a comment
-1 1 zlo zhi

Masses

1 1.5
2 2.5  # B

Atoms

2 2 1 2 3
1 1 4 5 6
)";

std::string changed(std::string text, std::string const& from, std::string const& to) {
  auto const at = text.find(from);
  REQUIRE(at != std::string::npos);
  return text.replace(at, from.size(), to);
}

std::string message(std::string const& text) {
  try {
    read_lammps_data(text, "x.data", LammpsPart::everything);
  } catch (InputError const& e) { return e.what(); }
  return {};
}

bool says(std::string const& text, std::string const& part) {
  std::string const all = message(text);
  INFO(all);
  CHECK(all.find("fix: ") != std::string::npos);
  return all.find(part) != std::string::npos;
}

}  // namespace

TEST_CASE("lammps data: header, masses and particles are read, sorted by id", "[unit][input]") {
  auto const data = read_lammps_data(good, "x.data", LammpsPart::everything);
  CHECK(data.n_particles == 2);
  CHECK(data.style == LammpsStyle::atomic);
  CHECK(data.high == std::array{10.0, 10.0, 1.0});
  CHECK(data.types[1].mass == 2.5);
  CHECK(data.particles[0].x == std::array{4.0, 5.0, 6.0});
  CHECK(data.particles[1].type == 1);
  CHECK_FALSE(data.has_velocities);
  CHECK(read_lammps_data(good, "x.data", LammpsPart::types).particles.empty());
}

TEST_CASE("lammps data: every style is told by its comment or its columns", "[unit][input]") {
  auto const rows = [](std::string const& title, std::string const& one, std::string const& two) {
    return changed(good, "Atoms\n\n2 2 1 2 3\n1 1 4 5 6", title + "\n\n" + one + "\n" + two);
  };
  auto const read = [](std::string const& text) {
    return read_lammps_data(text, "x.data", LammpsPart::everything);
  };
  CHECK(read(rows("Atoms", "1 1 0 0 0 1 2 3", "2 1 0 0 0 4 5 6")).particles[1].image == std::array{4, 5, 6});
  auto const charge = read(rows("Atoms # charge", "1 1 -0.5 0 0 0", "2 1 0.5 0 0 0 0 0 1"));
  CHECK((charge.particles[0].charge == -0.5 && charge.particles[1].image[2] == 1));
  CHECK(read(rows("Atoms  # molecular", "1 7 1 0 0 0", "2 8 1 0 0 0")).particles[1].molecule == 8);
  auto const full = read(rows("Atoms", "1 7 1 0.1 1 2 3", "2 8 2 0.2 4 5 6"));
  CHECK(full.style == LammpsStyle::full);
  CHECK((full.particles[1].molecule == 8 && full.particles[1].charge == 0.2 && full.particles[1].type == 1));
  CHECK(says(rows("Atoms", "1 1 0 0 0 0", "2 1 0 0 0 0"), "the atom style cannot be told from 6 columns"));
  CHECK(says(rows("Atoms # body", "1 1 0 0 0 0", "2 1 0 0 0 0"), "atom style 'body' is not supported"));
  CHECK(
      says(rows("Atoms # full", "1 1 0 0 0", "2 1 0 0 0"), "atom style full has 7, or 10 with image flags"));
}

TEST_CASE("lammps data: type labels name the species", "[unit][input]") {
  auto const text =
      changed(changed(good, "Masses", "Atom Type Labels\n\n1 Ar\n2 Ne\n\nMasses"), "2 2 1 2 3", "2 Ne 1 2 3");
  auto const data = read_lammps_data(text, "x.data", LammpsPart::everything);
  CHECK(data.types[0].name == "Ar");
  CHECK(data.particles[1].type == 1);
}

TEST_CASE("lammps data: each fault has its place, reason and remedy", "[unit][input]") {
  CHECK(says("", "x.data: the file is empty"));
  CHECK(says(std::string("\x89HDF\r\n\0abc", 10), "is not a LAMMPS data file"));
  CHECK(says("x\nhello there\n",
             "x.data:2: 'hello there' is neither a header line nor the title of a section"));
  CHECK(says(changed(good, "2 atoms\n", ""), "the header has no `N atoms` line"));
  CHECK(says(changed(good, "2 atoms", "2 atoms\n2 atoms"), "the count is given twice"));
  CHECK(says(changed(good, "2 atoms", "0 atoms"), "there is nothing to simulate"));
  CHECK(says(changed(good, "2 atoms", "2000000000000 atoms"), "it is cut short"));
  CHECK(says(changed(good, "2 atom types", "2000000000 atom types"), "it must be 1 to 100000"));
  CHECK(says(changed(good, "0 bonds", "3 bonds"), "the file has 3 bonds"));
  CHECK(says(changed(good, "0.0 10.0 xlo xhi\n", ""), "no `xlo xhi` line"));
  CHECK(says(changed(good, "-1 1 zlo", "1 -1 zlo"), "the box runs from 1 to -1"));
  CHECK(says(changed(good, "-1 1 zlo", "nan 1 zlo"), "its length must be above 0"));
  CHECK(says(changed(good, "-1 1 zlo zhi", "-1 1 zlo zhi\n0 inf 0 xy xz yz"), "a tilt factor is not finite"));
  CHECK(says(changed(good, "1 1.5", "1 -1.5"), "x.data:11: this is not `type mass`"));
  CHECK(says(changed(good, "2 2.5", "3 2.5"), "there is no atom type 3"));
  CHECK(says(changed(good, "2 2 1 2 3", "2 5 1 2 3"), "x.data:16: there is no atom type 5"));
  CHECK(says(changed(good, "2 2 1 2 3", "2 2 1 nan 3"),
             "x.data:16: a value of '2 2 1 nan 3' is not a finite number"));
  CHECK(says(changed(good, "2 2 1 2 3", "2.5 2 1 2 3"), "is not a finite number of its kind"));
  CHECK(says(changed(good, "2 2 1 2 3", "1 2 1 2 3"), "id 1 is twice in section Atoms"));
  CHECK(says(changed(good, "2 2 1 2 3", "7 2 1 2 3"), "x.data:16: the id is 7"));
  CHECK(says(changed(good, "2 2 1 2 3\n", ""), "the section Atoms ends after 1 of 2 lines"));
  CHECK(says(good + "3 1 1 1 1\n", "'3 1 1 1 1' after the 2 lines of section Atoms"));
  CHECK(says(changed(good, "Masses", "Masses\n\n1 1\n2 2\n\nMasses"), "a second section Masses"));
  CHECK(says(good + "\nBonds\n\n1 1 1 2\n", "there is a section Bonds"));
  CHECK(says(good.substr(0, good.find("Atoms")), "there is no section Atoms"));
  CHECK(says(good + "\nVelocities\n\n1 0 0 0\n", "the section Velocities ends after 1 of 2 lines"));
  CHECK(says(good + "\nVelocities\n\n1 0 0 0\n2 0 0\n", "'2 0 0' is not `id vx vy vz`"));
  CHECK(says(good + "\nVelocities\n\n1 0 0 0\n1 0 0 0\n", "id 1 is twice in section Velocities"));
  CHECK(message(good + "\nPair Coeffs # lj/cut\n\n1 1 1\n2 1 1\n").empty());
}

TEST_CASE("lammps data: all faults are reported together, up to a limit", "[unit][input]") {
  std::string text = "x\n100 atoms\n1 atom types\n0 1 xlo xhi\n0 1 ylo yhi\n0 1 zlo zhi\nAtoms # atomic\n\n";
  for (int i = 1; i <= 100; ++i) text += std::to_string(i) + " 1 0 0 x\n";
  try {
    read_lammps_data(text, "x.data", LammpsPart::everything);
    FAIL("read");
  } catch (InputError const& e) { CHECK(e.diagnostics().size() == 20); }
}
