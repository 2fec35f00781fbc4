# SPDX-License-Identifier: Apache-2.0
# Kokkos where none is installed: its released archive, built as a part of this project. Kokkos_ROOT names your own.
if(LOCKSTEP_CUDA)
  message(FATAL_ERROR "The preset cuda needs an installed Kokkos with CUDA; ./lockstep build cuda makes one")
endif()
message(STATUS "No installed Kokkos >= 4.7 (Kokkos_ROOT='${Kokkos_ROOT}'): fetching the released archive")
include(FetchContent)
FetchContent_Declare(Kokkos
  URL https://github.com/kokkos/kokkos/releases/download/4.7.00/kokkos-4.7.00.tar.gz
  URL_HASH SHA256=126b774a24dde8c1085c4aede7564c0b7492d6a07d85380f2b387a712cea1ff5
  DOWNLOAD_EXTRACT_TIMESTAMP OFF SYSTEM)
set(Kokkos_ENABLE_SERIAL ON CACHE BOOL "")
set(Kokkos_ENABLE_OPENMP ON CACHE BOOL "")
FetchContent_MakeAvailable(Kokkos)
