// SPDX-License-Identifier: Apache-2.0
#include "output/trajectory.hpp"

#include <catch2/catch_test_macros.hpp>
#include <catch2/generators/catch_generators.hpp>
#include <catch2/matchers/catch_matchers_string.hpp>

#include "base/error.hpp"
#include "output/files.hpp"
#include "output/hdf5.hpp"
#include "unit/output/sample_state.hpp"

using namespace lockstep;
using Catch::Matchers::ContainsSubstring;

namespace {

TrajectoryOptions options(Storage storage, std::int64_t compression = 0) {
  return {
      1,
      {TrajectoryField::position, TrajectoryField::velocity, TrajectoryField::force, TrajectoryField::image},
      storage,
      compression};
}

TrajectoryHeader header() {
  return {UnitSystem::physical, "t", "title = \"t\"\n", "abc", "0.1", {"A", "Ar"}};
}

/// Writes frames at steps first, first + 10, ..., each advanced once more.
void frames(Trajectory& trajectory, State& s, std::int64_t first, int count) {
  for (int k = 0; k < count; ++k) {
    sample::advance(s, first + 10 * k);
    trajectory.frame(s, {std::uint64_t(s.step), 1});
  }
}

std::vector<std::int64_t> steps(std::string const& path) {
  auto const file = h5::open_file(path, false);
  return h5::read_dataset<std::int64_t>(file.get(), "particles/all/position/step");
}

}  // namespace

TEST_CASE("trajectory: frames come back ordered by id, over all segments, for any rank count",
          "[unit][output]") {
  Comm const comm;
  sample::Scratch const scratch(comm);
  RunDirectory const directory(comm, scratch.run());
  auto const n = GENERATE(std::int64_t(1), 2, 500);
  auto const stride = GENERATE(std::int64_t(1), 4);
  auto const compression = GENERATE(0, 4);
  State s = sample::state(comm, n, stride);
  Trajectory trajectory(comm, directory, options(Storage::lossless, compression), header());
  trajectory.cut(-1, 0);
  frames(trajectory, s, 0, 2);
  trajectory.close_segment();
  trajectory.close_segment();
  frames(trajectory, s, 20, 1);
  CHECK(trajectory.frames() == 3);
  trajectory.close_segment();
  auto const file = h5::open_file(directory.trajectory(), false);
  CHECK(steps(directory.trajectory()) == std::vector<std::int64_t>{0, 10, 20});
  CHECK(h5::read_dataset<std::uint64_t>(file.get(), "observables/digest/value") ==
        std::vector<std::uint64_t>{0, 1, 10, 1, 20, 1});
  auto const x = h5::read_dataset<std::int64_t>(file.get(), "particles/all/position/value");
  auto const v = h5::read_dataset<std::int64_t>(file.get(), "particles/all/velocity/value");
  auto const f = h5::read_dataset<std::int64_t>(file.get(), "particles/all/force/value");
  auto const image = h5::read_dataset<std::int32_t>(file.get(), "particles/all/image/value");
  bool good = x.size() == std::size_t(9 * n);
  for (std::int64_t frame = 0; good && frame < 3; ++frame)
    for (std::int64_t row = 0; row < n; ++row) {
      Particle p = sample::particle(row, stride);
      s.box.wrap(p.x, p.image);
      p.x.x += (frame + 1) * 12345678901 * (1 + p.id % 7);
      s.box.wrap(p.x, p.image);
      for (int d = 0; d < 3; ++d) {
        auto const at = std::size_t(3 * (frame * n + row) + d);
        good = good && x[at] == p.x[d] && v[at] == p.v[d] && f[at] == p.f[d] && image[at] == p.image[d];
      }
    }
  CHECK(good);
  CHECK(h5::real_attribute(h5::open_dataset(file.get(), "particles/all/position/value").get(), "scale") ==
        position_unit);
}

TEST_CASE("trajectory: float32 positions are the nearest floats", "[unit][output]") {
  Comm const comm;
  sample::Scratch const scratch(comm);
  RunDirectory const directory(comm, scratch.run());
  State s = sample::state(comm, 20);
  Trajectory trajectory(comm, directory, options(Storage::float32), header());
  trajectory.cut(-1, 0);
  trajectory.frame(s, {});
  trajectory.close_segment();
  auto const file = h5::open_file(directory.trajectory(), false);
  auto const x = h5::read_dataset<float>(file.get(), "particles/all/position/value");
  bool good = x.size() == 60;
  for (std::int64_t row = 0; good && row < 20; ++row) {
    Particle p = sample::particle(row, 1);
    s.box.wrap(p.x, p.image);
    for (int d = 0; d < 3; ++d)
      good = good && x[std::size_t(3 * row + d)] == float(double(p.x[d]) * position_unit);
  }
  CHECK(good);
}

TEST_CASE("trajectory: resuming drops what came after the checkpoint", "[unit][output]") {
  Comm const comm;
  sample::Scratch const scratch(comm);
  RunDirectory const directory(comm, scratch.run());
  State s = sample::state(comm, 100);
  {
    Trajectory trajectory(comm, directory, options(Storage::float32), header());
    trajectory.cut(-1, 0);
    frames(trajectory, s, 0, 2);
    trajectory.close_segment();
    frames(trajectory, s, 20, 2);
    trajectory.close_segment();
    frames(trajectory, s, 40, 2);  // never closed: as after a kill
  }
  Trajectory again(comm, directory, options(Storage::float32), header());
  again.cut(10, 2);
  CHECK(steps(directory.trajectory()) == std::vector<std::int64_t>{0, 10});
  CHECK(file_size(directory.file("trajectory.0001.h5")) < 0);
  CHECK(file_size(directory.file("trajectory.0002.h5.writing")) < 0);
  frames(again, s, 20, 1);
  again.close_segment();
  comm.barrier();
  again.cut(0, 1);  // within a segment
  CHECK(steps(directory.trajectory()) == std::vector<std::int64_t>{0});
  comm.barrier();  // all have read before rank 0 removes
  again.cut(-1, 0);
  CHECK(file_size(directory.trajectory()) < 0);
}

TEST_CASE("trajectory: missing frames and a changed number of particles are refused", "[unit][output]") {
  Comm const comm;
  sample::Scratch const scratch(comm);
  RunDirectory const directory(comm, scratch.run());
  State s = sample::state(comm, 30);
  Trajectory trajectory(comm, directory, options(Storage::float32), header());
  trajectory.cut(-1, 0);
  frames(trajectory, s, 0, 2);
  trajectory.close_segment();
  CHECK_THROWS_WITH(trajectory.cut(10, 5),
                    ContainsSubstring("2 frames up to step 10, the checkpoint counts 5"));
  trajectory.cut(10, 2);
  CHECK_THROWS_WITH(trajectory.frame(sample::state(comm, 31), {}), ContainsSubstring("31 particles"));
}
