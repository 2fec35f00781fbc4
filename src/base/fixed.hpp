// SPDX-License-Identifier: Apache-2.0
// Fixed-point numbers: the integer units of position and velocity, wrapping arithmetic, rounding.
#pragma once

#include <bit>
#include <cmath>
#include <cstdint>

#include "base/function.hpp"

namespace lockstep {

__extension__ typedef __int128 Int128;
__extension__ typedef unsigned __int128 UInt128;

/// Binary digits of a position behind the point: one position unit is 2^-44 of the length unit (nm or sigma).
inline constexpr int position_bits = 44;
/// One velocity unit is 2^-42 of the velocity unit (nm/ps or sigma/tau).
inline constexpr int velocity_bits = 42;
/// Speeds from here on are a runaway: the run stops with the particle's id. In length units per time unit.
inline constexpr double speed_limit = 16384.0;

/// 2^n as a double, exact for |n| < 1023.
LOCKSTEP_FUNCTION constexpr double exp2i(int n) {
  return std::bit_cast<double>(static_cast<std::uint64_t>(1023 + n) << 52);
}

inline constexpr double position_unit = exp2i(-position_bits);
inline constexpr double velocity_unit = exp2i(-velocity_bits);

/// a + b modulo 2^64: signed overflow is undefined, so the sum is formed on unsigned words.
LOCKSTEP_FUNCTION constexpr std::int64_t wrap_add(std::int64_t a, std::int64_t b) {
  return static_cast<std::int64_t>(static_cast<std::uint64_t>(a) + static_cast<std::uint64_t>(b));
}
LOCKSTEP_FUNCTION constexpr std::int64_t wrap_sub(std::int64_t a, std::int64_t b) {
  return static_cast<std::int64_t>(static_cast<std::uint64_t>(a) - static_cast<std::uint64_t>(b));
}
LOCKSTEP_FUNCTION constexpr std::int32_t wrap_add(std::int32_t a, std::int32_t b) {
  return static_cast<std::int32_t>(static_cast<std::uint32_t>(a) + static_cast<std::uint32_t>(b));
}
LOCKSTEP_FUNCTION constexpr std::int32_t wrap_sub(std::int32_t a, std::int32_t b) {
  return static_cast<std::int32_t>(static_cast<std::uint32_t>(a) - static_cast<std::uint32_t>(b));
}

/// The 32-bit window of a position: bits s to s+31. Differences of windows are exact modulo the period
/// 2^(32 + s) position units.
LOCKSTEP_FUNCTION constexpr std::int32_t window(std::int64_t position, int s) {
  return static_cast<std::int32_t>(static_cast<std::uint32_t>(static_cast<std::uint64_t>(position) >> s));
}

/// What kernels of Word see of a position: the window (int32) or all of it (int64).
template <class Word>
LOCKSTEP_FUNCTION constexpr Word coordinate(std::int64_t position, int s) {
  if constexpr (sizeof(Word) == 4) {
    return window(position, s);
  } else {
    return position;
  }
}

/// Nearest integer, ties to even, for |value| < 2^51; odd in its argument. Adding 1.5 x 2^52 makes the
/// hardware's own rounding do it, the same on every instruction set, and it vectorises.
LOCKSTEP_FUNCTION constexpr std::int64_t round_to_fixed(double value) {
  constexpr double magic = 6755399441055744.0;  // 1.5 * 2^52
  return wrap_sub(std::bit_cast<std::int64_t>(value + magic), std::bit_cast<std::int64_t>(magic));
}

/// Nearest integer, ties to even, for |value| < 2^63, in two pieces that each suit round_to_fixed: vectorises
/// where the processor has no conversion to int64. Other values give any integer.
LOCKSTEP_FUNCTION constexpr std::int64_t round_to_fixed_wide(double value) {
  constexpr double magic = 6755399441055744.0;  // 1.5 * 2^52
  double const high = (value * 0x1p-20 + magic) - magic;
  double const low = value - high * 0x1p+20;  // exact; high * 2^20 is even, so ties stay ties
  auto const shifted = static_cast<std::uint64_t>(round_to_fixed(high)) << 20;
  return wrap_add(static_cast<std::int64_t>(shifted), round_to_fixed(low));
}

/// Nearest integer, ties to even, for |value| < 2^63; slower than round_to_fixed.
LOCKSTEP_FUNCTION std::int64_t round_wide(double value) {
  return static_cast<std::int64_t>(__builtin_rint(value));
}

/// The double nearest to an int64: static_cast in a form that vectorises where the processor has no such
/// instruction.
LOCKSTEP_FUNCTION constexpr double fixed_to_double(std::int64_t value) {
  auto const word = static_cast<std::uint64_t>(value);
  auto const low = std::bit_cast<double>((word & 0xffffffffu) | 0x4330000000000000u);  // 2^52 + low half
  auto const high = std::bit_cast<double>((word >> 32) ^ 0x4530000080000000u);  // 2^84 + 2^63 + high half
  return (high - 0x1.00000801p84) + low;                                        // exact, then one rounding
}

/// Nearest integer, ties to even, for |value| < 2^120.
LOCKSTEP_FUNCTION Int128 round_int128(double value) {
  double const magnitude = value < 0 ? -value : value;
  if (magnitude < 0x1p+62) return round_wide(value);
  auto const bits = std::bit_cast<std::uint64_t>(magnitude);  // an integer already: its 53 digits, moved up
  auto const digits = static_cast<std::int64_t>((bits & 0xfffffffffffffu) | 0x10000000000000u);
  Int128 const integer = static_cast<Int128>(digits) << (static_cast<int>(bits >> 52) - 1023 - 52);
  return value < 0 ? -integer : integer;
}

/// The double nearest to an exact 128-bit sum (round to nearest even), the same on every compiler.
constexpr double to_double(Int128 value) {
  bool const negative = value < 0;
  UInt128 magnitude = negative ? UInt128(0) - static_cast<UInt128>(value) : static_cast<UInt128>(value);
  int shift = 0;
  bool sticky = false;
  while ((magnitude >> 55) != 0) {  // keep 55 bits: 53 and two to round with
    sticky = sticky || (magnitude & 1) != 0;
    magnitude >>= 1;
    ++shift;
  }
  auto bits = static_cast<std::int64_t>(magnitude);
  if (sticky) bits |= 1;
  double result = static_cast<double>(bits);
  while (shift > 1000) {
    result *= exp2i(1000);
    shift -= 1000;
  }
  result *= exp2i(shift);
  return negative ? -result : result;
}

}  // namespace lockstep
