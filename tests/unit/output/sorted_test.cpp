// SPDX-License-Identifier: Apache-2.0
#include "output/sorted.hpp"

#include <catch2/catch_test_macros.hpp>
#include <catch2/generators/catch_generators.hpp>
#include <catch2/matchers/catch_matchers_string.hpp>

#include "base/error.hpp"
#include "unit/output/sample_state.hpp"

using namespace lockstep;

TEST_CASE("sorted: every rank gets its even share of rows in the order of ids", "[unit][output]") {
  Comm const comm;
  auto const n = GENERATE(std::int64_t(0), 1, 2, 7, 1000);
  auto const stride = GENERATE(std::int64_t(1), 3, 1'000'003);
  SortedSlice const slice = gather_by_id(comm, sample::state(comm, n, stride));
  bool good = slice.total == n && slice.first == (n == 0 ? 0 : first_row(n, comm.size(), comm.rank()));
  good = good && std::int64_t(slice.particles.size()) ==
                     first_row(n, comm.size(), comm.rank() + 1) - first_row(n, comm.size(), comm.rank());
  for (std::size_t k = 0; k < slice.particles.size(); ++k) {
    Particle const wanted = sample::particle(slice.first + std::int64_t(k), stride);
    Vec3<std::int64_t> x = wanted.x;
    Vec3<std::int32_t> image = wanted.image;
    sample::state(comm, 0).box.wrap(x, image);
    Particle const& p = slice.particles[k];
    good = good && p.id == wanted.id && p.species == wanted.species && p.x == x && p.image == image &&
           p.v == wanted.v && p.f == wanted.f;
  }
  CHECK(good);
}

TEST_CASE("sorted: an id that occurs twice is refused on all ranks", "[unit][output]") {
  Comm const comm;
  auto const stride = GENERATE(std::int64_t(1), 3);
  State s = sample::state(comm, 50, stride);
  if (comm.root()) s.id(1) = s.id(2);  // neither the least nor the greatest: the range stays without gaps
  CHECK_THROWS_WITH(gather_by_id(comm, s), Catch::Matchers::ContainsSubstring("same id"));
}
