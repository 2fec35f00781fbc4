// SPDX-License-Identifier: Apache-2.0
// Global sums of doubles that do not depend on order, threads or ranks.
#pragma once

#include <span>
#include <vector>

#include "base/comm.hpp"

namespace lockstep {

/// The sum of all ranks' values: every value is cut to 87 binary digits below the largest magnitude (of all
/// ranks), then added as an integer, so any order and any split gives the same bits. Error: the rounding of
/// the result, plus 2^-87 of the largest magnitude per addend. NaN on all ranks if any value is NaN or
/// infinite. Fewer than 2^39 values.
/// @cost two collective reductions.
double exact_sum(Comm const& comm, std::span<double const> values);

/// The same per column. @param values [n, columns] row by row; n may differ between ranks. @returns [columns]
std::vector<double> exact_sums(Comm const& comm, std::span<double const> values, int columns);

}  // namespace lockstep
