// SPDX-License-Identifier: Apache-2.0
// The MPI calls Lockstep makes. Sums are integer sums: order never matters.
#pragma once

#include <mpi.h>

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "base/fixed.hpp"

namespace lockstep {

/// A communicator. Copying does not duplicate it; `duplicate` does, and the duplicate is freed by its owner.
class Comm {
 public:
  explicit Comm(MPI_Comm comm = MPI_COMM_WORLD);

  int rank() const { return rank_; }
  int size() const { return size_; }
  bool root() const { return rank_ == 0; }
  MPI_Comm get() const { return comm_; }
  Comm duplicate() const;
  void free();

  void barrier() const;
  /// Sums (modulo 2^64), in place, of all ranks' values.
  void sum(std::span<std::int64_t> values) const;
  std::int64_t sum(std::int64_t value) const;
  /// Exact 128-bit sums: values cross MPI as three 42-bit limbs in int64, carries resolved after.
  void sum(std::span<Int128> values) const;
  Int128 sum(Int128 value) const;
  void max(std::span<double> values) const;
  double max(double value) const;
  void max(std::span<std::int64_t> values) const;
  std::int64_t max(std::int64_t value) const;
  std::int64_t min(std::int64_t value) const;
  /// True on all ranks if it is true on all ranks. Call it before anyone throws.
  bool agree(bool ok) const;
  void broadcast(std::span<std::byte> bytes, int root) const;
  std::string broadcast(std::string const& text, int root) const;
  /// Sum of the values of all lower ranks.
  std::int64_t exclusive_scan(std::int64_t value) const;
  std::vector<std::int64_t> all_gather(std::int64_t value) const;
  /// All ranks' byte strings, in rank order.
  std::vector<std::string> all_gather(std::string const& text) const;
  /// Sends `to[r]` to rank r and returns what each rank sent here; any trivially copyable T.
  template <class T>
  std::vector<std::vector<T>> all_to_all(std::vector<std::vector<T>> const& to) const {
    std::vector<std::span<std::byte const>> out;
    for (auto const& v : to) out.push_back(std::as_bytes(std::span(v)));
    std::vector<std::vector<T>> from(to.size());
    exchange_bytes(out, [&](int r, std::size_t n) {
      from[r].resize(n / sizeof(T));
      return std::as_writable_bytes(std::span(from[r]));
    });
    return from;
  }

 private:
  template <class Allocate>
  void exchange_bytes(std::vector<std::span<std::byte const>> const& to, Allocate allocate) const {
    auto const sizes = exchange_sizes(to);
    std::vector<std::span<std::byte>> from;
    for (int r = 0; r < size_; ++r) from.push_back(allocate(r, sizes[r]));
    exchange_data(to, from);
  }
  std::vector<std::size_t> exchange_sizes(std::vector<std::span<std::byte const>> const& to) const;
  void exchange_data(std::vector<std::span<std::byte const>> const& to,
                     std::vector<std::span<std::byte>> const& from) const;

  MPI_Comm comm_;
  int rank_ = 0, size_ = 1;
};

}  // namespace lockstep
