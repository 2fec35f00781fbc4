// SPDX-License-Identifier: Apache-2.0
// Starts MPI and Kokkos round Catch2; the worst rank's result is everyone's.
#include <catch2/catch_session.hpp>

#include "base/comm.hpp"
#include "base/kokkos.hpp"

int main(int argc, char** argv) {
  MPI_Init(&argc, &argv);
  int result = 0;
  {
    Kokkos::ScopeGuard const kokkos(argc, argv);
    result = Catch::Session().run(argc, argv);
    result = int(lockstep::Comm().max(std::int64_t(result)));
  }
  MPI_Finalize();
  return result;
}
