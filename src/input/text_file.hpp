// SPDX-License-Identifier: Apache-2.0
// Whole files as text.
#pragma once

#include <cstdint>
#include <string>

namespace lockstep {

/// A file's content, or why it could not be read ("No such file or directory"). Devices, pipes and folders
/// are refused: some of them never end.
struct TextFile {
  std::string text, problem;
};
TextFile read_text_file(std::string const& path, std::uint64_t most_bytes = std::uint64_t(1) << 40);

}  // namespace lockstep
