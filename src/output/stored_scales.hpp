// SPDX-License-Identifier: Apache-2.0
// Scales as the attribute `scales` of a file.
#pragma once

#include <string>

#include "base/scales.hpp"
#include "output/hdf5.hpp"

namespace lockstep {

/// Six integers: precision, force, energy and virial bits, window shift, log2 of addends.
void write_scales(hid_t object, Scales const& scales);
/// @param problem left empty if all is well, else what is wrong with them. @throws ResourceError if there are
/// none, or they are no integers.
Scales read_scales(hid_t object, std::string& problem);

}  // namespace lockstep
