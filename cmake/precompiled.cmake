# SPDX-License-Identifier: Apache-2.0
# Kokkos, fmt and the commonest standard headers, parsed once per preset instead of once per source: they are more than
# half of the time of most sources. What a header needs it includes all the same; all_verify_interface_header_sets,
# which compiles each header alone, has no precompiled ones. nvcc can't share them: the preset cuda does without. ccache
# would have to be told to trust them, and gains more without.
option(LOCKSTEP_PRECOMPILE "Parse the headers of the libraries once" ON)
set(lockstep_precompiled <Kokkos_Core.hpp> <mpi.h> <fmt/format.h> <algorithm> <array> <filesystem> <functional> <map>
  <memory> <optional> <span> <string> <tuple> <vector>)

# lockstep_precompile(target owner [more headers...]): `owner`, made first, parses; all others read what it made.
function(lockstep_precompile target owner)
  if(NOT LOCKSTEP_PRECOMPILE OR LOCKSTEP_CUDA OR CMAKE_CXX_COMPILER_LAUNCHER)
    return()
  endif()
  target_link_libraries(${target} PRIVATE fmt::fmt)  # its definitions must be those of the owner
  if(target STREQUAL owner)
    target_precompile_headers(${target} PRIVATE ${lockstep_precompiled} ${ARGN})
  else()
    target_precompile_headers(${target} REUSE_FROM ${owner})
  endif()
endfunction()
