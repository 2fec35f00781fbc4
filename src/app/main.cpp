// SPDX-License-Identifier: Apache-2.0
// Entry: hand over to lockstep-cuda if a device is wanted and there, else MPI, Kokkos, the command, its exit
// code.
#include <fmt/format.h>
#include <mpi.h>
#include <omp.h>
#include <unistd.h>

#include <cstdio>
#include <cstdlib>
#include <exception>
#include <filesystem>
#include <new>
#include <string>
#include <thread>

#include "app/commands.hpp"
#include "app/device.hpp"
#include "app/interruption.hpp"
#include "app/simulation.hpp"
#include "base/debug.hpp"
#include "base/kokkos.hpp"

namespace lockstep {
namespace {

/// Replaces this process by lockstep-cuda beside it. Returns if there is no device or no such program.
void hand_over(Arguments const& arguments, char** argv) {
#if !defined(KOKKOS_ENABLE_CUDA)
  if (arguments.device == Device::cpu || arguments.command == Command::schema) return;
  std::error_code ignored;
  auto const self = std::filesystem::read_symlink("/proc/self/exe", ignored);
  auto const other = self.parent_path() / "lockstep-cuda";
  bool const built = std::filesystem::exists(other, ignored);
  if (arguments.device == Device::automatic && !built) return;
  DeviceSearch const found = find_cuda_devices();
  if (found.count > 0 && built) {
    argv[0] = const_cast<char*>(other.c_str());
    execv(other.c_str(), argv);
  }
  if (arguments.device == Device::cuda) {
    fmt::print(
        stderr, "lockstep: --device cuda: {}\n    fix: {}\n",
        built ? found.reason : "lockstep-cuda is not beside this program",
        built ? "install the driver, or leave --device out to run on the CPU" : "build the preset cuda");
    std::exit(int(ExitCode::internal));
  }
#else
  (void)argv;
  if (DeviceSearch const found = find_cuda_devices(); found.count == 0) {
    fmt::print(stderr,
               "lockstep-cuda: {}\n    fix: start `lockstep`, which runs on the CPU, or install the driver\n",
               found.reason);
    std::exit(int(ExitCode::internal));
  }
  (void)arguments;
#endif
}

ExitCode dispatch(Comm const& comm, Arguments const& a) {
  switch (a.command) {
    case Command::run:
      return run_command(comm, a);
    case Command::check:
      return check_command(comm, a);
    case Command::energy:
      return energy_command(comm, a);
    case Command::info:
      return info_command(comm, a);
    case Command::verify:
      return verify_command(comm, a);
    case Command::bisect:
      return bisect_command(comm, a);
    case Command::bench:
      return bench_command(comm, a);
    case Command::doctor:
      return doctor_command(comm);
    case Command::schema:
      return schema_command(comm, a);
    case Command::none:
      break;
  }
  return ExitCode::input;
}

/// Prints the error once if all ranks have one, and waits for them; else ends the job.
ExitCode fail(Comm const& comm, ExitCode code, char const* text) {
  MPI_Request all;
  MPI_Ibarrier(comm.get(), &all);
  int together = 0;
  for (int k = 0; k < 200 && together == 0; ++k) {  // others that failed alike arrive within moments
    MPI_Test(&all, &together, MPI_STATUS_IGNORE);
    if (together == 0) std::this_thread::sleep_for(std::chrono::milliseconds(10));
  }
  if (together == 0 || comm.root()) {
    if (together == 0)
      fmt::print(stderr, "lockstep: rank {}: {}\n", comm.rank(), text);
    else
      fmt::print(stderr, "lockstep: {}\n", text);
    std::fflush(stderr);
  }
  if (together == 0) MPI_Abort(comm.get(), int(code));
  return code;
}

ExitCode run(Comm const& comm, Arguments const& arguments) {
  try {
    set_floating_point_environment_everywhere();
    return dispatch(comm, arguments);
  } catch (InputError const& e) {
    return fail(comm, ExitCode::input, e.what());
  } catch (std::bad_alloc const&) {
    return fail(
        comm, ExitCode::internal,
        "out of memory\n    fix: use more nodes, fewer ranks per node, or a smaller system; `lockstep check` "
        "predicts the need");
  } catch (std::exception const& e) { return fail(comm, ExitCode::internal, e.what()); }
}

}  // namespace
}  // namespace lockstep

int main(int argc, char** argv) {
  using namespace lockstep;
  Arguments const arguments = parse_arguments(argc, argv);
  hand_over(arguments, argv);
  // from here on: a job that is stopped while it starts shall say 75 too
  if (arguments.command == Command::run) catch_signals();
  int provided = 0;
  MPI_Init_thread(&argc, &argv, MPI_THREAD_FUNNELED, &provided);
  ExitCode code;
  {
    Comm const comm;
    int const n_threads = choose_threads(comm, arguments.threads);
    omp_set_num_threads(n_threads);  // Kokkos starts as many as the environment says before it looks at ours
    Kokkos::initialize(
        Kokkos::InitializationSettings().set_num_threads(n_threads).set_disable_warnings(true));
    code = run(comm, arguments);
    std::fflush(stdout);
    comm.barrier();
    // after a failed write HDF5 holds files that it cannot close, and MPI_Finalize would have it try
    if (code == ExitCode::internal) std::_Exit(int(code));
    Kokkos::finalize();
  }
  MPI_Finalize();
  return int(code);
}
