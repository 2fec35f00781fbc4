// SPDX-License-Identifier: Apache-2.0
// Schema and docs from the rows. The only unit that sees nlohmann::json.
#include "input/reference.hpp"

#include <fmt/format.h>

#include <cmath>
#include <nlohmann/json.hpp>

#include "base/quantity.hpp"
#include "input/suggest.hpp"

namespace lockstep {
namespace {

using Json = nlohmann::ordered_json;

void add_range(Json& schema, Rule const& rule) {
  if (std::isfinite(rule.low)) schema[rule.low_open ? "exclusiveMinimum" : "minimum"] = rule.low;
  if (std::isfinite(rule.high)) schema[rule.high_open ? "exclusiveMaximum" : "maximum"] = rule.high;
}

Json number_schema(Key const& key) {
  Json schema;
  schema["type"] = key.unit == Unit::none        ? Json("number")
                   : key.unit == Unit::wall_time ? Json("string")
                                                 : Json{"number", "string"};
  add_range(schema, key.rule);
  return schema;
}

Json integer_schema(Key const& key) {
  Json schema{{"type", "integer"}};
  add_range(schema, key.rule);
  return schema;
}

Json list_of(Json items) { return {{"type", "array"}, {"items", std::move(items)}}; }

struct ToSchema {
  Key const& key;
  Json operator()(double*) const { return number_schema(key); }
  Json operator()(std::int64_t*) const { return integer_schema(key); }
  Json operator()(std::uint64_t*) const {
    Json schema = integer_schema(key);
    schema["minimum"] = 0;
    return schema;
  }
  Json operator()(bool*) const { return {{"type", "boolean"}}; }
  Json operator()(std::string*) const { return {{"type", "string"}}; }
  Json operator()(std::vector<double>*) const { return list_of(number_schema(key)); }
  Json operator()(std::vector<std::int64_t>*) const { return list_of(integer_schema(key)); }
  Json operator()(std::vector<std::string>*) const { return list_of({{"type", "string"}}); }
  Json operator()(std::span<std::string> v) const {
    Json schema = list_of({{"type", "string"}});
    schema["minItems"] = schema["maxItems"] = v.size();
    return schema;
  }
  Json operator()(Choice const& c) const {
    Json names{{"enum", Json::array()}};
    for (auto name : c.names) names["enum"].push_back(std::string(name));
    return c.list ? list_of(names) : names;
  }
};

/// The default as JSON text or words; "" where there is none.
struct ToDefault {
  Key const& key;
  std::string operator()(double* v) const {
    std::string const unit = unit_name(key.unit, UnitSystem::physical);
    return exact_text(*v) + (unit.empty() ? "" : " " + unit);
  }
  std::string operator()(std::int64_t* v) const { return fmt::format("{}", *v); }
  std::string operator()(std::uint64_t* v) const { return fmt::format("{}", *v); }
  std::string operator()(bool* v) const { return *v ? "true" : "false"; }
  std::string operator()(std::string* v) const { return *v; }
  std::string operator()(std::vector<double>*) const { return {}; }
  std::string operator()(std::vector<std::int64_t>*) const { return {}; }
  std::string operator()(std::vector<std::string>*) const { return {}; }
  std::string operator()(std::span<std::string>) const { return {}; }
  std::string operator()(Choice const& c) const {
    std::string text;
    for (int i : c.get()) text += fmt::format("{}{}", text.empty() ? "" : ", ", c.names[std::size_t(i)]);
    return text;
  }
};

std::string default_text(Key const& key) {
  return key.rule.required || key.rule.optional ? std::string() : std::visit(ToDefault{key}, key.target);
}

std::string units_text(Key const& key) {
  if (key.unit == Unit::none) return {};
  if (key.unit == Unit::wall_time) return usual_units(key.unit);
  return fmt::format("{}; lj: {}", usual_units(key.unit), unit_name(key.unit, UnitSystem::lj));
}

std::string range_words(Rule const& rule) {
  std::string text;
  if (std::isfinite(rule.low)) text += fmt::format("{} {}", rule.low_open ? ">" : ">=", rule.low);
  if (std::isfinite(rule.high))
    text += fmt::format("{}{} {}", text.empty() ? "" : ", ", rule.high_open ? "<" : "<=", rule.high);
  return text;
}

Json table_schema(TableReference const& table) {
  Json schema{{"type", "object"}, {"additionalProperties", false}, {"properties", Json::object()}};
  if (!table.doc.empty()) schema["description"] = table.doc;
  Json required = Json::array();
  for (auto const& key : table.keys) {
    Json property = std::visit(ToSchema{key}, key.target);
    std::string const units = units_text(key), standard = default_text(key);
    property["description"] = key.doc + (units.empty() ? "" : fmt::format(" [{}]", units)) +
                              (standard.empty() ? "" : fmt::format(" (default {})", standard));
    if (key.rule.required) required.push_back(std::string(key.name));
    schema["properties"][std::string(key.name)] = std::move(property);
  }
  for (auto const& child : table.tables) schema["properties"][child.name] = table_schema(child);
  if (!required.empty()) schema["required"] = std::move(required);
  if (!table.list) return schema;
  Json list = list_of(std::move(schema));
  list["description"] = table.doc;
  return list;
}

std::string heading_of(TableReference const& table, std::string const& path) {
  if (path.empty()) return table.name;
  return path.find('.') == std::string::npos && !table.list
             ? fmt::format("[{}]", path)
             : fmt::format("[{0}{1}{2}]", table.list ? "[" : "", path, table.list ? "]" : "");
}

void add_markdown(TableReference const& table, std::string const& path, std::string& text) {
  text += fmt::format("\n## `{}`\n{}", path.empty() ? "top of the file" : heading_of(table, path),
                      table.doc.empty() ? "" : "\n" + table.doc + "\n");
  text += "\n| key | type | default | units | range | meaning |\n|---|---|---|---|---|---|\n";
  for (auto const& key : table.keys) {
    std::string type = type_name(key.target);
    if (auto const* choice = std::get_if<Choice>(&key.target))
      type = (choice->list ? "list of " : "") + listed(choice->names);
    std::string const standard = key.rule.required ? "required" : default_text(key);
    text += fmt::format("| `{}` | {} | {} | {} | {} | {} |\n", key.name, type, standard, units_text(key),
                        range_words(key.rule), key.doc);
  }
  for (auto const& child : table.tables)
    add_markdown(child, path.empty() ? child.name : fmt::format("{}.{}", path, child.name), text);
}

}  // namespace

void Reference::keys(std::vector<Key> const& keys) {
  auto& all = open_.back()->keys;
  all.insert(all.end(), keys.begin(), keys.end());
}

bool Reference::begin_table(std::string_view name, std::string_view doc, Presence, bool, std::string_view) {
  auto& tables = open_.back()->tables;
  tables.push_back({std::string(name), std::string(doc), false, {}, {}});
  open_.push_back(&tables.back());
  return true;
}

std::size_t Reference::begin_list(std::string_view name, std::string_view doc, std::size_t, bool) {
  begin_table(name, doc, Presence::standard, true, "");
  open_.back()->list = true;
  return 1;
}

std::string Reference::json_schema(std::string_view title) const {
  Json schema{{"$schema", "https://json-schema.org/draft/2020-12/schema"}, {"title", std::string(title)}};
  schema.update(table_schema(root));
  return schema.dump(2) + "\n";
}

std::string Reference::markdown() const {
  std::string text;
  add_markdown(root, "", text);
  return text;
}

}  // namespace lockstep
