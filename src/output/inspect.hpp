// SPDX-License-Identifier: Apache-2.0
// What `lockstep info`, `verify` and `bisect` say about files.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace lockstep {

/// Describes a trajectory, segment, checkpoint or log, or (a directory) all of a run: kind, input hash,
/// particles, step, time and digest of every frame, shape of every dataset. One process.
/// @param json machine-readable, else for people
/// @throws InputError, ResourceError
std::string describe_file(std::string const& path, bool json);

/// The first place where two results differ.
struct Difference {
  std::string where;           ///< the file, or both
  std::int64_t step = -1;      ///< -1: not at one step
  std::int64_t particle = -1;  ///< id; -1: not of one particle
  std::string field;           ///< "position.x", "digest", "box.a.x", the key of a log row, ...
  std::string first, second;   ///< both values
  std::string text() const;
};

/// The first frames of two files that differ, and the last before them that agree.
struct FramesApart {
  /// Indices of a frame in the two files.
  struct Common {
    std::size_t first = 0, second = 0;
  };
  std::string first, second;  ///< the files
  Common frame;
  std::optional<Common> before;  ///< none: the first common frames differ
};

struct Verdict {
  std::int64_t compared = 0;    ///< frames and rows
  std::int64_t unverified = 0;  ///< frames that do not hold enough to recompute their digest (verify A)
  std::optional<Difference> difference;  ///< none: all agree
  std::optional<FramesApart> apart;      ///< of trajectories, else of checkpoints
};

/// Checks one file, or all of a run directory, against itself: checksums; digests recomputed from the
/// particles (checkpoints and lossless frames with position, velocity and image); rows of a log in order. One
/// process.
Verdict verify_file(std::string const& path);

/// Compares what two files, or two run directories, say about the same steps: digests, box, every property
/// that both hold in the same storage; rows of logs key by key. One process.
/// @throws InputError if they have no step in common
Verdict compare_files(std::string const& first, std::string const& second);

/// The first common step whose digests or stored forces differ, and there the first particle and property;
/// reads no more than that, unless no digest differs: then as compare_files. @throws as compare_files
Verdict bisect_files(std::string const& first, std::string const& second);

}  // namespace lockstep
