// SPDX-License-Identifier: Apache-2.0
// Errors on one rank become the same error on all ranks.
#pragma once

#include <exception>
#include <string>

#include "base/comm.hpp"

namespace lockstep {

/// The error of this rank as a text that `throw_together` can rebuild; empty: none.
std::string describe(std::exception_ptr const& error);

/// Throws on all ranks the error of the lowest rank that has one (as InputError or ResourceError); else
/// returns.
/// @cost one reduction when all is well.
void throw_together(Comm const& comm, std::string const& problem);

/// Runs `work` on this rank; if it threw on any rank, all ranks throw. Inside, no rank may wait for another
/// one except by calls that fail everywhere or nowhere.
template <class Work>
void together(Comm const& comm, Work&& work) {
  std::string problem;
  try {
    work();
  } catch (...) { problem = describe(std::current_exception()); }
  throw_together(comm, problem);
}

/// Runs `work` on rank 0 alone; if it threw, all ranks throw.
template <class Work>
void on_root(Comm const& comm, Work&& work) {
  together(comm, [&] {
    if (comm.root()) work();
  });
}

}  // namespace lockstep
