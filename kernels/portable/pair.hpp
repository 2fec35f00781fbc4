// SPDX-License-Identifier: Apache-2.0
// The portable pair kernel: the definition of right. Host threads and device blocks run the same row.
#pragma once

#include <Kokkos_Core.hpp>

#include "base/vec3.hpp"
#include "kernels/pair_arithmetic.hpp"

namespace lockstep::portable {

/// Forces from here on stop the run: a few of them still sum in an int64.
inline constexpr double force_limit = 0x1p+60;
/// Energies and virials, in an Int128, may be larger.
inline constexpr double sum_limit = 0x1p+100;

/// One row at a time; plain pointers only, so that it can be copied to a device.
template <class Potential, Truncation truncation, class Real, class Word>
struct PairRow {
  KernelEntry<Potential, Real> const* entries;         ///< [n_species^2]
  KernelEntry<Potential, double> const* wide_entries;  ///< [n_species^2]
  SharedValues<Real> shared;
  SharedValues<double> wide_shared;
  int n_species;
  Real length2, energy_factor, virial_factor;
  double wide_length2, wide_energy_factor, wide_virial_factor;
  Word const* x;
  PairArgs args;
  PairOutput out;

  template <class T, class Sum>
  LOCKSTEP_FUNCTION static void add(Sum* target, T value) {
    KOKKOS_IF_ON_HOST((*target = wrap_add(*target, static_cast<Sum>(value));))
    KOKKOS_IF_ON_DEVICE((Kokkos::atomic_add(target, static_cast<Sum>(value));))
  }

  LOCKSTEP_FUNCTION static std::uint32_t next(std::uint32_t* counter) {
    std::uint32_t at = 0;
    KOKKOS_IF_ON_HOST((at = (*counter)++;))
    KOKKOS_IF_ON_DEVICE((at = Kokkos::atomic_fetch_add(counter, 1u);))
    return at;
  }

  LOCKSTEP_FUNCTION void fault(std::uint32_t i, std::uint32_t j, double r2) const {
    std::uint32_t const at = next(out.n_faults);
    if (at < out.max_faults) out.faults[at] = {i, j, sqrt(r2)};
  }

  LOCKSTEP_FUNCTION void outlier(std::uint32_t slot, Vec3<std::int64_t> f) const {
    std::uint32_t const at = next(out.n_outliers);
    if (at < out.max_outliers) out.outliers[at] = {slot, {f.x, f.y, f.z}};
  }

  /// Coordinate difference: exact and antisymmetric, then rounded once to Real.
  template <class R>
  LOCKSTEP_FUNCTION Vec3<R> difference(std::uint32_t i, std::uint32_t j) const {
    Word const* const a = x + (i / 4) * 12 + i % 4;
    Word const* const b = x + (j / 4) * 12 + j % 4;
    return {static_cast<R>(wrap_sub(a[0], b[0])), static_cast<R>(wrap_sub(a[4], b[4])),
            static_cast<R>(wrap_sub(a[8], b[8]))};
  }

  /// A pair in double, summed in int64: nearer than its guard, or `double` precision.
  LOCKSTEP_FUNCTION void wide_pair(std::uint32_t i, std::uint32_t j, int pair, RowSums& sums) const {
    auto const& e = wide_entries[pair];
    Vec3<double> const d = difference<double>(i, j);
    double const r2 = fma(d.z, d.z, fma(d.y, d.y, d.x * d.x)) * wide_length2;
    if constexpr (sizeof(Word) == 8) {
      if (!(r2 < e.cutoff2)) return;
    }
    PairTerm<double> const term = pair_term<Potential, truncation>(r2, e, wide_shared);
    Vec3<double> const f{term.force_over_r * d.x, term.force_over_r * d.y, term.force_over_r * d.z};
    double const energy = term.energy * wide_energy_factor;
    double const w = wide_virial_factor;
    double const largest_force = fmax_abs(fmax_abs(f.x, f.y), f.z);
    double const values[6] = {f.x * d.x * w, f.y * d.y * w, f.z * d.z * w,
                              f.x * d.y * w, f.x * d.z * w, f.y * d.z * w};
    double largest_sum = fmax_abs(0, energy);
    for (double v : values) largest_sum = fmax_abs(largest_sum, v);
    if (!(largest_force < force_limit) || !(largest_sum < sum_limit)) return fault(i, j, r2);
    Vec3<std::int64_t> const n{round_wide(f.x), round_wide(f.y), round_wide(f.z)};
    if constexpr (sizeof(Word) == 8) {
      for (int k = 0; k < 3; ++k) {
        add(out.wide + (i / 4) * 12 + i % 4 + 4 * k, n[k]);
        add(out.wide + (j / 4) * 12 + j % 4 + 4 * k, -n[k]);
      }
    } else {
      outlier(i, n);
      outlier(j, Vec3<std::int64_t>{-n.x, -n.y, -n.z});
    }
    if (!args.sums) return;
    sums.energy += round_int128(energy);
    for (int k = 0; k < 6; ++k) sums.virial[k] += round_int128(values[k]);
  }

