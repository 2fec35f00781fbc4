// SPDX-License-Identifier: Apache-2.0
// Creation, locking and first look.
#include "output/run_directory.hpp"

#include <fcntl.h>
#include <fmt/format.h>
#include <signal.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <filesystem>
#include <nlohmann/json.hpp>
#include <utility>

#include "base/error.hpp"
#include "output/files.hpp"
#include "output/together.hpp"

namespace lockstep {
namespace {

/// Creates the directory, tries to write in it, takes the lock. Rank 0 only. Returns the lock's descriptor.
int prepare(std::string const& path) {
  std::error_code reason;
  std::filesystem::create_directories(path, reason);
  if (reason) fail_file("create the run directory", path, reason.value());
  std::string const name = path + "/.lock";
  int const lock = ::open(name.c_str(), O_RDWR | O_CREAT | O_CLOEXEC, 0666);
  if (lock < 0) fail_file("write to the run directory", path, errno);
  if (::flock(lock, LOCK_EX | LOCK_NB) != 0 && errno == EWOULDBLOCK) {
    ::close(lock);
    throw ResourceError(fmt::format("{} is in use by another run", path),
                        "two runs that write the same files would destroy each other's results",
                        "Wait for the other run, stop it, or choose another output.directory");
  }
  return lock;
}

/// The input hash of the run that last wrote here; empty if unknown.
std::string previous_hash(RunDirectory const& directory) {
  if (file_size(directory.manifest()) < 0) return "";
  auto const manifest = nlohmann::json::parse(read_text(directory.manifest()), nullptr, false);
  if (!manifest.is_object() || !manifest.contains("input_hash") || !manifest["input_hash"].is_string())
    return "";
  return manifest["input_hash"].get<std::string>();
}

bool finished(RunDirectory const& directory) {
  auto const manifest = nlohmann::json::parse(read_text(directory.manifest()), nullptr, false);
  return manifest.is_object() && manifest.contains("finished") && manifest["finished"] == true;
}

Start look(RunDirectory const& directory, std::string const& input_hash, std::string& notice) {
  auto const there = [](std::string const& path) { return file_size(path) >= 0; };
  if (there(directory.checkpoint()) || there(directory.previous_checkpoint())) return Start::resume;
  bool const manifest = there(directory.manifest());
  if (!manifest && !there(directory.log()) && !there(directory.trajectory())) return Start::fresh;
  std::string const old = previous_hash(directory);
  if (old != input_hash)
    throw InputError(directory.path() + ":",
                     old.empty() ? "holds output of unknown origin" : "holds results of another input",
                     "starting here would overwrite them, and without a checkpoint nothing can be continued",
                     "Choose another output.directory, or move these files away");
  if (finished(directory))
    throw InputError(directory.path() + ":", "holds a finished run whose checkpoint is gone",
                     "starting here would overwrite its results",
                     "Choose another output.directory, or move these files away to run it again");
  notice = fmt::format(
      "{}: an earlier start of this input ended before its first checkpoint; "
      "the run begins again at step 0",
      directory.path());
  return Start::fresh;
}

}  // namespace

RunDirectory::RunDirectory(Comm const& comm, std::string path) : path_(std::move(path)) {
  while (path_.size() > 1 && path_.back() == '/') path_.pop_back();
  ::signal(SIGXFSZ, SIG_IGN);  // a file size limit becomes an error that can be told, not a kill
  on_root(comm, [&] { lock_ = prepare(path_); });
  try {
    together(comm, [&] {
      struct stat status;
      if (::stat(path_.c_str(), &status) != 0 || !S_ISDIR(status.st_mode))
        throw ResourceError(fmt::format("rank {} does not see the run directory {}", comm.rank(), path_),
                            "all ranks write the same files",
                            "Choose an output.directory on a file system that all nodes share");
    });
  } catch (...) {
    if (lock_ >= 0) ::close(lock_);
    throw;
  }
}

RunDirectory::RunDirectory(RunDirectory&& other) noexcept
    : path_(std::move(other.path_)), lock_(std::exchange(other.lock_, -1)) {}

RunDirectory::~RunDirectory() {
  if (lock_ >= 0) ::close(lock_);
}

Start find_start(Comm const& comm, RunDirectory const& directory, std::string const& input_hash,
                 std::string& notice) {
  Start start = Start::fresh;
  notice.clear();
  on_root(comm, [&] { start = look(directory, input_hash, notice); });
  notice = comm.broadcast(notice, 0);
  return comm.max(std::int64_t(start)) == std::int64_t(Start::resume) ? Start::resume : Start::fresh;
}

}  // namespace lockstep
