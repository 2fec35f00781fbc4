// SPDX-License-Identifier: Apache-2.0
// What this binary is.
#pragma once

#include <map>
#include <string>
#include <string_view>

namespace lockstep {

std::string_view version();
/// Version, compiler and architecture in one line.
std::string_view build_info();
/// Versions of the libraries that are linked. Valid after MPI_Init.
std::map<std::string, std::string> library_versions();

}  // namespace lockstep
