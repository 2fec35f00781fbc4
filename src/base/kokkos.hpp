// SPDX-License-Identifier: Apache-2.0
// The Kokkos names Lockstep uses.
#pragma once

#include <Kokkos_Core.hpp>

namespace lockstep {

using Execution = Kokkos::DefaultExecutionSpace;
/// Memory that the host and, in the CUDA build, the device both read and write.
using Memory = Kokkos::SharedSpace;
/// Column-major array: component d of particle i is x(i, d), each component contiguous.
template <class T>
using View = Kokkos::View<T, Kokkos::LayoutLeft, Memory>;

}  // namespace lockstep
