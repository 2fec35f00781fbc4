// SPDX-License-Identifier: Apache-2.0
// Rounding of lattice vectors.
#include "state/box.hpp"

namespace lockstep {

std::string problem_of(Box const& box) {
  constexpr std::int64_t most = std::int64_t(1) << 61;  // 131072 length units
  if (box.a.x <= 0 || box.b.y <= 0 || box.c.z <= 0) return "has no volume";
  if (box.a.y != 0 || box.a.z != 0 || box.b.z != 0) return "is not lower triangular";
  for (auto const& row : {box.a, box.b, box.c})
    for (int d = 0; d < 3; ++d)
      if (row[d] < -most || row[d] > most) return "is larger than positions can be";
  return {};
}

Box make_box(Vec3<double> edges, double bx, double cx, double cy, int granularity) {
  double const unit = exp2i(granularity - position_bits);
  auto const fixed = [&](double v) { return round_wide(v / unit) * (std::int64_t(1) << granularity); };
  return {{fixed(edges.x), 0, 0}, {fixed(bx), fixed(edges.y), 0}, {fixed(cx), fixed(cy), fixed(edges.z)}};
}

}  // namespace lockstep
