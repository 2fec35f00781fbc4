// SPDX-License-Identifier: Apache-2.0
// temporary
#pragma once
#include <cstdint>
#include "base/function.hpp"
namespace lockstep {
LOCKSTEP_FUNCTION float select(bool m, float a, float b) { return m ? a : b; }
LOCKSTEP_FUNCTION double select(bool m, double a, double b) { return m ? a : b; }
LOCKSTEP_FUNCTION std::int32_t round_i32(float v) { return static_cast<std::int32_t>(__builtin_rintf(v)); }
LOCKSTEP_FUNCTION std::int32_t round_i32(double v) { return static_cast<std::int32_t>(__builtin_rint(v)); }
}
