// SPDX-License-Identifier: Apache-2.0
// Any bytes are a LAMMPS data file or get messages; what is read is complete.
#include <cstdint>
#include <cstdlib>
#include <string>

#include "base/error.hpp"
#include "input/lammps_data.hpp"

using namespace lockstep;

extern "C" int LLVMFuzzerTestOneInput(std::uint8_t const* data, std::size_t size) {
  std::string_view const text(reinterpret_cast<char const*>(data), size);
  for (auto part : {LammpsPart::types, LammpsPart::everything}) try {
      auto const read = read_lammps_data(text, "fuzz.data", part);
      if (part == LammpsPart::types) continue;
      if (std::int64_t(read.particles.size()) != read.n_particles) std::abort();
      for (std::size_t k = 0; k < read.particles.size(); ++k) {
        auto const& p = read.particles[k];
        if (p.id != std::int64_t(k) + 1 || p.type < 0 || std::size_t(p.type) >= read.types.size())
          std::abort();
      }
    } catch (InputError const& e) {
      if (e.diagnostics().empty()) std::abort();
    }
  return 0;
}
