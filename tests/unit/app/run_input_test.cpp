// SPDX-License-Identifier: Apache-2.0
#include "app/run_input.hpp"

#include <algorithm>
#include <catch2/catch_test_macros.hpp>
#include <filesystem>
#include <fstream>
#include <sstream>

#include "base/error.hpp"
#include "input/text_file.hpp"

using namespace lockstep;

namespace {

std::string const argon = R"(seed = 3
[system]
lattice = { kind = "fcc", mass_density = "1.374 g/cm^3", cells = [6, 6, 6] }
temperature = "94.4 K"
[[species]]
name = "Ar"
mass = "39.948 amu"
[[pair]]
potential = "lennard_jones"
cutoff = "8.5 angstrom"
coefficients = [ { species = ["Ar", "Ar"], epsilon = "119.8 kB*K", sigma = "3.405 angstrom" } ]
[[stage]]
name = "first"
method = "md"
integrator = "langevin"
timestep = "2 fs"
steps = 100
langevin = { temperature = "94.4 K", friction = "1/ps" }
[[stage]]
method = "minimize"
steps = 10
)";

RunInput read(std::string const& text, std::vector<std::string> const& set = {}) {
  return parse_run_input(text, "run.toml", set);
}

std::vector<Diagnostic> faults_of(std::string const& text, std::string const& path,
                                  std::vector<std::string> const& set) {
  try {
    parse_run_input(text, path, set);
  } catch (InputError const& e) { return e.diagnostics(); }
  return {};
}

/// The `# expect:` lines of a bad input, each followed by its `# expect+:` lines; and its `# set:` lines.
struct Expected {
  std::vector<std::vector<std::string>> faults;
  std::vector<std::string> set;
};

Expected expected_of(std::string const& text) {
  Expected expected;
  std::istringstream lines(text);
  for (std::string line; std::getline(lines, line);) {
    if (line.starts_with("# expect: ")) expected.faults.push_back({line.substr(10)});
    if (line.starts_with("# expect+: ")) expected.faults.back().push_back(line.substr(11));
    if (line.starts_with("# set: ")) expected.set.push_back(line.substr(7));
  }
  return expected;
}

}  // namespace

TEST_CASE("run input: every bad input gets exactly the expected messages", "[unit][app]") {
  int files = 0;
  for (auto const& entry : std::filesystem::directory_iterator(LOCKSTEP_BAD_INPUTS)) {
    std::string const text = read_text_file(entry.path().string()).text;
    Expected const expected = expected_of(text);
    std::string const name = entry.path().filename().string();
    auto const faults = faults_of(text, name, expected.set);
    std::string all;
    for (auto const& f : faults) all += f.text() + "\n";
    INFO(name << "\n" << all);
    CHECK(faults.size() == expected.faults.size());
    for (auto const& parts : expected.faults) {
      bool const found = std::any_of(faults.begin(), faults.end(), [&](Diagnostic const& d) {
        return std::all_of(parts.begin(), parts.end(),
                           [&](std::string const& part) { return d.text().find(part) != std::string::npos; });
      });
      INFO(parts[0]);
      CHECK(found);
    }
    for (auto const& f : faults)
      CHECK((!f.where.empty() && !f.problem.empty() && !f.why.empty() && !f.fix.empty()));
    ++files;
  }
  CHECK(files >= 15);
}

TEST_CASE("run input: values arrive in internal units", "[unit][app]") {
  RunInput const in = read(argon);
  CHECK(in.seed == 3);
  CHECK(in.system.has_lattice);
  CHECK(in.system.temperature == 94.4);
  CHECK(in.species[0].mass == 39.948);
  CHECK(in.pairs[0].cutoff == 0.85);
  CHECK(in.pairs[0].coefficients[0].values[0] == 0.996072621654758152);
  CHECK(in.pairs[0].coefficients[0].values[1] == 0.3405);
  CHECK(in.stages[0].timestep == 0.002);
  CHECK(in.stages[0].integrator == Integrator::langevin);
  CHECK(in.stages[0].langevin.friction == 1.0);
  CHECK(in.stages[1].method == Method::minimize);
  CHECK(in.output.checkpoint.every == 600.0);
  CHECK(in.kT(100) == 0.831446261815324);
}

TEST_CASE("run input: the resolved input reads back to itself and to the same hash", "[unit][app]") {
  std::vector<std::string> texts{argon};
  for (auto const& entry : std::filesystem::directory_iterator(LOCKSTEP_INPUTS))
    if (entry.is_directory()) texts.push_back(read_text_file((entry.path() / "run.toml").string()).text);
  CHECK(texts.size() >= 6);
  for (auto const& text : texts) {
    RunInput const in = read(text), again = read(in.resolved);
    CHECK(again.resolved == in.resolved);
    CHECK(again.hash == in.hash);
    CHECK(in.hash.size() == 32);
  }
}

