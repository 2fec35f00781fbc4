// SPDX-License-Identifier: Apache-2.0
// Loops over single particles: blocks with a vectorised inner loop on the host, one thread each on a device.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <string>
#include <type_traits>
#include <vector>

#include "base/kokkos.hpp"

#if defined(__clang__)
#define LOCKSTEP_INDEPENDENT _Pragma("clang loop vectorize(assume_safety)")
#elif defined(__GNUC__) && !defined(__CUDACC__)
#define LOCKSTEP_INDEPENDENT _Pragma("GCC ivdep")
#else
#define LOCKSTEP_INDEPENDENT
#endif

namespace lockstep {

/// The three components of a View<T**> [n, 3] as plain pointers: loops over them vectorise.
template <class T>
struct Columns {
  T* c[3];
  KOKKOS_FUNCTION T* operator[](int d) const { return c[d]; }
};
template <class T>
Columns<T> columns(View<T**> const& view) {
  return {{view.data(), view.data() + view.stride(1), view.data() + 2 * view.stride(1)}};
}

inline constexpr std::int32_t particle_block = 1024;
inline constexpr bool loops_on_host = std::is_same_v<Execution, Kokkos::DefaultHostExecutionSpace>;

inline std::int32_t block_count(std::int32_t n) { return (n + particle_block - 1) / particle_block; }

/// body(i) for i in [0, n), in any order and at the same time, by host threads. `body` is copied; particles
/// must not depend on another.
template <class Body>
void for_each_particle_on_host(char const* label, std::int32_t n, Body const& body) {
  using Host = Kokkos::DefaultHostExecutionSpace;
  auto const block = [body, n](std::int32_t b) {
    Body const local = body;  // its members stay in registers
    std::int32_t const end = std::min(n, (b + 1) * particle_block);
    LOCKSTEP_INDEPENDENT
    for (std::int32_t i = b * particle_block; i < end; ++i) local(i);
  };
  Kokkos::parallel_for(label, Kokkos::RangePolicy<Host>(0, block_count(n)), block);
  Host().fence();
}

/// The same on the device if there is one: `body` is then a KOKKOS_LAMBDA that reaches views only.
template <class Body>
void for_each_particle(char const* label, std::int32_t n, Body const& body) {
  if constexpr (loops_on_host) {
    for_each_particle_on_host(label, n, body);
  } else {
    Kokkos::parallel_for(label, Kokkos::RangePolicy<Execution>(0, n), body);
    Execution().fence();
  }
}

/// As for_each_particle; returns the largest body(i), an int64, or 0 if none is larger.
template <class Body>
std::int64_t max_over_particles(char const* label, std::int32_t n, Body const& body) {
  std::int64_t result = 0;
  if constexpr (loops_on_host) {
    auto const block = [body, n](std::int32_t b, std::int64_t& largest) {
      Body const local = body;
      std::int64_t m = 0;
      std::int32_t const end = std::min(n, (b + 1) * particle_block);
      LOCKSTEP_INDEPENDENT
      for (std::int32_t i = b * particle_block; i < end; ++i) {
        std::int64_t const value = local(i);
        m = value > m ? value : m;
      }
      largest = m > largest ? m : largest;
    };
    Kokkos::parallel_reduce(label, Kokkos::RangePolicy<Execution>(0, block_count(n)), block,
                            Kokkos::Max<std::int64_t>(result));
  } else {
    auto const each = KOKKOS_LAMBDA(std::int32_t i, std::int64_t & largest) {
      std::int64_t const value = body(i);
      largest = value > largest ? value : largest;
    };
    Kokkos::parallel_reduce(label, Kokkos::RangePolicy<Execution>(0, n), each,
                            Kokkos::Max<std::int64_t>(result));
  }
  return result > 0 ? result : 0;
}

/// Sums by host threads: body(begin, end, sum) adds particles [begin, end) to its own `sum`; the sums of all
/// blocks are then added. Total needs a zero default value and +=; its addition must be exact, so that the
/// blocks don't matter.
template <class Total, class Body>
Total sum_over_blocks(char const* label, std::int32_t n, Body const& body) {
  using Host = Kokkos::DefaultHostExecutionSpace;
  Execution().fence();
  std::vector<Total> sums(std::size_t(block_count(n)));
  Total* const out = sums.data();
  auto const block = [&body, n, out](std::int32_t b) {
    body(b * particle_block, std::min(n, (b + 1) * particle_block), out[b]);
  };
  Kokkos::parallel_for(label, Kokkos::RangePolicy<Host>(0, block_count(n)), block);
  Host().fence();
  Total total{};
  for (auto const& s : sums) total += s;
  return total;
}

}  // namespace lockstep
