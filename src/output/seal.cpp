// SPDX-License-Identifier: Apache-2.0
// XXH3-128 over blocks of 4 MiB, then over the blocks' checksums.
#include "output/seal.hpp"

#include <fcntl.h>
#include <fmt/format.h>
#include <unistd.h>
#include <xxhash.h>
#include <cstdio>

#include <algorithm>
#include <cerrno>
#include <vector>

#include "base/error.hpp"
#include "output/files.hpp"
#include "output/together.hpp"

namespace lockstep {
namespace {

constexpr std::int64_t block = std::int64_t(1) << 22;
constexpr char const* magic = "LOCKSTEP CHECKPOINT";

std::string read_at(int file, std::string const& path, std::int64_t at, std::int64_t size) {
  std::string bytes(std::size_t(size), '\0');
  for (std::int64_t done = 0; done < size;) {
    ssize_t const n = ::pread(file, bytes.data() + done, std::size_t(size - done), at + done);
    if (n < 0 && errno == EINTR) continue;
    if (n < 0) fail_file("read", path, errno);
    if (n == 0)
      throw ResourceError("cannot read " + path, "it became shorter while it was read", "Try again");
    done += n;
  }
  return bytes;
}

/// Checksums of the blocks that are this rank's to read; the others 0.
std::vector<std::int64_t> hash_blocks(Comm const& comm, std::string const& path, std::int64_t size,
                                      bool sync) {
  std::int64_t const n = (size - seal_size + block - 1) / block;
  std::vector<std::int64_t> sums(std::size_t(2 * n), 0);
  int const file = ::open(path.c_str(), O_RDONLY | O_CLOEXEC);
  if (file < 0) fail_file("open", path, errno);
  try {
    if (sync && ::fsync(file) != 0) fail_file("sync", path, errno);
    for (std::int64_t b = comm.rank(); b < n; b += comm.size()) {
      std::int64_t const at = seal_size + b * block;
      std::string const bytes = read_at(file, path, at, std::min(block, size - at));
      auto const hash = XXH3_128bits(bytes.data(), bytes.size());
      sums[std::size_t(2 * b)] = std::int64_t(hash.low64);
      sums[std::size_t(2 * b + 1)] = std::int64_t(hash.high64);
    }
  } catch (...) {
    ::close(file);
    throw;
  }
  ::close(file);
  return sums;
}

/// The head that a file of this length and content must have.
std::string head_of(Comm const& comm, std::string const& path, std::int64_t size, bool sync) {
  std::vector<std::int64_t> sums(std::size_t(2 * ((size - seal_size + block - 1) / block)), 0);
  together(comm, [&] { sums = hash_blocks(comm, path, size, sync); });
  comm.sum(sums);
  std::string text;
  for (std::int64_t word : sums)
    text += fmt::format("{:016x}", std::uint64_t(word));  // independent of byte order
  auto const hash = XXH3_128bits(text.data(), text.size());
  std::string head = fmt::format("{}\nversion {}\nbytes {}\nxxh3-128 {:016x}{:016x}\n", magic,
                                 checkpoint_version, size, hash.high64, hash.low64);
  head.resize(std::size_t(seal_size), '\0');
  return head;
}

[[noreturn]] void not_a_checkpoint(std::string const& path) {
  throw InputError(path + ":", "is not a Lockstep checkpoint",
                   "it does not begin with \"" + std::string(magic) + "\"",
                   "Name a checkpoint.h5 that lockstep run wrote, or move this file away");
}

[[noreturn]] void damaged(std::string const& path, std::string why) {
  throw ResourceError(path + " is damaged", std::move(why),
                      "Put back a good copy, or use checkpoint.prev.h5 (lockstep run does by itself)");
}

/// The head as it is in the file, after those checks that need nothing else. Rank 0.
std::string read_head(std::string const& path, std::int64_t size) {
  if (size < 0) fail_file("open", path, ENOENT);
  int const file = ::open(path.c_str(), O_RDONLY | O_CLOEXEC);
  if (file < 0) fail_file("open", path, errno);
  std::string head(std::size_t(seal_size), '\0');
  ssize_t const n = ::pread(file, head.data(), head.size(), 0);
  ::close(file);
  if (n < 0) fail_file("read", path, errno);
  if (head.rfind(magic, 0) != 0) {
    if (n == 0) damaged(path, "it is empty");
    not_a_checkpoint(path);
  }
  if (n < seal_size) damaged(path, fmt::format("it ends after {} bytes", n));
  long long version = 0, bytes = 0;
  if (std::sscanf(head.c_str() + std::string(magic).size(), "\nversion %lld\nbytes %lld\n", &version,
                  &bytes) != 2)
    damaged(path, "its head cannot be read");
  if (version != checkpoint_version)
    throw InputError(
        path + ":",
        fmt::format("is a checkpoint of format {}; this build reads format {}", version, checkpoint_version),
        "formats change with the engine", "Continue it with the lockstep that wrote it (see manifest.json)");
  if (bytes != size) damaged(path, fmt::format("it has {} bytes, but was written with {}", size, bytes));
  return head;
}

void write_head(std::string const& path, std::string const& head) {
  int const file = ::open(path.c_str(), O_WRONLY | O_CLOEXEC);
  if (file < 0) fail_file("open", path, errno);
  bool const good = ::pwrite(file, head.data(), head.size(), 0) == ssize_t(head.size()) && ::fsync(file) == 0;
  int const reason = errno;
  ::close(file);
  if (!good) fail_file("write", path, reason);
}

}  // namespace

void seal_file(Comm const& comm, std::string const& path) {
  std::int64_t size = 0;
  on_root(comm, [&] { size = file_size(path); });
  size = comm.max(size);
  std::string const head = head_of(comm, path, size, true);
  on_root(comm, [&] { write_head(path, head); });
}

void check_seal(Comm const& comm, std::string const& path) {
  std::int64_t size = 0;
  std::string stored;
  on_root(comm, [&] {
    size = file_size(path);
    stored = read_head(path, size);
  });
  size = comm.max(size);
  std::string const head = head_of(comm, path, size, false);
  on_root(comm, [&] {
    if (head != stored) damaged(path, "its checksum does not fit its content");
  });
}

}  // namespace lockstep
