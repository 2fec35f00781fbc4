// SPDX-License-Identifier: Apache-2.0
#include "output/inspect.hpp"

#include <catch2/catch_test_macros.hpp>
#include <catch2/matchers/catch_matchers_string.hpp>
#include <fstream>
#include <nlohmann/json.hpp>

#include "base/error.hpp"
#include "output/checkpoint.hpp"
#include "output/files.hpp"
#include "output/hdf5.hpp"
#include "output/log.hpp"
#include "output/trajectory.hpp"
#include "state/digest.hpp"
#include "unit/output/sample_state.hpp"

using namespace lockstep;
using Catch::Matchers::ContainsSubstring;

namespace {

/// What a small run leaves: 4 frames in two segments, a log, a checkpoint. `change(state)` acts before
/// step 20.
template <class Change>
void run(Comm const& comm, std::string const& path, Storage storage, Change change) {
  RunDirectory const directory(comm, path);
  Trajectory trajectory(
      comm, directory,
      {1, {TrajectoryField::position, TrajectoryField::velocity, TrajectoryField::image}, storage, 0},
      {UnitSystem::lj, "t", "title = \"t\"\n", "abc", "0.1", {"A", "B"}});
  trajectory.cut(-1, 0);
  Log log(comm, directory);
  log.cut(0, 0);
  State s = sample::state(comm, 50);
  for (std::int64_t step : {0, 10, 20, 30}) {
    sample::advance(s, step);
    if (step == 20) change(s);
    trajectory.frame(s, state_digest(comm, s));
    log.row({{"step", step}, {"x", s.n_owned > 0 ? double(s.x(0, 0)) : 0.0}});
    if (step == 10) trajectory.close_segment();
  }
  trajectory.close_segment();
  write_checkpoint(comm, directory, s,
                   {"title = \"t\"\n", "abc", "0.1", {"A", "B"}, state_digest(comm, s), {}});
}

void nothing(State&) {}

}  // namespace

TEST_CASE("inspect: info lists frames with digests and datasets with shapes", "[unit][output]") {
  Comm const comm;
  sample::Scratch const scratch(comm);
  run(comm, scratch.run(), Storage::lossless, nothing);
  auto const json = nlohmann::json::parse(describe_file(scratch.run() + "/trajectory.h5", true));
  CHECK(json["kind"] == "trajectory");
  REQUIRE(json["frames"].size() == 4);
  CHECK(json["frames"][2]["step"] == 20);
  CHECK(json["frames"][2]["digest"].get<std::string>().size() == 32);
  bool found = false;
  for (auto const& d : json["datasets"])
    if (d["path"] == "particles/all/position/value")
      found = d["shape"] == nlohmann::json{4, 50, 3} && d["type"] == "int64";
  CHECK(found);
  auto const all = nlohmann::json::parse(describe_file(scratch.run(), true));
  CHECK(all.size() == 3);
  CHECK(all[0]["rows"] == 4);
  CHECK(all[2]["frames"][0]["digest"] == json["frames"][3]["digest"]);
  CHECK_THAT(describe_file(scratch.run(), false), ContainsSubstring("checkpoint of 50 particles"));
  CHECK_THROWS_AS(describe_file(scratch.run() + "/absent.h5", true), ResourceError);
}

TEST_CASE("inspect: verify recomputes the digests of lossless frames and finds a changed one",
          "[unit][output]") {
  Comm const comm;
  sample::Scratch const scratch(comm);
  run(comm, scratch.run(), Storage::lossless, nothing);
  Verdict const good = verify_file(scratch.run());
  CHECK(!good.difference);
  CHECK((good.compared == 9 && good.unverified == 0));
  {
    auto const file = h5::open_file(scratch.run() + "/trajectory.0001.h5", true);
    std::int64_t const one = 1;
    h5::write_slab(h5::open_dataset(file.get(), "particles/all/velocity/value").get(),
                   h5::memory_type<std::int64_t>(), {{1, 7, 2}, {1, 1, 1}}, &one, false);
  }
  Verdict const bad = verify_file(scratch.run() + "/trajectory.h5");
  REQUIRE(bad.difference);
  CHECK((bad.difference->step == 30 && bad.difference->field == "digest"));
}

TEST_CASE("inspect: float32 frames are counted as not verifiable", "[unit][output]") {
  Comm const comm;
  sample::Scratch const scratch(comm);
  run(comm, scratch.run(), Storage::float32, nothing);
  Verdict const verdict = verify_file(scratch.run() + "/trajectory.h5");
  CHECK((verdict.compared == 4 && verdict.unverified == 4 && !verdict.difference));
}

