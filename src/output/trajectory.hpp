// SPDX-License-Identifier: Apache-2.0
// The trajectory: H5MD 1.1, in segments that are closed at each checkpoint, shown as one file.
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "base/comm.hpp"
#include "base/digest.hpp"
#include "base/unit.hpp"
#include "output/output_options.hpp"
#include "output/run_directory.hpp"
#include "state/state.hpp"

namespace lockstep {

class Segment;

/// What every segment says about its run. The same on all ranks.
struct TrajectoryHeader {
  UnitSystem units = UnitSystem::physical;
  std::string title, input, input_hash, build;
  std::vector<std::string> species;  ///< names
};

/// Writes frames into trajectory.NNNN.h5; trajectory.h5 shows all closed segments as one (virtual datasets,
/// so it is small and may be moved together with them). Frames of the open segment are not yet seen and do
/// not survive a kill: the run resumes at the checkpoint that closed the segment before. Frames are ordered
/// by id; positions are the wrapped ones. All members are collective.
class Trajectory {
 public:
  Trajectory(Comm const& comm, RunDirectory const& directory, TrajectoryOptions options,
             TrajectoryHeader header);
  Trajectory(Trajectory const&) = delete;
  Trajectory& operator=(Trajectory const&) = delete;
  ~Trajectory();

  /// Before the first frame: keeps the frames up to `step`, which must be `frames` many (-1 and 0: a fresh
  /// start), and removes later ones.
  /// @throws ResourceError if frames are missing.
  void cut(std::int64_t step, std::int64_t frames);
  /// Adds a frame of the state as it is now.
  /// @param digest of that state
  /// @throws ResourceError (disk full, ...); closed segments are then as they were, the open one is lost.
  /// @cost one sort by id, one collective write per field
  void frame(State const& state, Digest const& digest);
  /// Closes the open segment, if any, brings it to the disk and shows it in trajectory.h5; before each
  /// checkpoint and at the end.
  void close_segment();
  /// Frames so far, the open segment's included.
  std::int64_t frames() const;

 private:
  struct Closed {
    int index;
    std::int64_t rows;
  };
  std::string segment_name(int index) const;
  std::vector<Closed> keep_segments(std::int64_t step) const;
  void show() const;

  Comm comm_;
  RunDirectory const& directory_;
  TrajectoryOptions options_;
  TrajectoryHeader header_;
  std::unique_ptr<Segment> open_;
  std::vector<Closed> closed_;  ///< rank 0 only
  std::int64_t frames_ = 0;     ///< in closed segments
  std::int64_t n_particles_ = -1;
  int next_ = 0;
};

}  // namespace lockstep
