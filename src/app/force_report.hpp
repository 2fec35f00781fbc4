// SPDX-License-Identifier: Apache-2.0
// Where two runs come apart, as seen by the force terms.
#pragma once

#include <string>

#include "output/inspect.hpp"

namespace lockstep {

/// What the forces stored in the first differing frames say: every term computed anew from the positions of
/// each side, beside what is stored, for the first particle whose force does not fit, else for the first that
/// differs; then what follows from it. If the terms can't be compared, why. One process, whatever the number
/// of ranks.
/// @cost two evaluations of each term with the portable kernels, more if a stored force does not fit
std::string explain_forces(FramesApart const& apart);

}  // namespace lockstep
