// SPDX-License-Identifier: Apache-2.0
// info, and reading of log rows.
#include "output/inspect.hpp"

#include <fmt/format.h>

#include <filesystem>
#include <iterator>
#include <limits>
#include <nlohmann/json.hpp>
#include <string_view>

#include "base/error.hpp"
#include "output/files.hpp"
#include "output/frames.hpp"
#include "output/log_rows.hpp"

namespace lockstep {
namespace {

using Json = nlohmann::ordered_json;

Json describe_frames(std::string const& path) {
  auto const file = open_frames(path);
  Json frames = Json::array(), datasets = Json::array();
  for (auto const& f : file->frames())
    frames.push_back({{"step", f.step}, {"time", f.time}, {"digest", f.digest.hex()}});
  for (auto const& d : file->datasets())
    datasets.push_back({{"path", d.path}, {"type", d.type}, {"shape", d.shape}});
  return {{"file", path},
          {"kind", file->kind()},
          {"n_particles", file->n_particles()},
          {"input_hash", file->input_hash()},
          {"build", file->build()},
          {"frames", frames},
          {"datasets", datasets},
          {"input", file->input()}};
}

Json describe_log(std::string const& path) {
  LogRows const rows = read_log_rows(path);
  Json columns = Json::array();
  if (!rows.empty())
    for (auto const& cell : rows.begin()->second) columns.push_back(cell.name);
  Json json{{"file", path}, {"kind", "log"}, {"rows", rows.size()}, {"columns", columns}};
  if (!rows.empty()) {
    json["first_step"] = rows.begin()->first.first;
    json["last_step"] = rows.rbegin()->first.first;
  }
  return json;
}

Json describe_one(std::string const& path) {
  return path.ends_with(".jsonl") ? describe_log(path) : describe_frames(path);
}

std::string shape_text(Json const& shape) {
  std::string text;
  for (auto const& d : shape) text += (text.empty() ? "" : " x ") + std::to_string(d.get<std::int64_t>());
  return text.empty() ? "one" : text;
}

std::string for_people(Json const& json) {
  std::string text = fmt::format("{}: {}", json["file"].get<std::string>(), json["kind"].get<std::string>());
  if (json["kind"] == "log") {
    text += fmt::format(", {} rows", json["rows"].get<std::int64_t>());
    if (json.contains("first_step"))
      text += fmt::format(", steps {} to {}", json["first_step"].get<std::int64_t>(),
                          json["last_step"].get<std::int64_t>());
    return text + "\n";
  }
  text += fmt::format(" of {} particles, input {}, written by {}\n", json["n_particles"].get<std::int64_t>(),
                      json["input_hash"].get<std::string>(), json["build"].get<std::string>());
  text += fmt::format("{:>12} {:>16}  digest\n", "step", "time");
  for (auto const& f : json["frames"])
    text += fmt::format("{:>12} {:>16}  {}\n", f["step"].get<std::int64_t>(), f["time"].get<double>(),
                        f["digest"].get<std::string>());
  for (auto const& d : json["datasets"])
    text += fmt::format("  {:<40} {:<8} {}\n", d["path"].get<std::string>(), d["type"].get<std::string>(),
                        shape_text(d["shape"]));
  return text;
}

/// A row of a log; discarded if it is none. Values nested deeper than any of ours are refused: writing them
/// out again would take a stack frame per level.
Json parse_row(std::string_view text) {
  bool deep = false;
  auto const shallow = [&](int depth, Json::parse_event_t, Json&) {
    deep = deep || depth > 8;
    return depth <= 8;
  };
  Json json = Json::parse(text, shallow, false);
  auto const fits = [](Json const& step) {
    constexpr auto most = std::uint64_t(std::numeric_limits<std::int64_t>::max());
    return step.is_number_integer() && !(step.is_number_unsigned() && step.get<std::uint64_t>() > most);
  };
  bool const row = !deep && json.is_object() && json.contains("step") && fits(json["step"]);
  return row ? json : Json(Json::value_t::discarded);
}

}  // namespace

std::string describe_file(std::string const& path, bool json) {
  std::vector<std::string> paths{path};
  if (std::filesystem::is_directory(path)) {
    paths.clear();
    for (char const* name : {"log.jsonl", "trajectory.h5", "checkpoint.h5", "checkpoint.prev.h5"})
      if (file_size(path + "/" + name) >= 0) paths.push_back(path + "/" + name);
    if (paths.empty())
      throw InputError(path + ":", "holds no output of a run",
                       "there is no log, trajectory or checkpoint in it",
                       "Name a run directory (output.directory of the input) or a file in it");
  }
  Json all = Json::array();
  std::string text;
  for (auto const& p : paths) {
    all.push_back(describe_one(p));
    text += for_people(all.back());
  }
  if (!json) return text;
  return (std::filesystem::is_directory(path) ? all : all[0])
             .dump(2, ' ', false, Json::error_handler_t::replace) +
         "\n";
}

LogRows read_log_rows(std::string const& path) {
  std::string const text = read_text(path);
  LogRows rows;
  std::int64_t line = 0;
  for (std::size_t at = 0; at < text.size();) {
    auto const end = std::min(text.find('\n', at), text.size());
    Json const json = parse_row(std::string_view(text).substr(at, end - at));
    ++line;
    if (json.is_discarded())
      throw ResourceError(fmt::format("{}:{}: is not a row of a log", path, line),
                          "a row is one JSON object with an integer \"step\"",
                          "A half row at the end is what a kill leaves: start the run again, it cuts it off");
    auto const step = json["step"].get<std::int64_t>();
    auto const after = rows.upper_bound({step, std::numeric_limits<std::int64_t>::max()});
    bool const first = after == rows.begin() || std::prev(after)->first.first != step;
    auto& row = rows[{step, first ? 0 : std::prev(after)->first.second + 1}];
    for (auto const& [name, value] : json.items()) row.push_back({name, value.dump()});
    at = end + 1;
  }
  return rows;
}

}  // namespace lockstep
