// SPDX-License-Identifier: Apache-2.0
// lockstep energy: a single point as JSON.
#include <fmt/format.h>
#include <fmt/os.h>

#include <cerrno>
#include <cstring>

#include "app/commands.hpp"
#include "app/report.hpp"
#include "app/simulation.hpp"
#include "drivers/thermo.hpp"
#include "dynamics/kinetic.hpp"
#include "output/sorted.hpp"
#include "state/digest.hpp"

namespace lockstep {
namespace {

void put_units(Report& r, UnitSystem units) {
  bool const lj = units == UnitSystem::lj;
  std::string_view const energy = lj ? "epsilon" : "kJ/mol";
  r.put_in("units", "energy", energy);
  r.put_in("units", "virial", energy);
  r.put_in("units", "pressure", std::string_view(lj ? "epsilon/sigma^3" : "bar"));
  r.put_in("units", "force", std::string_view(lj ? "epsilon/sigma" : "kJ/mol/nm"));
  r.put_in("units", "length", std::string_view(lj ? "sigma" : "nm"));
}

std::string report(Engine const& engine, std::string_view digest) {
  State const& s = engine.state;
  Potential const p = engine.potential();
  Kinetic const k = kinetic(engine.comm(), s);
  double const volume = s.box.volume();
  double const unit = engine.options().units == UnitSystem::physical ? bar_per_kj_per_mol_nm3 : 1.0;
  double const trace = p.virial[0] + p.virial[1] + p.virial[2];
  Report r;
  r.put("potential_energy", p.energy);
  for (auto const& [name, value] : p.terms) r.put_in("terms", name, value);
  r.put("virial", p.virial);
  r.put("tail_virial", 3.0 * p.tail_pressure * volume);
  r.put("kinetic_energy", k.energy);
  r.put("pressure", ((2.0 * k.energy + trace) / (3.0 * volume) + p.tail_pressure) * unit);
  r.put("n_particles", s.n_particles);
  r.put("volume", volume);
  put_units(r, engine.options().units);
  r.put("digest", digest);
  return r.text();
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
  std::string const json = report(engine, state_digest(comm, engine.state).hex());
  if (comm.root()) fmt::print("{}\n", json);
  return ExitCode::done;
}

}  // namespace lockstep
