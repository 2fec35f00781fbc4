// SPDX-License-Identifier: Apache-2.0
// States and scratch directories for the tests of output.
#pragma once

#include <unistd.h>

#include <filesystem>
#include <string>

#include "base/comm.hpp"
#include "output/run_directory.hpp"
#include "state/state.hpp"

namespace lockstep::sample {

/// A fixed scramble of the bits of k; values look random and are the same everywhere.
inline std::uint64_t scramble(std::uint64_t k) {
  k = (k ^ (k >> 31)) * 0x9e3779b97f4a7c15u;
  k = (k ^ (k >> 29)) * 0xbf58476d1ce4e5b9u;
  return k ^ (k >> 32);
}

inline Particle particle(std::int64_t row, std::int64_t id_stride) {
  auto const word = [&](int k, int bits) {
    return std::int64_t(scramble(std::uint64_t(16 * row + k)) >> (64 - bits));
  };
  std::int64_t const half = std::int64_t(1) << 45;
  return {5 + row * id_stride,
          SpeciesId(row % 2),
          {std::int32_t(word(0, 4)) - 8, std::int32_t(word(1, 4)), -3},
          {word(2, 47), word(3, 47), word(4, 47)},
          {word(5, 46) - half, word(6, 46) - half, word(7, 46)},
          {word(8, 40), -word(9, 40), word(10, 20)}};
}

/// n particles in a box of edge 8, dealt over the ranks in an uneven, unsorted way; the last rank has none if
/// there are three.
inline State state(Comm const& comm, std::int64_t n, std::int64_t id_stride = 1, std::uint64_t salt = 0) {
  State s;
  s.box = make_box({8, 8, 8}, 1.5, -0.5, 0.25, 15);
  s.masses = {1.0, 39.948};
  s.n_particles = n;
  s.step = 700;
  s.stage = 1;
  s.stage_step = 200;
  s.stage_start_time = 0.1;
  s.time = 0.1 + 200 * 0.005;
  s.extra = {1, -2, 3};
  int const holders = comm.size() > 2 ? comm.size() - 1 : comm.size();
  for (std::int64_t k = n - 1; k >= 0; --k)
    if (int(scramble(std::uint64_t(k) + salt) % std::uint64_t(holders)) == comm.rank())
      s.push_back(particle(k, id_stride));
  return s;
}

/// The same particles on another step, moved by `step` units.
inline void advance(State& s, std::int64_t step) {
  s.step = step;
  s.time = 0.005 * double(step);
  for (LocalIndex i = 0; i < s.n_owned; ++i) s.x(i, 0) += 12345678901 * (1 + s.id(i) % 7);
}

/// A directory that all ranks know and that goes with its owner.
class Scratch {
 public:
  explicit Scratch(Comm const& comm, std::string const& under = "") : comm_(comm) {
    std::string const base = under.empty() ? std::filesystem::temp_directory_path().string() : under;
    path_ = comm.broadcast(
        base + "/lockstep-test-" + std::to_string(::getpid()) + "-" + std::to_string(count_++), 0);
    if (comm.root()) std::filesystem::create_directories(path_);
    comm.barrier();
  }
  Scratch(Scratch const&) = delete;
  ~Scratch() {
    comm_.barrier();
    std::error_code ignored;
    if (comm_.root()) std::filesystem::remove_all(path_, ignored);
  }
  std::string const& path() const { return path_; }
  std::string run() const { return path_ + "/run"; }

 private:
  inline static int count_ = 0;
  Comm comm_;
  std::string path_;
};

}  // namespace lockstep::sample
