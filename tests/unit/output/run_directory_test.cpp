// SPDX-License-Identifier: Apache-2.0
#include "output/run_directory.hpp"

#include <catch2/catch_test_macros.hpp>
#include <catch2/matchers/catch_matchers_string.hpp>
#include <fstream>

#include "base/error.hpp"
#include "output/checkpoint.hpp"
#include "output/files.hpp"
#include "output/manifest.hpp"
#include "unit/output/sample_state.hpp"

using namespace lockstep;
using Catch::Matchers::ContainsSubstring;

namespace {

void put(Comm const& comm, std::string const& path, std::string const& text) {
  comm.barrier();
  if (comm.root()) std::ofstream(path) << text;
  comm.barrier();
}

}  // namespace

TEST_CASE("run directory: a file in the way is told on all ranks", "[unit][output]") {
  Comm const comm;
  sample::Scratch const scratch(comm);
  put(comm, scratch.run(), "I am a file");
  CHECK_THROWS_WITH(RunDirectory(comm, scratch.run() + "/deep"),
                    ContainsSubstring("cannot create the run directory") && ContainsSubstring("fix:"));
  CHECK_THROWS_AS(RunDirectory(comm, scratch.run()), ResourceError);
}

TEST_CASE("run directory: two runs cannot share one", "[unit][output]") {
  Comm const comm;
  sample::Scratch const scratch(comm);
  {
    RunDirectory const first(comm, scratch.run());
    CHECK_THROWS_WITH(RunDirectory(comm, scratch.run()), ContainsSubstring("in use by another run"));
  }
  CHECK_NOTHROW(RunDirectory(comm, scratch.run()));
}

TEST_CASE("run directory: nothing is started over silently", "[unit][output]") {
  Comm const comm;
  sample::Scratch const scratch(comm);
  RunDirectory const directory(comm, scratch.run());
  std::string notice;
  CHECK(find_start(comm, directory, "abc", notice) == Start::fresh);
  CHECK(notice.empty());
  put(comm, directory.log(), "{}\n");
  CHECK_THROWS_WITH(find_start(comm, directory, "abc", notice), ContainsSubstring("unknown origin"));
  RunRecord record;
  record.input_hash = "abc";
  Manifest manifest(comm, directory, record);
  CHECK(find_start(comm, directory, "abc", notice) == Start::fresh);
  CHECK_THAT(notice, ContainsSubstring("begins again at step 0"));
  CHECK_THROWS_WITH(find_start(comm, directory, "other", notice),
                    ContainsSubstring("results of another input"));
  manifest.update(10, "finished", {});
  CHECK_THROWS_WITH(find_start(comm, directory, "abc", notice),
                    ContainsSubstring("whose checkpoint is gone"));
  write_checkpoint(comm, directory, sample::state(comm, 5), {"", "abc", "", {"A"}, {}, {}});
  CHECK(find_start(comm, directory, "abc", notice) == Start::resume);
}

TEST_CASE("files: room is asked for before it is needed", "[unit][output]") {
  Comm const comm;
  sample::Scratch const scratch(comm);
  CHECK_NOTHROW(require_space(scratch.path(), 1000));
  CHECK_THROWS_WITH(require_space(scratch.path(), std::int64_t(1) << 52),
                    ContainsSubstring("has no room") && ContainsSubstring("start the same command again"));
}
