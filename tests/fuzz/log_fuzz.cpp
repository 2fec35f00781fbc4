// SPDX-License-Identifier: Apache-2.0
// Any text is a log or gets a message; a log that is read agrees with itself.
#include <unistd.h>

#include <cstdint>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <string>

#include "base/error.hpp"
#include "output/inspect.hpp"

using namespace lockstep;

static std::string const path = std::filesystem::temp_directory_path().string() + "/lockstep-fuzz-" +
                                std::to_string(::getpid()) + ".jsonl";

extern "C" int LLVMFuzzerInitialize(int*, char***) {
  std::atexit([] { std::filesystem::remove(path); });
  return 0;
}

extern "C" int LLVMFuzzerTestOneInput(std::uint8_t const* data, std::size_t size) {
  std::ofstream(path, std::ios::binary | std::ios::trunc)
      .write(reinterpret_cast<char const*>(data), std::streamsize(size));
  try {
    if (describe_file(path, true).empty() || describe_file(path, false).empty()) std::abort();
    verify_file(path);
  } catch (ResourceError const&) { return 0; }
  try {
    if (compare_files(path, path).difference) std::abort();
  } catch (InputError const& e) {  // no rows
    if (e.diagnostics().empty()) std::abort();
  }
  return 0;
}
