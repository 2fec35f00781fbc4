// SPDX-License-Identifier: Apache-2.0
// Thermodynamic numbers from exact sums.
#include "drivers/thermo.hpp"

#include <string>

#include "dynamics/kinetic.hpp"

namespace lockstep {
namespace {

/// kT and the kinetic part of the pressure tensor times the volume: of velocities, or of the ensemble.
struct Thermal {
  bool configurational;
  double energy, kT;
  double tensor[6];
};

Thermal thermal(Engine const& engine, std::int64_t dof, double configurational_kT) {
  State const& s = engine.state;
  if (configurational_kT > 0) {
    double const ideal = double(s.n_particles) * configurational_kT;
    return {true, 0, configurational_kT, {ideal, ideal, ideal, 0, 0, 0}};
  }
  Kinetic const k = kinetic(engine.comm(), s);
  Thermal t{false, k.energy, kinetic_temperature(k.energy, dof), {}};
  for (std::size_t a = 0; a < 6; ++a) t.tensor[a] = k.tensor[a];
  return t;
}

}  // namespace

Quantities thermodynamics(Engine const& engine, std::int64_t dof, double configurational_kT) {
  bool const physical = engine.options().units == UnitSystem::physical;
  Potential const potential = engine.potential();
  Thermal const t = thermal(engine, dof, configurational_kT);
  double const volume = engine.state.box.volume();
  double const pressure_unit = physical ? bar_per_kj_per_mol_nm3 : 1.0;
  Quantities row;
  row.emplace_back("potential_energy", potential.energy);
  if (potential.terms.size() > 1)
    for (auto const& [name, value] : potential.terms) row.emplace_back(name, value);
  if (!t.configurational) {
    row.emplace_back("kinetic_energy", t.energy);
    row.emplace_back("total_energy", potential.energy + t.energy);
  }
  row.emplace_back("temperature", physical ? t.kT / boltzmann_kj_per_mol_kelvin : t.kT);
  double tensor[6];
  for (std::size_t a = 0; a < 6; ++a)
    tensor[a] = ((t.tensor[a] + potential.virial[a]) / volume + (a < 3 ? potential.tail_pressure : 0.0)) *
                pressure_unit;
  row.emplace_back("pressure", (tensor[0] + tensor[1] + tensor[2]) / 3.0);
  char const* const names[6] = {"xx", "yy", "zz", "xy", "xz", "yz"};
  for (std::size_t a = 0; a < 6; ++a) row.emplace_back(std::string("pressure_") + names[a], tensor[a]);
  row.emplace_back("volume", volume);
  return row;
}

}  // namespace lockstep
