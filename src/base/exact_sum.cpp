// SPDX-License-Identifier: Apache-2.0
// Largest exponent first, then integer sums scaled to it.
#include "base/exact_sum.hpp"

#include <algorithm>
#include <bit>
#include <cstdint>
#include <limits>

#include "base/debug.hpp"

namespace lockstep {
namespace {

constexpr int digits = 87;  // of a value that reaches the common exponent; 2^39 of them fit 127 bits

/// value = mantissa * 2^exponent exactly.
struct Parts {
  std::int64_t mantissa;
  int exponent;
};
Parts parts_of(double value) {
  auto const bits = std::bit_cast<std::uint64_t>(value);
  int const biased = int((bits >> 52) & 0x7ff);
  auto const fraction = static_cast<std::int64_t>(bits & ((std::uint64_t(1) << 52) - 1));
  std::int64_t const magnitude = biased == 0 ? fraction : fraction | (std::int64_t(1) << 52);
  return {value < 0 ? -magnitude : magnitude, std::max(biased, 1) - 1075};
}

bool finite(double value) { return value - value == 0; }

/// mantissa * 2^shift, nearest integer, halves away from zero: odd in the mantissa.
Int128 scaled(std::int64_t mantissa, int shift) {
  if (shift >= 0) return static_cast<Int128>(mantissa) * (Int128(1) << shift);
  if (shift < -54) return 0;
  auto const magnitude = static_cast<std::uint64_t>(mantissa < 0 ? -mantissa : mantissa);
  auto const rounded = static_cast<std::int64_t>((magnitude + (std::uint64_t(1) << (-shift - 1))) >> -shift);
  return mantissa < 0 ? -rounded : rounded;
}

/// value * 2^n in steps that neither overflow nor lose bits before the last one.
double times_exp2(double value, int n) {
  for (; n > 1000; n -= 1000) value *= exp2i(1000);
  for (; n < -1000; n += 1000) value *= exp2i(-1000);
  return value * exp2i(n);
}

}  // namespace

std::vector<double> exact_sums(Comm const& comm, std::span<double const> values, int columns) {
  LOCKSTEP_EXPECT(columns > 0 && values.size() % std::size_t(columns) == 0);
  auto const n_columns = std::size_t(columns);
  std::vector<double> largest(2 * n_columns, 0.0);  // magnitude; 1 if there is a NaN or infinity
  for (std::size_t k = 0; k < values.size(); ++k) {
    double const v = values[k];
    if (finite(v))
      largest[k % n_columns] = std::max(largest[k % n_columns], v < 0 ? -v : v);
    else
      largest[n_columns + k % n_columns] = 1;
  }
  comm.max(largest);
  std::vector<int> unit(n_columns);  // exponent of the integers' unit
  for (std::size_t c = 0; c < n_columns; ++c) unit[c] = parts_of(largest[c]).exponent + 53 - digits;
  std::vector<Int128> sums(n_columns, 0);
  for (std::size_t k = 0; k < values.size(); ++k) {
    std::size_t const c = k % n_columns;
    if (!finite(values[k])) continue;
    auto const parts = parts_of(values[k]);
    sums[c] += scaled(parts.mantissa, parts.exponent - unit[c]);
  }
  comm.sum(sums);
  std::vector<double> result(n_columns);
  for (std::size_t c = 0; c < n_columns; ++c)
    result[c] = largest[n_columns + c] != 0 ? std::numeric_limits<double>::quiet_NaN()
                                            : times_exp2(to_double(sums[c]), unit[c]);
  return result;
}

double exact_sum(Comm const& comm, std::span<double const> values) { return exact_sums(comm, values, 1)[0]; }

}  // namespace lockstep
