// SPDX-License-Identifier: Apache-2.0
// Types, units and ranges of single values, and the messages about them.
#include "input/reader.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "base/quantity.hpp"
#include "input/suggest.hpp"

namespace lockstep {
namespace {

constexpr double largest_value = 1e30;  // keeps products of a few values finite

std::string range_text(Rule const& rule, std::string const& unit) {
  std::string text;
  std::string const space = unit.empty() ? "" : " ";
  if (std::isfinite(rule.low))
    text += fmt::format("{} {}{}{}", rule.low_open ? "above" : "at least", rule.low, space, unit);
  if (std::isfinite(rule.high))
    text += fmt::format("{}{} {}{}{}", text.empty() ? "" : " and ", rule.high_open ? "below" : "at most",
                        rule.high, space, unit);
  return text;
}

/// A value of the right kind, for advice.
std::string example_of(Key const& key, UnitSystem units) {
  if (auto const* choice = std::get_if<Choice>(&key.target)) {
    std::string const name = toml_string(choice->names.empty() ? "" : choice->names[0]);
    return choice->list ? "[" + name + "]" : name;
  }
  bool const dimensional =
      key.unit != Unit::none && (units == UnitSystem::physical || key.unit == Unit::wall_time);
  if (std::holds_alternative<double*>(key.target))
    return dimensional ? toml_string(fmt::format("1 {}", unit_name(key.unit, UnitSystem::physical))) : "1.0";
  if (std::holds_alternative<std::int64_t*>(key.target) || std::holds_alternative<std::uint64_t*>(key.target))
    return "1000";
  if (std::holds_alternative<bool*>(key.target)) return "true";
  if (std::holds_alternative<std::string*>(key.target)) return "\"...\"";
  if (std::holds_alternative<std::span<std::string>>(key.target)) return "[\"A\", \"A\"]";
  if (std::holds_alternative<std::vector<std::string>*>(key.target)) return "[\"A\"]";
  return std::holds_alternative<std::vector<double>*>(key.target) ? "[0.5, 0.5]" : "[10, 10, 10]";
}

}  // namespace

Node const Reader::empty_{};

Reader::Reader(Document const& document) : document_(document) { enter(&document.root(), ""); }

void Reader::enter(Node const* node, std::string path) { levels_.push_back({node, std::move(path), {}}); }

void Reader::leave() {
  report_unknown();
  levels_.pop_back();
}

std::string Reader::path_of(std::string_view name) const {
  auto const& path = levels_.back().path;
  return path.empty() ? std::string(name) : fmt::format("{}.{}", path, name);
}

void Reader::report(std::string_view path, std::string problem, std::string why, std::string fix) {
  diagnostics.push_back({document_.where(path), std::move(problem), std::move(why), std::move(fix)});
}

void Reader::report_unknown() {
  auto const& level = levels_.back();
  for (auto const& [name, node] : level.node->members)
    if (std::find(level.known.begin(), level.known.end(), name) == level.known.end())
      report(path_of(name), "is not a key Lockstep knows", "a misspelled key would be ignored in silence",
             did_you_mean(name, level.known));
}

void Reader::keys(std::vector<Key> const& keys) {
  for (auto const& key : keys) {
    auto& level = levels_.back();
    level.known.emplace_back(key.name);
    Node const* node = level.node->find(key.name);
    std::string const path = path_of(key.name);
    if (node != nullptr && !key.applies)
      report(path, "does not belong here", key.why_not, "Remove it");
    else if (node != nullptr)
      read(key, *node, path);
    else if (key.rule.required && key.applies)
      report(path, "is missing", fmt::format("it says: {}", key.doc),
             fmt::format("Add `{} = {}` with your value", key.name, example_of(key, units)));
  }
}

bool Reader::begin_table(std::string_view name, std::string_view, Presence presence, bool,
                         std::string_view why_not) {
  auto& level = levels_.back();
  level.known.emplace_back(name);
  Node const* node = level.node->find(name);
  std::string path = path_of(name);
  if (node != nullptr && node->kind != Node::Kind::table) {
    report(path, fmt::format("= {} must be a table", node->shown()), "it holds several keys",
           fmt::format("Write `{} = {{ ... }}` or a section", name));
    return false;
  }
  if (node != nullptr && presence == Presence::forbidden) {
    report(path, "does not belong here", std::string(why_not), "Remove the table");
    return false;
  }
  if (node == nullptr && presence != Presence::standard) return false;
  enter(node == nullptr ? &empty_ : node, std::move(path));
  return true;
}

std::size_t Reader::begin_list(std::string_view name, std::string_view, std::size_t, bool flat) {
  auto& level = levels_.back();
  level.known.emplace_back(name);
  Node const* node = level.node->find(name);
  std::string path = path_of(name);
  if (node != nullptr && node->kind != Node::Kind::array) {
    report(path, fmt::format("= {} must be a list", node->shown()), "there may be several of them",
           flat ? fmt::format("Write `{} = [ {{ ... }} ]`", name)
                : fmt::format("Write [[{}]] with double brackets", name));
    node = nullptr;
  }
  enter(node == nullptr ? &empty_ : node, std::move(path));
  return node == nullptr ? 0 : node->items.size();
}

void Reader::begin_item(std::size_t index) {
  Node const* node = &levels_.back().node->items[index];
  std::string path = path_of(fmt::format("{}", index));
  if (node->kind != Node::Kind::table) {
    report(path, fmt::format("= {} must be a table", node->shown()),
           "each entry of this list holds several keys", "Write each entry as { key = value, ... }");
    node = &empty_;
  }
  enter(node, std::move(path));
}

void Reader::end_list() { levels_.pop_back(); }

void Reader::read(Key const& key, Node const& node, std::string const& path) {
  auto const fill = [&](auto& list, auto&& one) {
    if (node.kind != Node::Kind::array) return type_error(key, node, path, "a list");
    auto copy = std::decay_t<decltype(list)>(node.items.size());
    bool good = true;
    for (std::size_t i = 0; i < node.items.size(); ++i)
      good = one(key, node.items[i], fmt::format("{}.{}", path, i), copy[i]) && good;
    if (good) list = std::move(copy);
  };
  if (auto const* real = std::get_if<double*>(&key.target)) {
    number(key, node, path, **real);
  } else if (auto const* integer = std::get_if<std::int64_t*>(&key.target)) {
    whole(key, node, path, **integer);
  } else if (auto const* natural = std::get_if<std::uint64_t*>(&key.target)) {
    std::int64_t value = 0;
    Key nonnegative = key;
    nonnegative.rule = key.rule & at_least(0);
    if (whole(nonnegative, node, path, value)) **natural = std::uint64_t(value);
  } else if (auto const* truth = std::get_if<bool*>(&key.target)) {
    if (node.kind != Node::Kind::boolean) return type_error(key, node, path, "true or false");
    **truth = node.boolean;
  } else if (auto const* word = std::get_if<std::string*>(&key.target)) {
    text(key, node, path, **word);
  } else if (auto const* numbers = std::get_if<std::vector<double>*>(&key.target)) {
    fill(**numbers,
         [&](auto const& k, auto const& n, auto const& p, double& v) { return number(k, n, p, v); });
  } else if (auto const* integers = std::get_if<std::vector<std::int64_t>*>(&key.target)) {
    fill(**integers,
         [&](auto const& k, auto const& n, auto const& p, std::int64_t& v) { return whole(k, n, p, v); });
  } else if (auto const* words = std::get_if<std::vector<std::string>*>(&key.target)) {
    fill(**words,
         [&](auto const& k, auto const& n, auto const& p, std::string& v) { return text(k, n, p, v); });
  } else if (auto const* fixed = std::get_if<std::span<std::string>>(&key.target)) {
    std::vector<std::string> copy;
    fill(copy, [&](auto const& k, auto const& n, auto const& p, std::string& v) { return text(k, n, p, v); });
    if (node.kind == Node::Kind::array && node.items.size() != fixed->size())
      return report(path, fmt::format("has {} entries", node.items.size()),
                    fmt::format("it needs {}", fixed->size()),
                    fmt::format("Write for example {}", example_of(key, units)));
    if (copy.size() == fixed->size()) std::copy(copy.begin(), copy.end(), fixed->begin());
  } else if (auto const* choice = std::get_if<Choice>(&key.target)) {
    std::vector<int> indices(1);
    auto const one = [&](auto const& k, auto const& n, auto const& p, int& v) {
      return name_index(k, *choice, n, p, v);
    };
    if (choice->list) {
      indices.clear();
      fill(indices, one);
      if (node.kind == Node::Kind::array && indices.size() == node.items.size()) choice->set(indices);
    } else if (one(key, node, path, indices[0])) {
      choice->set(indices);
    }
  }
}

void Reader::type_error(Key const& key, Node const& node, std::string const& path, std::string_view wanted) {
  report(path, fmt::format("= {} is {}", node.shown(), kind_name(node.kind)),
         fmt::format("it must be {}; it says: {}", wanted, key.doc),
         fmt::format("Write for example `{} = {}`", key.name, example_of(key, units)));
}

bool Reader::number(Key const& key, Node const& node, std::string const& path, double& value) {
  bool const with_unit =
      key.unit != Unit::none && (units == UnitSystem::physical || key.unit == Unit::wall_time);
  double result = 0;
  if (key.unit != Unit::none && (with_unit || !units_known) &&
      (node.kind == Node::Kind::string || units_known)) {
    if (!quantity(key, node, path, result)) return false;
  } else if (node.is_number()) {
    result = node.kind == Node::Kind::integer ? double(node.integer) : node.real;
  } else if (node.kind == Node::Kind::string && key.unit != Unit::none) {
    report(path, fmt::format("= {} has a unit", node.shown()),
           "units = \"lj\": values are plain numbers in reduced units",
           fmt::format("Write a plain number, in {}, or set units = \"physical\"",
                       unit_name(key.unit, UnitSystem::lj)));
    return false;
  } else {
    type_error(key, node, path, "a number");
    return false;
  }
  if (!in_range(key, node, path, result)) return false;
  value = result;
  return true;
}

bool Reader::quantity(Key const& key, Node const& node, std::string const& path, double& value) {
  if (node.is_number()) {
    std::string const why = key.unit == Unit::wall_time
                                ? "wall time always says its unit"
                                : "units = \"physical\": each value with a dimension says its unit";
    report(path, fmt::format("= {} has no unit", node.shown()), why,
           fmt::format("Write \"{} {}\"; units can be {}", node.shown(),
                       unit_name(key.unit, UnitSystem::physical), usual_units(key.unit)));
    return false;
  }
  if (node.kind != Node::Kind::string) {
    type_error(key, node, path, "a string with a number and a unit");
    return false;
  }
  auto const parsed = parse_quantity(node.text, key.unit);
  if (!parsed.value) {
    report(path, fmt::format("= {}: {}", node.shown(), parsed.problem), fmt::format("it says: {}", key.doc),
           fmt::format("Write \"value unit\"; units can be {}", usual_units(key.unit)));
    return false;
  }
  value = *parsed.value;
  return true;
}

bool Reader::in_range(Key const& key, Node const& node, std::string const& path, double value) {
  bool const sensible = std::isfinite(value) && std::abs(value) <= largest_value;
  if (sensible && key.rule.holds(value)) return true;
  UnitSystem const system = key.unit == Unit::wall_time ? UnitSystem::physical : units;
  std::string const unit = unit_name(key.unit, system);
  std::string const range = sensible ? range_text(key.rule, unit) : "a finite number below 1e30";
  report(path, fmt::format("= {} is out of range", node.shown()), fmt::format("it must be {}", range),
         fmt::format("Correct it; it says: {}", key.doc));
  return false;
}

bool Reader::whole(Key const& key, Node const& node, std::string const& path, std::int64_t& value) {
  if (node.kind != Node::Kind::integer) {
    type_error(key, node, path, "a whole number");
    return false;
  }
  if (!in_range(key, node, path, double(node.integer))) return false;
  value = node.integer;
  return true;
}

bool Reader::text(Key const& key, Node const& node, std::string const& path, std::string& value) {
  if (node.kind != Node::Kind::string) {
    type_error(key, node, path, "a string");
    return false;
  }
  value = node.text;
  return true;
}

bool Reader::name_index(Key const& key, Choice const& choice, Node const& node, std::string const& path,
                        int& index) {
  if (node.kind != Node::Kind::string) {
    type_error(key, node, path, "a string");
    return false;
  }
  auto const found = std::find(choice.names.begin(), choice.names.end(), node.text);
  if (found != choice.names.end()) {
    index = int(found - choice.names.begin());
    return true;
  }
  std::vector<std::string> const known(choice.names.begin(), choice.names.end());
  std::string const near = nearest(node.text, known);
  report(path, fmt::format("= {} is not one of {}", node.shown(), listed(choice.names)),
         fmt::format("it says: {}", key.doc),
         near.empty() ? fmt::format("Choose one of them") : fmt::format("Did you mean '{}'?", near));
  return false;
}

}  // namespace lockstep
