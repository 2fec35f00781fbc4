// SPDX-License-Identifier: Apache-2.0
// A std::vector whose elements a device may read: kernels get its data() as they get a View's.
#pragma once

#include <cstddef>
#include <vector>

namespace lockstep {

#if defined(LOCKSTEP_CUDA)

/// Memory that the host and the device both read and write. @throws std::bad_alloc
void* allocate_shared(std::size_t bytes);
void free_shared(void* memory);

template <class T>
struct SharedAllocator {
  using value_type = T;
  SharedAllocator() = default;
  template <class U>
  SharedAllocator(SharedAllocator<U> const&) {}
  T* allocate(std::size_t n) { return static_cast<T*>(allocate_shared(n * sizeof(T))); }
  void deallocate(T* memory, std::size_t) { free_shared(memory); }
  bool operator==(SharedAllocator const&) const { return true; }
};

template <class T>
using SharedVector = std::vector<T, SharedAllocator<T>>;

#else

template <class T>
using SharedVector = std::vector<T>;

#endif

}  // namespace lockstep
