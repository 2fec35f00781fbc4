// SPDX-License-Identifier: Apache-2.0
// Walks along the distance of one pair, from the cutoff inward.
#pragma once

#include "potentials/detail/pair_functions.hpp"
#include "potentials/pair_table.hpp"

namespace lockstep::detail {

/// Each step shortens the distance by this factor. 2^-12: a function with |d ln f / d ln r| <= 64 changes by
/// less than 2^-6 within a step.
inline constexpr double scan_factor = 1 - 0x1p-12;
/// The walk ends at this fraction of the cutoff.
inline constexpr double scan_end = 0x1p-12;

/// Truncated energy and force of an entry in its own (scaled) energies.
PairTerm<double> entry_at(PairTable const& table, PairEntry const& entry, double r2);
/// The same in float, as the narrow kernels compute it.
PairTerm<float> entry_at_float(PairTable const& table, PairEntry const& entry, double r2);

/// The largest distance from which inward the entry may leave the narrow ranges of `scales`.
///
/// The scan goes inward on r_k = cutoff (1 - 2^-12)^k and stops at the first r_k where force, energy or
/// virial reaches (1 - 2^-6) of its limit or the float result is not finite; the answer is r_(k-1), the last
/// distance known to be safe. Argument: between two safe neighbors a function that is monotone there lies
/// between its two values, hence below the limit; one that is not monotone would have to grow by a factor of
/// 1/(1 - 2^-6) within a relative step of 2^-12, that is, have a logarithmic slope above 64, which no smooth
/// core outside a pole has (r^-n: n). The margin also covers the error of float arithmetic (below 2^-16
/// relative at the limit). What lies further inward does not matter: it is all computed wide. If no limit is
/// reached the answer is the end of the scan, so that coincident particles (0 x inf) are always computed
/// wide.
double guard_distance(PairTable const& table, PairEntry const& entry, Scales const& scales);

}  // namespace lockstep::detail
