// SPDX-License-Identifier: Apache-2.0
// Records of a state as words.
#include "state/digest.hpp"

#include <array>
#include <bit>
#include <vector>

#include "base/for_particles.hpp"

namespace lockstep {
namespace {

Digest particle_digest(State const& state, LocalIndex i) {
  auto const [x, image] = state.wrapped(i);
  return digest_of(std::array<std::int64_t, 11>{state.id(i), state.species(i), x.x, x.y, x.z, image.x,
                                                image.y, image.z, state.v(i, 0), state.v(i, 1),
                                                state.v(i, 2)});
}

}  // namespace

Digest particles_digest(State const& state) {
  auto const add = [&state](LocalIndex begin, LocalIndex end, Digest& sum) {
    for (LocalIndex i = begin; i < end; ++i) sum += particle_digest(state, i);
  };
  return sum_over_blocks<Digest>("state:digest", state.n_owned, add);
}

Digest shared_digest(State const& s) {
  auto const bits = [](double v) { return std::bit_cast<std::int64_t>(v); };
  std::vector<std::int64_t> words{s.step,      s.stage, s.stage_step, s.n_particles, bits(s.stage_start_time),
                                  bits(s.time)};
  for (auto const& edge : {s.box.a, s.box.b, s.box.c})
    for (int d = 0; d < 3; ++d) words.push_back(edge[d]);
  auto const& scales = s.scales;
  for (int v : {int(scales.precision), scales.force_bits, scales.energy_bits, scales.virial_bits,
                scales.window_shift, scales.log2_addends})
    words.push_back(v);
  words.push_back(std::int64_t(s.masses.size()));
  for (double mass : s.masses) words.push_back(bits(mass));
  words.push_back(std::int64_t(s.extra.size()));
  words.insert(words.end(), s.extra.begin(), s.extra.end());
  return digest_of(words);
}

Digest state_digest(Comm const& comm, State const& state) {
  return sum(comm, particles_digest(state)) + shared_digest(state);
}

}  // namespace lockstep
