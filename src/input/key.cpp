// SPDX-License-Identifier: Apache-2.0
// Subsets of keys and the names of their types.
#include "input/key.hpp"

#include <algorithm>

namespace lockstep {

std::vector<Key> selected(std::vector<Key> keys, std::span<std::string_view const> names, bool in) {
  std::erase_if(keys, [&](Key const& k) {
    return (std::find(names.begin(), names.end(), k.name) != names.end()) != in;
  });
  return keys;
}

void restrict_keys(std::vector<Key>& keys, std::span<std::string_view const> names, bool applies,
                   std::string_view why_not) {
  for (auto& key : keys)
    if (!applies && std::find(names.begin(), names.end(), key.name) != names.end()) {
      key.applies = false;
      key.why_not = why_not;
    }
}

void mark_cosmetic(std::vector<Key>& keys, std::span<std::string_view const> names) {
  for (auto& key : keys)
    if (std::find(names.begin(), names.end(), key.name) != names.end()) key.decides = false;
}

std::string type_name(Target const& target) {
  struct Namer {
    std::string operator()(double*) const { return "number"; }
    std::string operator()(std::int64_t*) const { return "whole number"; }
    std::string operator()(std::uint64_t*) const { return "whole number"; }
    std::string operator()(bool*) const { return "true or false"; }
    std::string operator()(std::string*) const { return "string"; }
    std::string operator()(std::vector<double>*) const { return "list of numbers"; }
    std::string operator()(std::vector<std::int64_t>*) const { return "list of whole numbers"; }
    std::string operator()(std::vector<std::string>*) const { return "list of strings"; }
    std::string operator()(std::span<std::string>) const { return "list of strings"; }
    std::string operator()(Choice const& c) const { return c.list ? "list of names" : "name"; }
  };
  return std::visit(Namer{}, target);
}

}  // namespace lockstep
