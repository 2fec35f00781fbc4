// SPDX-License-Identifier: Apache-2.0
// The frames of a finished file, whatever its kind: trajectory, segment, checkpoint.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "base/digest.hpp"
#include "base/scales.hpp"
#include "state/box.hpp"

namespace lockstep {

struct FrameInfo {
  std::int64_t step = 0;
  double time = 0;  ///< ps or tau
  Digest digest;
};

/// One property of all particles in a frame, ordered by id: integers as stored, or reals (float32 widened).
struct Column {
  std::string name;  ///< position, velocity, force, image, species
  int width = 3;
  std::vector<std::int64_t> integers;  ///< [n, width] or empty
  std::vector<double> reals;           ///< [n, width] or empty
  std::int64_t rows() const { return std::int64_t(integers.size() + reals.size()) / width; }
};

struct FrameData {
  FrameInfo info;
  Box box;
  std::vector<std::int64_t> ids;
  std::vector<Column> columns;
  /// Digest of the state computed from what is stored; none if the file does not hold all of it exactly.
  std::optional<Digest> recomputed;
};

/// A dataset as a user sees it.
struct DatasetInfo {
  std::string path, type;  ///< "float32", "int64", "text", ...
  std::vector<std::int64_t> shape;
};

/// A file of frames, opened by this process alone.
class FrameFile {
 public:
  virtual ~FrameFile() = default;
  virtual std::string kind() const = 0;  ///< "trajectory", "checkpoint"
  virtual std::vector<FrameInfo> const& frames() const = 0;
  virtual std::int64_t n_particles() const = 0;
  virtual FrameData read(std::size_t frame) const = 0;
  virtual std::vector<DatasetInfo> datasets() const = 0;
  virtual std::string input_hash() const = 0;
  virtual std::string input() const = 0;  ///< resolved input as TOML
  virtual std::string build() const = 0;
  virtual std::vector<std::string> species() const = 0;  ///< names
  /// Units of the integers in `force`; none in trajectories of an older build.
  virtual std::optional<Scales> scales() const = 0;
  /// One property of a frame, if the file holds it.
  virtual std::optional<Column> column(std::size_t frame, std::string const& name) const = 0;
};

/// Opens a trajectory, a segment or a checkpoint. A checkpoint's checksum is verified first; of a trajectory
/// all segments must be there.
/// @throws InputError (not a file of ours), ResourceError (missing, damaged)
std::unique_ptr<FrameFile> open_frames(std::string const& path);

}  // namespace lockstep