TEST_CASE("run input: the hash changes with what decides the trajectory, and with nothing else",
          "[unit][app]") {
  std::string const hash = read(argon).hash;
  for (char const* same :
       {"title=other", "output.directory=elsewhere", "output.log.every=7", "neighbor.skin='1 angstrom'",
        "stage.0.name=second", "output.checkpoint.every='1 h'", "stage.0.timestep='0.002 ps'"})
    CHECK(read(argon, {same}).hash == hash);
  for (char const* other :
       {"seed=4", "precision=double", "system.temperature='94.5 K'", "system.lattice.cells=[6,6,7]",
        "species.0.mass='40 amu'", "pair.0.cutoff='8.6 angstrom'", "pair.0.truncation=shift",
        "pair.0.coefficients.0.epsilon='1 kJ/mol'", "stage.0.steps=101", "stage.0.timestep='1 fs'",
        "stage.0.langevin.friction='2/ps'", "stage.1.fire.max_displacement='1 pm'"})
    CHECK(read(argon, {other}).hash != hash);
}

TEST_CASE("run input: --set takes TOML values and bare words, and reaches into lists", "[unit][app]") {
  RunInput const in =
      read(argon, {"stage.0.steps=300", "title=a b", "output.trajectory={ every = 5, fields = [\"image\"] }",
                   "stage.0.langevin.friction=2/ps", "stage.1.fire.force_tolerance='1 pN'"});
  CHECK(in.stages[0].steps == 300);
  CHECK(in.title == "a b");
  CHECK(in.output.trajectory.every == 5);
  CHECK(in.output.trajectory.fields_written == std::vector{TrajectoryField::image});
  CHECK(in.stages[0].langevin.friction == 2.0);
  CHECK(in.stages[1].fire.force_tolerance == 0.602214076);
}

TEST_CASE("run input: an unreadable file says why and where", "[unit][app]") {
  for (auto const& [path, part] :
       {std::pair{"nowhere/run.toml", "No such file or directory"}, std::pair{"/", "it is a folder"},
        std::pair{"/dev/zero", "it is not a regular file"}}) {
    try {
      read_run_input(path, {});
      FAIL("read");
    } catch (InputError const& e) {
      std::string const text = e.what();
      INFO(text);
      CHECK(text.find(path) == 0);
      CHECK(text.find(part) != std::string::npos);
      CHECK(text.find("fix: ") != std::string::npos);
    }
  }
}

TEST_CASE("run input: the seed is needed only where something is random", "[unit][app]") {
  std::string const still = R"(units = "lj"
[system]
lattice = { kind = "sc", density = 1, cells = [2, 2, 2] }
[[species]]
name = "A"
mass = 1
[[pair]]
potential = "lennard_jones"
cutoff = 2.5
coefficients = [ { species = ["A", "A"], epsilon = 1, sigma = 1 } ]
[[stage]]
method = "md"
timestep = 0.005
steps = 5
)";
  CHECK(read(still).seed == 0);
  CHECK(faults_of(still, "x", {"system.temperature=1.0"}).size() == 1);
  CHECK(faults_of(still, "x", {"stage.0.method=mc"}).size() == 3);  // timestep and mc.temperature too
}

TEST_CASE("run input: a stored input needs no structure file and knows the folder of its tables",
          "[unit][app]") {
  std::string const stored = R"(units = "lj"
[system]
file = "gone.data"
file_units = "lj"
[[species]]
name = "A"
mass = 1
[[pair]]
potential = "tabulated"
cutoff = 2.5
coefficients = [ { species = ["A", "A"], file = "t.table", keyword = "X" } ]
[output]
directory = ")";
  auto const table = [&](std::string const& output, std::string const& directory) {
    return parse_stored_input(stored + output + "\"\n", directory).pairs[0].coefficients[0].file;
  };
  CHECK(table("out", "/x/y/out") == "/x/y/t.table");
  CHECK(table("out/", "/x/y/out/") == "/x/y/t.table");
  CHECK(table("runs/./a", "/x/y/runs/a") == "/x/y/t.table");
  CHECK(table("runs/a", "/x/moved/a") == "/x/moved/t.table");  // the folder above: it was moved
  CHECK(table("/x/out", "/x/out") == "/x/t.table");
  CHECK(table("../out", "/x/out") == "/x/t.table");
  CHECK(table(".", "/x/y") == "/x/y/t.table");
  CHECK(parse_stored_input(stored + "out\"\n", "/x/out").species.size() == 1);
  CHECK_THROWS_AS(parse_stored_input(stored + "out\"\ncolour = 3\n", "/x/out"), InputError);
}
