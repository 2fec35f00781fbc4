// SPDX-License-Identifier: Apache-2.0
// One walk over all sections of an input serves reading, writing, schema and docs: the visitor decides which.
#pragma once

#include <cstddef>
#include <string_view>
#include <vector>

#include "base/unit.hpp"
#include "input/key.hpp"

namespace lockstep {

/// Whether a table is part of this input. `optional` ones are read only where the file has them.
enum class Presence { standard, optional, forbidden };

class Visitor {
 public:
  virtual ~Visitor() = default;
  /// Set by the walk once it is known.
  UnitSystem units = UnitSystem::physical;

  virtual void keys(std::vector<Key> const& keys) = 0;
  /// True if the walk shall visit its keys and then call end_table().
  /// @param present for writers: whether an optional table is there. @param why_not it is forbidden.
  virtual bool begin_table(std::string_view name, std::string_view doc, Presence presence, bool present,
                           std::string_view why_not) = 0;
  virtual void end_table() = 0;
  /// How many items the list shall have. @param flat written as `name = [ {...}, ... ]`.
  virtual std::size_t begin_list(std::string_view name, std::string_view doc, std::size_t size,
                                 bool flat) = 0;
  virtual void begin_item(std::size_t index) = 0;
  virtual void end_item() = 0;
  virtual void end_list() = 0;
  /// True for schema and docs, which see every table and key whatever the values are.
  virtual bool describes() const { return false; }
};

}  // namespace lockstep
