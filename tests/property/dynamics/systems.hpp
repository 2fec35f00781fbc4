// SPDX-License-Identifier: Apache-2.0
// Small systems with made-up forces, for the tests of integrators.
#pragma once

#include <cmath>

#include "base/philox.hpp"
#include "state/state.hpp"

namespace lockstep::test {

/// n particles (ids 0 to n-1 of all ranks' total), species by id, scattered by the seed; this rank owns every
/// `size`-th of them from `rank` on.
inline State scattered(std::int64_t n, std::vector<double> masses, int rank = 0, int size = 1) {
  State s;
  std::int64_t const edge = std::int64_t(16) << position_bits;
  s.box = {{edge, 0, 0}, {0, edge, 0}, {0, 0, edge}};
  s.scales.force_bits = 40;
  s.n_particles = n;
  s.masses = masses;
  for (std::int64_t id = rank; id < n; id += size) {
    Philox const philox(1, Stream::test, 0, std::uint64_t(id));
    auto const at = [&](std::uint32_t draw) {
      return round_wide(16 * philox.uniform53(draw) / position_unit);
    };
    auto const speed = [&](std::uint32_t draw) {
      return round_wide((philox.uniform53(draw) - 0.5) / velocity_unit);
    };
    s.push_back({id,
                 SpeciesId(id % std::int64_t(masses.size())),
                 {0, 0, 0},
                 {at(0), at(1), at(2)},
                 {speed(3), speed(4), speed(5)},
                 {0, 0, 0}});
  }
  return s;
}

/// Force -k (x - center) on every component, rounded to force units.
inline void spring_forces(State& s, double k, double center = 0) {
  for (LocalIndex i = 0; i < s.n_owned; ++i)
    for (int d = 0; d < 3; ++d) {
      double const x = double(s.x(i, d)) * position_unit - center;
      s.f(i, d) = round_wide(-k * x / s.scales.force_unit());
    }
}

/// A bumpy force that depends on all components of x, nonlinear and not small.
inline void bumpy_forces(State& s) {
  for (LocalIndex i = 0; i < s.n_owned; ++i)
    for (int d = 0; d < 3; ++d) {
      double const x = double(s.x(i, d)) * position_unit, y = double(s.x(i, (d + 1) % 3)) * position_unit;
      s.f(i, d) = round_wide(10 * std::sin(3 * x + y) / s.scales.force_unit());
    }
}

inline bool equal(State const& a, State const& b) {
  bool same = a.n_owned == b.n_owned;
  for (LocalIndex i = 0; same && i < a.n_owned; ++i)
    for (int d = 0; d < 3; ++d) same = same && a.x(i, d) == b.x(i, d) && a.v(i, d) == b.v(i, d);
  return same;
}

}  // namespace lockstep::test
