// SPDX-License-Identifier: Apache-2.0
// POSIX calls behind files.hpp.
#include "output/files.hpp"

#include <fcntl.h>
#include <fmt/format.h>
#include <signal.h>
#include <sys/stat.h>
#include <sys/statvfs.h>
#include <unistd.h>

#include <cerrno>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <map>

#include "base/error.hpp"

namespace lockstep {
namespace {

/// What a user can do about an errno.
std::string remedy(int error_number) {
  switch (error_number) {
    case ENOSPC:
    case EDQUOT:
      return "Free space or raise the quota, then start the same command again: it continues";
    case EFBIG:
      return "Raise the file size limit (ulimit -f), then start the same command again: it continues";
    case EACCES:
    case EPERM:
    case EROFS:
      return "Choose a directory that you may write to (output.directory) or change its permissions";
    case ENOTDIR:
    case EEXIST:
      return "A file is where a directory should be: move it away or choose another output.directory";
    default:
      return "Check the path and the file system it is on";
  }
}

/// An open file descriptor.
struct Descriptor {
  int fd;
  explicit Descriptor(int fd) : fd(fd) {}
  Descriptor(Descriptor const&) = delete;
  ~Descriptor() {
    if (fd >= 0) ::close(fd);
  }
};

}  // namespace

void fail_file(std::string_view verb, std::string const& path, int error_number) {
  throw ResourceError(fmt::format("cannot {} {}", verb, path), std::strerror(error_number),
                      remedy(error_number));
}

void sync_file(std::string const& path) {
  Descriptor const file(::open(path.c_str(), O_RDONLY | O_CLOEXEC));
  if (file.fd < 0 || ::fsync(file.fd) != 0) fail_file("sync", path, errno);
}

void sync_directory(std::string const& path) {
  Descriptor const directory(::open(path.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC));
  if (directory.fd < 0) fail_file("sync", path, errno);
  if (::fsync(directory.fd) != 0 && errno != EINVAL)
    fail_file("sync", path, errno);  // EINVAL: not offered there
}

void replace_file(std::string const& from, std::string const& to) {
  if (::rename(from.c_str(), to.c_str()) != 0) fail_file("rename " + from + " to", to, errno);
}

void remove_file(std::string const& path) {
  if (::unlink(path.c_str()) != 0 && errno != ENOENT) fail_file("remove", path, errno);
}

void write_text_atomically(std::string const& path, std::string_view text) {
  std::string const temporary = path + ".writing";
  {
    Descriptor const file(::open(temporary.c_str(), O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0666));
    if (file.fd < 0) fail_file("create", temporary, errno);
    for (std::size_t at = 0; at < text.size();) {
      ssize_t const n = ::write(file.fd, text.data() + at, text.size() - at);
      if (n < 0 && errno == EINTR) continue;
      if (n < 0) {
        int const reason = errno;
        ::unlink(temporary.c_str());
        fail_file("write", path, reason);
      }
      at += std::size_t(n);
    }
    if (::fsync(file.fd) != 0) fail_file("sync", temporary, errno);
  }
  replace_file(temporary, path);
  sync_directory(folder_of(path));
}

std::string read_text(std::string const& path) {
  Descriptor const file(::open(path.c_str(), O_RDONLY | O_CLOEXEC));
  if (file.fd < 0) fail_file("open", path, errno);
  std::string text;
  char buffer[65536];
  for (;;) {
    ssize_t const n = ::read(file.fd, buffer, sizeof buffer);
    if (n < 0 && errno == EINTR) continue;
    if (n < 0) fail_file("read", path, errno);
    if (n == 0) return text;
    text.append(buffer, std::size_t(n));
  }
}

std::int64_t file_size(std::string const& path) {
  struct stat status;
  return ::stat(path.c_str(), &status) == 0 ? std::int64_t(status.st_size) : -1;
}

std::string folder_of(std::string const& path) {
  auto const slash = path.rfind('/');
  return slash == std::string::npos ? "." : slash == 0 ? "/" : path.substr(0, slash);
}

void require_space(std::string const& directory, std::int64_t bytes) {
  std::string const probe = directory + "/.space";
  Descriptor const file(::open(probe.c_str(), O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0666));
  if (file.fd < 0) fail_file("create", probe, errno);
  ::unlink(probe.c_str());
  int const reason = bytes > 0 && ::fallocate(file.fd, 0, 0, bytes) != 0 ? errno : 0;
  bool const full = reason == ENOSPC || reason == EDQUOT || reason == EFBIG;
  struct statvfs disk;
  std::int64_t const there =
      ::fstatvfs(file.fd, &disk) == 0 ? std::int64_t(disk.f_bavail) * std::int64_t(disk.f_frsize) : -1;
  bool const small = reason != 0 && there >= 0 && there < bytes;  // file systems that cannot reserve
  if (!full && !small) return;
  throw ResourceError(fmt::format("{} has no room for {} bytes more", directory, bytes),
                      fmt::format("{}; {} bytes are free", std::strerror(full ? reason : ENOSPC), there),
                      remedy(full ? reason : ENOSPC));
}

void fault_point(std::string_view name) {
  static char const* const wanted = std::getenv("LOCKSTEP_FAULT_POINT");
  if (wanted == nullptr) return;
  static std::map<std::string, int, std::less<>> passages;
  int const passage = ++passages[std::string(name)];
  if (fmt::format("{}:{}", name, passage) == wanted || (passage == 1 && name == wanted)) ::raise(SIGKILL);
}

}  // namespace lockstep
