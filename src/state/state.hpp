// SPDX-License-Identifier: Apache-2.0
// What a checkpoint must hold and a step must pass on.
#pragma once

#include <cstdint>
#include <utility>
#include <vector>

#include "base/fixed.hpp"
#include "base/kokkos.hpp"
#include "base/scales.hpp"
#include "base/vec3.hpp"
#include "state/box.hpp"

namespace lockstep {

using ParticleId = std::int64_t;
using LocalIndex = std::int32_t;
using SpeciesId = std::int32_t;

/// One particle by value, as it travels between ranks and files.
struct Particle {
  ParticleId id;
  SpeciesId species;
  Vec3<std::int32_t> image;
  Vec3<std::int64_t> x;  ///< wrapped
  Vec3<std::int64_t> v;
  Vec3<std::int64_t> f;  ///< force units; not state, carried for output
};

/// Particles owned by this rank and what all ranks agree on.
///
/// `x` is continuous since the last `wrap_all()` (list builds call it), so that neighbor lists need no image
/// bookkeeping; whatever is not a pair difference must read `wrapped(i)`.
struct State {
  LocalIndex n_owned = 0;
  View<ParticleId*> id;
  View<SpeciesId*> species;
  View<std::int64_t**> x;      ///< [capacity, 3] position units, continuous since the last list build
  View<std::int32_t**> image;  ///< [capacity, 3] lattice steps, of the last list build
  View<std::int64_t**> v;      ///< [capacity, 3] velocity units
  View<std::int64_t**> f;      ///< [capacity, 3] force units

  // the same on all ranks
  std::int64_t n_particles = 0;
  std::int64_t step = 0;        ///< since the start of the run
  std::int64_t stage = 0;       ///< index of the running stage
  std::int64_t stage_step = 0;  ///< steps done in it
  double stage_start_time = 0;  ///< ps or tau
  double time = 0;              ///< stage_start_time + stage_step * dt
  Box box{};
  Scales scales{};
  std::vector<double> masses;  ///< [n_species] amu or m
  /// Thermostat and barostat variables, step sizes, acceptance counters, accumulators: whatever a stage needs
  /// to go on exactly, as words that its driver packs and unpacks. Doubles enter as their bits.
  std::vector<std::int64_t> extra;

  LocalIndex capacity() const { return static_cast<LocalIndex>(id.extent(0)); }
  /// Room for n particles; keeps the first n_owned.
  void reserve(LocalIndex n);
  /// Particle i as it is now, with its wrapped position.
  Particle particle(LocalIndex i) const;
  void set(LocalIndex i, Particle const& p);
  void push_back(Particle const& p);
  /// The position in the primary cell and the image count that belongs to it.
  std::pair<Vec3<std::int64_t>, Vec3<std::int32_t>> wrapped(LocalIndex i) const {
    Vec3<std::int64_t> position{x(i, 0), x(i, 1), x(i, 2)};
    Vec3<std::int32_t> n{image(i, 0), image(i, 1), image(i, 2)};
    box.wrap(position, n);
    return {position, n};
  }
  void wrap_all();
};

}  // namespace lockstep
