// SPDX-License-Identifier: Apache-2.0
// manifest.json: what ran where, when and how fast. Wall-clock facts live here, never in the log.
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <vector>

#include "base/comm.hpp"
#include "output/run_directory.hpp"

namespace lockstep {

/// One start of the run.
struct RunRecord {
  std::string version;                          ///< of lockstep
  std::string build;                            ///< compiler and flags
  std::map<std::string, std::string> versions;  ///< of libraries
  std::string title, input_hash;
  std::string device = "cpu", kernel;
  int threads = 1;  ///< per rank
  std::int64_t first_step = 0, n_particles = 0;
};

/// How fast it went; 0: unknown or without meaning.
struct Performance {
  double particle_steps_per_second = 0;
  double ns_per_day = 0;      ///< reduced units: tau/day
  double wall_seconds = 0;    ///< of this start
  double output_seconds = 0;  ///< of them in output
};

/// Keeps manifest.json up to date; the list `runs` has one entry per start. Collective; rank 0 writes,
/// atomically.
class Manifest {
 public:
  /// Adds this start to what is there. A manifest that cannot be read is replaced. @throws ResourceError
  Manifest(Comm const& comm, RunDirectory const& directory, RunRecord record);
  /// Notes how far this start came; call it at checkpoints and at the end.
  /// @param outcome "running", "checkpointed", "finished", "failed: ..."; the run is finished after
  /// "finished"
  void update(std::int64_t step, std::string const& outcome, Performance const& performance);

 private:
  Comm comm_;
  std::string path_;
  std::string text_;  ///< the JSON as it was when this start began, with its new entry (rank 0)
};

/// The name of this machine.
std::string host_name();
/// UTC now, "2026-01-31T12:00:00Z".
std::string utc_now();

}  // namespace lockstep
