// SPDX-License-Identifier: Apache-2.0
// Marks functions that run on the host, in SIMD kernels and on the device alike.
#pragma once

#if defined(__FAST_MATH__)
#error "Lockstep's results are exact integers sums of IEEE operations: never build it with -ffast-math"
#endif

#if defined(__CUDACC__)
#define LOCKSTEP_FUNCTION __host__ __device__ __forceinline__
#else
#define LOCKSTEP_FUNCTION [[gnu::always_inline]] inline
#endif
