// SPDX-License-Identifier: Apache-2.0
// The rows of a [[pair]] section, checked, mixed, one per pair of species.
#pragma once

#include <span>
#include <string>
#include <vector>

#include "base/error.hpp"
#include "potentials/detail/pair_functions.hpp"

namespace lockstep::detail {

/// One unordered pair of species i <= j that a section serves.
struct PairRow {
  int i = 0, j = 0;
  Values values{};
  double cutoff = 0;
  PairCoefficients const* source = nullptr;  ///< the listed row; null if mixed
  std::string where;                         ///< of the row in the input, for messages
};

/// All pairs of species one section serves, listed or mixed. Appends what is wrong to `faults`.
std::vector<PairRow> resolve_rows(PairOptions const& options, std::span<std::string const> species,
                                  std::vector<Diagnostic>& faults);

/// Appends a fault for each pair of species that none of the sections serves.
void require_all_pairs(std::span<std::vector<PairRow> const> sections, std::span<PairOptions const> options,
                       std::span<std::string const> species, std::vector<Diagnostic>& faults);

}  // namespace lockstep::detail
