// SPDX-License-Identifier: Apache-2.0
// Choice of the Monte-Carlo kernel.
#include "kernels/mc_sweep.hpp"

namespace lockstep {

#define PAIR_POTENTIAL(name, type) \
  std::unique_ptr<McKernel> make_portable_mc_##name(PairTable const& table, Scales const& scales);
#include "potentials/pair.def"
#undef PAIR_POTENTIAL

std::unique_ptr<McKernel> make_mc_kernel(PairTable const& table, Scales const& scales) {
  switch (table.potential) {
#define PAIR_POTENTIAL(name, type) \
  case PairPotential::name:        \
    return make_portable_mc_##name(table, scales);
#include "potentials/pair.def"
#undef PAIR_POTENTIAL
  }
  __builtin_unreachable();
}

}  // namespace lockstep
