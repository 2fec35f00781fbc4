// SPDX-License-Identifier: Apache-2.0
// What a run shows on the terminal: a table of rows, a progress line.
#pragma once

#include <chrono>
#include <cstdint>
#include <string>

#include "base/unit.hpp"
#include "drivers/recorder.hpp"

namespace lockstep {

/// Rank 0 only. On a terminal the progress line is drawn over itself; elsewhere a plain line comes now and
/// then.
class Terminal {
 public:
  Terminal(UnitSystem units, std::int64_t n_particles, double timestep, std::int64_t total_steps, bool quiet);

  void row(Row const& row);
  void progress(std::int64_t step);
  void end();

 private:
  using Clock = std::chrono::steady_clock;
  void erase();

  UnitSystem units_;
  std::int64_t n_particles_, total_steps_, first_step_ = -1;
  double timestep_;
  bool quiet_, terminal_, header_done_ = false, line_shown_ = false;
  Clock::time_point start_ = Clock::now(), shown_ = Clock::now();
};

/// Simulated time per day: ns/day, or tau/day in reduced units. @param time ps or tau
double time_per_day(UnitSystem units, double time, double seconds);

}  // namespace lockstep
