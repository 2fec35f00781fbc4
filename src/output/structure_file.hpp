// SPDX-License-Identifier: Apache-2.0
// One frame of an H5MD file as particles to begin a run with: trajectories, their segments, system.h5.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "base/scales.hpp"
#include "output/hdf5.hpp"
#include "state/box.hpp"
#include "state/state.hpp"

namespace lockstep {

/// Whether the file's name or its first bytes say HDF5 (or that it is a checkpoint, which is told to be
/// none).
bool names_hdf5(std::string const& path);

/// Reads rows on demand, so that a rank holds only its own. One process; the same on all that open it. All
/// that the file says is checked before it is used. Members throw InputError with what is wrong and what to
/// do.
class StructureFile {
 public:
  static constexpr std::int64_t block = 65536;  ///< rows worth reading at once

  /// @param frame index from 0; none: the last one that is complete.
  StructureFile(std::string const& path, std::optional<std::int64_t> frame);

  std::string const& units() const { return units_; }  ///< "lj", "physical"; empty: the file does not say
  std::vector<std::string> const& species() const { return species_names_; }
  std::vector<double> const& masses() const { return masses_; }  ///< [n_species]; 0: the file does not say
  Box const& box() const { return box_; }                        ///< exact where the file is
  std::int64_t n_particles() const { return n_; }
  bool has_velocities() const { return bool(velocity_); }
  /// Rows [first, last) in order of ids; 0 where the file has no velocity or image. Positions are as stored:
  /// exact if they are integers, else rounded once; they may lie outside the box.
  std::vector<Particle> read(std::int64_t first, std::int64_t last) const;

 private:
  /// What reading by frame needs to know of a dataset.
  struct Framed {
    h5::Handle set;
    bool integers = false;
    double unit = 1;  ///< of integers, as this build has them
    explicit operator bool() const { return bool(set); }
  };
  h5::Handle open(std::string const& name) const;
  Framed open_framed(std::string const& name, double unit);
  void open_particles();
  void choose_frame(std::optional<std::int64_t> frame);
  void read_box();
  void read_masses();
  template <class T>
  std::vector<T> rows(h5::Handle const& set, std::int64_t first, std::int64_t last) const;
  template <class T>
  std::vector<T> frame_rows(h5::Handle const& set, std::int64_t first, std::int64_t last) const;
  std::vector<std::int64_t> fixed_rows(Framed const& data, char const* name, std::int64_t first,
                                       std::int64_t last) const;
  [[noreturn]] void refuse(std::string problem, std::string why, std::string fix) const;
  template <class Work>
  auto guarded(Work const& work) const;

  std::string path_;
  h5::Handle file_, id_, species_, mass_, image_;
  Framed position_, velocity_, lattice_, edges_;
  std::string units_;
  std::vector<std::string> species_names_;
  std::vector<double> masses_;
  Box box_{};
  std::int64_t n_ = 0, frames_ = 0, frame_ = 0;
};

}  // namespace lockstep
