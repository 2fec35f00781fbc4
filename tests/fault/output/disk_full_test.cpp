// SPDX-License-Identifier: Apache-2.0
// A file system that fills up: a small one in memory (needs the right to mount; skipped without).
#include <fcntl.h>
#include <sys/mount.h>
#include <unistd.h>
#include <catch2/catch_test_macros.hpp>
#include <catch2/matchers/catch_matchers_string.hpp>

#include "base/error.hpp"
#include "output/checkpoint.hpp"
#include "output/files.hpp"
#include "output/hdf5.hpp"
#include "output/together.hpp"
#include "output/trajectory.hpp"
#include "unit/output/sample_state.hpp"

using namespace lockstep;
using Catch::Matchers::ContainsSubstring;

namespace {

/// A file system of 2 MB; rank 0 mounts.
struct SmallDisk {
  Comm comm;
  sample::Scratch scratch{comm};
  bool mounted;
  SmallDisk() {
    bool const ok = !comm.root() || ::mount("tmpfs", scratch.path().c_str(), "tmpfs", 0, "size=2m") == 0;
    mounted = comm.agree(ok);
  }
  ~SmallDisk() {
    comm.barrier();
    if (comm.root() && mounted) ::umount2(scratch.path().c_str(), MNT_DETACH);
    comm.barrier();
  }
  /// Leaves `bytes` free.
  void fill_but(std::int64_t bytes) const {
    comm.barrier();
    if (comm.root()) {
      int const file = ::open((scratch.path() + "/ballast").c_str(), O_WRONLY | O_CREAT | O_TRUNC, 0666);
      std::string const block(4096, 'x');
      while (::write(file, block.data(), block.size()) > 0) {}
      std::int64_t const size = ::lseek(file, 0, SEEK_END);
      REQUIRE(::ftruncate(file, size - bytes) == 0);
      ::close(file);
    }
    comm.barrier();
  }
};

template <class F>
std::string message(F&& f) {
  try {
    f();
  } catch (ResourceError const& e) { return e.what(); }
  return "";
}

}  // namespace

TEST_CASE("output: a full disk stops on all ranks with the reason, the old checkpoint stays",
          "[fault][output]") {
  SmallDisk const disk;
  if (!disk.mounted) SKIP("no right to mount a small file system");
  Comm const comm;
  RunDirectory const directory(comm, disk.scratch.run());
  State const s = sample::state(comm, 3000);
  Checkpoint const content{"", "abc", "0.1", {"A", "B"}, {}, {}};
  write_checkpoint(comm, directory, s, content);
  disk.fill_but(100'000);
  CHECK_THAT(message([&] { write_checkpoint(comm, directory, s, content); }),
             ContainsSubstring("has no room") && ContainsSubstring("it continues"));
  Trajectory trajectory(comm, directory, {1, {TrajectoryField::position}, Storage::lossless, 0},
                        {UnitSystem::lj, "t", "", "abc", "0.1", {"A", "B"}});
  CHECK_THAT(message([&] { trajectory.frame(s, {}); }), ContainsSubstring("has no room"));
  CHECK(read_checkpoint(comm, directory.checkpoint()).state.n_particles == 3000);
  CHECK(file_size(directory.file("checkpoint.writing.h5")) < 0);
}

TEST_CASE("output: a disk that fills up within a write is told on all ranks too", "[fault][output]") {
  SmallDisk const disk;
  if (!disk.mounted) SKIP("no right to mount a small file system");
  Comm const comm;
  std::string const path = disk.scratch.path() + "/x.h5";
  if (comm.root()) {
    h5::Handle const file = h5::create_file(path);
    h5::create_dataset(file.get(), "x", h5::file_type<std::int64_t>(), {100'000});
  }
  disk.fill_but(100'000);
  std::vector<std::int64_t> const values(100'000, 7);
  h5::Handle file = h5::open_file_together(path, comm);
  auto const count = hsize_t(100'000 / comm.size()), start = count * hsize_t(comm.rank());
  std::string const text = message([&] {
    together(comm, [&] {
      h5::Handle set = h5::open_dataset(file.get(), "x");
      h5::write_slab(set.get(), h5::memory_type<std::int64_t>(), {{start}, {count}}, values.data(),
                     comm.size() > 1);
      if (comm.size() == 1) set.close("write");
    });
  });
  file.abandon();
  CHECK_THAT(text, ContainsSubstring("cannot write a dataset"));
}
