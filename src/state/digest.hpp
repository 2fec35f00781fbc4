// SPDX-License-Identifier: Apache-2.0
// The fingerprint of a state.
#pragma once

#include "base/comm.hpp"
#include "base/digest.hpp"
#include "state/state.hpp"

namespace lockstep {

/// Sum over particles of the hash of (id, species, wrapped x, image, v), plus the hash of what all ranks
/// share: step, stage, number, box, times, scales, masses and the stage's own words. Forces and lists are not
/// state. Independent of order, ranks and of when positions were wrapped. The same on all ranks. @cost one
/// collective reduction.
Digest state_digest(Comm const& comm, State const& state);

/// The part of this rank's particles; the global one is the sum over ranks plus `shared_digest`.
Digest particles_digest(State const& state);
Digest shared_digest(State const& state);

}  // namespace lockstep
