// SPDX-License-Identifier: Apache-2.0
// Order-free 128-bit fingerprints: the sum of the hashes of records.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>

#include "base/comm.hpp"

namespace lockstep {

/// A number modulo 2^128. Sums of digests of records do not depend on their order, nor on who holds which
/// record.
struct Digest {
  std::uint64_t lo = 0, hi = 0;

  friend constexpr bool operator==(Digest const&, Digest const&) = default;
  friend constexpr Digest operator+(Digest a, Digest b) {
    std::uint64_t const lo = a.lo + b.lo;
    return {lo, a.hi + b.hi + (lo < a.lo ? 1 : 0)};
  }
  constexpr Digest& operator+=(Digest b) { return *this = *this + b; }
  /// 32 hexadecimal digits, the highest first.
  std::string hex() const;
};

/// XXH3-128 of the bytes. Records are words in little-endian order.
Digest digest_of(std::span<std::byte const> bytes);
Digest digest_of(std::span<std::int64_t const> words);

/// The digest that `hex` wrote; nothing if the text is not one.
std::optional<Digest> digest_from_hex(std::string_view text);

/// Sum of all ranks' digests.
Digest sum(Comm const& comm, Digest local);

}  // namespace lockstep
