// SPDX-License-Identifier: Apache-2.0
#include "domain/bricks.hpp"

#include <catch2/catch_test_macros.hpp>

using namespace lockstep;

namespace {

State state_with(Comm const& comm, double filled) {
  State s;
  s.box = make_box({10, 12, 8}, 3, -2, 1, 0);
  for (int i = 0; i < 1000; ++i) {
    Particle p{};
    p.id = i + 1;
    p.x = {std::int64_t(filled * (i % 10) / 10.0 * double(s.box.edge(0))),
           std::int64_t(filled * (i / 10 % 10) / 10.0 * double(s.box.edge(1))),
           std::int64_t(filled * (i / 100) / 10.0 * double(s.box.edge(2)))};
    if (i % comm.size() == comm.rank()) s.push_back(p);
  }
  s.n_particles = 1000;
  return s;
}

}  // namespace

TEST_CASE("bricks: every point of the primary cell has exactly one owner, whose brick holds it",
          "[unit][domain]") {
  Comm const comm;
  State const s = state_with(comm, 1.0);
  for (bool balanced : {false, true}) {
    Bricks const bricks(comm, s, balanced);
    REQUIRE(bricks.size() == comm.size());
    for (int k = 0; k < 2000; ++k) {
      Vec3<std::int64_t> const x{s.box.edge(0) / 2000 * k, s.box.edge(1) / 2000 * ((k * 7) % 2000),
                                 s.box.edge(2) / 2000 * ((k * 31) % 2000)};
      Brick const& b = bricks.of(bricks.owner(x));
      for (int d = 0; d < 3; ++d) CHECK((b.low[d] <= x[d] && x[d] < b.high[d]));
    }
  }
}

TEST_CASE("bricks: balanced ones share the particles of an uneven system", "[unit][domain]") {
  Comm const comm;
  State const s = state_with(comm, 0.2);
  Bricks const bricks(comm, s, true);
  std::vector<std::int64_t> counts(std::size_t(comm.size()), 0);
  for (LocalIndex i = 0; i < s.n_owned; ++i)
    ++counts[std::size_t(bricks.owner({s.x(i, 0), s.x(i, 1), s.x(i, 2)}))];
  comm.sum(counts);
  for (std::int64_t c : counts)
    CHECK(c * comm.size() <= 2000);  // planes of a lattice: at most twice the mean
}
