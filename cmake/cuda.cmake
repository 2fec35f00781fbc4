# SPDX-License-Identifier: Apache-2.0
# The language and the flags of the preset cuda; included only with LOCKSTEP_CUDA, after Kokkos is found.
if(NOT CMAKE_CUDA_ARCHITECTURES)
  set(CMAKE_CUDA_ARCHITECTURES 75 80 90 CACHE STRING "Compute capabilities that lockstep-cuda holds code for")
endif()
if(NOT Kokkos_ENABLE_CUDA)
  message(FATAL_ERROR "Kokkos at ${Kokkos_DIR} was built without CUDA; ./lockstep build cuda makes one with it")
endif()
enable_language(CUDA)
# CMake 3.25 does not know nvcc's flag for C++20.
set(CMAKE_CUDA20_STANDARD_COMPILE_OPTION "-std=c++20")
set(CMAKE_CUDA20_EXTENSION_COMPILE_OPTION "-std=c++20")
set(CMAKE_CUDA_STANDARD 20)
set(CMAKE_CUDA_STANDARD_REQUIRED ON)
set(CMAKE_CUDA_FLAGS_RELEASE "-O3")

# IEEE arithmetic as on the host: no contraction, no flush to zero, division and square root correctly rounded.
add_library(lockstep_cuda_flags INTERFACE)
add_library(lockstep::cuda_flags ALIAS lockstep_cuda_flags)
set(cuda $<COMPILE_LANGUAGE:CUDA>)
target_compile_definitions(lockstep_cuda_flags INTERFACE LOCKSTEP_CUDA)
target_compile_options(lockstep_cuda_flags INTERFACE
  "$<${cuda}:SHELL:-include ${PROJECT_SOURCE_DIR}/cmake/cuda_compat.hpp>"
  $<${cuda}:--fmad=false> $<${cuda}:--ftz=false> $<${cuda}:--prec-div=true> $<${cuda}:--prec-sqrt=true>
  $<${cuda}:-DFMT_USE_CONSTEXPR=1>  # fmt 9 switches it off for nvcc, yet uses it
  $<${cuda}:--extended-lambda> $<${cuda}:--expt-relaxed-constexpr>
  $<${cuda}:-Xcompiler=-ffp-contract=off> $<${cuda}:-Xcompiler=-fno-math-errno> $<${cuda}:-Xcompiler=-fno-trapping-math>
  $<${cuda}:-Xcompiler=-Wno-parentheses>  # for what nvcc makes of pointers to members
  $<${cuda}:-Xcompiler=-Wno-restrict>  # g++ 12 warns wrongly about std::string
  $<${cuda}:-Xcompiler=-Wall> $<${cuda}:-Xcompiler=-Wextra> $<${cuda}:-Xcompiler=-Wno-psabi>)
if(CMAKE_SYSTEM_PROCESSOR MATCHES "x86_64|AMD64")
  target_compile_options(lockstep_cuda_flags INTERFACE $<${cuda}:-Xcompiler=-march=x86-64-v3>)
endif()
if(LOCKSTEP_WERROR)
  target_compile_options(lockstep_cuda_flags INTERFACE $<${cuda}:--Werror=all-warnings>)
endif()
target_link_libraries(lockstep_flags INTERFACE lockstep_cuda_flags)

# Sets `result` to whether a source includes Kokkos, directly or through headers of this repository.
function(lockstep_includes_kokkos source result)
  get_property(answer GLOBAL PROPERTY "lockstep_includes_kokkos ${source}")
  if("${answer}" STREQUAL "")
    set(answer NO)
    set_property(DIRECTORY APPEND PROPERTY CMAKE_CONFIGURE_DEPENDS ${source})
    get_filename_component(folder ${source} DIRECTORY)
    file(STRINGS ${source} lines REGEX "^[ \t]*#[ \t]*include")
    foreach(line IN LISTS lines)
      if(line MATCHES "<Kokkos")
        set(answer YES)
      elseif(line MATCHES "\"([^\"]+)\"")
        foreach(base ${PROJECT_SOURCE_DIR}/src ${PROJECT_SOURCE_DIR} ${folder})
          set(header ${base}/${CMAKE_MATCH_1})
          if(NOT answer AND EXISTS ${header})
            lockstep_includes_kokkos(${header} answer)
          endif()
        endforeach()
      endif()
    endforeach()
    set_property(GLOBAL PROPERTY "lockstep_includes_kokkos ${source}" ${answer})
  endif()
  set(${result} ${answer} PARENT_SCOPE)
endfunction()

# These targets read and write views but launch nothing on the device: code for one architecture is enough.
set(lockstep_without_launches app base domain drivers forces lockstep moves neighbor output state)

# lockstep_cuda_sources(target sources...): nvcc compiles those that include Kokkos; the others, Highway's among them,
# stay with the C++ compiler. Several sources share one translation unit, since nvcc's first 15 seconds go into Kokkos
# itself (CMake's own UNITY_BUILD leaves CUDA out): names in their anonymous namespaces must differ within a folder.
set(lockstep_sources_per_unit 7)
function(lockstep_cuda_sources target)
  if(target IN_LIST lockstep_without_launches)
    list(GET CMAKE_CUDA_ARCHITECTURES 0 lowest)
    set_target_properties(${target} PROPERTIES CUDA_ARCHITECTURES ${lowest})
  endif()
  set(n_sources 0)
  foreach(source IN LISTS ARGN)
    get_filename_component(path ${source} ABSOLUTE)
    lockstep_includes_kokkos(${path} needs_cuda)
    if(needs_cuda)
      set_source_files_properties(${source} PROPERTIES HEADER_FILE_ONLY ON)
      math(EXPR unit "${n_sources} / ${lockstep_sources_per_unit}")
      string(APPEND content_${unit} "#include \"${path}\"\n")
      math(EXPR n_sources "${n_sources} + 1")
    endif()
  endforeach()
  if(n_sources EQUAL 0)
    return()
  endif()
  foreach(number RANGE ${unit})
    set(file ${CMAKE_CURRENT_BINARY_DIR}/${target}_${number}.cu)
    file(CONFIGURE OUTPUT ${file} CONTENT "${content_${number}}" @ONLY)
    target_sources(${target} PRIVATE ${file})
  endforeach()
endfunction()
