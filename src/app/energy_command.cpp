// SPDX-License-Identifier: Apache-2.0
// lockstep energy: a single point as JSON.
#include <fmt/format.h>
#include <fmt/os.h>

#include <cerrno>
#include <cstring>
#include <nlohmann/json.hpp>

#include "app/commands.hpp"
#include "app/simulation.hpp"
#include "drivers/thermo.hpp"
#include "dynamics/kinetic.hpp"
#include "output/sorted.hpp"
#include "state/digest.hpp"

namespace lockstep {
namespace {

nlohmann::ordered_json units_of(UnitSystem units) {
  bool const lj = units == UnitSystem::lj;
  std::string const energy = lj ? "epsilon" : "kJ/mol";
  return {{"energy", energy},
          {"virial", energy},
          {"pressure", lj ? "epsilon/sigma^3" : "bar"},
          {"force", lj ? "epsilon/sigma" : "kJ/mol/nm"},
          {"length", lj ? "sigma" : "nm"}};
}

nlohmann::ordered_json report(Engine const& engine, std::string const& digest) {
  State const& s = engine.state;
  Potential const p = engine.potential();
  Kinetic const k = kinetic(engine.comm(), s);
  double const volume = s.box.volume();
  double const unit = engine.options().units == UnitSystem::physical ? bar_per_kj_per_mol_nm3 : 1.0;
  nlohmann::ordered_json j;
  j["potential_energy"] = p.energy;
  for (auto const& [name, value] : p.terms) j["terms"][name] = value;
  j["virial"] = p.virial;
  j["tail_virial"] = 3.0 * p.tail_pressure * volume;
  j["kinetic_energy"] = k.energy;
  double const trace = p.virial[0] + p.virial[1] + p.virial[2];
  j["pressure"] = ((2.0 * k.energy + trace) / (3.0 * volume) + p.tail_pressure) * unit;
  j["n_particles"] = s.n_particles;
  j["volume"] = volume;
  j["units"] = units_of(engine.options().units);
  j["digest"] = digest;
  return j;
}

void write_forces(Comm const& comm, State const& state, std::string const& path) {
  SortedSlice const slice = gather_by_id(comm, state);
  std::string text;
  double const unit = state.scales.force_unit();
  for (Particle const& p : slice.particles)
    text += fmt::format("{},{:.17g},{:.17g},{:.17g}\n", p.id, double(p.f.x) * unit, double(p.f.y) * unit,
                        double(p.f.z) * unit);
  auto const parts = comm.all_gather(text);
  int problem = 0;
  if (comm.root()) {
    if (std::FILE* file = std::fopen(path.c_str(), "w")) {
      std::fputs("id,fx,fy,fz\n", file);
      for (auto const& part : parts) std::fputs(part.c_str(), file);
      bool const failed = std::ferror(file) != 0;
      if (std::fclose(file) != 0 || failed) problem = errno != 0 ? errno : EIO;
    } else {
      problem = errno;
    }
  }
  problem = int(comm.max(std::int64_t(problem)));
  if (problem != 0)
    throw ResourceError(fmt::format("{}: the forces cannot be written", path), std::strerror(problem),
                        "give --forces a file in a directory that can be written");
}

}  // namespace

ExitCode energy_command(Comm const& comm, Arguments const& arguments) {
  RunInput const in = read_run_input(arguments.input, arguments.set);
  Simulation simulation = make_simulation(comm, in, arguments);
  Engine& engine = *simulation.engine;
  engine.update_forces(0, 0, true);
  if (!arguments.forces.empty()) write_forces(comm, engine.state, arguments.forces);
  auto const json = report(engine, state_digest(comm, engine.state).hex());
  if (comm.root()) fmt::print("{}\n", json.dump(2));
  return ExitCode::done;
}

}  // namespace lockstep