TEST_CASE("inspect: the first differing step, particle and property are named", "[unit][output]") {
  Comm const comm;
  sample::Scratch const scratch(comm);
  run(comm, scratch.path() + "/a", Storage::lossless, nothing);
  run(comm, scratch.path() + "/b", Storage::lossless, [](State& s) {
    s.v(31, 1) += 1;
    s.x(44, 2) ^= 1;
  });
  run(comm, scratch.path() + "/c", Storage::lossless, nothing);
  auto const id = [](LocalIndex i) { return sample::state(Comm(), 50).id(i); };
  std::string const a = scratch.path() + "/a", b = scratch.path() + "/b", c = scratch.path() + "/c";
  CHECK(!compare_files(a, c).difference);
  CHECK(compare_files(a, c).compared == 9);
  for (auto const& verdict : {compare_files(a, b), bisect_files(a, b)}) {
    REQUIRE(verdict.difference);
    Difference const& d = *verdict.difference;
    CHECK((d.step == 20 && d.particle == std::min(id(31), id(44))));
    CHECK(d.field == (id(31) < id(44) ? "velocity.y" : "position.z"));
    CHECK_THAT(d.text(), ContainsSubstring("step 20, particle"));
  }
  CHECK(!compare_files(a + "/checkpoint.h5", c + "/trajectory.h5").difference);
  CHECK(compare_files(a + "/checkpoint.h5", b + "/trajectory.h5").difference->step == 30);
}

TEST_CASE("inspect: logs are compared key by key, and half rows are told", "[unit][output]") {
  Comm const comm;
  sample::Scratch const scratch(comm);
  std::string const a = scratch.path() + "/a.jsonl", b = scratch.path() + "/b.jsonl";
  std::ofstream(a) << "{\"step\": 0, \"e\": 0.1}\n{\"step\": 5, \"e\": 0.1}\n";
  std::ofstream(b) << "{\"step\": 5, \"e\": 0.10000000000000002}\n{\"step\": 6, \"e\": 1.0}\n";
  Verdict const verdict = compare_files(a, b);
  REQUIRE(verdict.difference);
  CHECK((verdict.difference->step == 5 && verdict.difference->field == "e" && verdict.compared == 1));
  CHECK(verdict.difference->second == "0.10000000000000002");
  std::ofstream(b) << "{\"step\": 7, \"e\": 1.0}\n";
  CHECK_THROWS_WITH(compare_files(a, b), ContainsSubstring("no step in common"));
  std::ofstream(b) << "{\"step\": 7}\n{\"step\": 8, ";
  CHECK_THROWS_WITH(verify_file(b), ContainsSubstring("b.jsonl:2:") && ContainsSubstring("half row"));
}

TEST_CASE("inspect: a missing segment and a foreign file are refused", "[unit][output]") {
  Comm const comm;
  sample::Scratch const scratch(comm);
  run(comm, scratch.run(), Storage::float32, nothing);
  std::filesystem::remove(scratch.run() + "/trajectory.0000.h5");
  CHECK_THROWS_WITH(verify_file(scratch.run() + "/trajectory.h5"), ContainsSubstring("trajectory.0000.h5"));
  { auto const file = h5::create_file(scratch.path() + "/foreign.h5"); }
  CHECK_THROWS_WITH(verify_file(scratch.path() + "/foreign.h5"),
                    ContainsSubstring("is not a file that lockstep wrote"));
  std::ofstream(scratch.path() + "/text.txt") << "hello";
  CHECK_THROWS_WITH(verify_file(scratch.path() + "/text.txt"),
                    ContainsSubstring("is not a Lockstep checkpoint"));
}

TEST_CASE("inspect: rows that would exhaust the stack, or a step beyond 63 bits, are no rows",
          "[unit][output]") {
  Comm const comm;
  sample::Scratch const scratch(comm);
  std::string const path = scratch.path() + "/a.jsonl", nested(500000, '[');
  std::ofstream(path) << "{\"step\":1,\"x\":" << nested << std::string(nested.size(), ']') << "}\n";
  CHECK_THROWS_WITH(verify_file(path), ContainsSubstring("a.jsonl:1:"));
  std::ofstream(path) << "{\"step\":18446744073709551615}\n";
  CHECK_THROWS_WITH(verify_file(path), ContainsSubstring("a.jsonl:1:"));
  std::ofstream(path) << "{\"step\":1,\"x\":[[1]]}\n{\"step\":1,\"x\":2}\n";
  CHECK(verify_file(path).compared == 2);
}

