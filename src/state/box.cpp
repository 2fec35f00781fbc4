// SPDX-License-Identifier: Apache-2.0
// Rounding of lattice vectors.
#include "state/box.hpp"

namespace lockstep {

Box make_box(Vec3<double> edges, double bx, double cx, double cy, int granularity) {
  double const unit = exp2i(granularity - position_bits);
  auto const fixed = [&](double v) { return round_wide(v / unit) * (std::int64_t(1) << granularity); };
  return {{fixed(edges.x), 0, 0}, {fixed(bx), fixed(edges.y), 0}, {fixed(cx), fixed(cy), fixed(edges.z)}};
}

}  // namespace lockstep
