// SPDX-License-Identifier: Apache-2.0
// verify and bisect.
#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <functional>
#include <map>
#include <utility>

#include "base/error.hpp"
#include "output/files.hpp"
#include "output/frames.hpp"
#include "output/inspect.hpp"
#include "output/log_rows.hpp"

namespace lockstep {
namespace {

using Pair = std::pair<std::string, std::string>;

constexpr char const* axes[3] = {"x", "y", "z"};

std::string field_name(Column const& c, std::size_t at) {
  return c.width == 3 ? c.name + "." + axes[at % 3] : c.name;
}

template <class T>
std::optional<Difference> first_of(Difference d, Column const& c, std::vector<std::int64_t> const& ids,
                                   std::vector<T> const& a, std::vector<T> const& b) {
  auto const at = std::mismatch(a.begin(), a.end(), b.begin(), b.end());
  if (at.first == a.end() || at.second == b.end()) return std::nullopt;
  auto const k = std::size_t(at.first - a.begin());
  d.particle = ids[k / std::size_t(c.width)];
  d.field = field_name(c, k);
  d.first = fmt::format("{}", *at.first);
  d.second = fmt::format("{}", *at.second);
  return d;
}

std::optional<Difference> compare_box(Difference d, Box const& a, Box const& b) {
  for (auto const& [name, u, v] : {std::tuple{"a", a.a, b.a}, {"b", a.b, b.b}, {"c", a.c, b.c}})
    for (int k = 0; k < 3; ++k)
      if (u[k] != v[k]) {
        d.field = fmt::format("box.{}.{}", name, axes[k]);
        d.first = fmt::format("{}", u[k]);
        d.second = fmt::format("{}", v[k]);
        return d;
      }
  return std::nullopt;
}

std::optional<Difference> compare_ids(Difference d, std::vector<std::int64_t> const& a,
                                      std::vector<std::int64_t> const& b) {
  d.field = "id";
  auto const at = std::mismatch(a.begin(), a.end(), b.begin(), b.end());
  if (at.first == a.end() && at.second == b.end()) return std::nullopt;
  d.first = at.first == a.end() ? "absent" : fmt::format("{}", *at.first);
  d.second = at.second == b.end() ? "absent" : fmt::format("{}", *at.second);
  return d;
}

/// The first particle that differs, its lowest id first, over all properties; then the digest itself.
std::optional<Difference> compare_frames(Difference const& d, FrameData const& a, FrameData const& b) {
  if (auto found = compare_box(d, a.box, b.box)) return found;
  if (auto found = compare_ids(d, a.ids, b.ids)) return found;
  std::optional<Difference> first;
  for (auto const& c : a.columns)
    for (auto const& other : b.columns) {
      if (other.name != c.name || other.integers.size() != c.integers.size()) continue;
      auto found = c.integers.empty() ? first_of(d, c, a.ids, c.reals, other.reals)
                                      : first_of(d, c, a.ids, c.integers, other.integers);
      if (found && (!first || found->particle < first->particle)) first = found;
    }
  if (first || a.info.digest == b.info.digest) return first;
  Difference digests = d;
  digests.field = "digest";
  digests.first = a.info.digest.hex();
  digests.second = b.info.digest.hex();
  return digests;
}

/// Frames of both files at equal steps, in order.
std::vector<FramesApart::Common> common_frames(FrameFile const& a, FrameFile const& b) {
  std::map<std::int64_t, std::size_t> index;
  for (std::size_t k = 0; k < b.frames().size(); ++k) index.emplace(b.frames()[k].step, k);
  std::vector<FramesApart::Common> common;
  for (std::size_t k = 0; k < a.frames().size(); ++k)
    if (auto const found = index.find(a.frames()[k].step); found != index.end())
      common.push_back({k, found->second});
  return common;
}

enum class Depth { digests, everything };

/// Forces are not part of the digest: whether those that both files hold in the same storage are the same.
bool forces_agree(FrameFile const& a, FrameFile const& b, FramesApart::Common at) {
  auto const u = a.column(at.first, "force"), v = b.column(at.second, "force");
  if (!u || !v || u->integers.size() != v->integers.size()) return true;
  return u->integers == v->integers && u->reals == v->reals;
}

Verdict compare_frame_files(Pair const& paths, Depth depth) {
  auto const a = open_frames(paths.first), b = open_frames(paths.second);
  auto const common = common_frames(*a, *b);
  Verdict verdict;
  FramesApart apart{paths.first, paths.second, {}, std::nullopt};
  for (auto const& at : common) {
    ++verdict.compared;
    FrameInfo const& info = a->frames()[at.first];
    bool const alike = info.digest == b->frames()[at.second].digest;
    if (depth == Depth::everything || !alike || !forces_agree(*a, *b, at)) {
      Difference const place{paths.first + ", " + paths.second, info.step, -1, "", "", ""};
      verdict.difference = compare_frames(place, a->read(at.first), b->read(at.second));
    }
    if (verdict.difference) {
      apart.frame = at;
      verdict.apart = apart;
      return verdict;
    }
    apart.before = at;
  }
  return verdict;
}

Verdict compare_logs(Pair const& paths) {
  auto const a = read_log_rows(paths.first), b = read_log_rows(paths.second);
  Verdict verdict;
  for (auto const& [key, row] : a) {
    auto const other = b.find(key);
    if (other == b.end()) continue;
    ++verdict.compared;
    Difference place{paths.first + ", " + paths.second, key.first, -1, "", "", ""};
    for (std::size_t k = 0; k < std::max(row.size(), other->second.size()); ++k) {
      static LogCell const absent{"absent", "absent"};
      LogCell const &u = k < row.size() ? row[k] : absent,
                    &v = k < other->second.size() ? other->second[k] : absent;
      if (u == v) continue;
      place.field = u.name == v.name ? u.name : u.name + " / " + v.name;
      place.first = u.value;
      place.second = v.value;
      verdict.difference = place;
      return verdict;
    }
  }
  return verdict;
}

bool is_log(std::string const& path) { return path.ends_with(".jsonl"); }

void must_exist(std::string const& path) {
  std::error_code ignored;
  if (std::filesystem::exists(path, ignored)) return;
  throw InputError(path + ":", "is not there", "two results are needed for a comparison",
                   "Name a run directory (output.directory of the input) or a file in it");
}

/// The files of a run that are in both directories, or the file and the one of its name in the directory; the
/// two paths themselves if they are files.
std::vector<Pair> pairs_of(std::string const& first, std::string const& second) {
  must_exist(first);
  must_exist(second);
  bool const whole = std::filesystem::is_directory(first),
             other_whole = std::filesystem::is_directory(second);
  auto const name_of = [](std::string const& path) {
    return std::filesystem::path(path).filename().string();
  };
  if (!whole && !other_whole) return {{first, second}};
  if (!whole) return {{first, second + "/" + name_of(first)}};
  if (!other_whole) return {{first + "/" + name_of(second), second}};
  std::vector<Pair> pairs;
  for (char const* name : {"log.jsonl", "trajectory.h5", "checkpoint.h5"}) {
    std::string const a = first + "/" + name, b = second + "/" + name;
    if (file_size(a) >= 0 && file_size(b) >= 0) pairs.emplace_back(a, b);
  }
  return pairs;
}

/// Whether `a` says more than `b`: an earlier step, or a particle at the same one.
bool says_more(Difference const& a, Difference const& b) {
  return a.step < b.step || (a.step == b.step && a.particle >= 0 && b.particle < 0);
}

Verdict over(std::string const& first, std::string const& second, Depth depth) {
  Verdict total;
  for (auto const& pair : pairs_of(first, second)) {
    Verdict const verdict = is_log(pair.first) ? compare_logs(pair) : compare_frame_files(pair, depth);
    total.compared += verdict.compared;
    if (!total.apart) total.apart = verdict.apart;
    if (verdict.difference && (!total.difference || says_more(*verdict.difference, *total.difference)))
      total.difference = verdict.difference;
  }
  if (total.compared == 0)  // two checkpoints alone may be of different steps
    throw InputError(first + ", " + second + ":", "have no step in common",
                     "results are compared at equal steps",
                     "Name files of the same kind of run, or a shared step");
  return total;
}

Verdict verify_frames(std::string const& path) {
  auto const file = open_frames(path);
  Verdict verdict;
  for (std::size_t k = 0; k < file->frames().size(); ++k) {
    FrameInfo const& info = file->frames()[k];
    Difference place{path, info.step, -1, "", "", ""};
    if (k > 0 && info.step <= file->frames()[k - 1].step) {
      place.field = "step";
      place.first = fmt::format("{}", file->frames()[k - 1].step);
      place.second = fmt::format("{}", info.step);
      return {verdict.compared, verdict.unverified, place, std::nullopt};
    }
    FrameData const data = file->read(k);
    ++verdict.compared;
    if (!data.recomputed) {
      ++verdict.unverified;
    } else if (!(*data.recomputed == info.digest)) {
      place.field = "digest";
      place.first = info.digest.hex();
      place.second = data.recomputed->hex();
      return {verdict.compared, verdict.unverified, place, std::nullopt};
    }
  }
  return verdict;
}

}  // namespace

std::string Difference::text() const {
  std::string text = where + ":";
  if (step >= 0) text += fmt::format(" step {},", step);
  if (particle >= 0) text += fmt::format(" particle {},", particle);
  return fmt::format("{} {}: {} is not {}", text, field, first, second);
}

Verdict verify_file(std::string const& path) {
  if (!std::filesystem::is_directory(path)) {
    if (!is_log(path)) return verify_frames(path);
    return {std::int64_t(read_log_rows(path).size()), 0, std::nullopt, std::nullopt};
  }
  Verdict total;
  for (char const* name : {"log.jsonl", "trajectory.h5", "checkpoint.prev.h5", "checkpoint.h5"}) {
    if (file_size(path + "/" + name) < 0) continue;
    Verdict const verdict = verify_file(path + "/" + name);
    total.compared += verdict.compared;
    total.unverified += verdict.unverified;
    if (verdict.difference) return {total.compared, total.unverified, verdict.difference, std::nullopt};
  }
  if (total.compared == 0)
    throw InputError(path + ":", "holds no output of a run",
                     "there is no log, trajectory or checkpoint in it",
                     "Name a run directory (output.directory of the input)");
  return total;
}

Verdict compare_files(std::string const& first, std::string const& second) {
  return over(first, second, Depth::everything);
}
Verdict bisect_files(std::string const& first, std::string const& second) {
  Verdict const verdict = over(first, second, Depth::digests);
  return verdict.difference ? verdict : compare_files(first, second);
}

}  // namespace lockstep
