// SPDX-License-Identifier: Apache-2.0
// Energies of single particles in loops over lanes that compilers vectorise.
#pragma once

#include <memory>
#include <vector>

#include "kernels/mc_sweep.hpp"
#include "kernels/pair_arithmetic.hpp"

namespace lockstep::portable {

/// Pair energies that reach this are beyond the range, as in the pair kernels.
inline constexpr double mc_wide_limit = 1152921504606846976.0;  // 2^60

/// Squared distance with the operations of the pair kernels, differences rounded once to Real.
template <class Real>
LOCKSTEP_FUNCTION Real mc_distance2(double const (&at)[3], McPartners const& q, int k, Real length2) {
  Real const dx = static_cast<Real>(at[0] - q.x[k]), dy = static_cast<Real>(at[1] - q.y[k]),
             dz = static_cast<Real>(at[2] - q.z[k]);
  return fma(dz, dz, fma(dy, dy, dx * dx)) * length2;
}

template <class Potential, Truncation truncation>
class McKernelOf final : public McKernel {
 public:
  McKernelOf(PairTable const& table, Scales const& scales)
      : mixed_(scales.precision == Precision::mixed), narrow_(table, scales), wide_(table, scales) {
    for (int pair = 0; pair < narrow_.n_pairs; ++pair) {
      narrow_entries_.push_back(narrow_.entry(pair));
      wide_entries_.push_back(wide_.entry(pair));
    }
  }

  void add(int pair, double const (&at)[3], McPartners const& partners, McEnergy& energy) const override {
    auto const k = std::size_t(pair);
    if (!(wide_entries_[k].cutoff2 > 0)) return;
    if (!mixed_) return add_wide(wide_entries_[k], at, partners, wide_entries_[k].cutoff2, energy);
    if (add_narrow(narrow_entries_[k], at, partners, energy))
      add_near(narrow_entries_[k].guard2, wide_entries_[k], at, partners, energy);
  }

 private:
  /// Pairs from the guard to the cutoff, in float. @returns whether some pair is nearer than its guard.
  bool add_narrow(KernelEntry<Potential, float> const& e, double const (&at)[3], McPartners const& q,
                  McEnergy& energy) const {
    SharedValues<float> const shared{narrow_.shared.data()};
    float const length2 = narrow_.length2, factor = narrow_.energy_factor;
    std::int64_t sum = 0;
    std::int32_t near = 0;
    for (int k = 0; k < q.n; ++k) {
      float const r2 = mc_distance2<float>(at, q, k, length2);
      near |= r2 < e.guard2 ? 1 : 0;
      bool const in = r2 < e.cutoff2 && !(r2 < e.guard2);
      auto const term = pair_term<Potential, truncation>(r2, e, shared);
      sum += round_to_fixed(double(select(in, term.energy, 0.0f) * factor));
    }
    energy.sum += sum;
    return near != 0;
  }

  /// Pairs nearer than the guard, in double.
  void add_near(float guard2, KernelEntry<Potential, double> const& e, double const (&at)[3],
                McPartners const& q, McEnergy& energy) const {
    SharedValues<double> const shared{wide_.shared.data()};
    for (int k = 0; k < q.n; ++k) {
      if (!(mc_distance2<float>(at, q, k, narrow_.length2) < guard2)) continue;
      double const r2 = mc_distance2<double>(at, q, k, wide_.length2);
      double const value = pair_term<Potential, truncation>(r2, e, shared).energy * wide_.energy_factor;
      bool const fits = value < mc_wide_limit && -mc_wide_limit < value;
      energy.finite = energy.finite && fits;
      energy.sum += fits ? round_to_fixed_wide(value) : 0;
    }
  }

  /// All pairs within the cutoff in double. A block's sum fits an int64: 8 values below 2^60.
  void add_wide(KernelEntry<Potential, double> const& e, double const (&at)[3], McPartners const& q,
                double cutoff2, McEnergy& energy) const {
    SharedValues<double> const shared{wide_.shared.data()};
    double const length2 = wide_.length2, factor = wide_.energy_factor;
    std::int32_t beyond = 0;
    for (int first = 0; first < q.n; first += mc_block) {
      std::int64_t sum = 0;
      for (int k = first; k < first + mc_block; ++k) {
        double const r2 = mc_distance2<double>(at, q, k, length2);
        auto const term = pair_term<Potential, truncation>(r2, e, shared);
        double const value = select(r2 < cutoff2, term.energy, 0.0) * factor;
        bool const fits = value < mc_wide_limit && -mc_wide_limit < value;
        beyond |= fits ? 0 : 1;
        sum += round_to_fixed_wide(select(fits, value, 0.0));
      }
      energy.sum += sum;
    }
    energy.finite = energy.finite && beyond == 0;
  }

  bool mixed_;
  KernelTable<Potential, float> narrow_;
  KernelTable<Potential, double> wide_;
  std::vector<KernelEntry<Potential, float>> narrow_entries_;
  std::vector<KernelEntry<Potential, double>> wide_entries_;
};

/// The portable kernel of one potential for the table's truncation.
template <class Potential>
std::unique_ptr<McKernel> make_mc_kernel(PairTable const& table, Scales const& scales) {
  switch (table.truncation) {
    case Truncation::force_shift:
      return std::make_unique<McKernelOf<Potential, Truncation::force_shift>>(table, scales);
    case Truncation::switch_:
      return std::make_unique<McKernelOf<Potential, Truncation::switch_>>(table, scales);
    default:
      return std::make_unique<McKernelOf<Potential, Truncation::shift>>(table, scales);
  }
}

}  // namespace lockstep::portable
