// SPDX-License-Identifier: Apache-2.0
// Rows are appended with plain writes: a kill leaves whole rows and at most one half.
#include "output/log.hpp"

#include <fcntl.h>
#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cmath>
#include <nlohmann/json.hpp>

#include "base/error.hpp"
#include "output/files.hpp"
#include "output/together.hpp"

namespace lockstep {
namespace {

std::string quoted(std::string const& text) {
  return nlohmann::json(text).dump(-1, ' ', false, nlohmann::json::error_handler_t::replace);
}

std::string formatted(double value) {
  if (std::isnan(value)) return "\"nan\"";
  if (std::isinf(value)) return value > 0 ? "\"inf\"" : "\"-inf\"";
  std::string text = fmt::format("{}", value);  // the shortest that reads back the same bits
  if (text.find_first_of(".e") == std::string::npos) text += ".0";
  return text;
}

/// Rows of a text that must consist of whole ones.
std::int64_t count_rows(std::string const& text) {
  return text.empty() || text.back() == '\n' ? std::count(text.begin(), text.end(), '\n') : -1;
}

/// @throws ResourceError unless the file begins with `bytes` bytes that are `rows` rows.
void check_prefix(std::string const& path, std::int64_t bytes, std::int64_t rows) {
  std::string const text = bytes == 0 ? "" : read_text(path);
  bool const long_enough = std::int64_t(text.size()) >= bytes;
  if (long_enough && count_rows(text.substr(0, std::size_t(bytes))) == rows) return;
  throw ResourceError(
      fmt::format("{} does not hold the {} rows ({} bytes) of the checkpoint", path, rows, bytes),
      "log, trajectory and checkpoint must agree to be continued",
      "Put back the log that belongs to this checkpoint, or start in a new output.directory");
}

}  // namespace

std::string log_line(std::vector<LogField> const& row) {
  std::string line = "{";
  for (auto const& field : row) {
    if (line.size() > 1) line += ", ";
    line += quoted(field.name) + ": ";
    if (auto const* n = std::get_if<std::int64_t>(&field.value))
      line += fmt::format("{}", *n);
    else if (auto const* d = std::get_if<double>(&field.value))
      line += formatted(*d);
    else
      line += quoted(std::get<std::string>(field.value));
  }
  return line + "}\n";
}

Log::Log(Comm const& comm, RunDirectory const& directory) : comm_(comm), path_(directory.log()) {}

Log::~Log() {
  if (file_ >= 0) ::close(file_);
}

void Log::cut(std::int64_t bytes, std::int64_t rows) {
  on_root(comm_, [&] {
    check_prefix(path_, bytes, rows);
    if (file_ < 0) file_ = ::open(path_.c_str(), O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0666);
    if (file_ < 0) fail_file("open", path_, errno);
    if (::ftruncate(file_, bytes) != 0) fail_file("cut back", path_, errno);
  });
  bytes_ = bytes;
  rows_ = rows;
}

void Log::append(std::string const& line) const {
  for (std::size_t at = 0; at < line.size();) {
    ssize_t const n = ::write(file_, line.data() + at, line.size() - at);
    if (n < 0 && errno == EINTR) continue;
    if (n < 0) {
      int const reason = errno;
      if (::ftruncate(file_, bytes_) != 0) fail_file("cut back", path_, errno);
      fail_file("write", path_, reason);
    }
    at += std::size_t(n);
  }
}

void Log::row(std::vector<LogField> const& row) {
  std::string const line = log_line(row);
  on_root(comm_, [&] { append(line); });
  bytes_ += std::int64_t(line.size());
  ++rows_;
}

void Log::sync() {
  on_root(comm_, [&] {
    if (file_ >= 0 && ::fsync(file_) != 0) fail_file("sync", path_, errno);
  });
}

}  // namespace lockstep
