// SPDX-License-Identifier: Apache-2.0
// The periodic box: three lattice vectors in position units.
#pragma once

#include <cstdint>
#include <string>

#include "base/fixed.hpp"
#include "base/vec3.hpp"

namespace lockstep {

/// Lattice vectors a = (ax, 0, 0), b = (bx, by, 0), c = (cx, cy, cz), ax, by, cz > 0, in position units
/// (2^-44 of the length unit). The primary cell is the brick [0,ax) x [0,by) x [0,cz), for tilted boxes too:
/// shifting by c, then b, then a brings every point into it, by integers alone.
struct Box {
  Vec3<std::int64_t> a, b, c;

  friend constexpr bool operator==(Box const&, Box const&) = default;

  /// n.x a + n.y b + n.z c.
  LOCKSTEP_FUNCTION constexpr Vec3<std::int64_t> shift(Vec3<std::int32_t> n) const {
    return {n.x * a.x + n.y * b.x + n.z * c.x, n.y * b.y + n.z * c.y, n.z * c.z};
  }
  /// Edge of the primary brick along d.
  LOCKSTEP_FUNCTION constexpr std::int64_t edge(int d) const { return d == 0 ? a.x : d == 1 ? b.y : c.z; }
  constexpr Vec3<double> edges() const {
    return {double(a.x) * position_unit, double(b.y) * position_unit, double(c.z) * position_unit};
  }
  constexpr bool orthogonal() const { return b.x == 0 && c.x == 0 && c.y == 0; }
  /// In cubic length units.
  constexpr double volume() const { return edges().x * edges().y * edges().z; }

  /// Brings x into the primary cell and adds the lattice steps taken to `image`, so that x + shift(image)
  /// stays.
  LOCKSTEP_FUNCTION constexpr void wrap(Vec3<std::int64_t>& x, Vec3<std::int32_t>& image) const {
    auto const steps = [](std::int64_t v, std::int64_t edge) {  // floor(v / edge)
      if (v >= 0 && v < edge) return std::int32_t(0);
      std::int64_t n = v / edge;
      if (n * edge > v) --n;
      return std::int32_t(n);
    };
    std::int32_t const nc = steps(x.z, c.z);
    x = x - Vec3<std::int64_t>{nc * c.x, nc * c.y, nc * c.z};
    std::int32_t const nb = steps(x.y, b.y);
    x = x - Vec3<std::int64_t>{nb * b.x, nb * b.y, 0};
    std::int32_t const na = steps(x.x, a.x);
    x.x -= na * a.x;
    image = image + Vec3<std::int32_t>{na, nb, nc};
  }
};

/// Why no simulation can have this box: not lower triangular, without volume, beyond 2^61 position units;
/// empty: it can.
std::string problem_of(Box const& box);

/// The box with edges and tilts in length units, each rounded to a multiple of 2^granularity position units.
Box make_box(Vec3<double> edges, double bx, double cx, double cy, int granularity);

}  // namespace lockstep
