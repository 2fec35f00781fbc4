// SPDX-License-Identifier: Apache-2.0
// toml++ to our own tree; `--set`; places. The only unit that sees toml++.
#include "input/document.hpp"

#include <fmt/format.h>
#include <toml++/toml.h>

#include <algorithm>
#include <charconv>
#include <exception>
#include <utility>

#include "base/error.hpp"
#include "base/quantity.hpp"

namespace lockstep {
namespace {

constexpr std::size_t largest_file = std::size_t(16) << 20;
constexpr int deepest = 32;
constexpr int most_dots = 1000;  // of one dotted key: toml++ recurses once per level when it frees the tree
constexpr std::size_t longest_shown = 40;

Place place_of(toml::source_region const& region, std::string const& name) {
  return {name, int(region.begin.line), int(region.begin.column)};
}

Node convert(toml::node const& from, std::string const& name, int depth);

void convert_members(toml::table const& from, Node& to, std::string const& name, int depth) {
  for (auto const& [key, value] : from) {
    Node child = convert(value, name, depth + 1);
    child.key_place = place_of(key.source(), name);
    to.members.push_back({std::string(key.str()), std::move(child)});
  }
}

Node convert(toml::node const& from, std::string const& name, int depth) {
  Node to;
  to.place = to.key_place = place_of(from.source(), name);
  if (depth > deepest)
    throw InputError(to.place.text(), fmt::format("tables are nested more than {} deep", deepest),
                     "no key of Lockstep lies that deep", "Remove the nested tables");
  if (auto const* table = from.as_table()) {
    convert_members(*table, to, name, depth);
  } else if (auto const* array = from.as_array()) {
    to.kind = Node::Kind::array;
    for (auto const& item : *array) to.items.push_back(convert(item, name, depth + 1));
  } else if (auto const* text = from.as_string()) {
    to.kind = Node::Kind::string;
    to.text = text->get();
  } else if (auto const* integer = from.as_integer()) {
    to.kind = Node::Kind::integer;
    to.integer = integer->get();
  } else if (auto const* real = from.as_floating_point()) {
    to.kind = Node::Kind::real;
    to.real = real->get();
  } else if (auto const* boolean = from.as_boolean()) {
    to.kind = Node::Kind::boolean;
    to.boolean = boolean->get();
  } else {
    to.kind = Node::Kind::date;
  }
  return to;
}

/// Refuses what would make the parser itself exhaust memory or stack.
void guard(std::string_view text, std::string const& name) {
  if (text.size() > largest_file)
    throw InputError(name, fmt::format("is {} bytes long", text.size()),
                     "an input is a short text; this is another file",
                     "Give the TOML input; structures are named inside it by system.file");
  int dots = 0, line = 1;
  for (char c : text) {
    if (c == '\n') ++line;
    if (c == '\n' || c == '=' || c == ',' || c == '[' || c == ']') dots = 0;
    if (c == '.' && ++dots > most_dots)
      throw InputError(fmt::format("{}:{}", name, line),
                       fmt::format("has more than {} dots in a row", most_dots),
                       "a dotted key opens one table per dot", "Remove them");
  }
}

Node parse(std::string_view text, std::string const& name) {
  guard(text, name);
  try {
    return convert(toml::parse(text, std::string_view(name)), name, 0);
  } catch (toml::parse_error const& e) {
    throw InputError(
        place_of(e.source(), name).text(), fmt::format("this is not TOML: {}", e.description()),
        "nothing after this point can be read",
        "Look for a missing quote, bracket or '=' here or on the line before; strings need \"quotes\"");
  } catch (InputError const&) { throw; } catch (std::exception const& e) {
    throw InputError(name, fmt::format("cannot be read: {}", e.what()), "the TOML reader gave up",
                     "Check that the file is a text file");
  }
}

bool index_of(std::string_view text, std::size_t& index) {
  auto const [end, error] = std::from_chars(text.data(), text.data() + text.size(), index);
  return error == std::errc() && end == text.data() + text.size() && !text.empty();
}

std::vector<std::string_view> split(std::string_view path) {
  std::vector<std::string_view> parts;
  for (;;) {
    auto const dot = path.find('.');
    parts.push_back(path.substr(0, dot));
    if (dot == std::string_view::npos) return parts;
    path.remove_prefix(dot + 1);
  }
}

/// The value of a `--set`: TOML if it is TOML, else the text itself.
Node set_value(std::string const& text, std::string const& source) {
  auto const parsed = [&](std::string const& value) {
    Node table = parse("v = " + value, source);
    if (table.members.size() != 1) throw InputError(source, "holds more than one value", "", "");
    return std::move(table.members[0].value);
  };
  try {
    return parsed(text);
  } catch (InputError const&) {
    try {
      return parsed(toml_string(text));
    } catch (InputError const&) {
      throw InputError(source, "its value is neither TOML nor plain text",
                       "it holds bytes that are not UTF-8", "Write the value in ASCII or UTF-8");
    }
  }
}

void set_places(Node& node, Place const& place) {
  node.place = node.key_place = place;
  for (auto& [key, child] : node.members) set_places(child, place);
  for (auto& child : node.items) set_places(child, place);
}

Node empty_table(Place const& place) {
  Node node;
  node.place = node.key_place = place;
  return node;
}

/// One step of a `--set` path; makes what is missing.
Node& step_into(Node& node, std::string_view part, Place const& place) {
  if (node.kind == Node::Kind::array) {
    std::size_t index = 0;
    if (!index_of(part, index))
      throw InputError(
          place.source, fmt::format("'{}' is not an index", part), "the part before it is a list",
          fmt::format("Give a number from 0 to {}", std::max<std::size_t>(node.items.size(), 1) - 1));
    if (index > node.items.size())
      throw InputError(place.source, fmt::format("there is no entry {}", index),
                       fmt::format("the list has {}", node.items.size()), "Indices begin at 0");
    if (index == node.items.size()) node.items.push_back(empty_table(place));
    return node.items[index];
  }
  if (node.kind != Node::Kind::table)
    throw InputError(place.source, fmt::format("there is no '{}' inside {}", part, kind_name(node.kind)),
                     "only tables and lists hold further keys", "Check the path against `lockstep schema`");
  if (Node* child = node.find(part)) return *child;
  node.members.push_back({std::string(part), empty_table(place)});
  return node.members.back().value;
}

}  // namespace

std::string Place::text() const { return line > 0 ? fmt::format("{}:{}:{}", source, line, column) : source; }

Node const* Node::find(std::string_view key) const {
  auto const found =
      std::find_if(members.begin(), members.end(), [&](auto const& m) { return m.name == key; });
  return found == members.end() ? nullptr : &found->value;
}

Node* Node::find(std::string_view key) { return const_cast<Node*>(std::as_const(*this).find(key)); }

std::string Node::shown() const {
  switch (kind) {
    case Kind::string:
      return toml_string(text.size() > longest_shown ? text.substr(0, longest_shown) + "..." : text);
    case Kind::integer:
      return fmt::format("{}", integer);
    case Kind::real:
      return exact_text(real);
    case Kind::boolean:
      return boolean ? "true" : "false";
    default:
      return std::string(kind_name(kind));
  }
}

std::string_view kind_name(Node::Kind kind) {
  switch (kind) {
    case Node::Kind::table:
      return "a table";
    case Node::Kind::array:
      return "a list";
    case Node::Kind::string:
      return "a string";
    case Node::Kind::integer:
      return "a whole number";
    case Node::Kind::real:
      return "a number with a point";
    case Node::Kind::boolean:
      return "a truth value";
    case Node::Kind::date:
      return "a date or time";
  }
  return "";
}

Document::Document(std::string_view text, std::string name) : root_(parse(text, name)) {
  root_.place = root_.key_place = {std::move(name), 0, 0};
}

void Document::set(std::string const& assignment) {
  std::string const source = fmt::format("--set {}", assignment);
  auto const equals = assignment.find('=');
  if (equals == std::string::npos || equals == 0)
    throw InputError(source, "is not of the form key.path=value", "it changes one key of the input",
                     "Write for example --set stage.0.steps=300");
  auto const path = split(std::string_view(assignment).substr(0, equals));
  if (path.size() > std::size_t(deepest) || std::find(path.begin(), path.end(), "") != path.end())
    throw InputError(source, "its path is empty somewhere or too long",
                     "each part between dots names a key or an index",
                     "Write for example --set stage.0.steps=300");
  Place const place{source, 0, 0};
  Node value = set_value(assignment.substr(equals + 1), source);
  set_places(value, place);
  Node* target = &root_;
  for (auto part : path) target = &step_into(*target, part, place);
  *target = std::move(value);
}

Node const* Document::find(std::string_view path) const {
  Node const* node = &root_;
  for (auto part : split(path)) {
    std::size_t index = 0;
    if (node->kind == Node::Kind::array)
      node = index_of(part, index) && index < node->items.size() ? &node->items[index] : nullptr;
    else
      node = node->find(part);
    if (node == nullptr) return nullptr;
  }
  return node;
}

std::string Document::where(std::string_view path) const {
  auto const parts = split(path);
  Node const* node = &root_;
  Place place = root_.place;
  std::string name;
  for (std::size_t k = 0; k < parts.size(); ++k) {
    std::size_t index = 0;
    bool const is_index = index_of(parts[k], index);
    bool const list = k == 0 && parts.size() > 1 && index_of(parts[1], index);
    if (is_index)
      name += k == 1 ? "" : fmt::format("[{}]", parts[k]);
    else if (list)
      name += fmt::format("[[{}]]", parts[k]);
    else
      name += k == 0 && parts.size() > 1 ? fmt::format("[{}]", parts[k])
                                         : fmt::format("{}{}", k > 0 ? "." : "", parts[k]);
    if (node != nullptr && node->kind == Node::Kind::array)
      node = index_of(parts[k], index) && index < node->items.size() ? &node->items[index] : nullptr;
    else if (node != nullptr)
      node = node->find(parts[k]);
    if (node != nullptr) place = node->key_place;
  }
  return fmt::format("{}: {}", place.text(), name);
}

std::string toml_string(std::string_view text) {
  std::string result = "\"";
  for (char c : text) {
    if (c == '"' || c == '\\')
      result += fmt::format("\\{}", c);
    else if (static_cast<unsigned char>(c) < 0x20 || c == 0x7f)
      result += fmt::format("\\u{:04x}", unsigned(c));
    else
      result += c;
  }
  return result + "\"";
}

}  // namespace lockstep
