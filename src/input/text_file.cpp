// SPDX-License-Identifier: Apache-2.0
// Reading through the C library, which says why it failed.
#include "input/text_file.hpp"

#include <cerrno>
#include <cstdio>
#include <cstring>
#include <filesystem>
#include <memory>
#include <system_error>

namespace lockstep {

TextFile read_text_file(std::string const& path, std::uint64_t most_bytes) {
  std::error_code error;
  auto const kind = std::filesystem::status(path, error).type();
  if (kind == std::filesystem::file_type::directory) return {{}, "it is a folder"};
  if (kind == std::filesystem::file_type::none) return {{}, error.message()};
  if (kind == std::filesystem::file_type::not_found) return {{}, "No such file or directory"};
  if (kind != std::filesystem::file_type::regular) return {{}, "it is not a regular file"};
  auto const size = std::filesystem::file_size(path, error);
  if (!error && size > most_bytes) return {{}, std::to_string(size) + " bytes are too many"};
  std::unique_ptr<std::FILE, int (*)(std::FILE*)> const file(std::fopen(path.c_str(), "rb"), std::fclose);
  if (!file) return {{}, std::strerror(errno)};
  TextFile result;
  std::string buffer(std::size_t(1) << 16, '\0');
  for (;;) {
    errno = 0;
    std::size_t const n = std::fread(buffer.data(), 1, buffer.size(), file.get());
    result.text.append(buffer, 0, n);
    if (n < buffer.size()) break;
  }
  if (std::ferror(file.get()) != 0) result.problem = std::strerror(errno);
  return result;
}

}  // namespace lockstep
