// SPDX-License-Identifier: Apache-2.0
// Readers of trajectories and checkpoints behind one interface.
#include "output/frames.hpp"

#include <fcntl.h>
#include <fmt/format.h>

#include <algorithm>
#include <cerrno>
#include <fstream>

#include "base/error.hpp"
#include "output/checkpoint.hpp"
#include "output/files.hpp"
#include "output/hdf5.hpp"
#include "output/seal.hpp"
#include "output/stored_scales.hpp"
#include "output/trajectory_layout.hpp"
#include "state/digest.hpp"

namespace lockstep {
namespace {

using h5::Handle;

std::string type_name(hid_t dataset) {
  Handle const type(H5Dget_type(dataset), H5Tclose, "read a dataset's type");
  std::size_t const bits = 8 * H5Tget_size(type.get());
  switch (H5Tget_class(type.get())) {
    case H5T_FLOAT:
      return fmt::format("float{}", bits);
    case H5T_INTEGER:
      return fmt::format("{}int{}", H5Tget_sign(type.get()) == H5T_SGN_NONE ? "u" : "", bits);
    case H5T_STRING:
      return "text";
    default:
      return "other";
  }
}

herr_t note_dataset(hid_t root, char const* name, H5O_info_t const* object, void* list) {
  if (object->type != H5O_TYPE_DATASET) return 0;
  try {
    Handle const set = h5::open_dataset(root, name);
    auto const shape = h5::shape_of(set.get());
    static_cast<std::vector<DatasetInfo>*>(list)->push_back(
        {name, type_name(set.get()), {shape.begin(), shape.end()}});
  } catch (std::exception const&) { return -1; }  // must not pass through C
  return 0;
}

std::vector<DatasetInfo> list_datasets(hid_t file) {
  std::vector<DatasetInfo> all;
  h5::check(H5Ovisit2(file, H5_INDEX_NAME, H5_ITER_INC, note_dataset, &all, H5O_INFO_BASIC),
            "list the datasets");
  return all;
}

Box box_of(std::vector<std::int64_t> const& l) {
  return {{l[0], l[1], l[2]}, {l[3], l[4], l[5]}, {l[6], l[7], l[8]}};
}

Column const* integers(FrameData const& data, std::string const& name) {
  for (auto const& c : data.columns)
    if (c.name == name && !c.integers.empty()) return &c;
  return nullptr;
}

/// The particles of a frame as a state, if it holds them exactly.
std::optional<State> exact_state(FrameData const& data) {
  auto const *x = integers(data, "position"), *v = integers(data, "velocity"),
             *image = integers(data, "image"), *species = integers(data, "species");
  if (x == nullptr || v == nullptr || image == nullptr || species == nullptr) return std::nullopt;
  State s;
  s.box = data.box;
  s.reserve(LocalIndex(data.ids.size()));
  for (std::size_t i = 0; i < data.ids.size(); ++i) {
    auto const triple = [&](Column const& c, int d) { return c.integers[3 * i + std::size_t(d)]; };
    Particle p{data.ids[i], SpeciesId(species->integers[i]), {}, {}, {}, {}};
    for (int d = 0; d < 3; ++d) {
      p.image[d] = std::int32_t(triple(*image, d));
      p.x[d] = triple(*x, d);
      p.v[d] = triple(*v, d);
    }
    s.push_back(p);
  }
  return s;
}

/// Frames hold wrapped positions. @returns the id of one outside the box, if there is one.
std::optional<std::int64_t> outside(FrameData const& data) {
  Column const* const x = integers(data, "position");
  for (std::size_t k = 0; x != nullptr && k < x->integers.size(); ++k)
    if (x->integers[k] < 0 || x->integers[k] >= data.box.edge(int(k % 3))) return data.ids[k / 3];
  return std::nullopt;
}

class TrajectoryFile : public FrameFile {
 public:
  explicit TrajectoryFile(std::string const& path) : path_(path), file_(h5::open_file(path, false)) {
    if (!h5::exists(file_.get(), digest_path + "/value") || !h5::exists(file_.get(), "parameters/input"))
      throw InputError(path + ":", "is not a file that lockstep wrote", "it lacks the digests of its frames",
                       "Name a trajectory.h5, a segment of one, or a checkpoint.h5");
    auto const step = series<std::int64_t>(digest_path + "/step");
    auto const time = series<double>(digest_path + "/time");
    auto const digest = series<std::uint64_t>(digest_path + "/value");
    shared_ = series<std::uint64_t>(shared_path + "/value");
    lattice_ = series<std::int64_t>(lattice_path + "/value");
    ids_ = series<std::int64_t>(particles_path + "/id");
    species_ = series<std::int64_t>(particles_path + "/species");
    std::size_t const n = step.size();
    if (time.size() != n || digest.size() != 2 * n || shared_.size() != 2 * n || lattice_.size() != 9 * n ||
        species_.size() != ids_.size())
      throw ResourceError(path + " is damaged", "its series have different lengths", "Put back a good copy");
    for (std::size_t k = 0; k < n; ++k)
      frames_.push_back({step[k], time[k], {digest[2 * k], digest[2 * k + 1]}});
  }
  std::string kind() const override { return "trajectory"; }
  std::vector<FrameInfo> const& frames() const override { return frames_; }
  std::int64_t n_particles() const override { return std::int64_t(ids_.size()); }
  std::vector<DatasetInfo> datasets() const override { return list_datasets(file_.get()); }
  std::string input_hash() const override {
    return h5::text_attribute(h5::open_group(file_.get(), "parameters").get(), "input_hash");
  }
  std::string input() const override { return h5::read_text(file_.get(), "parameters/input"); }
  std::string build() const override {
    return h5::text_attribute(h5::open_group(file_.get(), "h5md/creator").get(), "version");
  }
  std::vector<std::string> species() const override {
    return h5::texts_attribute(h5::open_dataset(file_.get(), particles_path + "/species").get(), "names");
  }
  std::optional<Scales> scales() const override {
    Handle const parameters = h5::open_group(file_.get(), "parameters");
    if (!h5::has_attribute(parameters.get(), "scales")) return std::nullopt;
    std::string problem;
    Scales const scales = read_scales(parameters.get(), problem);
    if (!problem.empty()) throw ResourceError(path_ + " is damaged", problem, "Put back a good copy");
    return scales;
  }
  std::optional<Column> column(std::size_t frame, std::string const& name) const override {
    if (!h5::exists(file_.get(), particles_path + "/" + name)) return std::nullopt;
    return read_column(name, frame);
  }
  FrameData read(std::size_t frame) const override {
    auto const row = lattice_.begin() + std::ptrdiff_t(9 * frame);
    FrameData data{frames_.at(frame), box_of({row, row + 9}), ids_, {}, std::nullopt};
    if (auto const problem = problem_of(data.box); !problem.empty())
      throw ResourceError(path_ + " is damaged",
                          fmt::format("its box at step {} {}", data.info.step, problem),
                          "Put back a good copy");
    for (char const* name : {"position", "velocity", "force", "image"})
      if (auto c = column(frame, name)) data.columns.push_back(std::move(*c));
    data.columns.push_back({"species", 1, species_, {}});
    if (auto const id = outside(data))
      throw ResourceError(path_ + " is damaged",
                          fmt::format("particle {} is outside the box at step {}", *id, data.info.step),
                          "Put back a good copy");
    if (auto const state = exact_state(data))
      data.recomputed = particles_digest(*state) + Digest{shared_[2 * frame], shared_[2 * frame + 1]};
    return data;
  }

