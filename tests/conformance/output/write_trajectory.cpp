// SPDX-License-Identifier: Apache-2.0
// Writes run directories below the folder named by LOCKSTEP_SAMPLES for h5md_test.py to read.
#include <catch2/catch_test_macros.hpp>
#include <cstdlib>

#include "output/checkpoint.hpp"
#include "output/trajectory.hpp"
#include "unit/output/sample_state.hpp"

using namespace lockstep;

namespace {

void write(Comm const& comm, std::string const& path, UnitSystem units, Storage storage) {
  RunDirectory const directory(comm, path);
  TrajectoryOptions const options{
      1,
      {TrajectoryField::position, TrajectoryField::velocity, TrajectoryField::force, TrajectoryField::image},
      storage,
      storage == Storage::lossless ? 1 : 0};
  Trajectory trajectory(comm, directory, options,
                        {units, "samples", "title = \"samples\"\n", "abc", "0.1", {"A", "Ar"}});
  trajectory.cut(-1, 0);
  State s = sample::state(comm, 100, 3);
  for (std::int64_t step : {0, 10, 20}) {
    sample::advance(s, step);
    trajectory.frame(s, {std::uint64_t(step), 1});
    if (step == 10) trajectory.close_segment();
  }
  trajectory.close_segment();
  write_checkpoint(comm, directory, s, {"title = \"samples\"\n", "abc", "0.1", {"A", "Ar"}, {1, 2}, {}});
}

}  // namespace

TEST_CASE("samples for readers in Python", "[conformance][output]") {
  char const* const folder = std::getenv("LOCKSTEP_SAMPLES");
  if (folder == nullptr) SKIP("LOCKSTEP_SAMPLES names no folder");
  Comm const comm;
  write(comm, std::string(folder) + "/physical", UnitSystem::physical, Storage::float32);
  write(comm, std::string(folder) + "/lossless", UnitSystem::physical, Storage::lossless);
  write(comm, std::string(folder) + "/lj", UnitSystem::lj, Storage::float32);
}
