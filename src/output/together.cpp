// SPDX-License-Identifier: Apache-2.0
// Error texts travel as one kind letter and the text.
#include "output/together.hpp"

#include "base/error.hpp"

namespace lockstep {
namespace {

struct Parts {
  std::string what, why, fix;
};

/// Cuts an error text back into what, why, fix.
Parts split(std::string const& text) {
  static std::string const why_mark = "\n    why: ", fix_mark = "\n    fix: ";
  auto const why = text.find(why_mark), fix = text.rfind(fix_mark);
  if (why == std::string::npos || fix == std::string::npos || fix < why) return {text, "", ""};
  auto const why_at = why + why_mark.size();
  return {text.substr(0, why), text.substr(why_at, fix - why_at), text.substr(fix + fix_mark.size())};
}

}  // namespace

std::string describe(std::exception_ptr const& error) {
  try {
    std::rethrow_exception(error);
  } catch (InputError const& e) { return std::string("I") + e.what(); } catch (std::exception const& e) {
    return std::string("R") + e.what();
  } catch (...) { return "Rsomething that is no exception was thrown"; }
}

void throw_together(Comm const& comm, std::string const& problem) {
  std::int64_t const first = comm.min(problem.empty() ? comm.size() : comm.rank());
  if (first == comm.size()) return;
  std::string const text = comm.broadcast(problem, int(first));
  auto const [what, why, fix] = split(text.substr(1));
  if (text[0] == 'I') throw InputError("", what, why, fix);
  throw ResourceError(what, why, fix);
}

}  // namespace lockstep
