// SPDX-License-Identifier: Apache-2.0
// Forces and energies of all [[pair]] sections.
#pragma once

#include <array>
#include <cstdint>
#include <memory>
#include <span>
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
  void clear(Neighbors const& neighbors, bool want_sums);
  void run(PairKernel const& kernel, Neighbors const& neighbors, std::span<PairListChunk const> lists,
           bool want_sums);
  void begin_refresh(State const& state, Domain& domain) const;
  void end_refresh(Neighbors& neighbors, Domain& domain) const;
  void compute_term(std::size_t term, State& state, Neighbors& neighbors, Domain& domain, bool want_sums);
  bool outliers_fit() const;
  void grow_outliers();
  template <class Word>
  void collect_owned(State& state, Neighbors const& neighbors, bool first, View<Word*> ThreadBuffers::*words);
  template <class Word>
  void collect_ghosts(Neighbors const& neighbors, View<Word*> ThreadBuffers::*words);
  /// body(words) with the accumulators in use.
  template <class Body>
  void with_words(Body const& body) {
    wide_ ? body(&ThreadBuffers::wide) : body(&ThreadBuffers::narrow);
  }
  template <class Add>
  void collect_outliers(Neighbors const& neighbors, Add const& add) const;
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
  bool long_rows_ = false, wide_ = false;
};

}  // namespace lockstep
