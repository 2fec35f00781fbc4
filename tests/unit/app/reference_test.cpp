// SPDX-License-Identifier: Apache-2.0
#include <catch2/catch_test_macros.hpp>
#include <filesystem>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "app/run_input.hpp"
#include "input/text_file.hpp"

using namespace lockstep;
using nlohmann::json;

namespace {

json const& inside(json const& schema, std::string const& key) {
  json const& object = schema.contains("items") ? schema.at("items") : schema;
  return object.at("properties").at(key);
}

/// Paths of all keys of a TOML text as the writer makes it, found by its section titles.
std::vector<std::vector<std::string>> keys_of(std::string const& toml) {
  std::vector<std::vector<std::string>> keys;
  std::vector<std::string> path;
  std::size_t at = 0;
  while (at < toml.size()) {
    std::string const line = toml.substr(at, toml.find('\n', at) - at);
    at += line.size() + 1;
    if (line.starts_with("[")) {
      path.clear();
      std::string name;
      for (char c : line + ".") {
        if (c == '.' && !name.empty()) {
          path.push_back(name);
          name.clear();
        } else if (c != '[' && c != ']' && c != '.') {
          name += c;
        }
      }
    } else if (auto const equals = line.find(" = "); equals != std::string::npos && line[0] != ' ') {
      auto key = path;
      key.push_back(line.substr(0, equals));
      keys.push_back(key);
    }
  }
  return keys;
}

}  // namespace

TEST_CASE("reference: the schema is JSON and knows every key of the resolved inputs", "[unit][app]") {
  json const schema = json::parse(run_input_schema());
  CHECK(schema.at("$schema") == "https://json-schema.org/draft/2020-12/schema");
  int n = 0;
  for (auto const& entry : std::filesystem::directory_iterator(LOCKSTEP_INPUTS)) {
    if (!entry.is_directory()) continue;
    for (auto const& path : keys_of(read_run_input((entry.path() / "run.toml").string(), {}).resolved)) {
      json const* at = &schema;
      for (auto const& part : path) at = &inside(*at, part);  // throws where a key is unknown
      CHECK(at->contains("description"));
      ++n;
    }
  }
  CHECK(n > 100);
}

TEST_CASE("reference: rows carry units, ranges, names, defaults", "[unit][app]") {
  json const schema = json::parse(run_input_schema());
  json const& stage = schema.at("properties").at("stage").at("items");
  CHECK(stage.at("required") == json{"method", "steps"});
  CHECK(stage.at("additionalProperties") == false);
  CHECK(stage.at("properties").at("method").at("enum") == json{"minimize", "md", "mc"});
  json const& friction = stage.at("properties").at("langevin").at("properties").at("friction");
  CHECK(friction.at("exclusiveMinimum") == 0.0);
  CHECK(friction.at("type") == json{"number", "string"});
  std::string const doc = friction.at("description");
  CHECK(doc.find("1/ps, 1/fs or 1/ns; lj: 1/tau") != std::string::npos);
  CHECK(doc.find("default 1.0 1/ps") != std::string::npos);
  std::string const page = run_input_reference();
  CHECK(page.find("## `[[pair.coefficients]]`") != std::string::npos);
  CHECK(
      page.find(
          "| `friction` | number | 1.0 1/ps | 1/ps, 1/fs or 1/ns; lj: 1/tau | > 0 | rate of collisions |") !=
      std::string::npos);
}