  /// The larger magnitude; NaN wins.
  LOCKSTEP_FUNCTION static double fmax_abs(double a, double b) {
    a = a < 0 ? -a : a;
    b = b < 0 ? -b : b;
    return b <= a ? b != b ? b : a : a != a ? a : b;
  }

  LOCKSTEP_FUNCTION void narrow_pair(std::uint32_t i, std::uint32_t j, int pair, RowSums& sums) const {
    auto const& e = entries[pair];
    Vec3<Real> const d = difference<Real>(i, j);
    Real const r2 = fma(d.z, d.z, fma(d.y, d.y, d.x * d.x)) * length2;
    if (!(r2 < e.cutoff2)) return;
    if (r2 < e.guard2) return wide_pair(i, j, pair, sums);
    if (args.only_near) return;
    PairTerm<Real> const term = pair_term<Potential, truncation>(r2, e, shared);
    Real const fx = term.force_over_r * d.x, fy = term.force_over_r * d.y, fz = term.force_over_r * d.z;
    std::int32_t const f[3] = {round_i32(fx), round_i32(fy), round_i32(fz)};
    for (int k = 0; k < 3; ++k) {
      std::uint32_t const at_i = (i / 4) * 12 + i % 4 + 4 * k, at_j = (j / 4) * 12 + j % 4 + 4 * k;
      if (args.long_rows) {
        add(out.wide + at_i, f[k]);
        add(out.wide + at_j, -f[k]);
      } else {
        add(out.narrow + at_i, f[k]);
        add(out.narrow + at_j, -f[k]);
      }
    }
    if (!args.sums) return;
    Real const w = virial_factor;
    Real const wx = fx * w, wy = fy * w, wz = fz * w;
    std::int64_t const virial[6] = {round_i32(wx * d.x), round_i32(wy * d.y), round_i32(wz * d.z),
                                    round_i32(wx * d.y), round_i32(wx * d.z), round_i32(wy * d.z)};
    sums.energy += round_i32(term.energy * energy_factor);
    for (int k = 0; k < 6; ++k) sums.virial[k] += virial[k];
  }

  LOCKSTEP_FUNCTION void operator()(std::uint32_t row) const {
    RowSums sums{};
    std::uint32_t const k = row - args.list.first_row;
    for (std::uint32_t q = args.list.start[k]; q < args.list.start[k + 1]; ++q) {
      PairListEntry const entry = args.list.entries[q];
      for (std::uint32_t bit = 0; bit < 32; ++bit) {
        if (((entry.lanes >> bit) & 1u) == 0) continue;
        std::uint32_t const i = 8 * row + bit / 4, j = 4 * entry.cluster + bit % 4;
        int const pair = args.species[i] * n_species + args.species[j];
        if constexpr (sizeof(Word) == 8) {
          wide_pair(i, j, pair, sums);
        } else {
          narrow_pair(i, j, pair, sums);
        }
      }
    }
    if (!args.sums) return;
    out.sums[row].energy += sums.energy;
    for (int m = 0; m < 6; ++m) out.sums[row].virial[m] += sums.virial[m];
  }
};

}  // namespace lockstep::portable
