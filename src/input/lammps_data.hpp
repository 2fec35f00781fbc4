// SPDX-License-Identifier: Apache-2.0
// LAMMPS data files: box, species, particles, velocities.
#pragma once

#include <array>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace lockstep {

/// Columns of the Atoms section.
enum class LammpsStyle { atomic, charge, molecular, full };

/// One LAMMPS atom type.
struct LammpsType {
  std::string name;  ///< its label, else its number
  double mass = 0;   ///< 0: the file does not say
};

/// One line of the Atoms section with its line of the Velocities section, in the file's own units.
struct LammpsParticle {
  std::int64_t id = 0;
  std::int32_t type = 0;  ///< index into LammpsData::types
  std::array<double, 3> x{}, v{};
  std::array<std::int32_t, 3> image{};
  double charge = 0;
  std::int64_t molecule = 0;
};

struct LammpsData {
  std::int64_t n_particles = 0;
  std::array<double, 3> low{}, high{};
  double xy = 0, xz = 0, yz = 0;
  std::vector<LammpsType> types;
  std::string units;  ///< what the first line says after "units =", if it does
  LammpsStyle style = LammpsStyle::atomic;
  std::vector<LammpsParticle> particles;  ///< [n_particles] sorted by id, ids 1 to n_particles
  bool has_velocities = false;
};

enum class LammpsPart { types, everything };

/// Reads a data file of atom style atomic, charge, molecular or full (from `Atoms # style`, else from the
/// number of columns). Coefficient sections are skipped: the input's [[pair]] says them. Type labels may
/// replace numbers.
/// @param name of the file, for messages. @param part `types` leaves out the particles.
/// @throws InputError with up to 20 faults, each with file:line.
/// @source https://docs.lammps.org/read_data.html
LammpsData read_lammps_data(std::string_view text, std::string const& name, LammpsPart part);

}  // namespace lockstep
