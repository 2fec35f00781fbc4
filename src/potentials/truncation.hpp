// SPDX-License-Identifier: Apache-2.0
// How a pair potential ends at its cutoff.
#pragma once

#include "potentials/pair_options.hpp"
#include "potentials/pair_table.hpp"
#include "potentials/pair_term.hpp"

namespace lockstep {

/// What a truncation needs of one pair, in the energies of the pair's own `p`.
template <class T>
struct TruncationPair {
  T constant, force_shift, switch_from2, inverse_switch_width;
};

/// From an entry: constant = U(rc) + rc F(rc), all that does not depend on r; the inverse of the width
/// cutoff^2 - switch_from^2, 0 for truncations without a switch.
inline TruncationPair<double> truncation_pair(PairEntry const& e) {
  double const from2 = e.switch_from * e.switch_from, width = e.cutoff * e.cutoff - from2;
  return {e.energy_shift + e.cutoff * e.force_shift, e.force_shift, from2,
          e.switch_from > 0 ? 1 / width : 0.0};
}

/// Energy and force of the truncated potential from those of the bare one, at r2 below the cutoff.
/// cut: as they are. shift: U - U(rc). force_shift: U - U(rc) + (r - rc) F(rc), F - F(rc).
/// switch: S U and its slope with x = (r2 - rs2) / (rc2 - rs2), S = (1 - x)^2 (1 + 2 x) from rs on, which is
/// the polynomial (rc2 - r2)^2 (rc2 + 2 r2 - 3 rs2) / (rc2 - rs2)^3 of CHARMM. @source
/// doi:10.1002/jcc.540040211 eq. 9
template <Truncation kind, class T>
LOCKSTEP_FUNCTION PairTerm<T> truncated(PairTerm<T> bare, T r2, TruncationPair<T> const& t) {
  if constexpr (kind == Truncation::shift) {
    return {bare.energy - t.constant, bare.force_over_r};
  } else if constexpr (kind == Truncation::force_shift) {
    T const r = sqrt(r2);
    return {fma(r, t.force_shift, bare.energy - t.constant), bare.force_over_r - t.force_shift / r};
  } else if constexpr (kind == Truncation::switch_) {
    T const x = max((r2 - t.switch_from2) * t.inverse_switch_width, T(0));
    T const y = T(1) - x;
    T const s = y * y * fma(T(2), x, T(1));
    T const minus_slope = T(12) * x * y * t.inverse_switch_width;  // -2 dS/d(r2)
    return {bare.energy * s, fma(bare.energy, minus_slope, bare.force_over_r * s)};
  } else {
    return bare;
  }
}

}  // namespace lockstep
