// SPDX-License-Identifier: Apache-2.0
// A [[pair]] section made ready for the kernels: one entry per pair of species.
#pragma once

#include <array>
#include <span>
#include <string>
#include <vector>

#include "base/scales.hpp"
#include "potentials/pair_options.hpp"
#include "potentials/pair_term.hpp"

namespace lockstep {

/// What the kernels need of one pair of species. Lengths in nm or sigma, energies in kJ/mol or epsilon times
/// PairTable::energy_scale.
struct PairEntry {
  bool interacts = false;
  double cutoff = 0;
  double guard = 0;         ///< pairs nearer than this go the wide way (mixed only; 0: none)
  double energy_shift = 0;  ///< subtracted from the energy of every pair (shift, force_shift)
  double force_shift = 0;   ///< -U'(cutoff), subtracted from the force (force_shift)
  double switch_from = 0;   ///< (switch)
  std::array<double, max_coefficients> p{};  ///< the potential's Pair<double>, member by member
};

struct PairTable {
  PairPotential potential = PairPotential::lennard_jones;
  Truncation truncation = Truncation::cut;
  int n_species = 0;
  double energy_scale = 1;
  double max_cutoff = 0;
  std::vector<PairEntry> entries;  ///< [n_species * n_species], symmetric
  std::vector<double> shared;      ///< values of all tables (tabulated only)

  PairEntry const& entry(int i, int j) const { return entries[std::size_t(i * n_species + j)]; }
  /// Energy (in true units, shift included) and -U'(r)/r of a pair at distance r < cutoff, in double.
  PairTerm<double> at(int i, int j, double r) const;
};

/// Entries of all pairs of species, energies times `energy_scale` (a power of two), guards for `scales`.
/// @throws InputError for missing, contradicting or unknown pairs; all of them at once.
PairTable make_pair_table(PairOptions const& options, std::span<std::string const> species, double energy_scale,
                          Scales const& scales);

/// Energy (sum over all particles) and the isotropic virial trace/3 beyond the cutoffs, for uniform density.
/// @param counts [n_species] particles per species. @param volume nm^3 or sigma^3.
struct TailCorrection {
  double energy = 0;    ///< kJ/mol or epsilon
  double pressure = 0;  ///< kJ/mol/nm^3 or epsilon/sigma^3
};
TailCorrection tail_correction(PairTable const& table, std::span<std::int64_t const> counts, double volume);

/// Units of forces, energies and virials for these pairs: contract rules 2, 4 and 6. Depends on nothing but the
/// arguments, all of which come from the input. @param kT of the hottest stage. @param density particles per volume.
Scales choose_scales(std::span<PairOptions const> pairs, std::span<std::string const> species, Precision precision,
                     double kT, double density);

}  // namespace lockstep
