# SPDX-License-Identifier: Apache-2.0
# The one place of compiler flags. No fast math, no contraction: the contract depends on it.
add_library(lockstep_flags INTERFACE)
add_library(lockstep::flags ALIAS lockstep_flags)
target_compile_features(lockstep_flags INTERFACE cxx_std_20)
target_compile_definitions(lockstep_flags INTERFACE OMPI_SKIP_MPICXX MPICH_SKIP_MPICXX)
set(cxx $<COMPILE_LANGUAGE:CXX>)
target_compile_options(lockstep_flags INTERFACE
  $<${cxx}:-ffp-contract=off> $<${cxx}:-fno-math-errno> $<${cxx}:-fno-trapping-math>
  $<${cxx}:-Wall> $<${cxx}:-Wextra> $<${cxx}:-Wpedantic> $<${cxx}:-Wno-psabi>)
if(CMAKE_SYSTEM_PROCESSOR MATCHES "x86_64|AMD64")
  target_compile_options(lockstep_flags INTERFACE $<${cxx}:-march=x86-64-v3>)
endif()
set(CMAKE_CXX_FLAGS_RELEASE "-O3 -g1")
set(CMAKE_CXX_FLAGS_DEBUG "-O1 -g -DLOCKSTEP_DEBUG")
if(CMAKE_CXX_COMPILER_ID STREQUAL "GNU" AND CMAKE_CXX_COMPILER_VERSION VERSION_LESS 13)
  target_compile_options(lockstep_flags INTERFACE  # g++ 12 warns wrongly about std::string
    $<${cxx}:-Wno-restrict> $<${cxx}:-Wno-array-bounds> $<${cxx}:-Wno-stringop-overflow>)
endif()
if(CMAKE_CXX_COMPILER_ID STREQUAL "Clang")
  target_compile_options(lockstep_flags INTERFACE $<${cxx}:-Wno-pass-failed>)  # LOCKSTEP_INDEPENDENT permits, not asks
endif()
if(LOCKSTEP_WERROR)
  target_compile_options(lockstep_flags INTERFACE $<${cxx}:-Werror>)
endif()
if(LOCKSTEP_SANITIZE)
  target_compile_options(lockstep_flags INTERFACE  # -g1: lines for the stack traces at three quarters of the time
    -fsanitize=address,undefined -fno-sanitize-recover=all -fno-omit-frame-pointer -g1)
  target_link_options(lockstep_flags INTERFACE -fsanitize=address,undefined)
endif()
