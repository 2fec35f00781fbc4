// SPDX-License-Identifier: Apache-2.0
// Owns the tables of one portable pair kernel and runs its rows.
#pragma once

#include <memory>
#include <vector>

#include "base/kokkos.hpp"
#include "kernels/portable/pair.hpp"

namespace lockstep::portable {

template <class T>
View<T*> to_view(char const* name, std::vector<T> const& values) {
  View<T*> copy(std::string(name), values.size());
  for (std::size_t k = 0; k < values.size(); ++k) copy(k) = values[k];
  return copy;
}

template <class Potential, Truncation truncation, class Real, class Word>
class PairKernelOf final : public PairKernel {
 public:
  PairKernelOf(PairTable const& table, Scales const& scales) : narrow_(table, scales), wide_(table, scales) {
    std::vector<KernelEntry<Potential, Real>> entries;
    std::vector<KernelEntry<Potential, double>> wide_entries;
    for (int pair = 0; pair < narrow_.n_pairs; ++pair) {
      entries.push_back(narrow_.entry(pair));
      wide_entries.push_back(wide_.entry(pair));
    }
    entries_ = to_view("pair:entries", entries);
    wide_entries_ = to_view("pair:wide_entries", wide_entries);
    shared_ = to_view("pair:shared", narrow_.shared);
    wide_shared_ = to_view("pair:wide_shared", wide_.shared);
  }

  std::string_view name() const override { return "portable"; }

  void run(PairArgs const& args, PairOutput const& output) const override {
    auto const row = of(args, output);
#if defined(KOKKOS_ENABLE_CUDA)
    Kokkos::parallel_for("pair:portable", Kokkos::RangePolicy<Execution>(args.first_row, args.last_row), row);
    Execution().fence("pair:portable");
#else
    for (std::uint32_t r = args.first_row; r < args.last_row; ++r) row(r);
#endif
  }

  PairRow<Potential, truncation, Real, Word> of(PairArgs const& args, PairOutput const& output) const {
    Word const* x;
    if constexpr (sizeof(Word) == 8) {
      x = args.x_wide;
    } else {
      x = args.x;
    }
    return {entries_.data(),
            wide_entries_.data(),
            {shared_.data()},
            {wide_shared_.data()},
            narrow_.n_species,
            narrow_.length2,
            narrow_.energy_factor,
            narrow_.virial_factor,
            wide_.length2,
            wide_.energy_factor,
            wide_.virial_factor,
            x,
            args,
            output};
  }

 private:
  KernelTable<Potential, Real> narrow_;
  KernelTable<Potential, double> wide_;
  View<KernelEntry<Potential, Real>*> entries_;
  View<KernelEntry<Potential, double>*> wide_entries_;
  View<Real*> shared_;
  View<double*> wide_shared_;
};

/// The portable kernel of one potential for the table's truncation and the scales' precision.
template <class Potential>
std::unique_ptr<PairKernel> make_pair_kernel(PairTable const& table, Scales const& scales) {
  auto const of_precision = [&]<Truncation t>() -> std::unique_ptr<PairKernel> {
    if (scales.precision == Precision::double_)
      return std::make_unique<PairKernelOf<Potential, t, double, std::int64_t>>(table, scales);
    return std::make_unique<PairKernelOf<Potential, t, float, std::int32_t>>(table, scales);
  };
  switch (table.truncation) {
    case Truncation::force_shift:
      return of_precision.template operator()<Truncation::force_shift>();
    case Truncation::switch_:
      return of_precision.template operator()<Truncation::switch_>();
    default:
      return of_precision.template operator()<Truncation::shift>();
  }
}

}  // namespace lockstep::portable
