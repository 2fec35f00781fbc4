// SPDX-License-Identifier: Apache-2.0
// Reading through the C library, which says why it failed.
#include "input/text_file.hpp"

#include <cerrno>
#include <cstdio>
#include <cstring>
#include <memory>

namespace lockstep {

TextFile read_text_file(std::string const& path) {
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