 private:
  template <class T>
  std::vector<T> series(std::string const& name) const {
    h5::require_whole(h5::open_dataset(file_.get(), name).get(), path_, name);
    return h5::read_dataset<T>(file_.get(), name);
  }
  Column read_column(std::string const& name, std::size_t frame) const {
    Handle const set = h5::open_dataset(file_.get(), particles_path + "/" + name + "/value");
    h5::Shape const shape = h5::shape_of(set.get());
    if (shape.size() != 3 || shape[0] != frames_.size() || shape[1] != ids_.size() || shape[2] != 3)
      throw ResourceError(path_ + " is damaged", name + " has another shape than the frames",
                          "Put back a good copy");
    Column c{name, 3, {}, {}};
    h5::Slab const slab{{frame, 0, 0}, {1, shape[1], 3}};
    if (type_name(set.get()).rfind("float", 0) == 0) {
      c.reals.resize(3 * ids_.size());
      h5::read_slab(set.get(), h5::memory_type<double>(), slab, c.reals.data());
    } else {
      c.integers.resize(3 * ids_.size());
      h5::read_slab(set.get(), h5::memory_type<std::int64_t>(), slab, c.integers.data());
    }
    return c;
  }
  std::string path_;
  Handle file_;
  std::vector<FrameInfo> frames_;
  std::vector<std::uint64_t> shared_;
  std::vector<std::int64_t> lattice_, ids_, species_;
};

class CheckpointFile : public FrameFile {
 public:
  explicit CheckpointFile(std::string const& path)
      : path_(path), restored_(read_checkpoint(Comm(MPI_COMM_SELF), path)) {
    frames_.push_back({restored_.state.step, restored_.state.time, restored_.checkpoint.digest});
  }
  std::string kind() const override { return "checkpoint"; }
  std::vector<FrameInfo> const& frames() const override { return frames_; }
  std::int64_t n_particles() const override { return restored_.state.n_particles; }
  std::vector<DatasetInfo> datasets() const override {
    return list_datasets(h5::open_file(path_, false).get());
  }
  std::string input_hash() const override { return restored_.checkpoint.input_hash; }
  std::string input() const override { return restored_.checkpoint.input; }
  std::string build() const override { return restored_.checkpoint.build; }
  std::vector<std::string> species() const override { return restored_.checkpoint.species; }
  std::optional<Scales> scales() const override { return restored_.state.scales; }
  std::optional<Column> column(std::size_t frame, std::string const& name) const override {
    FrameData const data = read(frame);
    for (Column const& c : data.columns)
      if (c.name == name) return c;
    return std::nullopt;
  }
  FrameData read(std::size_t frame) const override {
    State const& s = restored_.state;
    FrameData data{
        frames_.at(frame),
        s.box,
        {},
        {{"position", 3, {}, {}}, {"velocity", 3, {}, {}}, {"image", 3, {}, {}}, {"species", 1, {}, {}}},
        std::nullopt};
    for (LocalIndex i = 0; i < s.n_owned; ++i) {
      Particle const p = s.particle(i);
      data.ids.push_back(p.id);
      data.columns[3].integers.push_back(p.species);
      for (int d = 0; d < 3; ++d) {
        data.columns[0].integers.push_back(p.x[d]);
        data.columns[1].integers.push_back(p.v[d]);
        data.columns[2].integers.push_back(p.image[d]);
      }
    }
    data.recomputed = particles_digest(s) + shared_digest(s);
    return data;
  }

 private:
  std::string path_;
  Restored restored_;
  std::vector<FrameInfo> frames_;
};

}  // namespace

std::unique_ptr<FrameFile> open_frames(std::string const& path) {
  std::ifstream file(path, std::ios::binary);
  if (!file) fail_file("open", path, errno);
  char head[8] = "";
  file.read(head, sizeof head);
  if (std::string(head, sizeof head) == "\x89HDF\r\n\x1a\n") return std::make_unique<TrajectoryFile>(path);
  return std::make_unique<CheckpointFile>(path);
}

}  // namespace lockstep
