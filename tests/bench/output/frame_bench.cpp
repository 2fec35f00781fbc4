// SPDX-License-Identifier: Apache-2.0
// The cost of frames and checkpoints; prints one JSON object per measurement.
#include <catch2/catch_test_macros.hpp>
#include <chrono>
#include <cstdio>
#include <ctime>

#include "output/checkpoint.hpp"
#include "output/trajectory.hpp"
#include "unit/output/sample_state.hpp"

using namespace lockstep;

namespace {

struct Cost {
  double wall, processor;  ///< seconds; the processor's of rank 0, which other programs do not disturb
};

template <class F>
Cost cost(Comm const& comm, F&& work) {
  comm.barrier();
  auto const start = std::chrono::steady_clock::now();
  std::clock_t const clock = std::clock();
  work();
  double const processor = double(std::clock() - clock) / CLOCKS_PER_SEC;
  comm.barrier();
  return {std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count(), processor};
}

void report(Comm const& comm, char const* what, std::int64_t n, Cost c, double bytes, int count = 1) {
  if (comm.root())
    std::printf(
        "{\"what\": \"%s\", \"ranks\": %d, \"particles\": %lld, \"wall_ms\": %.3f, \"processor_ms\": %.3f, "
        "\"MB_per_s\": %.0f}\n",
        what, comm.size(), static_cast<long long>(n), 1e3 * c.wall / count, 1e3 * c.processor / count,
        bytes * count / c.wall / 1e6);
}

void frames(Comm const& comm, State& s, char const* what, TrajectoryOptions const& options, double bytes) {
  constexpr int count = 10;
  sample::Scratch const scratch(comm);
  RunDirectory const directory(comm, scratch.run());
  Trajectory trajectory(comm, directory, options, {UnitSystem::lj, "t", "", "abc", "0.1", {"A", "B"}});
  trajectory.cut(-1, 0);
  trajectory.frame(s, {});
  Cost const time = cost(comm, [&] {
    for (int k = 1; k <= count; ++k) {
      s.step = k;
      trajectory.frame(s, {});
    }
  });
  report(comm, what, s.n_particles, time, bytes, count);
  report(comm, "close a segment", s.n_particles, cost(comm, [&] { trajectory.close_segment(); }),
         count * bytes);
}

}  // namespace

TEST_CASE("bench: frames and checkpoints", "[bench][output]") {
  Comm const comm;
  for (std::int64_t n : {32'000, 1'000'000}) {
    State s = sample::state(comm, n);
    frames(comm, s, "frame, float32 position", {1, {TrajectoryField::position}, Storage::float32, 0},
           12.0 * double(n));
    frames(comm, s, "frame, lossless position velocity image",
           {1,
            {TrajectoryField::position, TrajectoryField::velocity, TrajectoryField::image},
            Storage::lossless,
            0},
           60.0 * double(n));
    sample::Scratch const scratch(comm);
    RunDirectory const directory(comm, scratch.run());
    Cost const time = cost(comm, [&] {
      write_checkpoint(comm, directory, s, {"", "abc", "", {"A", "B"}, {}, {}});
    });
    report(comm, "checkpoint", n, time, 72.0 * double(n));
  }
  SUCCEED();
}
