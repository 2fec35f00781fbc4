// SPDX-License-Identifier: Apache-2.0
// One segment of a trajectory while it is written.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "base/comm.hpp"
#include "base/digest.hpp"
#include "output/hdf5.hpp"
#include "output/sorted.hpp"
#include "output/trajectory.hpp"
#include "output/trajectory_layout.hpp"

namespace lockstep {

/// Writes under `path`; rank 0 lays the file out alone, all ranks write frames, rank 0 adds the small series
/// at the end. Collective.
class Segment {
 public:
  Segment(Comm const& comm, std::string path, TrajectoryOptions const& options,
          TrajectoryHeader const& header, State const& state, SortedSlice const& slice);
  ~Segment() { abandon(); }

  void append(State const& state, SortedSlice const& slice, Digest const& digest);
  /// Completes the file and brings it to the disk.
  void finish();
  std::int64_t frames() const { return std::int64_t(series_.step.size()); }

 private:
  void lay_out(TrajectoryOptions const& options, TrajectoryHeader const& header, State const& state,
               std::int64_t n) const;
  void write_particles(State const& state, SortedSlice const& slice);
  void write_rows(hid_t dataset, hid_t type, h5::Slab const& slab, void const* values) const;
  void write_element(std::size_t element, SortedSlice const& slice);
  void abandon();

  Comm const& comm_;
  std::string path_;
  UnitSystem units_;
  std::vector<Element> elements_;
  h5::Handle file_;
  std::vector<h5::Handle> sets_;  ///< [elements_]
  Series series_;
};

}  // namespace lockstep
