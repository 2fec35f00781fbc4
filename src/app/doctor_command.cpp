// SPDX-License-Identifier: Apache-2.0
// lockstep doctor: what was found on this machine, and what is wrong with it.
#include <fmt/format.h>
#include <hwloc.h>

#include <algorithm>

#include "app/build_info.hpp"
#include "app/commands.hpp"
#include "app/device.hpp"
#include "app/simulation.hpp"
#include "base/debug.hpp"
#include "base/kokkos.hpp"
#include "kernels/simd/targets.hpp"
#include "output/manifest.hpp"

namespace lockstep {
namespace {

struct Cores {
  int cores = 0, threads = 0, allowed = 0;
};

Cores count_cores() {
  hwloc_topology_t topology;
  if (hwloc_topology_init(&topology) != 0) return {};
  Cores c;
  if (hwloc_topology_load(topology) == 0) {
    c.cores = hwloc_get_nbobjs_by_type(topology, HWLOC_OBJ_CORE);
    c.threads = hwloc_get_nbobjs_by_type(topology, HWLOC_OBJ_PU);
    c.allowed = hwloc_bitmap_weight(hwloc_topology_get_allowed_cpuset(topology));
  }
  hwloc_topology_destroy(topology);
  return c;
}

}  // namespace

ExitCode doctor_command(Comm const& comm) {
  auto hosts = comm.all_gather(host_name());
  std::sort(hosts.begin(), hosts.end());
  auto const nodes = std::unique(hosts.begin(), hosts.end()) - hosts.begin();
  std::string const environment = check_floating_point_environment();
  bool const sound = comm.agree(environment.empty());
  if (!comm.root()) return sound ? ExitCode::done : ExitCode::internal;
  int problems = 0;
  auto const line = [&](char const* what, std::string const& found) {
    fmt::print("{:<16} {}\n", what, found);
  };
  auto const bad = [&](std::string const& text) {
    ++problems;
    fmt::print("{:<16} {}\n", "  problem", text);
  };
  line("build", std::string(build_info()));
  for (auto const& [name, text] : library_versions()) line(name.c_str(), text);
  Cores const cores = count_cores();
  int const threads = Kokkos::DefaultHostExecutionSpace().concurrency();
  line("cores", fmt::format("{} cores, {} hardware threads, {} allowed here", cores.cores, cores.threads,
                            cores.allowed));
  line("layout", fmt::format("{} rank(s) on {} node(s) x {} thread(s)", comm.size(), nodes, threads));
  if (nodes > 0 && comm.size() / nodes * threads > std::max(1, cores.allowed))
    bad(fmt::format("{} ranks x {} threads on {} cores: fewer threads (--threads) or ranks will be faster",
                    comm.size() / nodes, threads, cores.allowed));
  std::string widths;
  for (KernelWidth w : simd::available()) widths += (widths.empty() ? "" : ", ") + std::string(simd::name(w));
  line("kernels", widths);
  line("floating point", environment.empty() ? "IEEE: round to nearest, no flush to zero" : environment);
  if (!sound)
    bad("some library changed the rounding or turned on flush to zero: results would not be reproducible");
  DeviceSearch const devices = find_cuda_devices();
  line("CUDA devices", devices.count > 0 ? std::to_string(devices.count) : "none: " + devices.reason);
  fmt::print("{}\n", problems == 0 ? "no problem found" : fmt::format("{} problem(s) found", problems));
  return problems == 0 ? ExitCode::done : ExitCode::internal;
}

}  // namespace lockstep
