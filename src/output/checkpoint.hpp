// SPDX-License-Identifier: Apache-2.0
// Self-contained checkpoints: everything a run needs to go on exactly, on any number of ranks.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "base/comm.hpp"
#include "base/digest.hpp"
#include "output/run_directory.hpp"
#include "state/state.hpp"

namespace lockstep {

/// How far the other output had come when a checkpoint was written; what follows is cut off on resume.
struct OutputPosition {
  std::int64_t log_bytes = 0, log_rows = 0, frames = 0;
  friend bool operator==(OutputPosition const&, OutputPosition const&) = default;
};

/// What a checkpoint holds besides the state. The same on all ranks.
struct Checkpoint {
  std::string input;                 ///< resolved, as TOML
  std::string input_hash;            ///< RunInput::hash
  std::string build;                 ///< version and compiler; another one may continue
  std::vector<std::string> species;  ///< names
  Digest digest;                     ///< of the state
  OutputPosition output;
};

struct Restored {
  State state;  ///< rows of this rank by id, not by place: `Domain` migrates them
  Checkpoint checkpoint;
  std::string warning;  ///< empty, or why an older checkpoint was taken
};

/// Writes checkpoint.h5 and keeps the one before as checkpoint.prev.h5: to a temporary name, sealed with a
/// checksum, synced, renamed; a kill at any moment leaves a readable pair. Close the trajectory's segment and
/// sync the log first. Collective.
/// @throws ResourceError; earlier checkpoints are then as they were.
/// @cost 72 bytes per particle to the disk, read once again for the checksum
void write_checkpoint(Comm const& comm, RunDirectory const& directory, State const& state,
                      Checkpoint const& content);

/// The state of a run that went wrong, as emergency.h5: to be looked at, never resumed from. Checkpoints
/// stay.
void write_emergency_checkpoint(Comm const& comm, RunDirectory const& directory, State const& state,
                                Checkpoint const& content);

/// Reads one file. Collective, on any number of ranks. Nothing is parsed before the checksum is found right.
/// @throws InputError (foreign file, other format), ResourceError (missing, damaged)
Restored read_checkpoint(Comm const& comm, std::string const& path);

/// Reads the newest good checkpoint of a run directory: checkpoint.h5, else checkpoint.prev.h5 with a warning
/// (the damaged file is moved aside as checkpoint.damaged.h5). Collective.
/// @throws InputError if it is of another input; else as read_checkpoint.
Restored resume_checkpoint(Comm const& comm, RunDirectory const& directory, std::string const& input_hash);

}  // namespace lockstep
