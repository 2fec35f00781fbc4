// SPDX-License-Identifier: Apache-2.0
// Whether there is a CUDA device, asked without linking CUDA.
#pragma once

#include <string>

namespace lockstep {

struct DeviceSearch {
  int count = 0;
  std::string reason;  ///< why there is none
};

/// Asks the driver, if one is installed.
DeviceSearch find_cuda_devices();

}  // namespace lockstep
