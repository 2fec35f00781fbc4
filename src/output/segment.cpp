// SPDX-License-Identifier: Apache-2.0
// Layout, frames and completion of one segment file.
#include "output/segment.hpp"

#include <algorithm>

#include "output/files.hpp"
#include "output/stored_scales.hpp"
#include "output/together.hpp"

namespace lockstep {
namespace {

using h5::Handle;

constexpr std::int64_t chunk_rows = 65536;

void write_header(hid_t file, TrajectoryHeader const& header, Scales const& scales) {
  Handle const h5md = h5::create_group(file, "h5md");
  std::int64_t const version[2] = {1, 1};
  h5::set_attribute(h5md.get(), "version", std::span<std::int64_t const>(version));
  Handle const author = h5::create_group(h5md.get(), "author");
  h5::set_attribute(author.get(), "name", std::string("unknown"));
  Handle const creator = h5::create_group(h5md.get(), "creator");
  h5::set_attribute(creator.get(), "name", std::string("lockstep"));
  h5::set_attribute(creator.get(), "version", header.build);
  Handle const parameters = h5::create_group(file, "parameters");
  h5::set_attribute(parameters.get(), "title", header.title);
  h5::set_attribute(parameters.get(), "input_hash", header.input_hash);
  h5::set_attribute(parameters.get(), "units",
                    std::string(header.units == UnitSystem::lj ? "lj" : "physical"));
  h5::set_attribute(parameters.get(), "position_unit", position_unit);
  h5::set_attribute(parameters.get(), "velocity_unit", velocity_unit);
  h5::set_attribute(parameters.get(), "force_unit", scales.force_unit());
  h5::set_attribute(parameters.get(), "energy_unit", scales.energy_unit());
  write_scales(parameters.get(), scales);
  h5::write_text(parameters.get(), "input", header.input);
}

/// One property of this rank's rows as [n, 3] values.
template <class T, class Get>
void collect(std::vector<T>& values, SortedSlice const& slice, Get get) {
  values.resize(3 * slice.particles.size());
  T* out = values.data();
  for (Particle const& p : slice.particles)
    for (int d = 0; d < 3; ++d) *out++ = T(get(p, d));
}

template <class T>
void write_series(hid_t file, std::string const& path, std::vector<T> const& values, h5::Shape const& shape) {
  Handle const set =
      h5::create_dataset(file, path, h5::file_type<T>(), shape, {.chunk = shape, .grows = true});
  h5::write_slab(set.get(), h5::memory_type<T>(), {h5::Shape(shape.size(), 0), shape}, values.data(), false);
}

}  // namespace

Segment::Segment(Comm const& comm, std::string path, TrajectoryOptions const& options,
                 TrajectoryHeader const& header, State const& state, SortedSlice const& slice)
    : comm_(comm), path_(std::move(path)), units_(header.units), elements_(elements(options, state.scales)) {
  on_root(comm_, [&] { lay_out(options, header, state, slice.total); });
  together(comm_, [&] {
    file_ = h5::open_file_together(path_, comm_);
    for (auto const& e : elements_) sets_.push_back(h5::open_dataset(file_.get(), e.path + "/value"));
  });
  write_particles(state, slice);
}

void Segment::lay_out(TrajectoryOptions const& options, TrajectoryHeader const& header, State const& state,
                      std::int64_t n) const {
  remove_file(path_);
  Handle file = h5::create_file(path_);
  write_header(file.get(), header, state.scales);
  create_groups(file.get(), elements_);
  auto const rows = hsize_t(n);
  for (auto const& e : elements_) {
    h5::Layout const layout{
        {1, hsize_t(std::clamp<std::int64_t>(n, 1, chunk_rows)), 3}, true, int(options.compression)};
    Handle const set = h5::create_dataset(file.get(), e.path + "/value", e.file_type(), {0, rows, 3}, layout);
    annotate(set.get(), units_, e.unit, e.type == Element::Type::int64 ? e.scale : 1.0);
  }
  h5::create_dataset(file.get(), particles_path + "/id", h5::file_type<std::int64_t>(), {rows});
  Handle const species =
      h5::create_dataset(file.get(), particles_path + "/species", h5::file_type<std::int32_t>(), {rows});
  h5::set_attribute(species.get(), "names", header.species);
  Handle const mass =
      h5::create_dataset(file.get(), particles_path + "/mass", h5::file_type<double>(), {rows});
  annotate(mass.get(), units_, Unit::mass, 1.0);
  file.close("write " + path_);
}

void Segment::write_rows(hid_t dataset, hid_t type, h5::Slab const& slab, void const* values) const {
  together(comm_, [&] { h5::write_slab(dataset, type, slab, values, comm_.size() > 1); });
}

void Segment::write_particles(State const& state, SortedSlice const& slice) {
  std::vector<std::int64_t> id;
  std::vector<std::int32_t> species;
  std::vector<double> mass;
  for (Particle const& p : slice.particles) {
    id.push_back(p.id);
    species.push_back(p.species);
    mass.push_back(state.masses.at(std::size_t(p.species)));
  }
  h5::Slab const slab{{hsize_t(slice.first)}, {slice.particles.size()}};
  auto const write = [&](char const* name, hid_t type, void const* values) {
    Handle const set = h5::open_dataset(file_.get(), particles_path + "/" + name);
    write_rows(set.get(), type, slab, values);
  };
  write("id", h5::memory_type<std::int64_t>(), id.data());
  write("species", h5::memory_type<std::int32_t>(), species.data());
  write("mass", h5::memory_type<double>(), mass.data());
}

void Segment::write_element(std::size_t k, SortedSlice const& slice) {
  Element const& e = elements_[k];
  auto const value = [&](Particle const& p, int d) {
    return e.field == TrajectoryField::position   ? p.x[d]
           : e.field == TrajectoryField::velocity ? p.v[d]
                                                  : p.f[d];
  };
  auto const row = hsize_t(frames());
  h5::Slab const slab{{row, hsize_t(slice.first), 0},
                      {slice.particles.empty() ? hsize_t(0) : 1, slice.particles.size(), 3}};
  std::vector<float> reals;
  std::vector<std::int64_t> integers;
  std::vector<std::int32_t> images;
  void const* values = nullptr;
  if (e.type == Element::Type::float32) {
    collect(reals, slice, [&](Particle const& p, int d) { return double(value(p, d)) * e.scale; });
    values = reals.data();
  } else if (e.type == Element::Type::int64) {
    collect(integers, slice, value);
    values = integers.data();
  } else {
    collect(images, slice, [](Particle const& p, int d) { return p.image[d]; });
    values = images.data();
  }
  together(comm_, [&] { h5::resize(sets_[k].get(), {row + 1, hsize_t(slice.total), 3}); });
  write_rows(sets_[k].get(), e.memory_type(), slab, values);
}

void Segment::append(State const& state, SortedSlice const& slice, Digest const& digest) {
  for (std::size_t k = 0; k < elements_.size(); ++k) write_element(k, slice);
  series_.add(state, digest);
}

void Segment::finish() {
  sets_.clear();
  together(comm_, [&] { file_.close("write " + path_); });
  on_root(comm_, [&] {
    Handle file = h5::open_file(path_, true);
    auto const n = hsize_t(frames());
    auto const groups = timed_groups(elements_);
    write_series(file.get(), groups[0] + "/step", series_.step, {n});
    write_series(file.get(), groups[0] + "/time", series_.time, {n});
    annotate(h5::open_dataset(file.get(), groups[0] + "/time").get(), units_, Unit::time, 1.0);
    for (std::size_t g = 1; g < groups.size(); ++g)
      for (char const* name : {"/step", "/time"}) h5::link(file.get(), groups[0] + name, groups[g] + name);
    write_series(file.get(), edges_path + "/value", series_.edges, {n, 3, 3});
    annotate(h5::open_dataset(file.get(), edges_path + "/value").get(), units_, Unit::length, 1.0);
    write_series(file.get(), lattice_path + "/value", series_.lattice, {n, 3, 3});
    annotate(h5::open_dataset(file.get(), lattice_path + "/value").get(), units_, Unit::length,
             position_unit);
    write_series(file.get(), digest_path + "/value", series_.digest, {n, 2});
    write_series(file.get(), shared_path + "/value", series_.shared, {n, 2});
    file.close("write " + path_);
  });
  together(comm_, [&] { sync_file(path_); });
}

void Segment::abandon() {
  for (auto& set : sets_) set.abandon();
  file_.abandon();
}

}  // namespace lockstep
