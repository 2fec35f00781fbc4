// SPDX-License-Identifier: Apache-2.0
// Structure files to sites, and sites to the state.
#include "app/structure.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <memory>
#include <optional>

#include "app/detail/lattice.hpp"
#include "base/error.hpp"
#include "base/fixed.hpp"
#include "base/quantity.hpp"
#include "input/lammps_data.hpp"
#include "input/text_file.hpp"
#include "output/structure_file.hpp"
#include "output/together.hpp"

namespace lockstep {
namespace {

constexpr double farthest = 262144;  // 2^18: a position and its lattice shifts stay within int64
constexpr std::int32_t farthest_image = 1 << 30;
constexpr std::int64_t most_per_rank = std::int64_t(1) << 28;  // with its ghosts within 32-bit word indices

/// What turns a file's lengths and velocities into internal ones: value * times / over, one of which is 1.
struct FileScale {
  double length_over = 1, velocity_times = 1, velocity_over = 1;
};

FileScale scale_of(FileUnits units) {
  switch (units) {
    case FileUnits::real:
      return {10, 100, 1};  // angstrom, angstrom/fs
    case FileUnits::metal:
      return {10, 1, 10};  // angstrom, angstrom/ps
    default:
      return {};
  }
}

/// Sites of an HDF5 file, a block of rows at a time.
class StoredSites {
 public:
  explicit StoredSites(StructureFile file) : file_(std::move(file)) {}
  Site operator()(std::int64_t index) {
    if (index < first_ || index >= first_ + std::int64_t(rows_.size())) {
      first_ = index;
      rows_ = file_.read(index, std::min(index + StructureFile::block, file_.n_particles()));
    }
    Particle const& p = rows_[std::size_t(index - first_)];
    Site site;
    site.id = p.id;
    site.species = p.species;
    site.image = p.image;
    site.exact = true;
    site.x = p.x;
    site.v = p.v;
    for (int d = 0; d < 3; ++d) {
      site.position[d] = double(p.x[d]) * position_unit;
      site.velocity[d] = double(p.v[d]) * velocity_unit;
    }
    return site;
  }

