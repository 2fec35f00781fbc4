// SPDX-License-Identifier: Apache-2.0
// Which instruction sets the SIMD kernels were built for and may run on.
#pragma once

#include <string_view>
#include <vector>

#include "kernels/pair.hpp"

namespace lockstep::simd {

/// Makes kernels created from now on use `width` (automatic: the best). @returns false where it cannot run.
bool choose(KernelWidth width);
/// The width last chosen.
KernelWidth chosen();
/// The widths that can run here, best first, portable last.
std::vector<KernelWidth> available();
std::string_view name(KernelWidth width);

}  // namespace lockstep::simd