TEST_CASE("inspect: what a file claims but does not hold is refused before memory is taken",
          "[unit][output]") {
  Comm const comm;
  sample::Scratch const scratch(comm);
  run(comm, scratch.run(), Storage::lossless, nothing);
  std::string const segment = scratch.run() + "/trajectory.0001.h5", shown = scratch.run() + "/trajectory.h5";
  {
    auto const file = h5::open_file(segment, true);
    h5::resize(h5::open_dataset(file.get(), "particles/all/position/step").get(), {1});
  }
  CHECK_THROWS_WITH(verify_file(shown), ContainsSubstring("is shorter than"));
  CHECK_THROWS_WITH(verify_file(segment), ContainsSubstring("different lengths"));
  {
    auto const file = h5::open_file(segment, true);
    H5Ldelete(file.get(), "particles/all/id", H5P_DEFAULT);
    h5::Handle const creation(H5Pcreate(H5P_DATASET_CREATE), H5Pclose, "");
    hsize_t const rows = hsize_t(1) << 40, chunk = 1000;
    H5Pset_chunk(creation.get(), 1, &chunk);
    h5::Handle const space(H5Screate_simple(1, &rows, nullptr), H5Sclose, "");
    h5::Handle const set(H5Dcreate2(file.get(), "particles/all/id", H5T_STD_I64LE, space.get(), H5P_DEFAULT,
                                    creation.get(), H5P_DEFAULT),
                         H5Dclose, "");
  }
  CHECK_THROWS_WITH(verify_file(segment), ContainsSubstring("claims more values than are stored"));
}

TEST_CASE("inspect: a frame whose box has no volume is refused", "[unit][output]") {
  Comm const comm;
  sample::Scratch const scratch(comm);
  run(comm, scratch.run(), Storage::lossless, nothing);
  {
    auto const file = h5::open_file(scratch.run() + "/trajectory.0000.h5", true);
    std::int64_t const zero = 0;
    h5::write_slab(h5::open_dataset(file.get(), "particles/all/box/lattice/value").get(),
                   h5::memory_type<std::int64_t>(), {{1, 1, 1}, {1, 1, 1}}, &zero, false);
  }
  CHECK_THROWS_WITH(verify_file(scratch.run() + "/trajectory.h5"),
                    ContainsSubstring("step 10 has no volume"));
}

TEST_CASE("inspect: a frame with a particle outside its box is refused", "[unit][output]") {
  Comm const comm;
  sample::Scratch const scratch(comm);
  run(comm, scratch.run(), Storage::lossless, nothing);
  {
    auto const file = h5::open_file(scratch.run() + "/trajectory.0000.h5", true);
    std::int64_t const far = std::int64_t(1) << 60;
    h5::write_slab(h5::open_dataset(file.get(), "particles/all/position/value").get(),
                   h5::memory_type<std::int64_t>(), {{1, 3, 2}, {1, 1, 1}}, &far, false);
  }
  CHECK_THROWS_WITH(verify_file(scratch.run() + "/trajectory.h5"),
                    ContainsSubstring("outside the box at step 10"));
}

TEST_CASE("inspect: forces that differ under equal digests are found, with the frame before",
          "[unit][output]") {
  Comm const comm;
  sample::Scratch const scratch(comm);
  std::string const a = scratch.path() + "/a", b = scratch.path() + "/b";
  for (auto const& path : {a, b}) {
    RunDirectory const directory(comm, path);
    Trajectory trajectory(comm, directory,
                          {1, {TrajectoryField::position, TrajectoryField::force}, Storage::lossless, 0},
                          {UnitSystem::lj, "t", "title = \"t\"\n", "abc", "0.1", {"A", "B"}});
    trajectory.cut(-1, 0);
    State s = sample::state(comm, 50);
    for (std::int64_t step : {0, 10, 20}) {
      sample::advance(s, step);
      if (step == 10 && path == b) s.f(12, 2) += 1;
      trajectory.frame(s, state_digest(comm, s));
    }
    trajectory.close_segment();
  }
  Verdict const verdict = bisect_files(a, b);
  REQUIRE(verdict.difference);
  CHECK((verdict.difference->step == 10 && verdict.difference->field == "force.z"));
  REQUIRE(verdict.apart);
  CHECK((verdict.apart->frame.first == 1 && verdict.apart->frame.second == 1));
  REQUIRE(verdict.apart->before);
  CHECK(verdict.apart->before->first == 0);
}
