// SPDX-License-Identifier: Apache-2.0
// Hashing by XXH3.
#include "base/digest.hpp"

#include <fmt/format.h>
#include <xxhash.h>

#include <bit>

namespace lockstep {

static_assert(std::endian::native == std::endian::little, "records are hashed as little-endian words");

Digest digest_of(std::span<std::byte const> bytes) {
  auto const hash = XXH3_128bits(bytes.data(), bytes.size());
  return {hash.low64, hash.high64};
}

Digest digest_of(std::span<std::int64_t const> words) { return digest_of(std::as_bytes(words)); }

std::string Digest::hex() const { return fmt::format("{:016x}{:016x}", hi, lo); }

std::optional<Digest> digest_from_hex(std::string_view text) {
  if (text.size() != 32) return {};
  std::uint64_t word[2] = {0, 0};
  for (std::size_t k = 0; k < 32; ++k) {
    char const c = text[k];
    int const digit = c >= '0' && c <= '9' ? c - '0' : c >= 'a' && c <= 'f' ? c - 'a' + 10 : -1;
    if (digit < 0) return {};
    word[k / 16] = word[k / 16] * 16 + std::uint64_t(digit);
  }
  return Digest{word[1], word[0]};
}

Digest sum(Comm const& comm, Digest local) {
  auto const word = (static_cast<UInt128>(local.hi) << 64) | local.lo;
  auto const total = static_cast<UInt128>(comm.sum(static_cast<Int128>(word)));  // modulo 2^128
  return {static_cast<std::uint64_t>(total), static_cast<std::uint64_t>(total >> 64)};
}

}  // namespace lockstep
