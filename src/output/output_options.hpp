// SPDX-License-Identifier: Apache-2.0
// The [output] section of the input.
#pragma once

#include <array>
#include <cstdint>
#include <string>
#include <string_view>
#include <tuple>
#include <vector>

#include "base/field.hpp"

namespace lockstep {

enum class TrajectoryField { position, velocity, force, image };
template <>
struct EnumNames<TrajectoryField> {
  static constexpr std::array<std::string_view, 4> names{"position", "velocity", "force", "image"};
};
enum class Storage { float32, lossless };
template <>
struct EnumNames<Storage> {
  static constexpr std::array<std::string_view, 2> names{"float32", "lossless"};
};

/// [output.trajectory]
struct TrajectoryOptions {
  std::int64_t every = 0;  ///< 0: none
  std::vector<TrajectoryField> fields_written{TrajectoryField::position};
  Storage storage = Storage::float32;
  std::int64_t compression = 0;
  static constexpr std::tuple fields{
      Field{"every", &TrajectoryOptions::every, Unit::none, at_least(0), "steps between frames (0: none)"},
      Field{"fields", &TrajectoryOptions::fields_written, Unit::none, any, "what a frame holds"},
      Field{"storage", &TrajectoryOptions::storage, Unit::none, any,
            "float32, or lossless (int64 of the fixed-point units)"},
      Field{"compression", &TrajectoryOptions::compression, Unit::none, at_least(0) & at_most(9),
            "deflate level (0: none)"}};
};

/// [output.log]
struct LogOptions {
  std::int64_t every = 100;
  static constexpr std::tuple fields{
      Field{"every", &LogOptions::every, Unit::none, at_least(0), "steps between rows (0: none)"}};
};

/// [output.checkpoint]
struct CheckpointOptions {
  double every = 600;            ///< seconds of wall time (0: none)
  std::int64_t every_steps = 0;  ///< 0: none
  static constexpr std::tuple fields{Field{"every", &CheckpointOptions::every, Unit::wall_time, at_least(0),
                                           "wall time between checkpoints (0 s: none)"},
                                     Field{"every_steps", &CheckpointOptions::every_steps, Unit::none,
                                           at_least(0), "steps between checkpoints (0: none)"}};
};

/// [output]
struct OutputOptions {
  std::string directory = "out";
  TrajectoryOptions trajectory;
  LogOptions log;
  CheckpointOptions checkpoint;
  static constexpr std::tuple fields{Field{"directory", &OutputOptions::directory, Unit::none, any,
                                           "the run directory, relative to the input file"}};
};

}  // namespace lockstep
