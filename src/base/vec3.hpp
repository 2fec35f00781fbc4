// SPDX-License-Identifier: Apache-2.0
// A triple of numbers of one kind.
#pragma once

#include "base/function.hpp"

namespace lockstep {

/// Three components of one quantity.
template <class T>
struct Vec3 {
  T x{}, y{}, z{};

  LOCKSTEP_FUNCTION constexpr T& operator[](int d) { return d == 0 ? x : d == 1 ? y : z; }
  LOCKSTEP_FUNCTION constexpr T const& operator[](int d) const { return d == 0 ? x : d == 1 ? y : z; }
  friend constexpr bool operator==(Vec3 const&, Vec3 const&) = default;
  LOCKSTEP_FUNCTION friend constexpr Vec3 operator+(Vec3 a, Vec3 b) {
    return {a.x + b.x, a.y + b.y, a.z + b.z};
  }
  LOCKSTEP_FUNCTION friend constexpr Vec3 operator-(Vec3 a, Vec3 b) {
    return {a.x - b.x, a.y - b.y, a.z - b.z};
  }
  LOCKSTEP_FUNCTION friend constexpr Vec3 operator*(T s, Vec3 a) { return {s * a.x, s * a.y, s * a.z}; }
};

}  // namespace lockstep
