// SPDX-License-Identifier: Apache-2.0
// Reading checkpoints: seal first, then every rank its rows.
#include <fmt/format.h>

#include <array>
#include <limits>

#include "base/error.hpp"
#include "output/checkpoint.hpp"
#include "output/files.hpp"
#include "output/hdf5.hpp"
#include "output/seal.hpp"
#include "output/sorted.hpp"
#include "output/together.hpp"

namespace lockstep {
namespace {

using h5::Handle;

[[noreturn]] void inconsistent(std::string const& path, std::string const& what) {
  throw ResourceError(fmt::format("{} is not a checkpoint that this build understands", path), what,
                      "Continue it with the lockstep that wrote it, or take another checkpoint");
}

std::int64_t integer(hid_t file, char const* name) {
  auto const values = h5::integers_attribute(file, name);
  return values.size() == 1 ? values[0] : std::numeric_limits<std::int64_t>::min();
}

Checkpoint read_content(hid_t file, std::string const& path) {
  Checkpoint content;
  content.input_hash = h5::text_attribute(file, "input_hash");
  content.build = h5::text_attribute(file, "build");
  content.input = h5::read_text(file, "input");
  Handle const species = h5::open_group(file, "species");
  content.species = h5::texts_attribute(species.get(), "names");
  auto const digest = h5::integers_attribute(file, "digest");
  if (digest.size() != 2) inconsistent(path, "its digest has not two words");
  content.digest = {std::uint64_t(digest[0]), std::uint64_t(digest[1])};
  content.output = {integer(file, "log_bytes"), integer(file, "log_rows"), integer(file, "frames")};
  return content;
}

void read_globals(hid_t file, std::string const& path, State& state) {
  auto const scales = h5::integers_attribute(file, "scales");
  auto const box = h5::read_dataset<std::int64_t>(file, "box");
  if (scales.size() != 6 || box.size() != 9) inconsistent(path, "its scales or its box have another shape");
  state.scales = {Precision(scales[0]), int(scales[1]), int(scales[2]),
                  int(scales[3]),       int(scales[4]), int(scales[5])};
  state.box = {{box[0], box[1], box[2]}, {box[3], box[4], box[5]}, {box[6], box[7], box[8]}};
  if (state.box.a.x <= 0 || state.box.b.y <= 0 || state.box.c.z <= 0)
    inconsistent(path, "its box has no volume");
  state.n_particles = integer(file, "n_particles");
  state.step = integer(file, "step");
  state.stage = integer(file, "stage");
  state.stage_step = integer(file, "stage_step");
  state.stage_start_time = h5::real_attribute(file, "stage_start_time");
  state.time = h5::real_attribute(file, "time");
  state.masses = h5::read_dataset<double>(file, "masses");
  state.extra = h5::read_dataset<std::int64_t>(file, "extra");
}

/// Rows [first, last) of one property, `width` values each.
template <class T>
std::vector<T> rows(hid_t file, std::string const& path, std::string const& name, State const& state,
                    std::int64_t first, std::int64_t last, hsize_t width) {
  Handle const set = h5::open_dataset(file, "particles/" + name);
  h5::Shape shape{hsize_t(state.n_particles)};
  h5::Slab slab{{hsize_t(first)}, {hsize_t(last - first)}};
  if (width > 1) {
    shape.push_back(width);
    slab.start.push_back(0);
    slab.count.push_back(width);
  }
  if (h5::shape_of(set.get()) != shape)
    inconsistent(path, fmt::format("particles/{} has another shape", name));
  std::vector<T> values(std::size_t(last - first) * width);
  h5::read_slab(set.get(), h5::memory_type<T>(), slab, values.data());
  return values;
}

void read_particles(Comm const& comm, hid_t file, std::string const& path, State& state) {
  if (state.n_particles < 0) inconsistent(path, "its number of particles is negative");
  std::int64_t const first = first_row(state.n_particles, comm.size(), comm.rank());
  std::int64_t const last = first_row(state.n_particles, comm.size(), comm.rank() + 1);
  if (last - first > std::numeric_limits<LocalIndex>::max() / 2)
    inconsistent(path, "too many particles for one rank");
  auto const id = rows<std::int64_t>(file, path, "id", state, first, last, 1);
  auto const species = rows<std::int32_t>(file, path, "species", state, first, last, 1);
  auto const x = rows<std::int64_t>(file, path, "x", state, first, last, 3);
  auto const image = rows<std::int32_t>(file, path, "image", state, first, last, 3);
  auto const v = rows<std::int64_t>(file, path, "v", state, first, last, 3);
  state.reserve(LocalIndex(last - first));
  state.n_owned = LocalIndex(last - first);
  for (std::size_t i = 0; i < id.size(); ++i) {
    if (species[i] < 0 || std::size_t(species[i]) >= state.masses.size())
      inconsistent(path, fmt::format("particle {} has species {}, which has no mass", id[i], species[i]));
    std::size_t const k = 3 * i;
    state.set(LocalIndex(i), {id[i],
                              species[i],
                              {image[k], image[k + 1], image[k + 2]},
                              {x[k], x[k + 1], x[k + 2]},
                              {v[k], v[k + 1], v[k + 2]},
                              {}});
  }
}

/// Moves a file that cannot be read out of the way, so that the next checkpoint does not replace the good
/// one.
std::string set_aside(RunDirectory const& directory, std::string const& problem) {
  std::string const aside = directory.file("checkpoint.damaged.h5");
  if (file_size(directory.checkpoint()) >= 0) replace_file(directory.checkpoint(), aside);
  return fmt::format("{}\ncontinuing from {}; the damaged file is kept as {}", problem,
                     directory.previous_checkpoint(), aside);
}

}  // namespace

Restored read_checkpoint(Comm const& comm, std::string const& path) {
  check_seal(comm, path);
  Restored restored;
  together(comm, [&] {
    Handle const file = h5::open_file(path, false);
    restored.checkpoint = read_content(file.get(), path);
    read_globals(file.get(), path, restored.state);
    read_particles(comm, file.get(), path, restored.state);
  });
  return restored;
}

Restored resume_checkpoint(Comm const& comm, RunDirectory const& directory, std::string const& input_hash) {
  Restored restored;
  bool const both =
      comm.max(std::int64_t(comm.root() && file_size(directory.previous_checkpoint()) >= 0)) == 1;
  bool const newest = comm.max(std::int64_t(comm.root() && file_size(directory.checkpoint()) >= 0)) == 1;
  try {
    restored =
        read_checkpoint(comm, newest || !both ? directory.checkpoint() : directory.previous_checkpoint());
    if (!newest) restored.warning = directory.checkpoint() + " is missing; continuing from the one before";
  } catch (std::exception const& error) {  // the same on all ranks
    if (!newest || !both) throw;
    restored = read_checkpoint(comm, directory.previous_checkpoint());
    on_root(comm, [&] { restored.warning = set_aside(directory, error.what()); });
    restored.warning = comm.broadcast(restored.warning, 0);
  }
  if (restored.checkpoint.input_hash != input_hash)
    throw InputError(
        directory.path() + ":", "holds the checkpoint of another input",
        "a run continues only what it began: same system, potentials, stages and seed",
        "Choose another output.directory, or take back the changes to the input (the checkpoint holds "
        "the old one: lockstep info shows it)");
  return restored;
}

}  // namespace lockstep