 private:
  StructureFile file_;
  std::int64_t first_ = 0;
  std::vector<Particle> rows_;
};

Structure from_hdf5(RunInput const& in, std::string const& path) {
  StructureFile file(path, in.system.frame < 0 ? std::nullopt : std::optional(in.system.frame));
  Structure s;
  Box const box = file.box();
  s.edges = box.edges();
  s.bx = double(box.b.x) * position_unit;
  s.cx = double(box.c.x) * position_unit;
  s.cy = double(box.c.y) * position_unit;
  detail::check_edges(in, s.edges, path);
  s.box = box;
  s.n_particles = file.n_particles();
  s.has_velocities = file.has_velocities();
  s.species = in.species;
  auto const sites = std::make_shared<StoredSites>(std::move(file));
  s.generate = [sites](std::int64_t index) { return (*sites)(index); };
  return s;
}

Structure from_file(RunInput const& in) {
  std::string const path = (std::filesystem::path(in.folder) / in.system.file).string();
  if (names_hdf5(path)) return from_hdf5(in, path);
  auto const file = read_text_file(path);
  if (!file.problem.empty())
    throw InputError(path, fmt::format("cannot be read: {}", file.problem), "it is the input's system.file",
                     "Check that the file is there and may be read");
  LammpsData const data = read_lammps_data(file.text, path, LammpsPart::everything);
  FileScale const scale = scale_of(in.system.file_units);
  Structure s;
  for (int d = 0; d < 3; ++d)
    s.edges[d] = (data.high[std::size_t(d)] - data.low[std::size_t(d)]) / scale.length_over;
  s.bx = data.xy / scale.length_over;
  s.cx = data.xz / scale.length_over;
  s.cy = data.yz / scale.length_over;
  detail::check_edges(in, s.edges, path);
  s.n_particles = data.n_particles;
  s.has_velocities = data.has_velocities;
  s.species = in.species;
  s.sites.reserve(data.particles.size());
  for (auto const& a : data.particles) {
    Site site{a.id, a.type, {}, {}, {a.image[0], a.image[1], a.image[2]}, a.charge, a.molecule};
    for (int d = 0; d < 3; ++d) {
      std::size_t const k = std::size_t(d);
      site.position[d] = (a.x[k] - data.low[k]) / scale.length_over;
      site.velocity[d] = a.v[k] * scale.velocity_times / scale.velocity_over;
    }
    s.sites.push_back(site);
  }
  return s;
}

double magnitude(double v) { return v < 0 ? -v : v; }

/// What makes a site impossible to represent, or "".
std::string problem_of(Structure const& s, Site const& site) {
  double const x = magnitude(site.position.x), y = magnitude(site.position.y), z = magnitude(site.position.z);
  double const nc = z / s.edges.z + 1, yc = y + nc * magnitude(s.cy), nb = yc / s.edges.y + 1;
  double const reach = x + nc * magnitude(s.cx) + nb * magnitude(s.bx);
  bool const near = reach < farthest && yc < farthest && z < farthest;  // false for NaN too
  if (!near) return fmt::format("particle {} is too far outside the box", site.id);
  for (int d = 0; d < 3; ++d) {
    if (!(magnitude(site.velocity[d]) < speed_limit))
      return fmt::format("particle {} is faster than {}", site.id, speed_limit);
    if (site.image[d] > farthest_image || site.image[d] < -farthest_image)
      return fmt::format("particle {} has the image flag {}", site.id, site.image[d]);
  }
  return {};
}

Particle particle_of(Site const& site, Box const& box) {
  Particle p{site.id, site.species, site.image, {}, {}, {}};
  for (int d = 0; d < 3; ++d) {
    p.x[d] = site.exact ? site.x[d] : round_wide(site.position[d] / position_unit);
    p.v[d] = site.exact ? site.v[d] : round_wide(site.velocity[d] / velocity_unit);
  }
  box.wrap(p.x, p.image);
  return p;
}

/// The structure's box on the grid of the kernels' windows.
Box box_of(Structure const& s, int window_shift) {
  auto const on_grid = [&](Box const& box) {
    for (auto const& row : {box.a, box.b, box.c})
      for (int d = 0; d < 3; ++d)
        if (row[d] % (std::int64_t(1) << window_shift) != 0) return false;
    return true;
  };
  if (s.box && on_grid(*s.box)) return *s.box;
  return make_box(s.edges, s.bx, s.cx, s.cy, window_shift);
}

/// Throws the first rank's complaint on all ranks.
void agree_or_throw(Comm const& comm, std::string const& problem, std::string const& fix) {
  if (comm.agree(problem.empty())) return;
  for (auto const& text : comm.all_gather(problem))
    if (!text.empty()) throw InputError("[system]", text, "it cannot be held in fixed-point numbers", fix);
}

}  // namespace

Structure make_structure(RunInput const& in) {
  if (!in.system.has_lattice) return from_file(in);
  return in.system.lattice.kind == LatticeKind::random ? detail::make_random(in) : detail::make_crystal(in);
}

void place(Structure const& structure, Comm const& comm, State& state) {
  auto const share = [&](int rank) {  // first index of a rank's range; 128 bits lest the product overflow
    return std::int64_t(Int128(structure.n_particles) * rank / comm.size());
  };
  std::int64_t const begin = share(comm.rank()), end = share(comm.rank() + 1);
  agree_or_throw(
      comm,
      end - begin > most_per_rank ? fmt::format("{} particles on one rank are too many", end - begin) : "",
      "Use more ranks");
  state.box = box_of(structure, state.scales.window_shift);
  state.n_particles = structure.n_particles;
  state.masses.clear();
  for (auto const& s : structure.species) state.masses.push_back(s.mass);
  state.n_owned = 0;
  state.reserve(LocalIndex(end - begin));
  std::string problem;
  together(comm, [&] {
    for (std::int64_t k = begin; k < end && problem.empty(); ++k) {
      Site const site = structure.site(k);
      problem = problem_of(structure, site);
      if (problem.empty()) state.push_back(particle_of(site, state.box));
    }
  });
  agree_or_throw(comm, problem, "Correct the structure file or its units");
}

}  // namespace lockstep
