// SPDX-License-Identifier: Apache-2.0
// The particles an input begins with: lattices, random placement, structure files.
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <vector>

#include "app/run_input.hpp"
#include "base/comm.hpp"
#include "base/vec3.hpp"
#include "state/state.hpp"

namespace lockstep {

/// One particle in length and time units (nm and ps, or sigma and tau).
struct Site {
  ParticleId id = 0;
  SpeciesId species = 0;
  Vec3<double> position;  ///< relative to the box's lower corner; may lie outside the box
  Vec3<double> velocity;
  Vec3<std::int32_t> image;
  double charge = 0;  ///< e
  std::int64_t molecule = 0;
  bool exact = false;           ///< x and v hold, not position and velocity, which are near them
  Vec3<std::int64_t> x{}, v{};  ///< position and velocity units
};

/// All particles in order of ids: 1 to n_particles, but for HDF5 files. Crystals are computed site by site
/// and HDF5 files read on demand, so that each rank makes only its own.
struct Structure {
  Vec3<double> edges;
  double bx = 0, cx = 0, cy = 0;  ///< tilts: b = (bx, edges.y, 0), c = (cx, cy, edges.z)
  std::optional<Box> box;         ///< exact, where a file says it in position units
  std::int64_t n_particles = 0;
  bool has_velocities = false;
  std::vector<SpeciesOptions> species;
  std::vector<Site> sites;  ///< [n_particles] in order of ids, or empty if there is `generate`
  std::function<Site(std::int64_t)> generate;  ///< site of an index; from one thread, ascending is fast

  Site site(std::int64_t index) const { return generate ? generate(index) : sites[std::size_t(index)]; }
  double volume() const { return edges.x * edges.y * edges.z; }
};

/// The particles of the input's [system]. The same on every rank. The lower corner of a file's box is
/// subtracted.
/// @throws InputError for a faulty file, or particles that do not fit.
Structure make_structure(RunInput const& in);

/// Box, masses and this rank's share of the particles (by id range) into `state`, whose scales are set
/// already. The box is rounded to multiples of 2^window_shift position units, unless it is of them;
/// coordinates are not scaled with it, each is rounded to a position unit, unless it is exact, and wrapped.
/// Velocities are those of the structure, forces 0. Collective.
/// @throws InputError on all ranks if a particle is too far away or too fast to be represented, or cannot be
/// read.
void place(Structure const& structure, Comm const& comm, State& state);

}  // namespace lockstep
