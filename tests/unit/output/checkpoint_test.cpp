// SPDX-License-Identifier: Apache-2.0
#include "output/checkpoint.hpp"

#include <catch2/catch_test_macros.hpp>
#include <catch2/generators/catch_generators.hpp>
#include <catch2/matchers/catch_matchers_string.hpp>
#include <fstream>
#include <limits>
#include <span>
#include <vector>

#include "base/error.hpp"
#include "output/files.hpp"
#include "output/hdf5.hpp"
#include "output/seal.hpp"
#include "output/sorted.hpp"
#include "unit/output/sample_state.hpp"

using namespace lockstep;
using Catch::Matchers::ContainsSubstring;

namespace {

Checkpoint content(std::string const& hash = "abc") {
  return {"title = \"täst\"\n", hash, "0.1 g++", {"A", "Ar"}, {0xfedcba9876543210u, 7}, {1234, 12, 3}};
}

bool same(State const& a, State const& b) {
  bool equal = a.n_particles == b.n_particles && a.step == b.step && a.stage == b.stage &&
               a.stage_step == b.stage_step && a.stage_start_time == b.stage_start_time && a.time == b.time &&
               a.box == b.box && a.scales == b.scales && a.masses == b.masses && a.extra == b.extra;
  Comm const comm;
  SortedSlice const x = gather_by_id(comm, a), y = gather_by_id(comm, b);
  equal = equal && x.particles.size() == y.particles.size();
  for (std::size_t k = 0; equal && k < x.particles.size(); ++k) {
    Particle const &p = x.particles[k], &q = y.particles[k];
    equal = p.id == q.id && p.species == q.species && p.x == q.x && p.image == q.image && p.v == q.v;
  }
  return comm.agree(equal);
}

/// What a thrown error says; empty: nothing was thrown.
template <class F>
std::string message(F&& f) {
  try {
    f();
  } catch (std::exception const& e) { return e.what(); }
  return "";
}

void overwrite(std::string const& path, std::int64_t at, char byte) {
  std::fstream file(path, std::ios::in | std::ios::out | std::ios::binary);
  file.seekp(at);
  file.put(byte);
}

template <class T>
void attribute(hid_t file, char const* name, T const& value) {
  H5Adelete(file, name);
  h5::set_attribute(file, name, value);
}

template <class T>
void dataset(hid_t file, std::string const& name, h5::Shape const& shape, std::vector<T> const& values) {
  H5Ldelete(file, name.c_str(), H5P_DEFAULT);
  h5::write_dataset(file, name, shape, values.data());
}

/// A dataset of that shape without any stored value.
void claim(hid_t file, char const* name, hsize_t rows) {
  H5Ldelete(file, name, H5P_DEFAULT);
  h5::Handle const space(H5Screate_simple(1, &rows, nullptr), H5Sclose, "test");
  h5::Handle const set(
      H5Dcreate2(file, name, H5T_STD_I64LE, space.get(), H5P_DEFAULT, H5P_DEFAULT, H5P_DEFAULT), H5Dclose,
      "test");
}

}  // namespace

TEST_CASE("checkpoint: a state comes back bit for bit, dealt evenly over the ranks", "[unit][output]") {
  Comm const comm;
  sample::Scratch const scratch(comm);
  RunDirectory const directory(comm, scratch.run());
  auto const n = GENERATE(std::int64_t(0), 1, 2, 1000);
  auto const stride = GENERATE(std::int64_t(1), 5);
  State s = sample::state(comm, n, stride);
  s.scales = {Precision::double_, 40, 41, 42, 0, 9};
  s.time = 1.0 / 3.0;
  if (n == 1) s.extra.clear();
  write_checkpoint(comm, directory, s, content());
  Restored const r = read_checkpoint(comm, directory.checkpoint());
  CHECK(same(r.state, s));
  CHECK(r.state.n_owned ==
        first_row(n, comm.size(), comm.rank() + 1) - first_row(n, comm.size(), comm.rank()));
  Checkpoint const c = content();
  CHECK((r.checkpoint.input == c.input && r.checkpoint.input_hash == c.input_hash &&
         r.checkpoint.build == c.build && r.checkpoint.species == c.species &&
         r.checkpoint.digest == c.digest && r.checkpoint.output == c.output));
}

