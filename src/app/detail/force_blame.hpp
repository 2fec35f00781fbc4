// SPDX-License-Identifier: Apache-2.0
// Which term explains that stored forces are not the sum of their terms.
#pragma once

#include <string>
#include <vector>

#include "app/detail/force_terms.hpp"

namespace lockstep::detail {

/// Rows whose entry is not zero.
std::vector<std::size_t> rows_with_force(Forces const& forces);

/// Sentences, one each, about `residual` (stored minus sum of terms, not all zero): the term, or the pair of
/// particles, whose absence, doubling or scaling it is; that it can't be told, if so; whether all kernels of
/// this machine agree.
/// @param terms what the portable kernels give. @cost up to one more evaluation per kernel width
std::vector<std::string> blame(ForceField const& field, Places const& places,
                               std::vector<TermForces> const& terms, Forces const& residual);

}  // namespace lockstep::detail
