// SPDX-License-Identifier: Apache-2.0
// Where shared vectors live: in the memory of all Views.
#include "base/shared_vector.hpp"

#include <exception>
#include <new>

#include "base/kokkos.hpp"

namespace lockstep {

#if defined(LOCKSTEP_CUDA)

void* allocate_shared(std::size_t bytes) try {
  return Kokkos::kokkos_malloc<Memory>("shared_vector", bytes);
} catch (std::exception const&) { throw std::bad_alloc(); }

void free_shared(void* memory) { Kokkos::kokkos_free<Memory>(memory); }

#endif

}  // namespace lockstep
