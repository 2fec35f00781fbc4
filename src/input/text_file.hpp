// SPDX-License-Identifier: Apache-2.0
// Whole files as text.
#pragma once

#include <string>

namespace lockstep {

/// A file's content, or why it could not be read ("No such file or directory").
struct TextFile {
  std::string text, problem;
};
TextFile read_text_file(std::string const& path);

}  // namespace lockstep
