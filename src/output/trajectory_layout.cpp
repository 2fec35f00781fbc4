// SPDX-License-Identifier: Apache-2.0
// H5MD names. @source doi:10.1016/j.cpc.2014.01.018 (version 1.1: h5md.nongnu.org)
#include "output/trajectory_layout.hpp"

#include <algorithm>
#include <array>

#include "state/digest.hpp"

namespace lockstep {
namespace {

/// The unit's name in the two systems.
std::string unit_name(UnitSystem units, Unit unit) {
  bool const lj = units == UnitSystem::lj;
  if (unit == Unit::length) return lj ? "sigma" : "nm";
  if (unit == Unit::time) return lj ? "tau" : "ps";
  if (unit == Unit::velocity) return lj ? "sigma tau-1" : "nm ps-1";
  if (unit == Unit::force) return lj ? "epsilon sigma-1" : "kJ mol-1 nm-1";
  if (unit == Unit::mass) return lj ? "m" : "u";
  return "";
}

Element element(TrajectoryField field, bool lossless, Scales const& scales) {
  auto const real = lossless ? Element::Type::int64 : Element::Type::float32;
  switch (field) {
    case TrajectoryField::position:
      return {field, "particles/all/position", real, position_unit, Unit::length};
    case TrajectoryField::velocity:
      return {field, "particles/all/velocity", real, velocity_unit, Unit::velocity};
    case TrajectoryField::force:
      return {field, "particles/all/force", real, scales.force_unit(), Unit::force};
    case TrajectoryField::image:
      break;
  }
  return {TrajectoryField::image, "particles/all/image", Element::Type::int32, 1.0, Unit::none};
}

}  // namespace

hid_t Element::file_type() const {
  return type == Type::float32 ? h5::file_type<float>()
         : type == Type::int64 ? h5::file_type<std::int64_t>()
                               : h5::file_type<std::int32_t>();
}

hid_t Element::memory_type() const {
  return type == Type::float32 ? h5::memory_type<float>()
         : type == Type::int64 ? h5::memory_type<std::int64_t>()
                               : h5::memory_type<std::int32_t>();
}

std::vector<Element> elements(TrajectoryOptions const& options, Scales const& scales) {
  std::vector<Element> all;
  auto const& wanted = options.fields_written;
  for (auto field :
       {TrajectoryField::position, TrajectoryField::velocity, TrajectoryField::force, TrajectoryField::image})
    if (std::find(wanted.begin(), wanted.end(), field) != wanted.end())
      all.push_back(element(field, options.storage == Storage::lossless, scales));
  return all;
}

void Series::add(State const& state, Digest const& d) {
  step.push_back(state.step);
  time.push_back(state.time);
  digest.insert(digest.end(), {d.lo, d.hi});
  Digest const rest = shared_digest(state);
  shared.insert(shared.end(), {rest.lo, rest.hi});
  for (auto const& row : {state.box.a, state.box.b, state.box.c})
    for (int k = 0; k < 3; ++k) {
      lattice.push_back(row[k]);
      edges.push_back(double(row[k]) * position_unit);
    }
}

void annotate(hid_t dataset, UnitSystem units, Unit unit, double scale) {
  std::string const name = unit_name(units, unit);
  if (!name.empty()) h5::set_attribute(dataset, units == UnitSystem::lj ? "reduced_unit" : "unit", name);
  if (scale != 1.0) h5::set_attribute(dataset, "scale", scale);
}

void create_groups(hid_t file, std::vector<Element> const& elements) {
  h5::create_group(file, "particles");
  h5::create_group(file, particles_path);
  h5::Handle const box = h5::create_group(file, "particles/all/box");
  h5::set_attribute(box.get(), "dimension", std::int64_t(3));
  h5::set_attribute(box.get(), "boundary", std::vector<std::string>(3, "periodic"));
  h5::create_group(file, "observables");
  for (auto const& group : timed_groups(elements)) h5::create_group(file, group);
}

std::vector<std::string> timed_groups(std::vector<Element> const& elements) {
  std::vector<std::string> groups;
  for (auto const& e : elements) groups.push_back(e.path);
  groups.insert(groups.end(), {edges_path, lattice_path, digest_path, shared_path});
  return groups;
}

}  // namespace lockstep
