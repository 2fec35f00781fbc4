// SPDX-License-Identifier: Apache-2.0
// The driver's own library answers; it is opened at run time, so that this program starts without it.
#include "app/device.hpp"

#include <dlfcn.h>
#include <fmt/format.h>

namespace lockstep {

DeviceSearch find_cuda_devices() {
  void* const driver = dlopen("libcuda.so.1", RTLD_NOW | RTLD_LOCAL);
  if (driver == nullptr) return {0, "no NVIDIA driver is installed (libcuda.so.1 was not found)"};
  using Init = int (*)(unsigned);
  using Count = int (*)(int*);
  auto const init = reinterpret_cast<Init>(dlsym(driver, "cuInit"));
  auto const count = reinterpret_cast<Count>(dlsym(driver, "cuDeviceGetCount"));
  if (init == nullptr || count == nullptr) return {0, "the NVIDIA driver's library lacks cuInit"};
  if (int const code = init(0); code != 0)
    return {0, fmt::format("the NVIDIA driver does not start (error {}); no device, or one it does not know",
                           code)};
  int n = 0;
  if (int const code = count(&n); code != 0)
    return {0, fmt::format("the NVIDIA driver cannot count devices (error {})", code)};
  if (n == 0) return {0, "the NVIDIA driver sees no device (CUDA_VISIBLE_DEVICES may hide them)"};
  return {n, ""};
}

}  // namespace lockstep
