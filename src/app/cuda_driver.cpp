// SPDX-License-Identifier: Apache-2.0
// The three driver calls that Kokkos makes, looked up at run time: lockstep-cuda starts on machines without a
// driver.
#include <cuda.h>
#include <dlfcn.h>

namespace {

/// Calls the function `name` of the driver; without a driver, says so as the driver would.
template <class... Arguments>
CUresult call_driver(char const* name, Arguments... arguments) {
  static void* const driver = dlopen("libcuda.so.1", RTLD_NOW | RTLD_LOCAL);
  void* const address = driver == nullptr ? nullptr : dlsym(driver, name);
  if (address == nullptr) return CUDA_ERROR_NOT_INITIALIZED;
  return reinterpret_cast<CUresult (*)(Arguments...)>(address)(arguments...);
}

}  // namespace

extern "C" {

#undef cuCtxPushCurrent
CUresult cuCtxGetDevice(CUdevice* device) { return call_driver("cuCtxGetDevice", device); }
CUresult cuCtxPushCurrent_v2(CUcontext context) { return call_driver("cuCtxPushCurrent_v2", context); }
CUresult cuStreamGetCtx(CUstream stream, CUcontext* context) {
  return call_driver("cuStreamGetCtx", stream, context);
}
}
