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

/// What the kernels need of one pair of species. Lengths in nm or sigma; everything that holds an energy
/// (both shifts and `p`) is already multiplied by PairTable::energy_scale. truncation.hpp says how the shifts
/// enter.
struct PairEntry {
  bool interacts = false;                    ///< false: not listed here, or all its energies are 0
  double cutoff = 0;                         ///< 0 if the pair does not interact
  double guard = 0;                          ///< pairs nearer than this go the wide way (mixed only; 0: none)
  double energy_shift = 0;                   ///< U(cutoff) (shift, force_shift)
  double force_shift = 0;                    ///< F(cutoff) = -U'(cutoff) (force_shift)
  double switch_from = 0;                    ///< (switch)
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
  /// Energy (in true units, truncation included) and -U'(r)/r of a pair at distance r, in double; 0 from the
  /// cutoff on.
  PairTerm<double> at(int i, int j, double r) const;
};

/// Entries of all pairs of species, energies times `energy_scale` (a power of two), guards for `scales`.
/// @throws InputError for missing, contradicting or unknown pairs; all of them at once.
PairTable make_pair_table(PairOptions const& options, std::span<std::string const> species,
                          double energy_scale, Scales const& scales);
/// The tables of several sections. A pair of species must be listed (or mixed) in one of them at least; where
/// a section does not list it, its entry there does not interact.
/// @throws InputError with the faults of all sections.
std::vector<PairTable> make_pair_tables(std::span<PairOptions const> sections,
                                        std::span<std::string const> species, double energy_scale,
                                        Scales const& scales);

/// Energy and pressure of all pairs beyond the cutoffs at uniform density, g(r) = 1:
/// U = 2 pi / V sum_ij N_i N_j I_ij, p = 2 pi / (3 V^2) sum_ij N_i N_j W_ij over ordered pairs of species, I
/// and W the integrals of r^2 U and r^3 F from the cutoff to infinity. @source Allen, Tildesley, 2nd ed.,
/// eq. 2.144, 2.146
/// @param counts [n_species] particles per species. @param volume nm^3 or sigma^3.
struct TailCorrection {
  double energy = 0;    ///< kJ/mol or epsilon
  double pressure = 0;  ///< kJ/mol/nm^3 or epsilon/sigma^3
};
TailCorrection tail_correction(PairTable const& table, std::span<std::int64_t const> counts, double volume);

/// Units of forces, energies and virials for these pairs, and the window. Depends on nothing but the
/// arguments, all of which come from the input. The steepest pair is taken at energy E = 10 epsilon or 10 kT,
/// whichever is larger (epsilon: depth of its well; without a well kT): F_guard is the power of two nearest
/// to its force there, n_max the power of two >= twice the partners within 1.25 cutoffs at `density` (128 to
/// 65536), the force unit F_guard n_max / 2^31; energies are narrow up to a power of two
/// >= 2 E, virials up to one >= 2 F_guard r. In double all three units are 2^-22 finer and the window shift
/// is 0.
/// @param kT of the hottest stage. @param density particles per volume. @throws InputError as
/// make_pair_tables.
Scales choose_scales(std::span<PairOptions const> pairs, std::span<std::string const> species,
                     Precision precision, double kT, double density);

}  // namespace lockstep
