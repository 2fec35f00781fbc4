// SPDX-License-Identifier: Apache-2.0
// Pack<float>: one SIMD register of floats with the operators that potentials are written in
// (base/number.hpp).
// Compiled once per instruction set: include it between the target toggles only.
#if defined(LOCKSTEP_KERNELS_SIMD_PACK_INL) == defined(HWY_TARGET_TOGGLE)
#ifdef LOCKSTEP_KERNELS_SIMD_PACK_INL
#undef LOCKSTEP_KERNELS_SIMD_PACK_INL
#else
#define LOCKSTEP_KERNELS_SIMD_PACK_INL
#endif

#include <hwy/highway.h>

#if HWY_TARGET == HWY_SCALAR || HWY_TARGET == HWY_EMU128 || HWY_TARGET == HWY_SSE4 || HWY_TARGET == HWY_SSSE3
#error "this target has no fused multiply-add: its bits would differ (contract rule 13)"
#endif

HWY_BEFORE_NAMESPACE();
namespace lockstep::HWY_NAMESPACE {
namespace hn = hwy::HWY_NAMESPACE;

using FloatTag = hn::CappedTag<float, 16>;
using IntTag = hn::RebindToSigned<FloatTag>;
using FloatVec = hn::Vec<FloatTag>;
using IntVec = hn::Vec<IntTag>;
using FloatMask = hn::Mask<FloatTag>;
inline constexpr int lanes = int(hn::MaxLanes(FloatTag()));

/// Nearest-even conversion; the caller has masked the value to |v| < 2^31 (contract rule 12).
inline IntVec round_i32(FloatVec v) {
#if HWY_TARGET == HWY_AVX2
  return IntVec{_mm256_cvtps_epi32(v.raw)};
#elif HWY_TARGET <= HWY_AVX3 && HWY_ARCH_X86
  return IntVec{_mm512_cvtps_epi32(v.raw)};
#elif HWY_ARCH_ARM_A64
  return IntVec(vcvtnq_s32_f32(v.raw));
#else
#error "no rounding conversion known for this target"
#endif
}

/// One bit per lane, the lowest first.
inline std::uint32_t bits_of(FloatMask m) {
#if HWY_TARGET == HWY_AVX2
  return std::uint32_t(_mm256_movemask_ps(m.raw));
#elif HWY_TARGET <= HWY_AVX3 && HWY_ARCH_X86
  return std::uint32_t(m.raw);
#else
  std::uint8_t bytes[8] = {};
  hn::StoreMaskBits(FloatTag(), m, bytes);
  std::uint32_t bits;
  __builtin_memcpy(&bits, bytes, 4);
  return bits;
#endif
}

template <class T>
struct Pack;

template <>
struct Pack<float> {
  using Scalar = float;
  FloatVec v;
  Pack() = default;
  inline Pack(FloatVec value) : v(value) {}
  inline explicit Pack(float value) : v(hn::Set(FloatTag(), value)) {}
  inline explicit Pack(double value) : Pack(float(value)) {}
  inline explicit Pack(int value) : Pack(float(value)) {}
};
using P = Pack<float>;

/// A comparison of packs.
struct PackMask {
  FloatMask m;
};

inline P operator+(P a, P b) { return hn::Add(a.v, b.v); }
inline P operator-(P a, P b) { return hn::Sub(a.v, b.v); }
inline P operator*(P a, P b) { return hn::Mul(a.v, b.v); }
inline P operator/(P a, P b) { return hn::Div(a.v, b.v); }
inline P operator-(P a) { return hn::Neg(a.v); }
inline PackMask operator<(P a, P b) { return {hn::Lt(a.v, b.v)}; }
/// Lanes of m in which a < b, or a >= b: one instruction where masks are registers of their own.
inline FloatMask less_in(FloatMask m, P a, P b) {
#if HWY_TARGET <= HWY_AVX3 && HWY_ARCH_X86
  return FloatMask{_mm512_mask_cmp_ps_mask(m.raw, a.v.raw, b.v.raw, _CMP_LT_OQ)};
#else
  return hn::And(m, hn::Lt(a.v, b.v));
#endif
}
inline FloatMask at_least_in(FloatMask m, P a, P b) {
#if HWY_TARGET <= HWY_AVX3 && HWY_ARCH_X86
  return FloatMask{_mm512_mask_cmp_ps_mask(m.raw, a.v.raw, b.v.raw, _CMP_GE_OQ)};
#else
  return hn::And(m, hn::Ge(a.v, b.v));
#endif
}
inline P fma(P a, P b, P c) { return hn::MulAdd(a.v, b.v, c.v); }
inline P sqrt(P a) { return hn::Sqrt(a.v); }
inline P min(P a, P b) { return hn::IfThenElse(hn::Lt(a.v, b.v), a.v, b.v); }
inline P max(P a, P b) { return hn::IfThenElse(hn::Lt(b.v, a.v), a.v, b.v); }
inline P round(P a) {
  P const magic(12582912.0f);  // 1.5 * 2^23
  return (a + magic) - magic;
}
inline P exp2_integer(P n) {
  IntVec const bits = hn::BitCast(IntTag(), (n + P(12582912.0f)).v);
  return hn::BitCast(FloatTag(), hn::ShiftLeft<23>(hn::Add(bits, hn::Set(IntTag(), 127))));
}
/// The biased exponent of x = m 2^e with m in [sqrt(1/2), sqrt(2)).
inline IntVec biased_exponent(P x) {
  const hn::RebindToUnsigned<IntTag> du;
  auto const bits = hn::Add(hn::BitCast(du, x.v), hn::Set(du, 0x3f800000u - 0x3f3504f3u));
  return hn::BitCast(IntTag(), hn::ShiftRight<23>(bits));
}
inline P exponent_of(P x) {
  return hn::ConvertTo(FloatTag(), hn::Sub(biased_exponent(x), hn::Set(IntTag(), 127)));
}
inline P mantissa_of(P x) {
  IntVec const bits = hn::Add(hn::BitCast(IntTag(), x.v), hn::Set(IntTag(), 0x3f800000));
  return hn::BitCast(FloatTag(), hn::Sub(bits, hn::ShiftLeft<23>(biased_exponent(x))));
}
inline P select(PackMask m, P yes, P no) { return hn::IfThenElse(m.m, yes.v, no.v); }

}  // namespace lockstep::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();
#endif