TEST_CASE("checkpoint: ranks of another number read what some ranks wrote", "[unit][output]") {
  Comm const comm;
  sample::Scratch const scratch(comm);
  RunDirectory const directory(comm, scratch.run());
  State const s = sample::state(comm, 321);
  MPI_Comm alone;
  MPI_Comm_split(comm.get(), comm.rank(), 0, &alone);
  if (comm.root()) write_checkpoint(Comm(alone), directory, sample::state(Comm(alone), 321), content());
  comm.barrier();
  CHECK(same(read_checkpoint(comm, directory.checkpoint()).state, s));
  write_checkpoint(comm, directory, s, content());
  auto const one = read_checkpoint(Comm(alone), directory.checkpoint());
  CHECK(one.state.n_owned == 321);
  MPI_Comm_free(&alone);
}

TEST_CASE("checkpoint: the one before is kept, also when the number of particles changed", "[unit][output]") {
  Comm const comm;
  sample::Scratch const scratch(comm);
  RunDirectory const directory(comm, scratch.run());
  for (int k = 0; k < 3; ++k) write_checkpoint(comm, directory, sample::state(comm, 10 + k), content());
  CHECK(read_checkpoint(comm, directory.checkpoint()).state.n_particles == 12);
  CHECK(read_checkpoint(comm, directory.previous_checkpoint()).state.n_particles == 11);
}

TEST_CASE("checkpoint: a changed byte anywhere is noticed before anything is parsed", "[unit][output]") {
  Comm const comm;
  sample::Scratch const scratch(comm);
  RunDirectory const directory(comm, scratch.run());
  write_checkpoint(comm, directory, sample::state(comm, 100), content());
  std::string const path = directory.checkpoint();
  std::string const bytes = read_text(path);
  comm.barrier();
  std::string missed;
  for (std::uint64_t k = 0; k < 200; ++k) {
    auto const at = k < 40 ? std::size_t(k * 13) : std::size_t(sample::scramble(k) % bytes.size());
    if (comm.root()) overwrite(path, std::int64_t(at), char(bytes[at] ^ (1 << (k % 8))));
    comm.barrier();
    if (message([&] { read_checkpoint(comm, path); }).empty()) missed += std::to_string(at) + " ";
    comm.barrier();
    if (comm.root()) overwrite(path, std::int64_t(at), bytes[at]);
  }
  CHECK(missed.empty());
  comm.barrier();
  CHECK_NOTHROW(read_checkpoint(comm, path));
}

TEST_CASE("checkpoint: truncated, empty, foreign and missing files say what they are", "[unit][output]") {
  Comm const comm;
  sample::Scratch const scratch(comm);
  RunDirectory const directory(comm, scratch.run());
  write_checkpoint(comm, directory, sample::state(comm, 100), content());
  std::string const path = directory.checkpoint(), bytes = read_text(path);
  auto const with = [&](std::string const& text) {
    comm.barrier();
    if (comm.root()) std::ofstream(path, std::ios::binary) << text;
    comm.barrier();
    return message([&] { read_checkpoint(comm, path); });
  };
  CHECK_THAT(with(bytes.substr(0, bytes.size() - 1)),
             ContainsSubstring("damaged") && ContainsSubstring("was written with"));
  CHECK_THAT(with(bytes.substr(0, 600)), ContainsSubstring("damaged"));
  CHECK_THAT(with(bytes.substr(0, 100)), ContainsSubstring("ends after 100 bytes"));
  CHECK_THAT(with(bytes + "x"), ContainsSubstring("damaged"));
  CHECK_THAT(with(""), ContainsSubstring("it is empty"));
  CHECK_THAT(with("\x89HDF\r\n\x1a\n and so on"), ContainsSubstring("is not a Lockstep checkpoint"));
  std::string other = bytes;
  other.replace(other.find("version 1"), 9, "version 9");
  CHECK_THAT(with(other), ContainsSubstring("format 9") && ContainsSubstring("manifest.json"));
  comm.barrier();
  if (comm.root()) std::filesystem::remove(path);
  comm.barrier();
  CHECK_THAT(message([&] { read_checkpoint(comm, path); }), ContainsSubstring("No such file"));
}

TEST_CASE("checkpoint: a damaged newest one gives way to the one before, and is not let over it",
          "[unit][output]") {
  Comm const comm;
  sample::Scratch const scratch(comm);
  RunDirectory const directory(comm, scratch.run());
  write_checkpoint(comm, directory, sample::state(comm, 10), content());
  write_checkpoint(comm, directory, sample::state(comm, 11), content());
  if (comm.root()) overwrite(directory.checkpoint(), 3000, 'X');
  comm.barrier();
  Restored const r = resume_checkpoint(comm, directory, "abc");
  CHECK(r.state.n_particles == 10);
  CHECK_THAT(r.warning, ContainsSubstring("is damaged") && ContainsSubstring("checkpoint.damaged.h5"));
  write_checkpoint(comm, directory, sample::state(comm, 12), content());
  CHECK(read_checkpoint(comm, directory.previous_checkpoint()).state.n_particles == 10);
}

