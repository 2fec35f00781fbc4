// SPDX-License-Identifier: Apache-2.0
// The directory that holds all output of one run.
#pragma once

#include <string>

#include "base/comm.hpp"

namespace lockstep {

/// Owns the directory while it lives: two runs cannot write into one.
class RunDirectory {
 public:
  /// Creates the directory if need be, checks that rank 0 can write there and that all ranks see it, and
  /// locks it. Collective. @throws ResourceError
  RunDirectory(Comm const& comm, std::string path);
  RunDirectory(RunDirectory&& other) noexcept;
  RunDirectory& operator=(RunDirectory&&) = delete;
  ~RunDirectory();

  std::string const& path() const { return path_; }
  std::string file(std::string const& name) const { return path_ + "/" + name; }
  std::string log() const { return file("log.jsonl"); }
  std::string trajectory() const { return file("trajectory.h5"); }
  std::string checkpoint() const { return file("checkpoint.h5"); }
  std::string previous_checkpoint() const { return file("checkpoint.prev.h5"); }
  std::string manifest() const { return file("manifest.json"); }

 private:
  std::string path_;
  int lock_ = -1;
};

/// What a run finds in its directory.
enum class Start {
  fresh,   ///< nothing to continue: begin at step 0
  resume,  ///< a checkpoint is there: continue from it
};

/// Decides how a run with this input begins. Collective; decided by rank 0.
/// @param input_hash RunInput::hash
/// @param notice [out] empty, or what the user should know (a run that was killed before its first
/// checkpoint)
/// @throws InputError if the directory holds results of another input, or of a run whose checkpoint is gone:
///   nothing is ever overwritten silently.
Start find_start(Comm const& comm, RunDirectory const& directory, std::string const& input_hash,
                 std::string& notice);

}  // namespace lockstep
