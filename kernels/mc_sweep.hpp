// SPDX-License-Identifier: Apache-2.0
// The contract of the Monte-Carlo kernels: the energy of one particle with those near it, every pair rounded
// as the pair kernels round it, so that a sum of changes and a recomputation are the same integer.
#pragma once

#include <cstdint>
#include <memory>

#include "base/fixed.hpp"
#include "base/scales.hpp"
#include "potentials/pair_table.hpp"

namespace lockstep {

/// Partner arrays are padded to whole blocks with particles at `mc_far`.
inline constexpr int mc_block = 8;
inline constexpr double mc_far = 0x1p60;

/// Particles of one species: whole coordinate units (windows of positions in mixed precision, positions in
/// double) from some origin, so that differences are exact.
struct McPartners {
  double const *x = nullptr, *y = nullptr, *z = nullptr;  ///< [n]
  int n = 0;                                              ///< a multiple of mc_block
};

/// A sum of pair energies in energy units.
struct McEnergy {
  Int128 sum = 0;
  bool finite =
      true;  ///< false: some pair's energy is NaN or not below 2^60 in magnitude; the sum means nothing
};

/// The energies of one [[pair]] section, for one potential, truncation and precision.
class McKernel {
 public:
  virtual ~McKernel() = default;
  /// Adds the pairs of a particle at `at` with the partners. @param pair species i * n_species + species j.
  /// Thread-safe.
  virtual void add(int pair, double const (&at)[3], McPartners const& partners, McEnergy& energy) const = 0;
};

std::unique_ptr<McKernel> make_mc_kernel(PairTable const& table, Scales const& scales);

/// Particles round a cell as floats (coordinate units from some origin): good enough to leave out the far
/// ones.
struct McCoarse {
  float const *x = nullptr, *y = nullptr, *z = nullptr;  ///< [n]
  std::uint32_t n = 0;
};

/// Indices of the particles nearer to `a` or to `b` than sqrt(limit2), ascending. @param found [n]
/// @returns how many
std::uint32_t find_near(McCoarse const& particles, float const (&a)[3], float const (&b)[3], float limit2,
                        std::uint32_t* found);

}  // namespace lockstep
