// SPDX-License-Identifier: Apache-2.0
// From the input's options to an engine that is ready to step.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "app/arguments.hpp"
#include "app/run_input.hpp"
#include "drivers/engine.hpp"

namespace lockstep {

/// Threads per rank: as asked for, else OMP_NUM_THREADS, else the cores of this node divided by its ranks.
/// @returns 1 to most_threads
int choose_threads(Comm const& comm, int asked);

struct Simulation {
  std::vector<std::string> species;  ///< names
  std::unique_ptr<Engine> engine;
};

/// A fresh simulation: structure, scales, velocities, engine. Collective. @throws InputError
Simulation make_simulation(Comm const& comm, RunInput const& in, Arguments const& arguments);
/// One that goes on from a restored state. Collective.
Simulation make_simulation(Comm const& comm, RunInput const& in, Arguments const& arguments, State state,
                           std::vector<std::string> species);

}  // namespace lockstep
