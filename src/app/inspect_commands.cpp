// SPDX-License-Identifier: Apache-2.0
// lockstep info, verify, bisect: rank 0 reads, all ranks end alike.
#include <fmt/format.h>

#include "app/commands.hpp"
#include "app/force_report.hpp"
#include "output/inspect.hpp"

namespace lockstep {
namespace {

/// Runs `body` on rank 0; what it throws there is thrown everywhere.
template <class Body>
ExitCode on_root(Comm const& comm, Body const& body) {
  std::int64_t code = 0, kind = 0;
  std::string text;
  if (comm.root()) {
    try {
      code = std::int64_t(body());
    } catch (InputError const& e) {
      kind = 1;
      text = e.what();
    } catch (std::exception const& e) {
      kind = 2;
      text = e.what();
    }
  }
  kind = comm.max(kind);
  if (kind != 0) {
    text = comm.broadcast(text, 0);
    if (kind == 1) throw InputError("", text, "", "");
    throw std::runtime_error(text);
  }
  return ExitCode(comm.max(code));
}

ExitCode say(Verdict const& verdict, bool two) {
  if (verdict.difference) {
    fmt::print("{}: {}\n", two ? "they differ" : "wrong", verdict.difference->text());
    return ExitCode::differs;
  }
  fmt::print("{} frames and rows agree", verdict.compared);
  if (verdict.unverified > 0)
    fmt::print("; {} frames hold too little to recompute their digest (they lack fields or are float32)",
               verdict.unverified);
  fmt::print("\n");
  return ExitCode::done;
}

}  // namespace

ExitCode info_command(Comm const& comm, Arguments const& a) {
  return on_root(comm, [&] {
    fmt::print("{}\n", describe_file(a.input, a.json));
    return ExitCode::done;
  });
}

ExitCode verify_command(Comm const& comm, Arguments const& a) {
  return on_root(comm, [&] {
    return a.second.empty() ? say(verify_file(a.input), false) : say(compare_files(a.input, a.second), true);
  });
}

ExitCode bisect_command(Comm const& comm, Arguments const& a) {
  return on_root(comm, [&] {
    Verdict const verdict = bisect_files(a.input, a.second);
    ExitCode const code = say(verdict, true);
    if (verdict.apart) fmt::print("{}", explain_forces(*verdict.apart));
    return code;
  });
}

}  // namespace lockstep
