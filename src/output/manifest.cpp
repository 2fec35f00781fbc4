// SPDX-License-Identifier: Apache-2.0
// JSON of the manifest.
#include "output/manifest.hpp"

#include <unistd.h>

#include <algorithm>
#include <ctime>
#include <nlohmann/json.hpp>

#include "output/files.hpp"
#include "output/together.hpp"

namespace lockstep {
namespace {

using Json = nlohmann::ordered_json;

std::string dump(Json const& json) { return json.dump(2, ' ', false, Json::error_handler_t::replace) + "\n"; }

/// The runs noted so far; none if there is no readable manifest.
Json earlier_runs(std::string const& path) {
  if (file_size(path) < 0) return Json::array();
  Json const old = Json::parse(read_text(path), nullptr, false);
  if (!old.is_object() || !old.contains("runs") || !old["runs"].is_array()) return Json::array();
  return old["runs"];
}

Json entry_of(RunRecord const& record, int ranks, std::vector<std::string> const& hosts) {
  return {{"start", utc_now()},
          {"end", nullptr},
          {"outcome", "running"},
          {"first_step", record.first_step},
          {"last_step", record.first_step},
          {"ranks", ranks},
          {"threads", record.threads},
          {"hosts", hosts},
          {"device", record.device},
          {"kernel", record.kernel},
          {"version", record.version},
          {"build", record.build}};
}

}  // namespace

std::string host_name() {
  char name[256] = "";
  if (::gethostname(name, sizeof name - 1) != 0) return "unknown";
  return name;
}

std::string utc_now() {
  std::time_t const now = std::time(nullptr);
  std::tm utc{};
  ::gmtime_r(&now, &utc);
  char text[32];
  std::strftime(text, sizeof text, "%Y-%m-%dT%H:%M:%SZ", &utc);
  return text;
}

Manifest::Manifest(Comm const& comm, RunDirectory const& directory, RunRecord record)
    : comm_(comm), path_(directory.manifest()) {
  std::vector<std::string> hosts = comm_.all_gather(host_name());
  hosts.erase(std::unique(hosts.begin(), hosts.end()), hosts.end());
  on_root(comm_, [&] {
    Json runs = earlier_runs(path_);
    runs.push_back(entry_of(record, comm_.size(), hosts));
    Json const manifest{{"lockstep", record.version},      {"title", record.title},
                        {"input_hash", record.input_hash}, {"n_particles", record.n_particles},
                        {"versions", record.versions},     {"finished", false},
                        {"performance", Json::object()},   {"runs", runs}};
    text_ = dump(manifest);
    write_text_atomically(path_, text_);
  });
}

void Manifest::update(std::int64_t step, std::string const& outcome, Performance const& performance) {
  on_root(comm_, [&] {
    Json manifest = Json::parse(text_);
    manifest["finished"] = outcome == "finished";
    manifest["performance"] = {{"particle_steps_per_second", performance.particle_steps_per_second},
                               {"ns_per_day", performance.ns_per_day},
                               {"wall_seconds", performance.wall_seconds},
                               {"output_seconds", performance.output_seconds}};
    Json& run = manifest["runs"].back();
    run["end"] = utc_now();
    run["outcome"] = outcome;
    run["last_step"] = step;
    write_text_atomically(path_, dump(manifest));
  });
}

}  // namespace lockstep
