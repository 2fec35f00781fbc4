// SPDX-License-Identifier: Apache-2.0
// What the rows of a [[pair]] section may hold.
#include "potentials/pair_options.hpp"

#include "potentials/detail/pair_functions.hpp"

namespace lockstep {

std::span<CoefficientField const> coefficient_fields(PairPotential potential) {
  return detail::pair_functions(potential).fields;
}

bool reads_table(PairPotential potential) { return detail::pair_functions(potential).tabulate != nullptr; }

}  // namespace lockstep
