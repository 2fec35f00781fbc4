// SPDX-License-Identifier: Apache-2.0
// Any text is an input or gets messages; an input that is accepted resolves to itself.
#include <cstdint>
#include <cstdlib>
#include <sstream>
#include <string>
#include <vector>

#include "app/run_input.hpp"
#include "base/error.hpp"

using namespace lockstep;

/// Lines "# set: key=value" become --set.
static std::vector<std::string> assignments(std::string const& text) {
  std::vector<std::string> set;
  std::istringstream lines(text);
  for (std::string line; std::getline(lines, line);)
    if (line.starts_with("# set: ")) set.push_back(line.substr(7));
  return set;
}

extern "C" int LLVMFuzzerTestOneInput(std::uint8_t const* data, std::size_t size) {
  std::string const text(reinterpret_cast<char const*>(data), size);
  std::string resolved, hash;
  try {
    auto const in = parse_run_input(text, "fuzz/run.toml", assignments(text));
    resolved = in.resolved;
    hash = in.hash;
  } catch (InputError const& e) {
    if (e.diagnostics().empty()) std::abort();
    for (auto const& d : e.diagnostics())
      if (d.where.empty() || d.problem.empty() || d.fix.empty()) std::abort();
    return 0;
  }
  auto const again = parse_run_input(resolved, "fuzz/run.toml", {});  // must not throw
  if (again.resolved != resolved || again.hash != hash) std::abort();
  return 0;
}
