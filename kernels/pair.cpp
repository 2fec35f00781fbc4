// SPDX-License-Identifier: Apache-2.0
// Choice of the pair kernel.
#include "kernels/pair.hpp"

#include <fmt/format.h>

#include "base/error.hpp"
#include "kernels/simd/targets.hpp"

namespace lockstep {

#define PAIR_POTENTIAL(name, type)                                                                     \
  std::unique_ptr<PairKernel> make_portable_pair_##name(PairTable const& table, Scales const& scales); \
  std::unique_ptr<PairKernel> make_simd_pair_##name(PairTable const& table, Scales const& scales);
#include "potentials/pair.def"
#undef PAIR_POTENTIAL

namespace {

using Maker = std::unique_ptr<PairKernel> (*)(PairTable const&, Scales const&);
struct Family {
  Maker portable, simd;
};
constexpr Family families[] = {
#define PAIR_POTENTIAL(name, type) {make_portable_pair_##name, make_simd_pair_##name},
#include "potentials/pair.def"
#undef PAIR_POTENTIAL
};

}  // namespace

double pair_energy_scale(Scales const& scales) {
  return exp2i(scales.force_bits + scales.window_shift - position_bits);
}

std::unique_ptr<PairKernel> make_pair_kernel(PairTable const& table, Scales const& scales,
                                             KernelWidth width) {
  Family const& family = families[int(table.potential)];
  // SIMD kernels read windows; double precision has the portable kernel alone.
  bool const simd = width != KernelWidth::portable && scales.precision == Precision::mixed;
  if (simd && simd::choose(width)) return family.simd(table, scales);
  if (simd && width != KernelWidth::automatic)
    throw ResourceError(fmt::format("the {} kernels cannot run on this processor", simd::name(width)),
                        "it lacks the instructions", "leave --kernel out: the best one is chosen");
  return family.portable(table, scales);
}

}  // namespace lockstep
