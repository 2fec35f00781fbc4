// SPDX-License-Identifier: Apache-2.0
// The command line as values.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "kernels/pair.hpp"

namespace lockstep {

enum class Command { none, run, check, energy, info, verify, bisect, bench, doctor, schema };
enum class Device { automatic, cpu, cuda };

inline constexpr int most_threads = 512;  ///< per rank: what the OpenMP back end of Kokkos holds

struct Arguments {
  Command command = Command::none;
  std::string input;             ///< input file, or the file of info and the first of verify and bisect
  std::string second;            ///< of verify and bisect
  std::vector<std::string> set;  ///< key.path=value
  Device device = Device::automatic;
  KernelWidth width = KernelWidth::automatic;
  int threads = 0;      ///< 0: cores of this node divided by its ranks
  double walltime = 0;  ///< seconds; 0: no limit
  std::string forces;   ///< CSV file of energy
  std::string bench_case = "lj-liquid";
  std::int64_t bench_particles = 32000, bench_steps = 300;
  bool balance = true;
  bool json = false;
  bool markdown = false;
  bool quiet = false;
};

/// Reads argv. @returns the arguments, or exits the process after --help, --version (0) or a wrong line (64).
Arguments parse_arguments(int argc, char** argv);

}  // namespace lockstep
