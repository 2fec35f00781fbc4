// SPDX-License-Identifier: Apache-2.0
// The shape of the input: which tables hold which keys.
#pragma once

#include "app/run_input.hpp"
#include "input/visitor.hpp"

namespace lockstep::detail {

/// Shows every section of `in` to the visitor, in the order of the resolved input.
void walk(Visitor& visitor, RunInput& in);

}  // namespace lockstep::detail
