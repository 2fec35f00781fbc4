// SPDX-License-Identifier: Apache-2.0
// Names, units and types of what an H5MD trajectory holds; shared by segments and the virtual file.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "base/digest.hpp"
#include "base/scales.hpp"
#include "base/unit.hpp"
#include "output/hdf5.hpp"
#include "output/output_options.hpp"
#include "output/sorted.hpp"
#include "state/state.hpp"

namespace lockstep {

/// One property of all particles, a frame at a time.
struct Element {
  enum class Type { float32, int64, int32 };
  TrajectoryField field;
  std::string path;  ///< of its group
  Type type;
  double scale;  ///< value of 1 in files of integers, in `unit`
  Unit unit;
  hid_t file_type() const;
  hid_t memory_type() const;
};

/// What the options ask for, in the order of TrajectoryField, each once.
std::vector<Element> elements(TrajectoryOptions const& options, Scales const& scales);

/// Per-frame values that are not per particle.
struct Series {
  std::vector<std::int64_t> step;
  std::vector<double> time;
  std::vector<std::uint64_t> digest;  ///< [frames, 2] lo, hi; of the state
  std::vector<std::uint64_t>
      shared;                 ///< the part of it that is not of particles: lossless frames can be verified
  std::vector<double> edges;  ///< [frames, 3, 3] rows a, b, c
  std::vector<std::int64_t> lattice;  ///< the same in position units
  void add(State const& state, Digest const& d);
};

inline std::string const particles_path = "particles/all";
inline std::string const edges_path = "particles/all/box/edges";
inline std::string const lattice_path = "particles/all/box/lattice";
inline std::string const digest_path = "observables/digest";
inline std::string const shared_path = "observables/shared_digest";

/// Attributes of an element's value: `unit` in physical units (reduced units have none: readers refuse
/// unknown ones), `reduced_unit` in lj, `scale` if integers are stored.
void annotate(hid_t dataset, UnitSystem units, Unit unit, double scale);
/// Box group with its attributes; groups of all elements and observables.
void create_groups(hid_t file, std::vector<Element> const& elements);
/// All groups that have step and time: the elements', the box's, the digests'.
std::vector<std::string> timed_groups(std::vector<Element> const& elements);

}  // namespace lockstep
