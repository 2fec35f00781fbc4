// SPDX-License-Identifier: Apache-2.0
// Segments and the virtual file that shows them.
#include "output/trajectory.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cstdio>
#include <filesystem>

#include "base/error.hpp"
#include "output/files.hpp"
#include "output/hdf5.hpp"
#include "output/segment.hpp"
#include "output/together.hpp"
#include "output/trajectory_layout.hpp"

namespace lockstep {
namespace {

using h5::Handle;

/// Bytes of one frame and a margin for HDF5's own.
std::int64_t frame_bytes(std::vector<Element> const& elements, std::int64_t n) {
  std::int64_t bytes = 65536;
  for (auto const& e : elements) bytes += 3 * n * (e.type == Element::Type::int64 ? 8 : 4);
  return bytes;
}

std::int64_t frames_up_to(std::string const& path, std::int64_t step, std::int64_t& all) {
  Handle const file = h5::open_file(path, false);
  auto const steps = h5::read_dataset<std::int64_t>(file.get(), digest_path + "/step");
  all = std::int64_t(steps.size());
  return std::upper_bound(steps.begin(), steps.end(), step) - steps.begin();
}

std::int64_t particles_in(std::string const& path) {
  Handle const file = h5::open_file(path, false);
  return std::int64_t(h5::shape_of(h5::open_dataset(file.get(), particles_path + "/id").get()).at(0));
}

/// Leaves the first `rows` frames of a segment, by way of a copy.
void shorten(std::string const& path, std::int64_t rows, std::vector<Element> const& elements) {
  std::string const copy = path + ".writing";
  std::filesystem::copy_file(path, copy, std::filesystem::copy_options::overwrite_existing);
  Handle file = h5::open_file(copy, true);
  auto const cut = [&](std::string const& name) {
    Handle const set = h5::open_dataset(file.get(), name);
    h5::Shape shape = h5::shape_of(set.get());
    shape[0] = hsize_t(rows);
    h5::resize(set.get(), shape);
  };
  auto const groups = timed_groups(elements);
  for (auto const& group : groups) cut(group + "/value");
  cut(groups[0] + "/step");  // the others are names of these two
  cut(groups[0] + "/time");
  file.close("write " + copy);
  sync_file(copy);
  replace_file(copy, path);
}

void copy_object(hid_t from, hid_t to, std::string const& path) {
  h5::check(H5Ocopy(from, path.c_str(), to, path.c_str(), H5P_DEFAULT, H5P_DEFAULT), "copy " + path);
}

/// A virtual dataset with the type, shape and attributes of the first segment's.
void show_dataset(hid_t first, hid_t file, std::string const& path, std::vector<h5::Source> const& sources) {
  Handle const model = h5::open_dataset(first, path);
  Handle const type(H5Dget_type(model.get()), H5Tclose, "read the type of " + path);
  h5::create_virtual_dataset(file, path, type.get(), h5::shape_of(model.get()), sources);
  Handle const set = h5::open_dataset(file, path);
  for (char const* name : {"unit", "reduced_unit"})
    if (h5::has_attribute(model.get(), name))
      h5::set_attribute(set.get(), name, h5::text_attribute(model.get(), name));
  if (h5::has_attribute(model.get(), "scale"))
    h5::set_attribute(set.get(), "scale", h5::real_attribute(model.get(), "scale"));
}

std::vector<Element> stored_elements(hid_t file) {
  std::vector<Element> stored;
  TrajectoryOptions every;
  every.fields_written = {TrajectoryField::position, TrajectoryField::velocity, TrajectoryField::force,
                          TrajectoryField::image};
  for (auto const& e : elements(every, {}))
    if (h5::exists(file, e.path)) stored.push_back(e);
  return stored;
}

}  // namespace

Trajectory::Trajectory(Comm const& comm, RunDirectory const& directory, TrajectoryOptions options,
                       TrajectoryHeader header)
    : comm_(comm), directory_(directory), options_(std::move(options)), header_(std::move(header)) {}

Trajectory::~Trajectory() = default;

std::string Trajectory::segment_name(int index) const { return fmt::format("trajectory.{:04}.h5", index); }

std::vector<Trajectory::Closed> Trajectory::keep_segments(std::int64_t step) const {
  std::vector<int> found;
  for (auto const& entry : std::filesystem::directory_iterator(directory_.path())) {
    std::string const name = entry.path().filename().string();
    int index = -1;
    if (name.rfind("trajectory.", 0) == 0 && name.ends_with(".writing"))
      remove_file(entry.path().string());
    else if (std::sscanf(name.c_str(), "trajectory.%d.h5", &index) == 1 && name == segment_name(index))
      found.push_back(index);
  }
  std::sort(found.begin(), found.end());
  std::vector<Closed> kept;
  for (int index : found) {
    std::string const path = directory_.file(segment_name(index));
    std::int64_t all = 0;
    std::int64_t const rows = step < 0 ? 0 : frames_up_to(path, step, all);
    if (rows == 0)
      remove_file(path);
    else if (rows < all)
      shorten(path, rows, stored_elements(h5::open_file(path, false).get()));
    if (rows > 0) kept.push_back({index, rows});
  }
  return kept;
}

void Trajectory::cut(std::int64_t step, std::int64_t frames) {
  open_.reset();
  std::int64_t next = 0, n = -1;
  on_root(comm_, [&] {
    closed_ = keep_segments(step);
    std::int64_t there = 0;
    for (auto const& segment : closed_) there += segment.rows;
    if (there != frames)
      throw ResourceError(
          fmt::format("{} holds {} frames up to step {}, the checkpoint counts {}", directory_.trajectory(),
                      there, step, frames),
          "log, trajectory and checkpoint must agree to be continued",
          "Put back the segments (trajectory.NNNN.h5) that belong to this checkpoint, or start in a "
          "new output.directory");
    show();
    next = closed_.empty() ? 0 : closed_.back().index + 1;
    if (!closed_.empty()) n = particles_in(directory_.file(segment_name(closed_.front().index)));
  });
  frames_ = frames;
  n_particles_ = comm_.max(n);
  next_ = int(comm_.max(next));
}

void Trajectory::show() const {
  if (closed_.empty()) return remove_file(directory_.trajectory());
  std::string const temporary = directory_.trajectory() + ".writing";
  {
    Handle const first = h5::open_file(directory_.file(segment_name(closed_.front().index)), false);
    Handle file = h5::create_file(temporary);
    std::vector<h5::Source> sources;
    for (auto const& s : closed_) sources.push_back({"./" + segment_name(s.index), hsize_t(s.rows)});
    auto const stored = stored_elements(first.get());
    copy_object(first.get(), file.get(), "h5md");
    copy_object(first.get(), file.get(), "parameters");
    create_groups(file.get(), stored);
    for (char const* name : {"/id", "/species", "/mass"})
      copy_object(first.get(), file.get(), particles_path + name);
    auto const groups = timed_groups(stored);
    for (auto const& group : groups) {
      show_dataset(first.get(), file.get(), group + "/value", sources);
      for (char const* name : {"/step", "/time"}) {
        if (group == groups[0])
          show_dataset(first.get(), file.get(), group + name, sources);
        else
          h5::link(file.get(), groups[0] + name, group + name);
      }
    }
    file.close("write " + temporary);
  }
  sync_file(temporary);
  replace_file(temporary, directory_.trajectory());
  sync_directory(directory_.path());
}

void Trajectory::frame(State const& state, Digest const& digest) {
  SortedSlice const slice = gather_by_id(comm_, state);
  if (n_particles_ >= 0 && slice.total != n_particles_)
    throw ResourceError(
        fmt::format("step {}: the trajectory cannot take {} particles", state.step, slice.total),
        fmt::format("its first frame has {}", n_particles_),
        "Set output.trajectory.every = 0 for runs that insert or delete particles");
  on_root(comm_, [&] {
    require_space(directory_.path(), frame_bytes(elements(options_, state.scales), slice.total));
  });
  n_particles_ = slice.total;
  try {
    if (!open_)
      open_ = std::make_unique<Segment>(comm_, directory_.file(segment_name(next_)) + ".writing", options_,
                                        header_, state, slice);
    open_->append(state, slice, digest);
  } catch (...) {
    open_.reset();
    if (comm_.root()) std::remove((directory_.file(segment_name(next_)) + ".writing").c_str());
    throw;
  }
}

void Trajectory::close_segment() {
  if (!open_) return;
  auto const segment = std::move(open_);
  segment->finish();
  on_root(comm_, [&] {
    std::string const name = segment_name(next_);
    fault_point("trajectory:finished");
    replace_file(directory_.file(name) + ".writing", directory_.file(name));
    fault_point("trajectory:renamed");
    closed_.push_back({next_, segment->frames()});
    show();
    fault_point("trajectory:shown");
  });
  frames_ += segment->frames();
  ++next_;
}

std::int64_t Trajectory::frames() const { return frames_ + (open_ ? open_->frames() : 0); }

}  // namespace lockstep
