// SPDX-License-Identifier: Apache-2.0
// Errors: what happened, why it matters, what to do.
#pragma once

#include <cstdint>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

namespace lockstep {

enum class ExitCode : int { done = 0, differs = 1, input = 64, internal = 70, checkpointed = 75 };

/// One fault of an input file. `where` is "file:line:column: key" as far as it is known.
struct Diagnostic {
  std::string where, problem, why, fix;
  std::string text() const;
};

/// All faults of the user's input, reported together; exit code 64.
class InputError : public std::runtime_error {
 public:
  explicit InputError(std::vector<Diagnostic> diagnostics);
  InputError(std::string where, std::string problem, std::string why, std::string fix)
      : InputError(
            std::vector{Diagnostic{std::move(where), std::move(problem), std::move(why), std::move(fix)}}) {}
  std::vector<Diagnostic> const& diagnostics() const { return diagnostics_; }

 private:
  std::vector<Diagnostic> diagnostics_;
};

/// The simulation itself went wrong (runaway, NaN, range): exit code 70 after an emergency checkpoint.
class SimulationError : public std::runtime_error {
 public:
  SimulationError(std::int64_t step, std::int64_t particle, std::string problem, std::string fix);
  std::int64_t step() const { return step_; }
  std::int64_t particle() const { return particle_; }  // id, or -1

 private:
  std::int64_t step_, particle_;
};

/// MPI, HDF5, memory, disk: exit code 70.
class ResourceError : public std::runtime_error {
 public:
  ResourceError(std::string what, std::string why, std::string fix);
};

}  // namespace lockstep
