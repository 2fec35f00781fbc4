// SPDX-License-Identifier: Apache-2.0
// Gives CUDA 13 the two older call forms that Kokkos 4.7 uses; included before every CUDA source by the
// compiler.
#pragma once

#if defined(__CUDACC__)
#include <cuda_runtime_api.h>

#if CUDART_VERSION >= 13000
/// The form without edge data.
inline cudaError_t cudaGraphAddDependencies(cudaGraph_t graph, cudaGraphNode_t const* from,
                                            cudaGraphNode_t const* to, size_t count) {
  return cudaGraphAddDependencies(graph, from, to, nullptr, count);
}

/// The form that names a device by its number; `cudaCpuDeviceId` means the host.
inline cudaError_t cudaMemPrefetchAsync(void const* pointer, size_t bytes, int device,
                                        cudaStream_t stream = nullptr) {
  cudaMemLocation place{};
  place.type = device == cudaCpuDeviceId ? cudaMemLocationTypeHost : cudaMemLocationTypeDevice;
  place.id = device == cudaCpuDeviceId ? 0 : device;
  return cudaMemPrefetchAsync(pointer, bytes, place, 0, stream);
}
#endif
#endif
