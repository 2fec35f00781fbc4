// SPDX-License-Identifier: Apache-2.0
// Own elementary functions: the same bits on every processor, which no libm promises.
//
// exp, log, pow are templates on the number types of base/number.hpp; the others are double. Polynomials are
// minimax fits (Remez, 60 digits) of the function named beside them; their errors are stated there. Bounds in
// ulp are those that tests/property/base/math_test.cpp measures against long double.
#pragma once

#include <type_traits>

#include "base/number.hpp"

namespace lockstep::math {

namespace detail {

/// c[0] + x (c[1] + x (c[2] + ...)), by fma. @param c lowest power first.
template <class T, class... More>
LOCKSTEP_FUNCTION T polynomial(T x, ScalarOf<T> c, More... more) {
  if constexpr (sizeof...(More) == 0)
    return T(c);
  else
    return fma(polynomial(x, more...), x, T(c));
}

/// Where exp is cut off: 0 below `low`, infinity above `high`.
template <class S>
struct ExpLimits;
template <>
struct ExpLimits<float> {
  static constexpr float low = -87.0f, high = 88.0f;
};
template <>
struct ExpLimits<double> {
  static constexpr double low = -708.0, high = 709.0;
};

/// (exp(r) - 1 - r) / r^2 for |r| <= ln(2)/2; relative to exp within 2^-28 (float), 2^-64 (double).
template <class T>
LOCKSTEP_FUNCTION T exp_tail(T r) {
  if constexpr (std::is_same_v<ScalarOf<T>, float>)
    return polynomial(r, 0.5f, 0x1.55548ep-3f, 0x1.55545cp-5f, 0x1.123b56p-7f, 0x1.6db4d4p-10f);
  else
    return polynomial(r, 0.5, 0x1.555555555555cp-3, 0x1.555555555555ep-5, 0x1.111111110ebb3p-7,
                      0x1.6c16c16c135d7p-10, 0x1.a01a01b3bb1f9p-13, 0x1.a01a01b440f32p-16,
                      0x1.71ddef93c9a24p-19, 0x1.27e4bf57aaac3p-22, 0x1.af6ccce91d186p-26,
                      0x1.1f9db87011c43p-29);
}

/// n and r of x + low = n ln(2) + r; and exp(r) - 1.
template <class T>
struct ExpParts {
  T n, minus_one;
};
template <class T>
LOCKSTEP_FUNCTION ExpParts<T> exp_parts(T x, T low) {
  constexpr bool single = std::is_same_v<ScalarOf<T>, float>;
  using S = ScalarOf<T>;
  T const n = round(x * T(S(0x1.71547652b82fep+0)));  // 1 / ln(2)
  T r = fma(n, T(single ? S(-0x1.62e430p-1) : S(-0x1.62e42fefa39efp-1)), x);
  r = fma(n, T(single ? S(0x1.05c610p-29) : S(-0x1.abc9e3b39803fp-56)), r) + low;
  return {n, fma(r * r, exp_tail(r), r)};
}

/// exp(x + low), |low| << 1; the limits apply to x.
template <class T>
LOCKSTEP_FUNCTION T exp_sum(T x, T low) {
  using Limits = ExpLimits<ScalarOf<T>>;
  auto const parts = exp_parts(x, low);
  T const y = fma(parts.minus_one, exp2_integer(parts.n), exp2_integer(parts.n));
  T const cut = select(x < T(Limits::low), T(0), y);
  return select(T(Limits::high) < x, T(__builtin_huge_valf()), cut);
}

/// (2 atanh(s) / s - 2) / s^2 as a function of z = s^2 <= 0.0295; relative to log within 2^-36 (float),
/// 2^-65 (double).
template <class T>
LOCKSTEP_FUNCTION T log_tail(T z) {
  if constexpr (std::is_same_v<ScalarOf<T>, float>)
    return polynomial(z, 0x1.555554p-1f, 0x1.999a7ap-2f, 0x1.2438c0p-2f, 0x1.e2f9fep-3f);
  else
    return polynomial(z, 0x1.5555555555555p-1, 0x1.9999999999e02p-2, 0x1.249249242b006p-2,
                      0x1.c71c72594ab18p-3, 0x1.745cde1d5d097p-3, 0x1.3b20afbb9cb39p-3, 0x1.0f5c6a5511c15p-3,
                      0x1.0f667434ab301p-3);
}

/// log(x) of a positive normal x as high + low, several bits better than T.
template <class T>
struct Split {
  T high, low;
};
template <class T>
LOCKSTEP_FUNCTION Split<T> log_split(T x) {
  constexpr bool single = std::is_same_v<ScalarOf<T>, float>;
  using S = ScalarOf<T>;
  T const e = exponent_of(x);
  T const f = mantissa_of(x) - T(1);  // exact
  T const s = f / (T(2) + f);
  T const z = s * s;
  // log(1 + f) = f - h + s (h + z tail(z)), h = f^2 / 2
  T const half = T(S(0.5)) * f;
  T const h = half * f;
  T const h_low = fma(half, f, -h);
  T const t = s * fma(z, log_tail(z), h);
  T const a = e * T(single ? S(0x1.62e4p-1) : S(0x1.62e42fefa38p-1));  // exact: trailing zeros
  T const b = a + f;                                                   // |a| >= |f| or a = 0
  T const b_low = f - (b - a);
  T const c = b - h;
  T const c_low = (b - c) - h;
  T const rest = fma(e, T(single ? S(0x1.7f7d1cp-20) : S(0x1.ef35793c7673p-45)), t);
  T const low = ((b_low + c_low) - h_low) + rest;
  T const high = c + low;
  return {high, low - (high - c)};
}

template <class T>
LOCKSTEP_FUNCTION constexpr ScalarOf<T> smallest_normal() {
  if constexpr (std::is_same_v<ScalarOf<T>, float>)
    return 0x1p-126f;
  else
    return 0x1p-1022;
}

}  // namespace detail

/// e^x: 0 below -708 (double) or -87 (float), infinity above 709 or 88, NaN of NaN.
/// Within 1 ulp (double), 1.1 ulp (float).
template <class T>
LOCKSTEP_FUNCTION T exp(T x) {
  return detail::exp_sum(x, T(0));
}

/// Natural logarithm of x >= 0: -infinity below the smallest normal number, NaN below 0, of NaN and of
/// infinity. Within 1 ulp.
template <class T>
LOCKSTEP_FUNCTION T log(T x) {
  auto const l = detail::log_split(x);
  T const y = l.high + (x - x);  // l.low is below its last bit; x - x lets NaN through
  T const positive = select(x < T(detail::smallest_normal<T>()), T(-__builtin_huge_valf()), y);
  return select(x < T(0), T(__builtin_nanf("")), positive);
}

/// x^y for finite x >= 0 and y > 0: 0 for x below the smallest normal number, NaN of NaN, the limits of exp
/// for the result. Within 5 ulp for y <= 50.
template <class T>
LOCKSTEP_FUNCTION T pow(T x, T y) {
  auto const l = detail::log_split(x);
  T const p = y * l.high;
  T const p_low = fma(y, l.high, -p) + y * l.low;
  T const z = detail::exp_sum(p, p_low) + (x - x);
  return select(x < T(detail::smallest_normal<T>()), select(x < T(0), T(__builtin_nanf("")), T(0)), z);
}

/// x^n by repeated squaring, |n| < 2^20; n is the same in all lanes. Within |n| ulp.
template <class T>
LOCKSTEP_FUNCTION T pow(T x, int n) {
  T result = T(1), square = x;
  for (unsigned bits = n < 0 ? 0u - unsigned(n) : unsigned(n); bits != 0; bits >>= 1) {
    if ((bits & 1u) != 0) result = result * square;
    square = square * square;
  }
  return n < 0 ? T(1) / result : result;
}

/// e^x - 1, accurate near 0 too; -1 below -708, infinity above 709. Within 2 ulp.
LOCKSTEP_FUNCTION double expm1(double x) {
  if (x < detail::ExpLimits<double>::low) return -1.0;
  if (x > detail::ExpLimits<double>::high) return __builtin_huge_val();
  auto const parts = detail::exp_parts(x, 0.0);
  double const scale = exp2_integer(parts.n);
  return fma(scale, parts.minus_one, scale - 1.0);
}

struct SinCos {
  double sin, cos;
};

namespace detail {

/// Sine and cosine of r + low, |r| <= pi/4, turned by q quarters.
LOCKSTEP_FUNCTION SinCos sincos_quarter(double r, double low, std::int32_t q) {
  double const z = r * r;
  double const s_tail = polynomial(z, -0x1.5555555555555p-3, 0x1.111111111110bp-7, -0x1.a01a01a018ae6p-13,
                                   0x1.71de3a5339a7ap-19, -0x1.ae6452988d010p-26, 0x1.612092e29f69ep-33,
                                   -0x1.aaa55d23a39aep-41);  // (sin(r)/r - 1) / z within 2^-68
  double const c_tail = polynomial(z, 0x1.5555555555555p-5, -0x1.6c16c16c16c10p-10, 0x1.a01a01a018decp-16,
                                   -0x1.27e4fb75fd98fp-22, 0x1.1eed8ca3d23ffp-29, -0x1.93933870bf14dp-37,
                                   0x1.aac5c2ca5e9ddp-45);  // (cos(r) - 1 + z/2) / z^2 within 2^-75
  double const h = 0.5 * z, w = 1.0 - h;
  double const s = r + fma(z * r, s_tail, low * w);
  double const c = w + (((1.0 - w) - h) + fma(z * z, c_tail, -(r * low)));
  bool const swap = (q & 1) != 0;
  double const u = swap ? c : s, v = swap ? s : c;
  return {(q & 2) != 0 ? -u : u, ((q + 1) & 2) != 0 ? -v : v};
}

}  // namespace detail

/// Sine and cosine of x radians, |x| < 2^20. Within 1 ulp.
LOCKSTEP_FUNCTION SinCos sincos(double x) {
  double const n = round(x * 0x1.45f306dc9c883p-1);   // quarters: 2 / pi
  double const r = fma(n, -0x1.921fb54442d18p+0, x);  // exact: its bits reach from 1 to 2^-53
  double const h = n * 0x1.1a62633145c07p-54;
  double const h_low = fma(n, 0x1.1a62633145c07p-54, -h);
  double const high = r - h;
  double const low = ((r - high) - h) - fma(n, -0x1.f1976b7ed8fbcp-110, h_low);
  return detail::sincos_quarter(high, low, static_cast<std::int32_t>(n));
}

/// Sine and cosine of u turns (2 pi u radians), |u| < 2^20; exact at multiples of a quarter. Within 1 ulp.
LOCKSTEP_FUNCTION SinCos sincos_turns(double u) {
  double const n = round(4.0 * u);
  double const part = u - 0.25 * n;  // exact
  double const r = part * 0x1.921fb54442d18p+2;
  double const low = fma(part, 0x1.921fb54442d18p+2, -r) + part * 0x1.1a62633145c07p-52;
  return detail::sincos_quarter(r, low, static_cast<std::int32_t>(n));
}

/// Complementary error function. Within 5 ulp; 0 above 26.6. For x < 0 it is 2 - erfc(-x).
LOCKSTEP_FUNCTION double erfc(double x) {
  double const a = x < 0 ? -x : x;
  // (1 + 2a) exp(a^2) erfc(a) as a polynomial in (a - 4) / (a + 4), a in [0, 28], within 2^-59
  double const t = a + 4.0, inverse = 1.0 / t, q0 = (a - 4.0) * inverse;
  double const q = fma(fma(-4.0, q0 + 1.0, fma(-q0, a, a)), inverse, q0);
  double const p = detail::polynomial(
      q, 0x1.3ba5916e9fd7fp+0, -0x1.1df1ad154a28fp-3, 0x1.f7f5df66fd6dcp-7, 0x1.16ecefcfa54a3p-4,
      -0x1.9ddb23c3e89c4p-4, 0x1.7fee004e0fe36p-4, -0x1.0fb06dfe54a11p-4, 0x1.3079edf6d4572p-5,
      -0x1.09623882b4c37p-6, 0x1.49c6726f1b441p-8, -0x1.8d4a9c392be1ap-11, -0x1.a1df161b8aecap-13,
      0x1.3be06abca7b5dp-13, -0x1.995acf58cafe5p-16, -0x1.788d9b21c656fp-17, 0x1.7f3487c5932dcp-18,
      0x1.3bcf4fa373afap-22, -0x1.bb71f69ff508dp-21, 0x1.3e75b59693acep-24, 0x1.d9f5a74d5ee5ap-24,
      -0x1.2c8890239f31ap-26, -0x1.e3e9a7d0c3203p-27, 0x1.ce9517252468cp-30, 0x1.4a4e7b8e88c58p-30);
  double const d = a + 0.5, g0 = 0.5 * p / d;  // p / (1 + 2a)
  double const g = fma(0.5 * fma(-2.0 * g0, d, p) + g0 * ((a - d) + 0.5), 1.0 / d, g0);
  double const square = a * a;
  double const y = detail::exp_sum(-square, -fma(a, a, -square)) * g;
  double const positive = a > 27.0 ? 0.0 : y;
  return x < 0 ? 2.0 - positive : positive;
}

/// Cube root of any finite x. Within 1 ulp.
LOCKSTEP_FUNCTION double cbrt(double x) {
  double const a = x < 0 ? -x : x;
  if (a < 0x1p-1022) return x;  // 0, and subnormal numbers as they are
  double const e = exponent_of(a), third = round(e * (1.0 / 3.0));
  double const m = mantissa_of(a) * exp2_integer(e - 3.0 * third);  // in [0.35, 2.83]
  double y = fma(m, fma(m, -0.06, 0.5), 0.53);                      // within a few percent
  for (int k = 0; k < 3; ++k) {                                     // Halley: cubic convergence
    double const y3 = y * y * y;
    y = y * (fma(2.0, m, y3) / fma(2.0, y3, m));
  }
  double const square = y * y, square_low = fma(y, y, -square);
  double const residual = fma(-square, y, m) - square_low * y;  // m - y^3, nearly exact
  y = y + residual / (3.0 * square);
  double const root = y * exp2_integer(third);
  return x < 0 ? -root : root;
}

}  // namespace lockstep::math
