// SPDX-License-Identifier: Apache-2.0
// The one place where reports meet the JSON library.
#include "app/report.hpp"

#include <nlohmann/json.hpp>

namespace lockstep {

struct Report::Json {
  nlohmann::ordered_json object = nlohmann::ordered_json::object();
};

Report::Report() : json_(std::make_unique<Json>()) {}
Report::~Report() = default;

void Report::put(std::string_view key, double value) { json_->object[std::string(key)] = value; }
void Report::put(std::string_view key, std::int64_t value) { json_->object[std::string(key)] = value; }
void Report::put(std::string_view key, std::string_view value) { json_->object[std::string(key)] = value; }
void Report::put(std::string_view key, std::span<double const> values) {
  json_->object[std::string(key)] = nlohmann::ordered_json(values);
}
void Report::put_in(std::string_view group, std::string_view key, double value) {
  json_->object[std::string(group)][std::string(key)] = value;
}
void Report::put_in(std::string_view group, std::string_view key, std::string_view value) {
  json_->object[std::string(group)][std::string(key)] = value;
}
std::string Report::text() const { return json_->object.dump(2); }

}  // namespace lockstep
