// SPDX-License-Identifier: Apache-2.0
// Signals and wall time as wishes of the run.
#pragma once

#include "drivers/run.hpp"

namespace lockstep {

/// Catches SIGTERM, SIGINT, SIGUSR1 and SIGUSR2: each asks for a checkpoint and an end with exit code 75; a
/// second SIGINT ends at once.
void catch_signals();

/// What the signals so far and the clock ask for. @param seconds_left until the wall time is up; infinity
/// without.
Wish present_wish(double seconds_left);

}  // namespace lockstep
