// SPDX-License-Identifier: Apache-2.0
// Thermodynamic numbers from exact sums.
#include "drivers/thermo.hpp"

#include <string>

#include "dynamics/kinetic.hpp"

namespace lockstep {

Quantities thermodynamics(Engine const& engine, std::int64_t dof) {
  State const& s = engine.state;
  bool const physical = engine.options().units == UnitSystem::physical;
  Potential const potential = engine.potential();
  Kinetic const k = kinetic(engine.comm(), s);
  double const volume = s.box.volume();
  double const pressure_unit = physical ? bar_per_kj_per_mol_nm3 : 1.0;
  double const kT = kinetic_temperature(k.energy, dof);
  Quantities row;
  row.emplace_back("potential_energy", potential.energy);
  if (potential.terms.size() > 1)
    for (auto const& [name, value] : potential.terms) row.emplace_back(name, value);
  row.emplace_back("kinetic_energy", k.energy);
  row.emplace_back("total_energy", potential.energy + k.energy);
  row.emplace_back("temperature", physical ? kT / boltzmann_kj_per_mol_kelvin : kT);
  double tensor[6];
  for (std::size_t a = 0; a < 6; ++a)
    tensor[a] = ((k.tensor[a] + potential.virial[a]) / volume + (a < 3 ? potential.tail_pressure : 0.0)) *
                pressure_unit;
  row.emplace_back("pressure", (tensor[0] + tensor[1] + tensor[2]) / 3.0);
  char const* const names[6] = {"xx", "yy", "zz", "xy", "xz", "yz"};
  for (std::size_t a = 0; a < 6; ++a) row.emplace_back(std::string("pressure_") + names[a], tensor[a]);
  row.emplace_back("volume", volume);
  return row;
}

}  // namespace lockstep
