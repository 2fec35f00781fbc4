// SPDX-License-Identifier: Apache-2.0
// Version texts.
#include "app/build_info.hpp"

#include <hdf5.h>
#include <mpi.h>
#include <Kokkos_Core.hpp>

#include <algorithm>

#if defined(__clang__)
#define LOCKSTEP_COMPILER "clang " __clang_version__
#else
#define LOCKSTEP_COMPILER "g++ " __VERSION__
#endif
#if defined(__x86_64__)
#define LOCKSTEP_ARCHITECTURE "x86-64-v3"
#elif defined(__aarch64__)
#define LOCKSTEP_ARCHITECTURE "aarch64"
#else
#define LOCKSTEP_ARCHITECTURE "unknown architecture"
#endif

namespace lockstep {

std::string_view version() { return LOCKSTEP_VERSION; }

std::string_view build_info() {
  return "lockstep " LOCKSTEP_VERSION ", " LOCKSTEP_COMPILER ", " LOCKSTEP_ARCHITECTURE;
}

std::map<std::string, std::string> library_versions() {
  char text[MPI_MAX_LIBRARY_VERSION_STRING];
  int length = 0;
  MPI_Get_library_version(text, &length);
  std::string mpi(text, std::size_t(length));
  mpi = mpi.substr(0, mpi.find(", ident"));
  mpi = mpi.substr(0, mpi.find("MPICH Release date"));
  std::replace_if(
      mpi.begin(), mpi.end(), [](char c) { return c == '\n' || c == '\t' || c == '\0'; }, ' ');
  while (!mpi.empty() && mpi.back() == ' ') mpi.pop_back();
  int const k = KOKKOS_VERSION;
  unsigned major = 0, minor = 0, release = 0;
  H5get_libversion(&major, &minor, &release);
  return {{"MPI", mpi},
          {"HDF5", std::to_string(major) + "." + std::to_string(minor) + "." + std::to_string(release)},
          {"Kokkos",
           std::to_string(k / 10000) + "." + std::to_string(k / 100 % 100) + "." + std::to_string(k % 100)}};
}

}  // namespace lockstep
