// SPDX-License-Identifier: Apache-2.0
// The thermodynamic numbers of a log row.
#pragma once

#include "drivers/stage.hpp"

namespace lockstep {

/// 1 kJ/mol/nm^3 in bar: 10^25 / N_A. @source SI of 2019
inline constexpr double bar_per_kj_per_mol_nm3 = 16.6053906717384686;

/// potential_energy, its terms, kinetic_energy, total_energy (kJ/mol or epsilon), temperature (K or
/// epsilon/k), pressure and its tensor (bar or epsilon/sigma^3), volume. The same bits on all ranks.
/// Collective.
/// @param configurational_kT if above 0, positions alone are sampled, at this kT: no kinetic energy, and the
/// pressure's ideal part is N kT / V.
Quantities thermodynamics(Engine const& engine, std::int64_t degrees_of_freedom,
                          double configurational_kT = 0);

}  // namespace lockstep
