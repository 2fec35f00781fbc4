// SPDX-License-Identifier: Apache-2.0
// The resolved input as text.
#include "input/writer.hpp"

#include <fmt/format.h>

#include "base/quantity.hpp"
#include "input/document.hpp"
#include "input/suggest.hpp"

namespace lockstep {
namespace {

template <class List, class ToText>
std::string list_text(List const& list, ToText to_text) {
  std::vector<std::string> parts;
  for (auto const& item : list) parts.push_back(to_text(item));
  return fmt::format("[{}]", joined(parts, ", "));
}

}  // namespace

std::string Writer::value_text(Key const& key) const {
  auto const number = [&](double v) {
    bool const with_unit =
        key.unit != Unit::none && (units == UnitSystem::physical || key.unit == Unit::wall_time);
    return with_unit ? fmt::format("\"{} {}\"", exact_text(v), unit_name(key.unit, UnitSystem::physical))
                     : exact_text(v);
  };
  auto const integer = [](std::int64_t v) { return fmt::format("{}", v); };
  auto const quoted = [](std::string const& v) { return toml_string(v); };
  struct Texts {
    decltype(number) const& real;
    decltype(integer) const& whole;
    decltype(quoted) const& word;
    std::string operator()(double* v) const { return real(*v); }
    std::string operator()(std::int64_t* v) const { return whole(*v); }
    std::string operator()(std::uint64_t* v) const { return fmt::format("{}", *v); }
    std::string operator()(bool* v) const { return *v ? "true" : "false"; }
    std::string operator()(std::string* v) const { return word(*v); }
    std::string operator()(std::vector<double>* v) const { return list_text(*v, real); }
    std::string operator()(std::vector<std::int64_t>* v) const { return list_text(*v, whole); }
    std::string operator()(std::vector<std::string>* v) const { return list_text(*v, word); }
    std::string operator()(std::span<std::string> v) const { return list_text(v, word); }
    std::string operator()(Choice const& c) const {
      auto const name = [&](int i) { return toml_string(c.names[std::size_t(i)]); };
      auto const indices = c.get();
      return c.list ? list_text(indices, name) : name(indices.at(0));
    }
  };
  return std::visit(Texts{number, integer, quoted}, key.target);
}

void Writer::keys(std::vector<Key> const& keys) {
  for (auto const& key : keys) {
    if (!key.applies || key.absent()) continue;
    if (flat_)
      text += fmt::format("{}{} = {}", first_ ? "" : ", ", key.name, value_text(key));
    else
      text += fmt::format("{} = {}\n", key.name, value_text(key));
    first_ = false;
  }
}

bool Writer::begin_table(std::string_view name, std::string_view, Presence presence, bool present,
                         std::string_view) {
  if (presence == Presence::forbidden || (presence == Presence::optional && !present)) return false;
  path_.emplace_back(name);
  text += fmt::format("\n[{}]\n", joined(path_, "."));
  return true;
}

std::size_t Writer::begin_list(std::string_view name, std::string_view, std::size_t size, bool flat) {
  path_.emplace_back(name);
  flat_ = flat;
  if (flat) text += fmt::format("{} = [\n", name);
  return size;
}

void Writer::begin_item(std::size_t) {
  text += flat_ ? "  { " : fmt::format("\n[[{}]]\n", joined(path_, "."));
  first_ = true;
}

void Writer::end_item() {
  if (flat_) text += " },\n";
}

void Writer::end_list() {
  if (flat_) text += "]\n";
  flat_ = false;
  path_.pop_back();
}

}  // namespace lockstep
