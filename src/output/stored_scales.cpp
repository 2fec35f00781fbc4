// SPDX-License-Identifier: Apache-2.0
// The six integers and their ranges.
#include "output/stored_scales.hpp"

#include <fmt/format.h>

#include <array>

namespace lockstep {

void write_scales(hid_t object, Scales const& s) {
  std::array<std::int64_t, 6> const words{
      std::int64_t(s.precision), s.force_bits, s.energy_bits, s.virial_bits, s.window_shift, s.log2_addends};
  h5::set_attribute(object, "scales", words);
}

Scales read_scales(hid_t object, std::string& problem) {
  auto const s = h5::integers_attribute(object, "scales");
  if (s.size() != 6) {
    problem = "its scales are not six integers";
    return {};
  }
  // wide enough for any input; products of the units stay normal doubles
  constexpr std::int64_t least[6] = {0, -450, -450, -450, 0, 0}, most[6] = {1, 450, 450, 450, 62, 30};
  for (std::size_t k = 0; k < 6; ++k)
    if (s[k] < least[k] || s[k] > most[k]) {
      problem = fmt::format("number {} of its scales is {}, out of range", k, s[k]);
      return {};
    }
  return {Precision(s[0]), int(s[1]), int(s[2]), int(s[3]), int(s[4]), int(s[5])};
}

}  // namespace lockstep
