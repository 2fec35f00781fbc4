// SPDX-License-Identifier: Apache-2.0
// Forces and energies of all [[pair]] sections.
#pragma once

#include <array>
#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "base/comm.hpp"
#include "base/kokkos.hpp"
#include "domain/domain.hpp"
#include "kernels/pair.hpp"
#include "neighbor/neighbors.hpp"
#include "state/state.hpp"

namespace lockstep {

/// Exact global sums: energy units and virial units of Scales.
struct PairEnergies {
  std::vector<Int128> energy;      ///< [n_terms]
  std::array<Int128, 6> virial{};  ///< xx, yy, zz, xy, xz, yz of sum d_a f_b, all terms
};

/// One kernel per [[pair]] section, their buffers, and the way forces take from clusters to particles.
class PairForces {
 public:
  PairForces(Comm const& comm, Scales const& scales, std::vector<PairTable> tables, KernelWidth width,
             int n_threads);

  /// state.f = the forces of all terms at the positions packed in `neighbors`; refreshes ghosts and prunes on
  /// the way. Collective. @throws SimulationError on all ranks if a pair's force fits no int64.
  void compute(State& state, Neighbors& neighbors, Domain& domain, bool want_sums);
  /// The sums of the last compute with want_sums.
  PairEnergies const& energies() const { return energies_; }

  std::vector<PairTable> const& tables() const { return tables_; }
  std::string_view kernel_name() const { return kernels_.empty() ? "none" : kernels_.front()->name(); }

 private:
  struct ThreadBuffers {
    View<std::int32_t*> narrow;
    View<std::int64_t*> wide;
    View<WideForce*> outliers;
    View<std::uint32_t*> counters;  // outliers, faults
    View<PairFault*> faults;
  };
  enum class Lists { local, halo };

  void clear(Neighbors const& neighbors, bool want_sums);
  void run(PairKernel const& kernel, Neighbors const& neighbors, Lists which, bool want_sums);
  void refresh(State const& state, Neighbors& neighbors, Domain& domain, PairKernel const* overlap,
               bool want_sums);
  bool grow_outliers();
  template <class Word>
  void collect_words(State& state, Neighbors const& neighbors, bool first, View<Word*> ThreadBuffers::*words);
  void collect(State& state, Neighbors const& neighbors, bool first);
  void collect_sums(Neighbors const& neighbors);
  void check_faults(State const& state, Neighbors const& neighbors, Domain const& domain);

  Comm comm_;
  Scales scales_;
  std::vector<PairTable> tables_;
  std::vector<std::unique_ptr<PairKernel>> kernels_;
  std::vector<ThreadBuffers> threads_;
  View<RowSums*> row_sums_;
  std::vector<std::int64_t> ghost_forces_;
  std::vector<PairFault> found_faults_;
  PairEnergies energies_;
  bool long_rows_ = false;
};

}  // namespace lockstep
