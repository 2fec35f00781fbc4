// SPDX-License-Identifier: Apache-2.0
// A head of 512 bytes with length and checksum, so that a file is known to be whole before anything parses
// it.
#pragma once

#include <cstdint>
#include <string>

#include "base/comm.hpp"

namespace lockstep {

inline constexpr std::int64_t seal_size = 512;
inline constexpr int checkpoint_version = 1;

/// Writes the head of a finished file whose first 512 bytes are free, and brings all of it to the disk.
/// Collective: ranks share the reading; the checksum does not depend on their number. @throws ResourceError
void seal_file(Comm const& comm, std::string const& path);

/// Checks that the file is a whole checkpoint of this version. Collective. Every damaged byte is found.
/// @throws InputError if it is something else or of another version, ResourceError if it is missing, cut off
/// or
///   damaged.
void check_seal(Comm const& comm, std::string const& path);

}  // namespace lockstep
