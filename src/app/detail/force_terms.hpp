// SPDX-License-Identifier: Apache-2.0
// The force that each [[pair]] section gives to the particles of a stored frame, computed by this process
// alone.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "app/run_input.hpp"
#include "base/scales.hpp"
#include "base/vec3.hpp"
#include "kernels/pair.hpp"
#include "potentials/pair_table.hpp"
#include "state/state.hpp"

namespace lockstep::detail {

using Forces = std::vector<Vec3<std::int64_t>>;  ///< force units, one per particle

/// One [[pair]] section.
struct ForceTerm {
  std::string name;  ///< "pair 1 (lennard_jones)"
  PairTable table;
};

/// Everything but the particles.
struct ForceField {
  std::vector<ForceTerm> terms;
  std::vector<double> masses;  ///< [n_species]
  Scales scales;
  UnitSystem units = UnitSystem::physical;
  /// @param scales of the run: those decide the bits. @throws InputError
  ForceField(RunInput const& in, Scales const& scales);
};

/// Who is where in a frame: exact positions, in order of ids.
struct Places {
  std::int64_t step = 0;
  Box box;
  std::vector<ParticleId> ids;
  std::vector<SpeciesId> species;
  std::vector<Vec3<std::int64_t>> x;  ///< position units
};

struct TermForces {
  Forces forces;      ///< [n]
  double energy = 0;  ///< of all pairs, true units
};

/// What each term gives, [n_terms]. The sum over terms is what a run with these kernels has as forces, bit
/// for bit. @throws SimulationError if particles overlap, ResourceError if this machine lacks these kernels.
std::vector<TermForces> term_forces(ForceField const& field, Places const& places, KernelWidth width);

Forces sum_of(std::vector<TermForces> const& terms, std::size_t n);
/// a - b, modulo 2^64.
Forces difference(Forces const& a, Forces const& b);

}  // namespace lockstep::detail
