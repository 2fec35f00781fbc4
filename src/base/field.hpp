// SPDX-License-Identifier: Apache-2.0
// One row per option: name, member, unit, permitted range, meaning. Parser, JSON schema and docs read the
// same rows.
#pragma once

#include <limits>
#include <string_view>
#include <tuple>

#include "base/unit.hpp"

namespace lockstep {

/// What a value must satisfy: whether it must be given, and its range. An optional value has no default: left
/// out, it stays absent in the resolved input too.
struct Rule {
  bool required = false, optional = false;
  double low = -std::numeric_limits<double>::infinity(), high = std::numeric_limits<double>::infinity();
  bool low_open = false, high_open = false;

  friend constexpr Rule operator&(Rule a, Rule b) {
    Rule r = a;
    r.required = a.required || b.required;
    r.optional = a.optional || b.optional;
    if (b.low > r.low || (b.low == r.low && b.low_open)) {
      r.low = b.low;
      r.low_open = b.low_open;
    }
    if (b.high < r.high || (b.high == r.high && b.high_open)) {
      r.high = b.high;
      r.high_open = b.high_open;
    }
    return r;
  }
  constexpr bool holds(double value) const {
    return (low_open ? value > low : value >= low) && (high_open ? value < high : value <= high);
  }
};

inline constexpr Rule any{};
inline constexpr Rule required{.required = true};
inline constexpr Rule optional{.optional = true};
constexpr Rule at_least(double low) { return {.low = low}; }
constexpr Rule above(double low) { return {.low = low, .low_open = true}; }
constexpr Rule at_most(double high) { return {.high = high}; }
constexpr Rule below(double high) { return {.high = high, .high_open = true}; }

/// One option: its key, where it lives, its unit, its rule, and one phrase that completes "<key>: ...".
/// The default is the value in a default-initialised Options. Dimensional doubles hold internal units.
template <class Options, class T>
struct Field {
  std::string_view name;
  T Options::*member;
  Unit unit;
  Rule rule;
  std::string_view doc;
};
template <class Options, class T>
Field(char const*, T Options::*, Unit, Rule, char const*) -> Field<Options, T>;

/// Names of an enumeration's values, in order; specialise as `static constexpr std::array names{...}`.
template <class Enum>
struct EnumNames;

}  // namespace lockstep
