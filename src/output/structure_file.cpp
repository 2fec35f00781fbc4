// SPDX-License-Identifier: Apache-2.0
// Checks first, then rows by hyperslabs.
#include "output/structure_file.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <fstream>
#include <limits>

#include "base/error.hpp"
#include "output/trajectory_layout.hpp"

namespace lockstep {
namespace {

using h5::Handle;

constexpr double farthest = 262144;  // 2^18 length units: positions stay within int64
constexpr std::int64_t largest_id = (std::int64_t(1) << 48) - 1;  // what random numbers are keyed by
constexpr char const* layout_advice =
    "Name a trajectory.h5 or a segment that lockstep wrote, or a file of that layout (docs: Structures)";

std::string first_bytes(std::string const& path, std::size_t n) {
  std::ifstream file(path, std::ios::binary);
  std::string bytes(n, '\0');
  file.read(bytes.data(), std::streamsize(n));
  bytes.resize(std::size_t(std::max<std::streamsize>(file.gcount(), 0)));
  return bytes;
}

bool signed_hdf5(std::string const& path) { return first_bytes(path, 8) == "\x89HDF\r\n\x1a\n"; }
bool sealed(std::string const& path) { return first_bytes(path, 19) == "LOCKSTEP CHECKPOINT"; }

H5T_class_t class_of(hid_t dataset) {
  Handle const type(H5Dget_type(dataset), H5Tclose, "read a dataset's type");
  return H5Tget_class(type.get());
}

std::string shown(h5::Shape const& shape) {
  std::string text;
  for (hsize_t d : shape) text += fmt::format("{}{}", text.empty() ? "" : " x ", d);
  return text.empty() ? "a single value" : text;
}

/// what and why of an error that says "what, why, fix".
std::pair<std::string, std::string> parts_of(std::string const& text) {
  std::string const why = "\n    why: ", fix = "\n    fix: ";
  auto const at = text.find(why), end = text.rfind(fix);
  if (at == std::string::npos || end == std::string::npos || end < at) return {text, ""};
  return {text.substr(0, at), text.substr(at + why.size(), end - at - why.size())};
}

}  // namespace

bool names_hdf5(std::string const& path) {
  return path.ends_with(".h5") || path.ends_with(".hdf5") || path.ends_with(".h5md") || signed_hdf5(path) ||
         sealed(path);
}

void StructureFile::refuse(std::string problem, std::string why, std::string fix) const {
  throw InputError(path_, std::move(problem), std::move(why), std::move(fix));
}

/// What HDF5 cannot do, or finds damaged, is the user's file to mend.
template <class Work>
auto StructureFile::guarded(Work const& work) const {
  try {
    return work();
  } catch (ResourceError const& e) {
    auto const [what, why] = parts_of(e.what());
    refuse(fmt::format("cannot be read as a structure: {}", what), why,
           "Put back a good copy, or name another file");
  }
}

StructureFile::StructureFile(std::string const& path, std::optional<std::int64_t> frame) : path_(path) {
  if (first_bytes(path, 1).empty())
    refuse("cannot be read", "it is not there, empty, or may not be read",
           "Check the name: it is relative to the folder of the input file");
  if (sealed(path))
    refuse("is a checkpoint, not a structure", "it holds the inner state of a run in progress",
           "Start that run again to continue it, or name the trajectory.h5 beside it");
  if (!signed_hdf5(path)) refuse("is not an HDF5 file", "its first bytes are others", layout_advice);
  guarded([&] {
    file_ = h5::open_file(path, false);
    open_particles();
    choose_frame(frame);
    read_box();
    read_masses();
  });
}

Handle StructureFile::open(std::string const& name) const {
  if (!h5::exists(file_.get(), name))
    refuse(fmt::format("lacks {}", name), "a structure needs it", layout_advice);
  Handle set = h5::open_dataset(file_.get(), name);
  h5::require_whole(set.get(), path_, name);
  return set;
}

/// A dataset [frames, n, 3] (or [frames, 3, 3]) of integers of a known unit, or of reals.
StructureFile::Framed StructureFile::open_framed(std::string const& name, double unit) {
  Framed data{open(name + "/value"), false, unit};
  h5::Shape const shape = h5::shape_of(data.set.get());
  bool const of_box = name == lattice_path || name == edges_path;
  if (shape.size() != 3 || shape[1] != hsize_t(of_box ? 3 : n_) || shape[2] != 3)
    refuse(fmt::format("holds {}/value as {}", name, shown(shape)),
           fmt::format("a structure has frames x {} x 3 of them", of_box ? 3 : n_), layout_advice);
  data.integers = class_of(data.set.get()) == H5T_INTEGER;
  if (!data.integers && class_of(data.set.get()) != H5T_FLOAT)
    refuse(fmt::format("holds {}/value as something else than numbers", name), "they cannot be read",
           layout_advice);
  if (data.integers && unit != 1 &&
      !(h5::has_attribute(data.set.get(), "scale") && h5::real_attribute(data.set.get(), "scale") == unit))
    refuse(fmt::format("holds {}/value as integers of another unit", name),
           fmt::format("their attribute `scale` is not {}", unit),
           "Store reals, or take a file of this build");
  frames_ = std::min(frames_, std::int64_t(shape[0]));
  return data;
}

void StructureFile::open_particles() {
  id_ = open(particles_path + "/id");
  species_ = open(particles_path + "/species");
  h5::Shape const ids = h5::shape_of(id_.get()), kinds = h5::shape_of(species_.get());
  if (ids.size() != 1 || ids != kinds || class_of(id_.get()) != H5T_INTEGER ||
      class_of(species_.get()) != H5T_INTEGER)
    refuse("holds id and species as other than one integer for each particle",
           fmt::format("they are {} and {}", shown(ids), shown(kinds)), layout_advice);
  n_ = std::int64_t(ids[0]);
  if (n_ == 0) refuse("holds no particles", "there would be nothing to simulate", layout_advice);
  if (!h5::has_attribute(species_.get(), "names"))
    refuse("does not name its species", "particles/all/species has no attribute `names`", layout_advice);
  species_names_ = h5::texts_attribute(species_.get(), "names");
  for (std::size_t k = 0; k < species_names_.size(); ++k)
    if (species_names_[k].empty() ||
        std::find(species_names_.begin(), species_names_.begin() + std::ptrdiff_t(k), species_names_[k]) !=
            species_names_.begin() + std::ptrdiff_t(k))
      refuse(fmt::format("names species {} \"{}\"", k, species_names_[k]),
             "a name is there once and not empty", layout_advice);
  if (h5::exists(file_.get(), "parameters")) {
    Handle const parameters = h5::open_group(file_.get(), "parameters");
    if (h5::has_attribute(parameters.get(), "units")) units_ = h5::text_attribute(parameters.get(), "units");
  }
  if (h5::exists(file_.get(), particles_path + "/mass")) {
    mass_ = open(particles_path + "/mass");
    if (h5::shape_of(mass_.get()) != ids || class_of(mass_.get()) != H5T_FLOAT)
      refuse("holds mass as other than one real for each particle", "masses cannot be read", layout_advice);
  }
}

void StructureFile::choose_frame(std::optional<std::int64_t> frame) {
  frames_ = std::numeric_limits<std::int64_t>::max();
  position_ = open_framed(particles_path + "/position", position_unit);
  auto const optional = [&](std::string const& name, double unit) {
    return h5::exists(file_.get(), name + "/value") ? open_framed(name, unit) : Framed{};
  };
  velocity_ = optional(particles_path + "/velocity", velocity_unit);
  lattice_ = optional(lattice_path, position_unit);
  edges_ = lattice_ ? Framed{} : open_framed(edges_path, 1);
  if (edges_.integers)
    refuse("holds box/edges/value as integers", "edges are reals in nm or sigma", layout_advice);
  Framed image = optional(particles_path + "/image", 1);
  if (image && !image.integers)
    refuse("holds images that are no integers", "they count boxes", layout_advice);
  image_ = std::move(image.set);
  // a frame whose step is not there is one that a run had not finished
  h5::Shape const steps = h5::shape_of(open(particles_path + "/position/step").get());
  if (steps.size() == 1) frames_ = std::min(frames_, std::int64_t(steps[0]));
  if (frames_ == 0)
    refuse("holds no complete frame", "positions come from a frame", "Name a file with frames");
  frame_ = frame.value_or(frames_ - 1);
  if (frame_ < 0 || frame_ >= frames_)
    refuse(fmt::format("has no frame {}", frame_),
           fmt::format("it holds {} complete frames, counted from 0", frames_),
           fmt::format("Set system.frame to at most {}, or leave it out for the last", frames_ - 1));
}

void StructureFile::read_box() {
  Framed const& stored = lattice_ ? lattice_ : edges_;
  std::vector<std::int64_t> v(9);
  if (stored.integers) {
    v = frame_rows<std::int64_t>(stored.set, 0, 3);
  } else {
    auto const reals = frame_rows<double>(stored.set, 0, 3);
    for (std::size_t k = 0; k < 9; ++k) {
      if (!(reals[k] > -farthest / 2 && reals[k] < farthest / 2))  // false for NaN too
        refuse(fmt::format("has a box with the component {}", reals[k]), "positions cannot be so large",
               "Correct the box, or its units");
      v[k] = round_wide(reals[k] / position_unit);
    }
  }
  box_ = {{v[0], v[1], v[2]}, {v[3], v[4], v[5]}, {v[6], v[7], v[8]}};
  if (auto const problem = problem_of(box_); !problem.empty())
    refuse("has a box that " + problem, "its vectors are a = (ax, 0, 0), b = (bx, by, 0), c = (cx, cy, cz)",
           "Correct the box, or name another file");
}

void StructureFile::read_masses() {
  masses_.assign(species_names_.size(), 0);
  if (!mass_) return;
  for (std::int64_t first = 0; first < n_; first += block) {
    std::int64_t const last = std::min(n_, first + block);
    auto const kinds = rows<std::int64_t>(species_, first, last);
    auto const masses = rows<double>(mass_, first, last);
    for (std::size_t i = 0; i < kinds.size(); ++i) {
      if (kinds[i] < 0 || std::size_t(kinds[i]) >= masses_.size()) continue;  // read() says which particle
      double& mass = masses_[std::size_t(kinds[i])];
      if (!(masses[i] > 0 && masses[i] - masses[i] == 0) || (mass != 0 && mass != masses[i]))
        refuse(fmt::format("gives species {} the mass {}", species_names_[std::size_t(kinds[i])], masses[i]),
               mass != 0 ? fmt::format("another of its particles has {}", mass) : "a mass is positive",
               "Give all particles of a species one mass");
      mass = masses[i];
    }
  }
}

template <class T>
std::vector<T> StructureFile::rows(Handle const& set, std::int64_t first, std::int64_t last) const {
  std::vector<T> values(std::size_t(last - first));
  h5::read_slab(set.get(), h5::memory_type<T>(), {{hsize_t(first)}, {values.size()}}, values.data());
  return values;
}

template <class T>
std::vector<T> StructureFile::frame_rows(Handle const& set, std::int64_t first, std::int64_t last) const {
  std::vector<T> values(3 * std::size_t(last - first));
  h5::Slab const slab{{hsize_t(frame_), hsize_t(first), 0}, {1, hsize_t(last - first), 3}};
  h5::read_slab(set.get(), h5::memory_type<T>(), slab, values.data());
  return values;
}

/// Values in the units of the state; zeros if the file has none.
std::vector<std::int64_t> StructureFile::fixed_rows(Framed const& data, char const* name, std::int64_t first,
                                                    std::int64_t last) const {
  if (!data) return std::vector<std::int64_t>(3 * std::size_t(last - first), 0);
  if (data.integers) return frame_rows<std::int64_t>(data.set, first, last);
  auto const reals = frame_rows<double>(data.set, first, last);
  std::vector<std::int64_t> values(reals.size());
  for (std::size_t k = 0; k < reals.size(); ++k) {
    if (!(reals[k] > -farthest && reals[k] < farthest))  // false for NaN too
      refuse(
          fmt::format("gives the particle of row {} the {} {}", first + std::int64_t(k) / 3, name, reals[k]),
          "it cannot be held in fixed-point numbers", "Correct the file, or its units");
    values[k] = round_wide(reals[k] / data.unit);
  }
  return values;
}

std::vector<Particle> StructureFile::read(std::int64_t first, std::int64_t last) const {
  return guarded([&] {
    auto const id = rows<std::int64_t>(id_, first, last), kind = rows<std::int64_t>(species_, first, last);
    auto const x = fixed_rows(position_, "position", first, last),
               v = fixed_rows(velocity_, "velocity", first, last);
    std::vector<std::int32_t> image(x.size(), 0);
    if (image_) image = frame_rows<std::int32_t>(image_, first, last);
    ParticleId before = first > 0 ? rows<std::int64_t>(id_, first - 1, first)[0] : -1;
    std::vector<Particle> particles;
    for (std::size_t i = 0; i < id.size(); ++i) {
      std::size_t const k = 3 * i;
      if (id[i] == before)
        refuse(fmt::format("holds particle {} twice", id[i]), "each id belongs to one particle",
               "Correct particles/all/id");
      if (id[i] < before || id[i] > largest_id)
        refuse(fmt::format("holds particle {} after particle {}", id[i], before),
               fmt::format("ids ascend, from 0 or more to at most {}", largest_id), "Sort its rows by id");
      if (kind[i] < 0 || std::size_t(kind[i]) >= species_names_.size())
        refuse(fmt::format("gives particle {} the species {}", id[i], kind[i]),
               fmt::format("it names {} species, counted from 0", species_names_.size()),
               "Correct particles/all/species, or the attribute `names` of it");
      before = id[i];
      particles.push_back({id[i],
                           SpeciesId(kind[i]),
                           {image[k], image[k + 1], image[k + 2]},
                           {x[k], x[k + 1], x[k + 2]},
                           {v[k], v[k + 1], v[k + 2]},
                           {}});
    }
    return particles;
  });
}

}  // namespace lockstep
