// SPDX-License-Identifier: Apache-2.0
// The vocabulary in which formulas are written once for scalars, SIMD packs and the device.
//
// A formula is a template on a number type T: float, double, or a pack of either. It may use only
//
// clang-format off
//   T::Scalar            member type of a pack: float or double (ScalarOf<T> answers for scalars too)
//   T(scalar)            every lane the same; T(1), T(0.5f)
//   + - * / and unary -  IEEE, one rounding each, never contracted
//   a < b                a mask; false where either is NaN. No other comparison.
//   select(mask, x, y)   x where the mask holds, else y, bit for bit (a blend)
//   fma(a, b, c)         a * b + c with one rounding
//   sqrt(a)              IEEE
//   min(a, b)            a < b ? a : b, so b where one is NaN
//   max(a, b)            b < a ? a : b, so b where one is NaN
//   round(a)             nearest integer, ties to even, as a T; required for |a| < 2^22 (float), 2^51 (double) only.
//                        The scalar form is (a + 1.5 2^23) - 1.5 2^23 (2^52 for double), which a pack may use as it is.
//   exp2_integer(n)      2^n for integer-valued n in [-126, 127] (float), [-1022, 1023] (double). Scalar form: the low
//                        bits of n + 1.5 2^23 (2^52), plus the bias, moved to the exponent.
//   mantissa_of(x)       m and e of x = m 2^e for positive normal x, m in [sqrt(1/2), sqrt(2)), e integer-valued.
//   exponent_of(x)       Exactly, on unsigned words, with i = bits(x), b = bits(1), o = 0x3f3504f3 (float) or
//                        0x3fe6a09e667f3bcd (double), that is bits(sqrt(1/2)): k = (i + (b - o)) >> 23 (52),
//                        e = k - 127 (1023), and m has the bits i + b - (k << 23 (52)).
//   round_i32(a)         nearest integer, ties to even, as int32; callers mask a to |a| < 2^31 first. For the loops
//                        round the formulas: formulas themselves have no integers.
// Arguments outside these ranges may give any value, but no trap.
// clang-format on
//
// Packs bring their own functions of these names, found by argument-dependent lookup; they must give the
// scalar functions' bits in every lane. Formulas contain no branch on data: both sides are computed, then
// selected.
#pragma once

#include <bit>
#include <cstdint>

#include "base/function.hpp"

namespace lockstep {

template <class T>
struct ScalarOfTrait {
  using type = typename T::Scalar;
};
template <>
struct ScalarOfTrait<float> {
  using type = float;
};
template <>
struct ScalarOfTrait<double> {
  using type = double;
};
/// float or double: what the lanes of T are.
template <class T>
using ScalarOf = typename ScalarOfTrait<T>::type;

LOCKSTEP_FUNCTION float fma(float a, float b, float c) { return __builtin_fmaf(a, b, c); }
LOCKSTEP_FUNCTION double fma(double a, double b, double c) { return __builtin_fma(a, b, c); }
LOCKSTEP_FUNCTION float sqrt(float a) { return __builtin_sqrtf(a); }
LOCKSTEP_FUNCTION double sqrt(double a) { return __builtin_sqrt(a); }

LOCKSTEP_FUNCTION constexpr float min(float a, float b) { return a < b ? a : b; }
LOCKSTEP_FUNCTION constexpr double min(double a, double b) { return a < b ? a : b; }
LOCKSTEP_FUNCTION constexpr float max(float a, float b) { return b < a ? a : b; }
LOCKSTEP_FUNCTION constexpr double max(double a, double b) { return b < a ? a : b; }

LOCKSTEP_FUNCTION constexpr float select(bool mask, float x, float y) { return mask ? x : y; }
LOCKSTEP_FUNCTION constexpr double select(bool mask, double x, double y) { return mask ? x : y; }

/// Nearest integer, ties to even, for |a| < 2^22.
LOCKSTEP_FUNCTION constexpr float round(float a) {
  constexpr float magic = 12582912.0f;  // 1.5 * 2^23
  return (a + magic) - magic;
}
/// Nearest integer, ties to even, for |a| < 2^51.
LOCKSTEP_FUNCTION constexpr double round(double a) {
  constexpr double magic = 6755399441055744.0;  // 1.5 * 2^52
  return (a + magic) - magic;
}

/// Nearest integer, ties to even, for |value| < 2^31; callers mask the value into that range first (outside
/// it the instruction sets disagree). Packs bring their own overload.
LOCKSTEP_FUNCTION std::int32_t round_i32(float value) {
  return static_cast<std::int32_t>(__builtin_rintf(value));
}
LOCKSTEP_FUNCTION std::int32_t round_i32(double value) {
  return static_cast<std::int32_t>(__builtin_rint(value));
}

/// 2^n for integer-valued n in [-126, 127].
LOCKSTEP_FUNCTION constexpr float exp2_integer(float n) {
  return std::bit_cast<float>((std::bit_cast<std::uint32_t>(n + 12582912.0f) + 127u) << 23);
}
/// 2^n for integer-valued n in [-1022, 1023].
LOCKSTEP_FUNCTION constexpr double exp2_integer(double n) {
  return std::bit_cast<double>((std::bit_cast<std::uint64_t>(n + 6755399441055744.0) + 1023u) << 52);
}

namespace detail {
inline constexpr std::uint32_t one_bits32 = 0x3f800000u, sqrt_half_bits32 = 0x3f3504f3u;
inline constexpr std::uint64_t one_bits64 = 0x3ff0000000000000u, sqrt_half_bits64 = 0x3fe6a09e667f3bcdu;

/// The exponent of x, biased.
LOCKSTEP_FUNCTION constexpr std::uint32_t biased_exponent(float x) {
  return (std::bit_cast<std::uint32_t>(x) + (one_bits32 - sqrt_half_bits32)) >> 23;
}
LOCKSTEP_FUNCTION constexpr std::uint64_t biased_exponent(double x) {
  return (std::bit_cast<std::uint64_t>(x) + (one_bits64 - sqrt_half_bits64)) >> 52;
}
}  // namespace detail

/// e of x = m 2^e, m in [sqrt(1/2), sqrt(2)), for positive normal x.
LOCKSTEP_FUNCTION constexpr float exponent_of(float x) {
  return static_cast<float>(static_cast<std::int32_t>(detail::biased_exponent(x)) - 127);
}
LOCKSTEP_FUNCTION constexpr double exponent_of(double x) {
  return static_cast<double>(static_cast<std::int32_t>(detail::biased_exponent(x)) - 1023);
}
/// m of x = m 2^e, m in [sqrt(1/2), sqrt(2)), for positive normal x.
LOCKSTEP_FUNCTION constexpr float mantissa_of(float x) {
  return std::bit_cast<float>(std::bit_cast<std::uint32_t>(x) + detail::one_bits32 -
                              (detail::biased_exponent(x) << 23));
}
LOCKSTEP_FUNCTION constexpr double mantissa_of(double x) {
  return std::bit_cast<double>(std::bit_cast<std::uint64_t>(x) + detail::one_bits64 -
                               (detail::biased_exponent(x) << 52));
}

}  // namespace lockstep
