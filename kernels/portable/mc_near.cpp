// SPDX-License-Identifier: Apache-2.0
// The coarse search of a moved particle's partners, in loops that vectorise.
#include <algorithm>
#include <cstddef>

#include "kernels/mc_sweep.hpp"

namespace lockstep {
namespace {

constexpr std::uint32_t chunk = 128;

}  // namespace

std::uint32_t find_near(McCoarse const& particles, float const (&a)[3], float const (&b)[3], float limit2,
                        std::uint32_t* found) {
  std::uint32_t n = 0;
  std::int32_t near[chunk];
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
    for (std::uint32_t k = 0; k < count; ++k) {
      found[n] = first + k;
      n += std::uint32_t(near[k]);
    }
  }
  return n;
}

}  // namespace lockstep
