// SPDX-License-Identifier: Apache-2.0
// Rows of a finished log, as texts that can be compared exactly.
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <utility>
#include <vector>

namespace lockstep {

struct LogCell {
  std::string name, value;  ///< the value as JSON
  friend bool operator==(LogCell const&, LogCell const&) = default;
};
/// Rows by step and, for several of one step, their order (from 0).
using LogRows = std::map<std::pair<std::int64_t, std::int64_t>, std::vector<LogCell>>;

/// @throws ResourceError with the line if a row is not JSON or has no step
LogRows read_log_rows(std::string const& path);

}  // namespace lockstep
