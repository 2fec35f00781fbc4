// SPDX-License-Identifier: Apache-2.0
// Cells of one color never interact; neighbors miss no pair, in any box.
#include "moves/cell_grid.hpp"

#include <algorithm>
#include <catch2/catch_test_macros.hpp>
#include <catch2/generators/catch_generators.hpp>
#include <catch2/generators/catch_generators_range.hpp>
#include <random>
#include <set>
#include <tuple>

using namespace lockstep;

namespace {

using X = Vec3<std::int64_t>;
constexpr int granularity = 15;

struct Case {
  Vec3<double> edges;
  double bx, cx, cy, cutoff;
  Vec3<std::int32_t> n;  // expected cells
};

// room for several cells; exactly two; one in some or all directions; tilted
std::vector<Case> const cases{
    {{13, 17.5, 20}, 0, 0, 0, 2.5, {4, 6, 6}}, {{5.1, 5.1, 11}, 0, 0, 0, 2.5, {2, 2, 4}},
    {{4, 9, 13}, 0, 0, 0, 2.5, {1, 2, 4}},     {{2, 3, 4}, 0, 0, 0, 2.5, {1, 1, 1}},
    {{9, 8, 7}, 3.5, -2, 1.5, 2.5, {1, 1, 1}}, {{2, 9, 3}, 0.7, 0.4, 4.0, 2.5, {1, 1, 1}}};

CellGrid grid_of(Case const& c, Box const& box) {
  CellGrid grid(box, c.cutoff, 0, 100000, granularity);
  grid.set_shift({0x123456789abcdef0u, 0xfedcba9876543210u, 0x9e3779b97f4a7c15u});
  return grid;
}

double distance2(X a, X b) {
  double sum = 0;
  for (int d = 0; d < 3; ++d)
    sum += double(a[d] - b[d]) * position_unit * double(a[d] - b[d]) * position_unit;
  return sum;
}

X random_position(Box const& box, std::mt19937_64& engine) {
  X x;
  for (int d = 0; d < 3; ++d) x[d] = std::int64_t(engine() % std::uint64_t(box.edge(d)));
  return x;
}

}  // namespace

TEST_CASE("cell grid: counts are even or one and cells no narrower than the cutoff", "[unit][moves]") {
  Case const c = GENERATE(from_range(cases));
  Box const box = make_box(c.edges, c.bx, c.cx, c.cy, granularity);
  CellGrid const grid = grid_of(c, box);
  CHECK(grid.n() == c.n);
  for (std::int64_t cell = 0; cell < grid.n_cells(); ++cell)
    for (int d = 0; d < 3; ++d) {
      double const width = double(grid.high(cell)[d] - grid.low(cell)[d]) * position_unit;
      CHECK((grid.n()[d] == 1 || width >= c.cutoff * (1 + 0x1p-20)));
    }
}

TEST_CASE("cell grid: a reach beyond the center widens the cells", "[unit][moves]") {
  Box const box = make_box({13, 13, 13}, 0, 0, 0, granularity);
  CHECK(CellGrid(box, 2.5, 0, 100000, granularity).n() == Vec3<std::int32_t>{4, 4, 4});
  CHECK(CellGrid(box, 2.5, 0.4, 100000, granularity).n() == Vec3<std::int32_t>{2, 2, 2});
}

TEST_CASE("cell grid: a thin system gets cells of two particles", "[unit][moves]") {
  Box const box = make_box({100, 100, 100}, 0, 0, 0, granularity);
  CHECK(CellGrid(box, 2.5, 0, 16, granularity).n() == Vec3<std::int32_t>{2, 2, 2});
}

TEST_CASE("cell grid: shifts are whole windows", "[unit][moves]") {
  Box const box = make_box({13, 13, 13}, 0, 0, 0, granularity);
  CellGrid grid(box, 2.5, 0, 100000, granularity);
  grid.set_shift({~std::uint64_t(0), 1, 0});
  X const y = grid.local({0, 0, 0});
  CHECK(y.x % (1 << granularity) == 0);
  CHECK(y.x > 0);
  CHECK(y.x < grid.high(0).x);
  CHECK(y.y == 0);
}

