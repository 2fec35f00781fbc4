// SPDX-License-Identifier: Apache-2.0
// Field rows of an option struct bound to one of its objects: what reader, writer, schema and docs work on.
#pragma once

#include <cstdint>
#include <functional>
#include <span>
#include <string>
#include <string_view>
#include <tuple>
#include <type_traits>
#include <variant>
#include <vector>

#include "base/field.hpp"

namespace lockstep {

/// One value, or a list of values, out of a fixed set of names, by index into it.
struct Choice {
  std::span<std::string_view const> names;
  std::function<std::vector<int>()> get;
  std::function<void(std::vector<int> const&)> set;
  bool list = false;
};

/// Where a value goes. A span is a list of fixed length.
using Target =
    std::variant<double*, std::int64_t*, std::uint64_t*, bool*, std::string*, std::vector<double>*,
                 std::vector<std::int64_t>*, std::vector<std::string>*, std::span<std::string>, Choice>;

/// One key of a table.
struct Key {
  std::string_view name;
  Unit unit;
  Rule rule;
  std::string doc;
  Target target;
  bool at_default = false;  ///< the object holds what it was born with
  bool decides = true;      ///< part of what the trajectory depends on; false for titles and file names
  bool applies = true;      ///< false: giving it is an error, for the reason `why_not`
  std::string why_not{};

  /// An optional value that was not given.
  bool absent() const { return rule.optional && at_default; }
};

namespace detail {

template <class T>
struct ElementOf {
  using type = T;
};
template <class T>
struct ElementOf<std::vector<T>> {
  using type = T;
};

template <class T>
Target target_of(T& value) {
  using Element = typename ElementOf<T>::type;
  if constexpr (!std::is_enum_v<Element>) {
    return &value;
  } else if constexpr (std::is_enum_v<T>) {
    return Choice{EnumNames<T>::names, [&value] { return std::vector{int(value)}; },
                  [&value](std::vector<int> const& v) { value = T(v.at(0)); }, false};
  } else {
    return Choice{EnumNames<Element>::names,
                  [&value] {
                    std::vector<int> all;
                    for (auto e : value) all.push_back(int(e));
                    return all;
                  },
                  [&value](std::vector<int> const& v) {
                    value.clear();
                    for (int e : v) value.push_back(Element(e));
                  },
                  true};
  }
}

}  // namespace detail

/// The rows of `Options::fields`, bound to `options`.
template <class Options>
std::vector<Key> keys_of(Options& options) {
  static Options const standard{};
  std::vector<Key> keys;
  std::apply(
      [&](auto const&... field) {
        (keys.push_back({field.name, field.unit, field.rule, std::string(field.doc),
                         detail::target_of(options.*field.member),
                         options.*field.member == standard.*field.member}),
         ...);
      },
      Options::fields);
  return keys;
}

/// The keys that are (`in` true) or are not in `names`, in their order.
std::vector<Key> selected(std::vector<Key> keys, std::span<std::string_view const> names, bool in);

/// Marks those of `keys` that are in `names` as not applicable unless `applies`.
void restrict_keys(std::vector<Key>& keys, std::span<std::string_view const> names, bool applies,
                   std::string_view why_not);

/// Marks those of `keys` that are in `names` as not deciding anything.
void mark_cosmetic(std::vector<Key>& keys, std::span<std::string_view const> names);

/// "number", "list of strings" ...: for messages and docs.
std::string type_name(Target const& target);

}  // namespace lockstep
