// SPDX-License-Identifier: Apache-2.0
// Kills and full disks while output is written.
#include <fcntl.h>
#include <signal.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>
#include <catch2/catch_test_macros.hpp>
#include <catch2/matchers/catch_matchers_string.hpp>

#include "base/error.hpp"
#include "output/checkpoint.hpp"
#include "output/files.hpp"
#include "output/inspect.hpp"
#include "output/log.hpp"
#include "output/trajectory.hpp"
#include "state/digest.hpp"
#include "unit/output/sample_state.hpp"

using namespace lockstep;
using Catch::Matchers::ContainsSubstring;

namespace {

/// Output of a run as its driver makes it: frames, rows, and a checkpoint every two steps.
struct Run {
  Comm comm;
  RunDirectory directory;
  Trajectory trajectory;
  Log log;
  State state;

  explicit Run(std::string const& path)
      : directory(comm, path),
        trajectory(comm, directory,
                   {1,
                    {TrajectoryField::position, TrajectoryField::velocity, TrajectoryField::image},
                    Storage::lossless,
                    0},
                   {UnitSystem::lj, "t", "", "abc", "0.1", {"A", "B"}}),
        log(comm, directory) {
    std::string notice;
    note_input();
    if (find_start(comm, directory, "abc", notice) == Start::fresh) {
      trajectory.cut(-1, 0);
      log.cut(0, 0);
      state = sample::state(comm, 60);
      state.step = -1;
      return;
    }
    Restored restored = resume_checkpoint(comm, directory, "abc");
    state = restored.state;
    OutputPosition const& at = restored.checkpoint.output;
    trajectory.cut(state.step, at.frames);
    log.cut(at.log_bytes, at.log_rows);
  }
  /// Lets a run that died before its first checkpoint begin again.
  void note_input() const {
    if (comm.root() && file_size(directory.manifest()) < 0)
      write_text_atomically(directory.manifest(), "{\"input_hash\": \"abc\"}");
    comm.barrier();
  }
  void advance_to(std::int64_t last) {
    while (state.step < last) {
      sample::advance(state, state.step + 1);
      trajectory.frame(state, state_digest(comm, state));
      log.row({{"step", state.step}});
      if (state.step % 2 == 0) checkpoint();
    }
  }
  void checkpoint() {
    trajectory.close_segment();
    log.sync();
    write_checkpoint(comm, directory, state,
                     {"",
                      "abc",
                      "0.1",
                      {"A", "B"},
                      state_digest(comm, state),
                      {log.bytes(), log.rows(), trajectory.frames()}});
  }
};

/// Starts this program again as one rank without a launcher, to be killed.
int run_child(std::string const& path, std::string const& fault) {
  pid_t const child = ::fork();
  if (child == 0) {
    ::setenv("LOCKSTEP_FAULT_POINT", fault.c_str(), 1);
    ::setenv("LOCKSTEP_CHILD_RUN", path.c_str(), 1);
    int const quiet = ::open("/dev/null", O_WRONLY);
    ::dup2(quiet, 1);
    ::dup2(quiet, 2);
    ::execl("/proc/self/exe", "child", "[.child]", nullptr);
    ::_exit(99);
  }
  int status = 0;
  ::waitpid(child, &status, 0);
  return WIFSIGNALED(status) ? 1000 + WTERMSIG(status) : WEXITSTATUS(status);
}

}  // namespace

TEST_CASE("child", "[.child]") {
  if (char const* path = std::getenv("LOCKSTEP_CHILD_RUN")) Run(path).advance_to(7);
}

TEST_CASE("output: a kill between any two moments of a checkpoint loses nothing that was kept",
          "[fault][output]") {
  Comm const comm;
  std::string const memory =
      "/dev/shm";  // a kill, unlike a power cut, does not need a disk; syncing one is slow
  sample::Scratch const scratch(comm, std::filesystem::is_directory(memory) ? memory : "");
  std::string const whole = scratch.path() + "/whole";
  Run(whole).advance_to(7);
  for (std::string const point : {"trajectory:finished", "trajectory:renamed", "trajectory:shown",
                                  "checkpoint:begin", "checkpoint:laid_out", "checkpoint:filled",
                                  "checkpoint:sealed", "checkpoint:kept", "checkpoint:renamed"})
    for (std::string const passage : {":1", ":3"}) {
      INFO(point << passage);
      std::string const path = scratch.path() + "/" + point + passage;
      REQUIRE(run_child(path, point + passage) == 1000 + SIGKILL);
      Run(path).advance_to(7);
      CHECK(read_text(path + "/log.jsonl") == read_text(whole + "/log.jsonl"));
      Verdict const verdict = compare_files(path, whole);
      CHECK(!verdict.difference);
      CHECK(verdict.compared == 16);  // 8 rows, 7 frames (the last segment is open), the checkpoint of step 6
      CHECK(!verify_file(path).difference);
    }
}

TEST_CASE("output: a file size limit is told, and what was written before stays whole", "[fault][output]") {
  Comm const comm;
  sample::Scratch const scratch(comm);
  Run run(scratch.run());
  run.advance_to(2);
  std::int64_t const room = file_size(run.directory.checkpoint());
  rlimit old;
  ::getrlimit(RLIMIT_FSIZE, &old);
  auto const limited = [&](std::int64_t bytes, auto&& work) {
    rlimit const tight{rlim_t(bytes), old.rlim_max};
    ::setrlimit(RLIMIT_FSIZE, &tight);
    std::string message;
    try {
      work();
    } catch (ResourceError const& e) { message = e.what(); }
    ::setrlimit(RLIMIT_FSIZE, &old);
    return message;
  };
  sample::advance(run.state, 3);
  CHECK_THAT(limited(room / 2, [&] { run.checkpoint(); }), ContainsSubstring("ulimit -f"));
  CHECK_THAT(limited(1000, [&] { run.trajectory.frame(run.state, {}); }), ContainsSubstring("has no room"));
  CHECK_THAT(limited(run.log.bytes() + 3,
                     [&] {
                       run.log.row({{"step", std::int64_t(3)}});
                     }),
             ContainsSubstring("File too large"));
  CHECK(file_size(run.directory.log()) == run.log.bytes());
  CHECK(!verify_file(scratch.run()).difference);
}
