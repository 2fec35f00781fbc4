// SPDX-License-Identifier: Apache-2.0
// Contracts between functions, and the floating-point environment every thread must have.
#pragma once

#include <string>

#include "base/function.hpp"

namespace lockstep {

/// Reports a broken contract: a fault of this program, never of its input. @throws std::logic_error
[[noreturn]] void contract_failed(char const* kind, char const* condition, char const* file, int line);

}  // namespace lockstep

#if defined(__CUDA_ARCH__)
#define LOCKSTEP_CONTRACT(kind, condition) ((condition) ? void(0) : __trap())
#else
#define LOCKSTEP_CONTRACT(kind, condition)        \
  (__builtin_expect(bool(condition), 1) ? void(0) \
                                        : ::lockstep::contract_failed(kind, #condition, __FILE__, __LINE__))
#endif

/// What a caller must have seen to; always checked.
#define LOCKSTEP_EXPECT(condition) LOCKSTEP_CONTRACT("precondition", condition)
/// What a function promises; always checked.
#define LOCKSTEP_ENSURE(condition) LOCKSTEP_CONTRACT("postcondition", condition)
/// What must hold in between; checked in debug builds only, so it may stand in hot loops.
#if defined(LOCKSTEP_DEBUG)
#define LOCKSTEP_ASSERT(condition) LOCKSTEP_CONTRACT("assertion", condition)
#else
#define LOCKSTEP_ASSERT(condition) void(0)
#endif

namespace lockstep {

/// Rounding to nearest, no flushing of denormal numbers: for the calling thread.
void set_floating_point_environment();
/// Sets it on the calling thread and all threads of Kokkos' host loops (any linked library may have changed
/// it).
void set_floating_point_environment_everywhere();
/// Empty if the calling thread rounds to nearest and keeps denormal numbers; else what is wrong and why it
/// matters.
std::string check_floating_point_environment();
/// The same for all threads of Kokkos' host loops: the first complaint.
std::string check_floating_point_environment_everywhere();

}  // namespace lockstep
