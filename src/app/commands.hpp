// SPDX-License-Identifier: Apache-2.0
// The commands. Each is collective and returns the exit code.
#pragma once

#include "app/arguments.hpp"
#include "base/comm.hpp"
#include "base/error.hpp"

namespace lockstep {

ExitCode run_command(Comm const& comm, Arguments const& arguments);
ExitCode check_command(Comm const& comm, Arguments const& arguments);
ExitCode energy_command(Comm const& comm, Arguments const& arguments);
ExitCode info_command(Comm const& comm, Arguments const& arguments);
ExitCode verify_command(Comm const& comm, Arguments const& arguments);
ExitCode bisect_command(Comm const& comm, Arguments const& arguments);
ExitCode bench_command(Comm const& comm, Arguments const& arguments);
ExitCode doctor_command(Comm const& comm);
ExitCode schema_command(Comm const& comm, Arguments const& arguments);

}  // namespace lockstep
