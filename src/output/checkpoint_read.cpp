// SPDX-License-Identifier: Apache-2.0
// Reading checkpoints: seal first, then every rank its rows.
#include <fmt/format.h>

#include <limits>

#include "base/error.hpp"
#include "output/checkpoint.hpp"
#include "output/files.hpp"
#include "output/hdf5.hpp"
#include "output/seal.hpp"
#include "output/sorted.hpp"
#include "output/stored_scales.hpp"
#include "output/together.hpp"

namespace lockstep {
namespace {

using h5::Handle;

[[noreturn]] void inconsistent(std::string const& path, std::string const& what) {
  throw ResourceError(fmt::format("{} is not a checkpoint that this build understands", path), what,
                      "Continue it with the lockstep that wrote it, or take another checkpoint");
}

/// A single integer of at least `least`.
std::int64_t integer(hid_t file, std::string const& path, char const* name, std::int64_t least = 0) {
  auto const values = h5::integers_attribute(file, name);
  if (values.size() != 1 || values[0] < least)
    inconsistent(path, fmt::format("its {} is not a single integer of at least {}", name, least));
  return values[0];
}

double finite_time(hid_t file, std::string const& path, char const* name) {
  double const value = h5::real_attribute(file, name);
  if (!(value - value == 0)) inconsistent(path, fmt::format("its {} is not finite", name));
  return value;
}

/// A dataset that holds T of this shape and is no larger than the file.
template <class T>
Handle open_numbers(hid_t file, std::string const& path, std::string const& name, h5::Shape const& shape) {
  Handle set = h5::open_dataset(file, name);
  if (h5::shape_of(set.get()) != shape) inconsistent(path, name + " has another shape");
  if (!h5::holds(set.get(), h5::file_type<T>())) inconsistent(path, name + " holds another type");
  hsize_t n = 1;
  for (hsize_t d : shape) n *= d;
  if (h5::stored_bytes(set.get()) / sizeof(T) != n) inconsistent(path, name + " is not stored whole");
  return set;
}

template <class T>
std::vector<T> numbers(hid_t file, std::string const& path, std::string const& name, h5::Shape const& shape) {
  open_numbers<T>(file, path, name, shape);
  return h5::read_dataset<T>(file, name);
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
  content.output = {integer(file, path, "log_bytes"), integer(file, path, "log_rows"),
                    integer(file, path, "frames")};
  return content;
}

/// The box: lower triangular, with a volume, on the grid of the kernels' windows.
Box read_box(hid_t file, std::string const& path, int window_shift) {
  auto const v = numbers<std::int64_t>(file, path, "box", {3, 3});
  Box const box{{v[0], v[1], v[2]}, {v[3], v[4], v[5]}, {v[6], v[7], v[8]}};
  if (auto const problem = problem_of(box); !problem.empty()) inconsistent(path, "its box " + problem);
  std::int64_t const granule = std::int64_t(1) << window_shift;
  for (std::int64_t const component : v)
    if (component % granule != 0)
      inconsistent(path, fmt::format("{} in its box is not a multiple of {}", component, granule));
  return box;
}

void read_globals(hid_t file, std::string const& path, std::size_t n_species, State& state) {
  std::string problem;
  state.scales = read_scales(file, problem);
  if (!problem.empty()) inconsistent(path, problem);
  state.box = read_box(file, path, state.scales.window_shift);
  state.n_particles = integer(file, path, "n_particles");
  state.step = integer(file, path, "step");
  state.stage = integer(file, path, "stage");
  state.stage_step = integer(file, path, "stage_step");
  state.stage_start_time = finite_time(file, path, "stage_start_time");
  state.time = finite_time(file, path, "time");
  state.masses = numbers<double>(file, path, "masses", {n_species});
  for (double const mass : state.masses)
    if (!(mass > 0 && mass - mass == 0)) inconsistent(path, fmt::format("a mass is {}", mass));
  h5::Shape const words = h5::shape_of(h5::open_dataset(file, "extra").get());
  if (words.size() != 1) inconsistent(path, "extra has another shape");
  state.extra = numbers<std::int64_t>(file, path, "extra", words);
}

/// Rows [first, last) of one property, `width` values each.
template <class T>
std::vector<T> rows(hid_t file, std::string const& path, std::string const& name, State const& state,
                    std::int64_t first, std::int64_t last, hsize_t width) {
  h5::Shape shape{hsize_t(state.n_particles)};
  h5::Slab slab{{hsize_t(first)}, {hsize_t(last - first)}};
  if (width > 1) {
    shape.push_back(width);
    slab.start.push_back(0);
    slab.count.push_back(width);
  }
  Handle const set = open_numbers<T>(file, path, "particles/" + name, shape);
  std::vector<T> values(std::size_t(last - first) * width);
  h5::read_slab(set.get(), h5::memory_type<T>(), slab, values.data());
  return values;
}

void check_particle(std::string const& path, State const& state, Particle const& p, ParticleId last) {
  if (p.id <= last) inconsistent(path, fmt::format("particle {} follows particle {}", p.id, last));
  if (p.species < 0 || std::size_t(p.species) >= state.masses.size())
    inconsistent(path, fmt::format("particle {} has species {}, which has no mass", p.id, p.species));
  for (int d = 0; d < 3; ++d)
    if (p.x[d] < 0 || p.x[d] >= state.box.edge(d))
      inconsistent(path, fmt::format("particle {} is outside the box", p.id));
}

void read_particles(Comm const& comm, hid_t file, std::string const& path, State& state) {
  std::int64_t const first = first_row(state.n_particles, comm.size(), comm.rank());
  std::int64_t const last = first_row(state.n_particles, comm.size(), comm.rank() + 1);
  if (last - first > std::numeric_limits<LocalIndex>::max() / 2)
    inconsistent(path, "too many particles for one rank");
  auto const id = rows<std::int64_t>(file, path, "id", state, first, last, 1);
  auto const species = rows<std::int32_t>(file, path, "species", state, first, last, 1);
  auto const x = rows<std::int64_t>(file, path, "x", state, first, last, 3);
  auto const image = rows<std::int32_t>(file, path, "image", state, first, last, 3);
  auto const v = rows<std::int64_t>(file, path, "v", state, first, last, 3);
  ParticleId before = -1;  // the last one of the rank before: what is refused must not depend on the ranks
  if (first > 0) before = rows<std::int64_t>(file, path, "id", state, first - 1, first, 1)[0];
  state.reserve(LocalIndex(last - first));
  state.n_owned = LocalIndex(last - first);
  for (std::size_t i = 0; i < id.size(); ++i) {
    std::size_t const k = 3 * i;
    Particle const p{id[i],
                     species[i],
                     {image[k], image[k + 1], image[k + 2]},
                     {x[k], x[k + 1], x[k + 2]},
                     {v[k], v[k + 1], v[k + 2]},
                     {}};
    check_particle(path, state, p, i == 0 ? before : id[i - 1]);
    state.set(LocalIndex(i), p);
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
    read_globals(file.get(), path, restored.checkpoint.species.size(), restored.state);
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
