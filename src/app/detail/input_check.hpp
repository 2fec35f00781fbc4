// SPDX-License-Identifier: Apache-2.0
// What no single key can tell: whether the sections of an input fit together.
#pragma once

#include <string>
#include <vector>

#include "app/run_input.hpp"
#include "base/error.hpp"
#include "input/document.hpp"

namespace lockstep::detail {

/// Adds what is wrong to `faults`; keys that are faulty already are left alone.
void check(RunInput const& in, Document const& document, std::vector<Diagnostic>& faults);

/// Collects faults at paths of the document.
class Checker {
 public:
  Checker(Document const& document, std::vector<Diagnostic>& faults) : document_(document), faults_(faults) {}
  /// No fault was found at this path yet.
  bool good(std::string const& path) const;
  /// Nor at anything inside it.
  bool good_inside(std::string const& path) const;
  bool given(std::string const& path) const { return document_.find(path) != nullptr; }
  /// Adds a fault unless the path has one.
  void fault(std::string const& path, std::string problem, std::string why, std::string fix);

 private:
  Document const& document_;
  std::vector<Diagnostic>& faults_;
};

void check_system(RunInput const& in, Checker& c);
void check_species(RunInput const& in, Checker& c);
void check_pairs(RunInput const& in, Checker& c);
void check_stages(RunInput const& in, Checker& c);

/// Index of a species by name, or -1.
int species_index(std::vector<SpeciesOptions> const& species, std::string const& name);
/// Advice for a name that is no species.
std::string species_advice(std::vector<SpeciesOptions> const& species, std::string const& name);

}  // namespace lockstep::detail