TEST_CASE("checkpoint: another input is refused with what to do", "[unit][output]") {
  Comm const comm;
  sample::Scratch const scratch(comm);
  RunDirectory const directory(comm, scratch.run());
  write_checkpoint(comm, directory, sample::state(comm, 10), content());
  CHECK_THROWS_AS(resume_checkpoint(comm, directory, "other"), InputError);
  CHECK_THAT(message([&] { resume_checkpoint(comm, directory, "other"); }),
             ContainsSubstring("another input") && ContainsSubstring("output.directory"));
  CHECK(resume_checkpoint(comm, directory, "abc").warning.empty());
}

TEST_CASE("checkpoint: odd content under a right checksum is refused with what is odd", "[unit][output]") {
  Comm const comm;
  sample::Scratch const scratch(comm);
  RunDirectory const directory(comm, scratch.run());
  std::string const path = directory.checkpoint();
  auto const with = [&](auto const& change) {
    write_checkpoint(comm, directory, sample::state(comm, 3), content());
    if (comm.root()) {
      auto file = h5::open_file(path, true);
      change(file.get());
      file.close("test");
    }
    comm.barrier();
    seal_file(comm, path);
    return message([&] { read_checkpoint(comm, path); });
  };
  using Words = std::vector<std::int64_t>;
  std::int64_t const edge = std::int64_t(1) << 47;
  CHECK(with([](hid_t) {}).empty());
  for (char const* name : {"n_particles", "step", "stage", "stage_step", "log_bytes", "log_rows", "frames"}) {
    CHECK_THAT(with([&](hid_t f) { attribute(f, name, std::int64_t(-1)); }), ContainsSubstring(name));
    CHECK_THAT(with([&](hid_t f) { attribute(f, name, 1.0); }),
               ContainsSubstring("something else than lockstep"));
    CHECK_THAT(with([&](hid_t f) { H5Adelete(f, name); }), ContainsSubstring(name));
  }
  CHECK_THAT(with([](hid_t f) { attribute(f, "time", std::int64_t(1)); }),
             ContainsSubstring("something else"));
  CHECK_THAT(with([](hid_t f) { attribute(f, "time", std::numeric_limits<double>::infinity()); }),
             ContainsSubstring("not finite"));
  CHECK_THAT(with([](hid_t f) {
               attribute(f, "scales", std::span<std::int64_t const>(Words{2, 1, 1, 1, 1, 1}));
             }),
             ContainsSubstring("scales is 2"));
  CHECK_THAT(with([&](hid_t f) {
               dataset<std::int64_t>(f, "box", {3, 3}, {edge, 1 << 15, 0, 0, edge, 0, 0, 0, edge});
             }),
             ContainsSubstring("lower triangular"));
  CHECK_THAT(with([&](hid_t f) {
               dataset<std::int64_t>(f, "box", {3, 3}, {edge + 1, 0, 0, 0, edge, 0, 0, 0, edge});
             }),
             ContainsSubstring("not a multiple"));
  CHECK_THAT(with([](hid_t f) {
               dataset<double>(f, "masses", {2}, {1, 0});
             }),
             ContainsSubstring("a mass is 0"));
  CHECK_THAT(with([](hid_t f) { dataset<double>(f, "masses", {1}, {1}); }),
             ContainsSubstring("another shape"));
  CHECK_THAT(with([](hid_t f) { dataset<double>(f, "extra", {1}, {1}); }), ContainsSubstring("another type"));
  CHECK_THAT(with([](hid_t f) { claim(f, "extra", hsize_t(1) << 50); }),
             ContainsSubstring("not stored whole"));
  CHECK_THAT(with([](hid_t f) {
               dataset<std::int64_t>(f, "particles/id", {3}, {5, 5, 6});
             }),
             ContainsSubstring("particle 5 follows particle 5"));
  CHECK_THAT(with([](hid_t f) {
               dataset<std::int32_t>(f, "particles/species", {3}, {0, 2, 0});
             }),
             ContainsSubstring("has no mass"));
  CHECK_THAT(with([&](hid_t f) {
               dataset<std::int64_t>(f, "particles/x", {3, 3}, {0, 0, 0, 0, edge, 0, 0, 0, 0});
             }),
             ContainsSubstring("outside the box"));
}
