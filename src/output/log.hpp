// SPDX-License-Identifier: Apache-2.0
// log.jsonl: one JSON object per row, exact values.
#pragma once

#include <cstdint>
#include <string>
#include <variant>
#include <vector>

#include "base/comm.hpp"
#include "output/run_directory.hpp"

namespace lockstep {

using LogValue = std::variant<std::int64_t, double, std::string>;
/// One entry of a row. Doubles are written with as many digits as bring back the same bits; values that are
/// not finite become the texts "nan", "inf", "-inf". Wall-clock data do not belong here: rows are the same on
/// every machine.
struct LogField {
  std::string name;
  LogValue value;
};

/// The row as one line of JSON, with its newline.
std::string log_line(std::vector<LogField> const& row);

/// Appends rows; rank 0 writes. All members are collective and take the same values on all ranks.
class Log {
 public:
  Log(Comm const& comm, RunDirectory const& directory);
  Log(Log const&) = delete;
  Log& operator=(Log const&) = delete;
  ~Log();

  /// Opens the file with its first `rows` rows, which are its first `bytes` bytes (both 0: empty), and
  /// forgets what follows: rows after a checkpoint, half a row after a kill.
  /// @throws ResourceError if the file does not hold what the checkpoint says.
  void cut(std::int64_t bytes, std::int64_t rows);
  /// @throws ResourceError; the file then ends with the row before.
  void row(std::vector<LogField> const& row);
  /// Brings all rows to the disk; before a checkpoint.
  void sync();
  std::int64_t bytes() const { return bytes_; }
  std::int64_t rows() const { return rows_; }

 private:
  void append(std::string const& line) const;

  Comm comm_;
  std::string path_;
  int file_ = -1;
  std::int64_t bytes_ = 0, rows_ = 0;
};

}  // namespace lockstep
