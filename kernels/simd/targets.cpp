// SPDX-License-Identifier: Apache-2.0
// Run-time choice of the instruction set, through Highway.
#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "kernels/simd/targets.cpp"
#include "hwy/foreach_target.h"
#include "hwy/highway.h"

HWY_BEFORE_NAMESPACE();
namespace lockstep::HWY_NAMESPACE {
std::int64_t compiled_target() { return HWY_TARGET; }
}  // namespace lockstep::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
#include "kernels/simd/targets.hpp"

namespace lockstep::simd {
HWY_EXPORT(compiled_target);
namespace {

KernelWidth width_of(std::int64_t target) {
  switch (target) {
    case HWY_AVX3:
      return KernelWidth::avx512;
    case HWY_AVX2:
      return KernelWidth::avx2;
    case HWY_NEON:
      return KernelWidth::neon;
    default:
      return KernelWidth::portable;
  }
}

KernelWidth current = KernelWidth::automatic;

}  // namespace

std::vector<KernelWidth> available() {
  hwy::SetSupportedTargetsForTest(0);
  std::vector<KernelWidth> widths;
  for (std::int64_t target : hwy::SupportedAndGeneratedTargets())
    if (width_of(target) != KernelWidth::portable) widths.push_back(width_of(target));
  widths.push_back(KernelWidth::portable);
  return widths;
}

bool choose(KernelWidth width) {
  if (width == KernelWidth::portable) return false;
  hwy::SetSupportedTargetsForTest(0);
  for (std::int64_t target : hwy::SupportedAndGeneratedTargets()) {
    KernelWidth const w = width_of(target);
    if (w == KernelWidth::portable || (width != KernelWidth::automatic && w != width)) continue;
    hwy::SetSupportedTargetsForTest(target);
    hwy::GetChosenTarget().Update(target);
    current = w;
    return true;
  }
  return false;
}

KernelWidth chosen() { return current; }

std::string_view name(KernelWidth width) {
  switch (width) {
    case KernelWidth::automatic:
      return "auto";
    case KernelWidth::portable:
      return "portable";
    case KernelWidth::avx2:
      return "avx2";
    case KernelWidth::avx512:
      return "avx512";
    default:
      return "neon";
  }
}

}  // namespace lockstep::simd
#endif
