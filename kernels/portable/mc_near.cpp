// SPDX-License-Identifier: Apache-2.0
// The coarse search of a moved particle's partners, in loops that vectorise.
#include <algorithm>
#include <bit>
#include <cstring>

#include "kernels/mc_sweep.hpp"

namespace lockstep {
namespace {

constexpr std::uint32_t chunk = 128;  // a multiple of 8

}  // namespace

std::uint32_t find_near(McCoarse const& particles, float const (&a)[3], float const (&b)[3], float limit2,
                        std::uint32_t* found) {
  std::uint32_t n = 0;
  alignas(8) std::uint8_t near[chunk];
  float const ax = a[0], ay = a[1], az = a[2], bx = b[0], by = b[1], bz = b[2];
  for (std::uint32_t first = 0; first < particles.n; first += chunk) {
    std::uint32_t const count = std::min(chunk, particles.n - first);
    float const *const x = particles.x + first, *const y = particles.y + first,
                       *const z = particles.z + first;
    for (std::uint32_t k = 0; k < count; ++k) {
      float const dx = x[k] - ax, dy = y[k] - ay, dz = z[k] - az;
      float const ex = x[k] - bx, ey = y[k] - by, ez = z[k] - bz;
      float const d2 = dx * dx + dy * dy + dz * dz, e2 = ex * ex + ey * ey + ez * ez;
      near[k] = (d2 < e2 ? d2 : e2) < limit2 ? 1 : 0;
    }
    for (std::uint32_t k = count; k % 8 != 0; ++k) near[k] = 0;
    for (std::uint32_t block = 0; block < count; block += 8) {
      std::uint64_t bytes = 0;  // one byte per particle: most blocks hold few ones, many none
      std::memcpy(&bytes, near + block, 8);
      for (; bytes != 0; bytes &= bytes - 1)
        found[n++] = first + block + (std::uint32_t(std::countr_zero(bytes)) >> 3);
    }
  }
  return n;
}

}  // namespace lockstep
