// SPDX-License-Identifier: Apache-2.0
// The arithmetic of one pair, the same for scalars and packs: distance, truncation, conversion factors.
#pragma once

#include <bit>
#include <cstdint>
#include <type_traits>
#include <vector>

#include "kernels/pair.hpp"
#include "potentials/truncation.hpp"

namespace lockstep {

/// A PairEntry as kernels read it; T only.
template <class Potential, class T>
struct KernelEntry {
  T cutoff2, guard2;
  TruncationPair<T> truncation;
  typename Potential::template Pair<T> p;
};

template <class Potential>
inline constexpr int entry_size = int(sizeof(KernelEntry<Potential, double>) / sizeof(double));

/// All pairs of species, parameter by parameter: values[k * n_pairs + pair].
template <class Potential, class Real>
struct KernelTable {
  int n_species = 1, n_pairs = 1;
  std::vector<Real> values;
  std::vector<Real> shared;
  Real length2;        ///< square of the length of one coordinate unit: exact, a power of two
  Real energy_factor;  ///< energy units per scaled energy: a power of two
  Real virial_factor;  ///< virial units per (force unit x coordinate unit): a power of two

  KernelTable(PairTable const& table, Scales const& scales)
      : n_species(table.n_species), n_pairs(n_species * n_species) {
    values.resize(std::size_t(entry_size<Potential> * n_pairs));
    for (int pair = 0; pair < n_pairs; ++pair) {
      PairEntry const& e = table.entries[std::size_t(pair)];
      std::array<double, entry_size<Potential>> row{};
      if (e.interacts) {
        auto const t = truncation_pair(e);
        row = {e.cutoff * e.cutoff, e.guard * e.guard, t.constant,
               t.force_shift,       t.switch_from2,    t.inverse_switch_width};
        for (int k = 6; k < entry_size<Potential>; ++k) row[std::size_t(k)] = e.p[std::size_t(k - 6)];
      }
      for (int k = 0; k < entry_size<Potential>; ++k)
        values[std::size_t(k * n_pairs + pair)] = static_cast<Real>(row[std::size_t(k)]);
    }
    shared.assign(table.shared.begin(), table.shared.end());
    int const coordinate_bits = position_bits - scales.window_shift;
    length2 = static_cast<Real>(exp2i(-2 * coordinate_bits));
    energy_factor = static_cast<Real>(exp2i(scales.energy_bits) / table.energy_scale);
    virial_factor = static_cast<Real>(exp2i(scales.virial_bits - scales.force_bits - coordinate_bits));
  }
  KernelEntry<Potential, Real> entry(int pair) const {
    std::array<Real, entry_size<Potential>> row;
    for (int k = 0; k < entry_size<Potential>; ++k)
      row[std::size_t(k)] = values[std::size_t(k * n_pairs + pair)];
    return std::bit_cast<KernelEntry<Potential, Real>>(row);
  }
};

/// The potential with its truncation at r2 < cutoff2; a cut is a shift by nothing, to have one kernel less.
template <class Potential, Truncation truncation, class T, class Shared>
LOCKSTEP_FUNCTION PairTerm<T> pair_term(T r2, KernelEntry<Potential, T> const& e, Shared const& shared) {
  return truncated<truncation>(evaluate<Potential>(r2, e.p, shared), r2, e.truncation);
}

}  // namespace lockstep