TEST_CASE("cell grid: every position lies in its cell", "[unit][moves]") {
  Case const c = GENERATE(from_range(cases));
  Box const box = make_box(c.edges, c.bx, c.cx, c.cy, granularity);
  CellGrid const grid = grid_of(c, box);
  std::mt19937_64 engine(1);
  for (int k = 0; k < 1000; ++k) {
    X const y = grid.local(random_position(box, engine));
    auto const cell = grid.cell_of(y);
    for (int d = 0; d < 3; ++d) {
      CHECK(grid.low(cell)[d] <= y[d]);
      CHECK(y[d] < grid.high(cell)[d]);
    }
  }
  for (std::int64_t cell = 0; cell < grid.n_cells(); ++cell) {
    CHECK(grid.cell_of(grid.low(cell)) == cell);
    X const last = grid.high(cell) - X{1, 1, 1};
    CHECK(grid.cell_of(last) == cell);
  }
}

TEST_CASE("cell grid: particles in two cells of one color never interact", "[unit][moves]") {
  Case const c = GENERATE(from_range(cases));
  Box const box = make_box(c.edges, c.bx, c.cx, c.cy, granularity);
  CellGrid const grid = grid_of(c, box);
  std::set<int> colors;
  for (std::int64_t a = 0; a < grid.n_cells(); ++a) {
    colors.insert(grid.color_of(a));
    for (std::int64_t b = 0; b < grid.n_cells(); ++b) {
      if (a == b || grid.color_of(a) != grid.color_of(b)) continue;
      double gap =
          0;  // largest over directions of the smallest over images, of gaps between half-open ranges
      for (int d = 0; d < 3; ++d) {
        double nearest = 1e9;
        for (int m = -1; m <= 1; ++m) {
          auto const low = grid.low(b)[d] + m * box.edge(d), high = grid.high(b)[d] + m * box.edge(d);
          auto const between = std::max(low - grid.high(a)[d], grid.low(a)[d] - high);
          nearest = std::min(nearest, double(std::max<std::int64_t>(between, 0)) * position_unit);
        }
        gap = std::max(gap, nearest);
      }
      CHECK(gap >= c.cutoff);
    }
  }
  CHECK(int(colors.size()) == grid.n_colors());
}

TEST_CASE("cell grid: the neighbors hold every particle and image within the cutoff", "[unit][moves]") {
  Case const c = GENERATE(from_range(cases));
  Box const box = make_box(c.edges, c.bx, c.cx, c.cy, granularity);
  CellGrid const grid = grid_of(c, box);
  std::mt19937_64 engine(2);
  std::vector<NeighborCell> neighbors;
  std::int64_t pairs = 0;
  for (int k = 0; k < 300; ++k) {
    X const a = grid.local(random_position(box, engine)), b = grid.local(random_position(box, engine));
    grid.neighbors(grid.cell_of(a), neighbors);
    std::set<std::tuple<std::int64_t, std::int64_t, std::int64_t, std::int64_t>> listed;
    for (auto const& n : neighbors) listed.insert({n.cell, n.shift.x, n.shift.y, n.shift.z});
    CHECK(listed.size() == neighbors.size());
    for (int nx = -4; nx <= 4; ++nx)
      for (int ny = -4; ny <= 4; ++ny)
        for (int nz = -4; nz <= 4; ++nz) {
          X const shift = box.shift({nx, ny, nz});
          if (distance2(a, b + shift) > c.cutoff * c.cutoff) continue;
          ++pairs;
          CHECK(listed.count({grid.cell_of(b), shift.x, shift.y, shift.z}) == 1);
        }
  }
  CHECK(pairs > 0);
}
