// SPDX-License-Identifier: Apache-2.0
// The state's digest: what it depends on and what not.
#include "state/digest.hpp"

#include <catch2/catch_test_macros.hpp>

using namespace lockstep;

namespace {

constexpr std::int64_t unit = std::int64_t(1) << position_bits;

Particle particle(std::int64_t id) {
  Vec3<std::int64_t> const x{id % 7 * unit, id % 5 * unit / 2, id % 3 * unit};
  return {id, SpeciesId(id % 2), {0, 0, 0}, x, {id, -id, 3 * id}, {0, 0, 0}};
}

/// 3000 particles dealt out over the ranks, by round robin from `first`.
State dealt(Comm const& comm, int first = 0) {
  State s;
  s.box = {{8 * unit, 0, 0}, {unit, 8 * unit, 0}, {0, unit, 8 * unit}};
  s.n_particles = 3000;
  s.masses = {1.0, 2.0};
  s.extra = {1, 2, 3};
  for (std::int64_t id = 0; id < 3000; ++id)
    if ((id + first) % comm.size() == comm.rank()) s.push_back(particle(id));
  return s;
}

}  // namespace

TEST_CASE("state digest: order, ranks and the moment of wrapping do not matter", "[unit][state]") {
  Comm const comm;
  State const s = dealt(comm);
  Digest const digest = state_digest(comm, s);
  CHECK(state_digest(comm, dealt(comm, 1)) == digest);

  State reversed = dealt(comm);
  for (LocalIndex i = 0; i < s.n_owned; ++i) reversed.set(i, s.particle(s.n_owned - 1 - i));
  CHECK(state_digest(comm, reversed) == digest);

  State unwrapped = dealt(comm);
  for (LocalIndex i = 0; i < s.n_owned; ++i) {
    unwrapped.x(i, 0) += s.box.a.x + s.box.b.x;
    unwrapped.x(i, 1) += s.box.b.y;
    unwrapped.image(i, 0) -= 1;
    unwrapped.image(i, 1) -= 1;
  }
  CHECK(state_digest(comm, unwrapped) == digest);
  unwrapped.wrap_all();
  CHECK(state_digest(comm, unwrapped) == digest);
}

TEST_CASE("state digest: every part of the state changes it; forces do not", "[unit][state]") {
  Comm const comm;
  Digest const digest = state_digest(comm, dealt(comm));
  auto const changed = [&](auto change) {
    State s = dealt(comm);
    change(s);
    return state_digest(comm, s) != digest;
  };
  CHECK(changed([](State& s) { s.x(0, 1) += 1; }));
  CHECK(changed([](State& s) { s.v(0, 2) -= 1; }));
  CHECK(changed([](State& s) { s.image(0, 0) += 1; }));
  CHECK(changed([](State& s) { s.species(0) ^= 1; }));
  CHECK(changed([](State& s) { s.id(0) += 5000; }));
  CHECK(changed([](State& s) { s.step += 1; }));
  CHECK(changed([](State& s) { s.stage += 1; }));
  CHECK(changed([](State& s) { s.stage_step += 1; }));
  CHECK(changed([](State& s) { s.time += 0.5; }));
  CHECK(changed([](State& s) { s.stage_start_time += 0.5; }));
  CHECK(changed([](State& s) { s.box.c.y += 1; }));
  CHECK(changed([](State& s) { s.scales.force_bits += 1; }));
  CHECK(changed([](State& s) { s.masses[1] = 3; }));
  CHECK(changed([](State& s) { s.extra.back() = 4; }));
  CHECK(changed([](State& s) { s.extra.push_back(0); }));
  CHECK(!changed([](State& s) { s.f(0, 0) += 1; }));
}
