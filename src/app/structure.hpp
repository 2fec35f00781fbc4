// SPDX-License-Identifier: Apache-2.0
// The particles an input begins with: lattices, random placement, structure files.
#pragma once

#include <cstdint>
#include <functional>
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
};

/// All particles with ids 1 to n_particles. Crystals are computed site by site, so that each rank makes only
/// its own.
struct Structure {
  Vec3<double> edges;
  double bx = 0, cx = 0, cy = 0;  ///< tilts: b = (bx, edges.y, 0), c = (cx, cy, edges.z)
  std::int64_t n_particles = 0;
  bool has_velocities = false;
  std::vector<SpeciesOptions> species;
  std::vector<Site> sites;  ///< [n_particles] in order of ids, or empty if there is `generate`
  std::function<Site(std::int64_t)> generate;  ///< site of id index + 1

  Site site(std::int64_t index) const { return generate ? generate(index) : sites[std::size_t(index)]; }
  double volume() const { return edges.x * edges.y * edges.z; }
};

/// The particles of the input's [system]. The same on every rank. The lower corner of a file's box is
/// subtracted.
/// @throws InputError for a faulty file, or particles that do not fit.
Structure make_structure(RunInput const& in);

/// Box, masses and this rank's share of the particles (by id range) into `state`, whose scales are set
/// already. The box is rounded to multiples of 2^window_shift position units; coordinates are not scaled with
/// it, each is rounded to a position unit and wrapped. Velocities are those of the structure, forces 0.
/// Collective.
/// @throws InputError on all ranks if a particle is too far away or too fast to be represented.
void place(Structure const& structure, Comm const& comm, State& state);

}  // namespace lockstep
