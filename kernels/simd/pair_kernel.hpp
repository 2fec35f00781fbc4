// SPDX-License-Identifier: Apache-2.0
// A SIMD pair kernel: the dispatched rows, then the pairs nearer than their guards by the portable row.
#pragma once

#include <memory>
#include <vector>

#include "kernels/portable/pair_kernel.hpp"
#include "kernels/simd/targets.hpp"

namespace lockstep::simd {

template <class Potential>
using RunPair = void (*)(KernelTable<Potential, float> const&, Truncation, PairArgs const&, PairOutput const&,
                         std::vector<std::uint32_t>&);

template <class Potential>
class PairKernelOf final : public PairKernel {
 public:
  PairKernelOf(PairTable const& table, Scales const& scales, RunPair<Potential> run, std::string_view name)
      : table_(table, scales),
        truncation_(table.truncation),
        run_(run),
        name_(name),
        portable_(portable::make_pair_kernel<Potential>(table, scales)) {}

  std::string_view name() const override { return name_; }

  void run(PairArgs const& args, PairOutput const& output) const override {
    if (args.long_rows) return portable_->run(args, output);
    std::vector<std::uint32_t> near_rows;
    run_(table_, truncation_, args, output, near_rows);
    PairArgs near = args;
    near.only_near = true;
    for (std::uint32_t row : near_rows) {
      near.first_row = row;
      near.last_row = row + 1;
      portable_->run(near, output);
    }
  }

 private:
  KernelTable<Potential, float> table_;
  Truncation truncation_;
  RunPair<Potential> run_;
  std::string_view name_;
  std::unique_ptr<PairKernel> portable_;
};

}  // namespace lockstep::simd
