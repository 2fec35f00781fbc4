// SPDX-License-Identifier: Apache-2.0
// Error texts.
#include "base/error.hpp"

#include <fmt/format.h>

namespace lockstep {
namespace {

std::string join(std::vector<Diagnostic> const& all) {
  std::string text;
  for (auto const& d : all) text.append(text.empty() ? "" : "\n").append(d.text());
  return text;
}

}  // namespace

std::string Diagnostic::text() const {
  std::string line = where.empty() ? problem : fmt::format("{} {}", where, problem);
  if (!why.empty()) line += fmt::format("\n    why: {}", why);
  if (!fix.empty()) line += fmt::format("\n    fix: {}", fix);
  return line;
}

InputError::InputError(std::vector<Diagnostic> diagnostics)
    : std::runtime_error(join(diagnostics)), diagnostics_(std::move(diagnostics)) {}

SimulationError::SimulationError(std::int64_t step, std::int64_t particle, std::string problem,
                                 std::string fix)
    : std::runtime_error(
          particle < 0 ? fmt::format("step {}: {}\n    fix: {}", step, problem, fix)
                       : fmt::format("step {}, particle {}: {}\n    fix: {}", step, particle, problem, fix)),
      step_(step),
      particle_(particle) {}

ResourceError::ResourceError(std::string what, std::string why, std::string fix)
    : std::runtime_error(fmt::format("{}\n    why: {}\n    fix: {}", what, why, fix)) {}

}  // namespace lockstep
