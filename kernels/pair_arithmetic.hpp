// SPDX-License-Identifier: Apache-2.0
// The arithmetic of one pair, the same for scalars and packs: distance, truncation, conversion factors.
#pragma once

#include <bit>
#include <cstdint>
#include <type_traits>
#include <vector>

#include "kernels/pair.hpp"

namespace lockstep {

/// A PairEntry as kernels read it; T only.
template <class Potential, class T>
struct KernelEntry {
  T cutoff2, guard2, energy_shift, force_shift, switch_from2, switch_scale;
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

  KernelTable(PairTable const& table, Scales const& scales) : n_species(table.n_species), n_pairs(n_species * n_species) {
    values.resize(std::size_t(entry_size<Potential> * n_pairs));
    for (int pair = 0; pair < n_pairs; ++pair) {
      PairEntry const& e = table.entries[std::size_t(pair)];
      std::array<double, entry_size<Potential>> row{};
      if (e.interacts) {
        double const cutoff2 = e.cutoff * e.cutoff, on2 = e.switch_from * e.switch_from, width = cutoff2 - on2;
        // U_fs(r) = U(r) - U(rc) - (r - rc) U'(rc): the constants of r^0 go into one
        double const constant = e.energy_shift + e.cutoff * e.force_shift;
        row = {cutoff2, e.guard * e.guard, constant, e.force_shift, on2, 1.0 / (width * width * width)};
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
    for (int k = 0; k < entry_size<Potential>; ++k) row[std::size_t(k)] = values[std::size_t(k * n_pairs + pair)];
    return std::bit_cast<KernelEntry<Potential, Real>>(row);
  }
};

/// The potential with its truncation: energy (if used) and force_over_r at r2 < cutoff2. `truncation` is shift for cut,
/// too: its energy_shift is then 0.
template <class Potential, Truncation truncation, class T, class Shared>
LOCKSTEP_FUNCTION PairTerm<T> truncated(T r2, KernelEntry<Potential, T> const& e, Shared const& shared) {
  PairTerm<T> term;
  if constexpr (requires { Potential::at(r2, e.p, shared); }) {
    term = Potential::at(r2, e.p, shared);
  } else {
    term = Potential::at(r2, e.p);
  }
  if constexpr (truncation == Truncation::force_shift) {
    T const r = sqrt(r2);
    return {term.energy - e.energy_shift + r * e.force_shift, term.force_over_r - e.force_shift / r};
  } else if constexpr (truncation == Truncation::switch_) {
    T const a = e.cutoff2 - r2, b = r2 - e.switch_from2;
    T const value = a * a * e.switch_scale * fma(T(3), b, a);
    T const slope_over_r = T(-12) * a * b * e.switch_scale;
    auto const on = r2 > e.switch_from2;
    return {select(on, term.energy * value, term.energy),
            select(on, fma(term.force_over_r, value, -(term.energy * slope_over_r)), term.force_over_r)};
  } else {
    return {term.energy - e.energy_shift, term.force_over_r};
  }
}

}  // namespace lockstep
