// SPDX-License-Identifier: Apache-2.0
// Rank 0 lays the file out alone; all ranks fill in their rows; then seal, sync, rename.
#include "output/checkpoint.hpp"

#include <fmt/format.h>

#include <array>

#include "base/error.hpp"
#include "output/files.hpp"
#include "output/hdf5.hpp"
#include "output/seal.hpp"
#include "output/sorted.hpp"
#include "output/stored_scales.hpp"
#include "output/together.hpp"

namespace lockstep {
namespace {

using h5::Handle;

constexpr std::int64_t bytes_per_particle = 72;

std::array<std::int64_t, 9> matrix(Box const& box) {
  return {box.a.x, box.a.y, box.a.z, box.b.x, box.b.y, box.b.z, box.c.x, box.c.y, box.c.z};
}

void write_numbers(hid_t file, State const& state, Checkpoint const& content, std::int64_t n) {
  std::array<std::int64_t, 2> const digest{std::int64_t(content.digest.lo), std::int64_t(content.digest.hi)};
  h5::set_attribute(file, "n_particles", n);
  h5::set_attribute(file, "step", state.step);
  h5::set_attribute(file, "stage", state.stage);
  h5::set_attribute(file, "stage_step", state.stage_step);
  h5::set_attribute(file, "stage_start_time", state.stage_start_time);
  h5::set_attribute(file, "time", state.time);
  write_scales(file, state.scales);
  h5::set_attribute(file, "digest", digest);
  h5::set_attribute(file, "log_bytes", content.output.log_bytes);
  h5::set_attribute(file, "log_rows", content.output.log_rows);
  h5::set_attribute(file, "frames", content.output.frames);
  h5::write_dataset(file, "box", {3, 3}, matrix(state.box).data());
  h5::write_dataset(file, "masses", {state.masses.size()}, state.masses.data());
  h5::write_dataset(file, "extra", {state.extra.size()}, state.extra.data());
}

/// The whole file but for the particles' values. Rank 0.
void lay_out(std::string const& path, State const& state, Checkpoint const& content, std::int64_t n) {
  Handle file = h5::create_file(path, hsize_t(seal_size));
  h5::set_attribute(file.get(), "input_hash", content.input_hash);
  h5::set_attribute(file.get(), "build", content.build);
  h5::write_text(file.get(), "input", content.input);
  Handle const species = h5::create_group(file.get(), "species");
  h5::set_attribute(species.get(), "names", content.species);
  write_numbers(file.get(), state, content, n);
  Handle const particles = h5::create_group(file.get(), "particles");
  hsize_t const rows = hsize_t(n);
  h5::create_dataset(particles.get(), "id", H5T_STD_I64LE, {rows});
  h5::create_dataset(particles.get(), "species", H5T_STD_I32LE, {rows});
  h5::create_dataset(particles.get(), "x", H5T_STD_I64LE, {rows, 3});
  h5::create_dataset(particles.get(), "image", H5T_STD_I32LE, {rows, 3});
  h5::create_dataset(particles.get(), "v", H5T_STD_I64LE, {rows, 3});
  file.close("write " + path);
}

/// Writes one property of this rank's rows; `get(particle, d)` gives component d of `width`.
template <class T, class Get>
void fill(Comm const& comm, hid_t file, char const* name, int width, SortedSlice const& slice, Get get) {
  std::vector<T> values;
  values.reserve(slice.particles.size() * std::size_t(width));
  for (Particle const& p : slice.particles)
    for (int d = 0; d < width; ++d) values.push_back(get(p, d));
  h5::Slab slab{{hsize_t(slice.first)}, {slice.particles.size()}};
  if (width > 1) {
    slab.start.push_back(0);
    slab.count.push_back(hsize_t(width));
  }
  together(comm, [&] {
    Handle const set = h5::open_dataset(file, std::string("particles/") + name);
    h5::write_slab(set.get(), h5::memory_type<T>(), slab, values.data(), comm.size() > 1);
  });
}

void fill_particles(Comm const& comm, std::string const& path, SortedSlice const& slice) {
  Handle file;
  together(comm, [&] { file = h5::open_file_together(path, comm); });
  try {
    fill<std::int64_t>(comm, file.get(), "id", 1, slice, [](Particle const& p, int) { return p.id; });
    fill<std::int32_t>(comm, file.get(), "species", 1, slice,
                       [](Particle const& p, int) { return p.species; });
    fill<std::int64_t>(comm, file.get(), "x", 3, slice, [](Particle const& p, int d) { return p.x[d]; });
    fill<std::int32_t>(comm, file.get(), "image", 3, slice,
                       [](Particle const& p, int d) { return p.image[d]; });
    fill<std::int64_t>(comm, file.get(), "v", 3, slice, [](Particle const& p, int d) { return p.v[d]; });
  } catch (...) {
    file.abandon();
    throw;
  }
  together(comm, [&] { file.close("write " + path); });
}

/// checkpoint.h5 becomes checkpoint.prev.h5, the new file becomes checkpoint.h5. Rank 0.
void rotate(RunDirectory const& directory, std::string const& fresh) {
  fault_point("checkpoint:sealed");
  if (file_size(directory.checkpoint()) >= 0)
    replace_file(directory.checkpoint(), directory.previous_checkpoint());
  fault_point("checkpoint:kept");
  replace_file(fresh, directory.checkpoint());
  fault_point("checkpoint:renamed");
  sync_directory(directory.path());
}

/// Writes and seals a checkpoint under a temporary name.
void write_sealed(Comm const& comm, RunDirectory const& directory, State const& state,
                  Checkpoint const& content, std::string const& path) {
  SortedSlice const slice = gather_by_id(comm, state);
  std::int64_t const more = std::int64_t(content.input.size() + 8 * state.extra.size()) + 65536;
  on_root(comm, [&] {
    remove_file(path);
    require_space(directory.path(), slice.total * bytes_per_particle + more);
    fault_point("checkpoint:begin");
    lay_out(path, state, content, slice.total);
    fault_point("checkpoint:laid_out");
  });
  try {
    fill_particles(comm, path, slice);
    fault_point("checkpoint:filled");
    seal_file(comm, path);
  } catch (...) {
    if (comm.root()) std::remove(path.c_str());
    throw;
  }
}

}  // namespace

void write_checkpoint(Comm const& comm, RunDirectory const& directory, State const& state,
                      Checkpoint const& content) {
  std::string const path = directory.file("checkpoint.writing.h5");
  write_sealed(comm, directory, state, content, path);
  on_root(comm, [&] { rotate(directory, path); });
}

void write_emergency_checkpoint(Comm const& comm, RunDirectory const& directory, State const& state,
                                Checkpoint const& content) {
  std::string const path = directory.file("emergency.writing.h5");
  write_sealed(comm, directory, state, content, path);
  on_root(comm, [&] {
    replace_file(path, directory.file("emergency.h5"));
    sync_directory(directory.path());
  });
}

}  // namespace lockstep
