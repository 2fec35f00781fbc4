# SPDX-License-Identifier: Apache-2.0
# shellcheck shell=bash
# Packages, Kokkos, configuring and building, for the door and for CI; sourced with `root` set. Speaks on stderr only.
: "${root:?}"

kokkos_version=4.7.0
kokkos_carrier=pygenten==0.1.5 # its source distribution holds the whole Kokkos 4.7.0 under tpls/kokkos
kokkos_sha256=e620f05c742905e2db705d875f1cac92ef0ed453f9e6734e9beda26cc0f9cce7

packages_base=(build-essential ca-certificates cmake ninja-build pkg-config python3-venv libopenmpi-dev openmpi-bin
  libhdf5-openmpi-dev libhwy-dev librandom123-dev libhwloc-dev libfmt-dev libcli11-dev libtomlplusplus-dev
  nlohmann-json3-dev libxxhash-dev catch2)
packages_mpich=(libmpich-dev mpich libhdf5-mpich-dev)
packages_clang=(clang-16 libomp-16-dev)

say() { printf 'lockstep: %s\n' "$*" >&2; }
fail() { say "$*"; exit 69; }
# fail_with_log LOG MESSAGE: shows the end of LOG, then stops.
fail_with_log() { tail -n 20 "$1" >&2; fail "$2 (whole output: $1)"; }

jobs_count() { printf '%s' "${LOCKSTEP_JOBS:-${CMAKE_BUILD_PARALLEL_LEVEL:-$(nproc)}}"; }

# Debian's cmake first: a newer one earlier on PATH may hide what the oldest supported version lacks.
cmake_program() { if [[ -x /usr/bin/cmake ]]; then echo /usr/bin/cmake; else command -v cmake; fi; }

# ---- packages
# True when package $1 is installed; Catch2 must be version 3 (Debian 12 itself has 2.13).
is_installed() {
  [[ $(dpkg-query -W -f='${db:Status-Status}' "$1" 2>/dev/null) == installed ]] || return 1
  [[ $1 != catch2 ]] || dpkg --compare-versions "$(dpkg-query -W -f='${Version}' catch2)" ge 3
}

# prepare_packages PRESET: installs what is missing as root or through sudo, else prints the command and stops.
prepare_packages() {
  local wanted=("${packages_base[@]}") missing=() package stamp
  case $1 in
    mpich) wanted+=("${packages_mpich[@]}") ;;
    clang) wanted+=("${packages_clang[@]}") ;;
  esac
  stamp=$root/build/.packages-$(printf '%s ' "${wanted[@]}" | cksum | tr -d ' ')
  [[ ! -e $stamp ]] || return 0
  if command -v apt-get >/dev/null; then
    for package in "${wanted[@]}"; do is_installed "$package" || missing+=("$package"); done
    ((${#missing[@]} == 0)) || install_packages "${missing[@]}"
  else
    say "this system has no apt-get; docs/install.md lists the libraries to install by its own means"
  fi
  touch "$stamp"
}

install_packages() {
  local install=("$root/tools/install_packages.sh" "$@") log=$root/build/install.log
  if [[ $(id -u) != 0 ]]; then
    if ! { command -v sudo >/dev/null && { [[ -t 0 ]] || sudo -n true 2>/dev/null; }; }; then
      say "$# packages are missing, and installing them needs an administrator. Run this, then call me again:"
      printf '  sudo %s\n' "${install[*]}" >&2
      exit 69
    fi
    sudo -v
    install=(sudo "${install[@]}")
  fi
  say "installing $# packages: $*"
  "${install[@]}" >"$log" 2>&1 || fail_with_log "$log" "the packages could not be installed"
}

# ---- Kokkos
# True when the Kokkos installed under $1 is new enough and has the backend $2 (OPENMP or CUDA).
kokkos_serves() {
  local config version
  for config in "$1"/lib*/cmake/Kokkos "$1"/lib/*/cmake/Kokkos; do
    [[ -r $config/KokkosConfigVersion.cmake ]] || continue
    version=$(sed -n 's/^set(PACKAGE_VERSION "\(.*\)")$/\1/p' "$config/KokkosConfigVersion.cmake")
    [[ $(printf '%s\n' "$kokkos_version" "$version" | sort -V | head -n 1) == "$kokkos_version" ]] || continue
    if grep -q "set(Kokkos_DEVICES .*$2" "$config/KokkosConfigCommon.cmake"; then return 0; fi
  done
  return 1
}

# prepare_kokkos PRESET: sets `kokkos` to an installation; builds one under build/deps when there is none.
prepare_kokkos() {
  local backend=OPENMP candidate
  kokkos=$root/build/deps/kokkos
  if [[ $1 == cuda ]]; then
    backend=CUDA
    kokkos=$root/build/deps/kokkos-cuda
    PATH=$PATH:/usr/local/cuda/bin
    command -v nvcc >/dev/null || fail "the preset cuda needs nvcc of the CUDA Toolkit (12 or 13) on PATH"
  fi
  if [[ -n ${Kokkos_ROOT:-} ]]; then
    kokkos_serves "$Kokkos_ROOT" "$backend" ||
      fail "Kokkos_ROOT=$Kokkos_ROOT holds no Kokkos >= $kokkos_version with $backend; unset it and one is built"
    kokkos=$Kokkos_ROOT
    return 0
  fi
  for candidate in "$kokkos" /usr/local /usr; do
    if kokkos_serves "$candidate" "$backend"; then kokkos=$candidate; return 0; fi
  done
  build_kokkos "$backend"
}

# Leaves the sources of Kokkos in build/deps/source/kokkos.
fetch_kokkos() {
  local source=$root/build/deps/source
  [[ ! -e $source/kokkos ]] || return 0
  rm -rf "$source" && mkdir -p "$source/new" &&
    python3 -m venv "$source/venv" &&
    "$source/venv/bin/pip" download -q --no-deps --no-binary pygenten "$kokkos_carrier" -d "$source" &&
    echo "$kokkos_sha256  $source/pygenten-0.1.5.tar.gz" | sha256sum --check --quiet &&
    tar xzf "$source/pygenten-0.1.5.tar.gz" -C "$source/new" --wildcards '*/tpls/kokkos/*' --strip-components=3 &&
    mv "$source/new" "$source/kokkos" && rm -rf "$source/venv"
}

# build_kokkos OPENMP|CUDA: into $kokkos. Kokkos takes one CUDA architecture, the lowest; the others come as -gencode.
build_kokkos() {
  local deps=$root/build/deps options=(-DKokkos_ENABLE_SERIAL=ON -DKokkos_ENABLE_OPENMP=ON) minutes=1 log tree number
  local flags="-std=c++20 -include $root/cmake/cuda_compat.hpp"
  tree=$deps/build-$(basename "$kokkos") log=$kokkos.log
  mkdir -p "$deps"
  if [[ $1 == CUDA ]]; then
    minutes=4
    for number in ${LOCKSTEP_CUDA_NEWER:-80 90}; do flags+=" -gencode=arch=compute_$number,code=sm_$number"; done
    options+=(-DKokkos_ENABLE_CUDA=ON -DKokkos_ENABLE_COMPILE_AS_CMAKE_LANGUAGE=ON -DKokkos_ARCH_TURING75=ON
      "-DCMAKE_CUDA_FLAGS=$flags")
  fi
  say "building Kokkos $kokkos_version with $1, once, about $minutes min"
  fetch_kokkos >"$log" 2>&1 || fail_with_log "$log" "Kokkos could not be fetched from the Python package index; \
install Kokkos >= $kokkos_version with $1 by other means and set Kokkos_ROOT to it"
  { "$(cmake_program)" -G Ninja -S "$deps/source/kokkos" -B "$tree" -DCMAKE_BUILD_TYPE=Release \
    -DCMAKE_INSTALL_PREFIX="$kokkos" -DCMAKE_INSTALL_LIBDIR=lib -DCMAKE_CXX_STANDARD=20 "${options[@]}" &&
    "$(cmake_program)" --build "$tree" -j "$(jobs_count)" &&
    "$(cmake_program)" --install "$tree" && rm -rf "$tree"; } >>"$log" 2>&1 ||
    fail_with_log "$log" "Kokkos did not build"
}

# ---- configure and build
# prepare PRESET: build/PRESET is configured afterwards. Does nothing, and says nothing, when that is so already.
prepare() {
  mkdir -p "$root/build"
  exec 9>"$root/build/.lock"
  flock 9 # two doors at once: the second waits, then finds everything done
  prepare_packages "$1"
  prepare_kokkos "$1"
  configure "$1"
}

configure() {
  local tree=$root/build/$1 options=("-DKokkos_ROOT=$kokkos") log=$root/build/$1/configure.log launcher=
  if command -v ccache >/dev/null; then launcher=ccache; fi
  options+=("-DCMAKE_CXX_COMPILER_LAUNCHER=$launcher") # empty as well: the tree may remember one that is gone
  [[ $1 != cuda ]] || options+=("-DCMAKE_CUDA_COMPILER_LAUNCHER=$launcher")
  [[ ! -e $tree/build.ninja || $(cat "$tree/.door" 2>/dev/null) != "${options[*]}" ]] || return 0
  say "configuring build/$1"
  mkdir -p "$tree"
  if ! (cd "$root" && "$(cmake_program)" --preset "$1" "${options[@]}") >"$log" 2>&1; then
    grep -A 12 'CMake Error' "$log" >&2 || tail -n 20 "$log" >&2
    fail "CMake stopped (whole output: $log)"
  fi
  echo "${options[*]}" >"$tree/.door"
}

# build PRESET [TARGET...]: quiet when there is nothing to do. lockstep-cuda is put where `lockstep` looks for it.
build() {
  local preset=$1 tree=$root/build/$1 log=$root/build/$1/build.log targets=() target
  shift
  for target in "$@"; do targets+=(--target "$target"); done
  if [[ $(ninja -C "$tree" -n "$@" 2>/dev/null | tail -n 1) != "ninja: no work to do." ]]; then
    say "building ${*:-everything} in ${tree#"$root"/}"
    if [[ -t 2 ]]; then
      "$(cmake_program)" --build "$tree" -j "$(jobs_count)" "${targets[@]}" >&2 || fail "the build failed"
    elif ! "$(cmake_program)" --build "$tree" -j "$(jobs_count)" "${targets[@]}" >"$log" 2>&1; then
      grep -v '^\[[0-9]*/[0-9]*\] [BLS]' "$log" | tail -n 60 >&2 || :
      fail "the build failed (whole output: $log)"
    fi
  fi
  if [[ $preset == cuda && -x $tree/bin/lockstep-cuda ]]; then
    mkdir -p "$root/build/release/bin"
    ln -sfn ../../cuda/bin/lockstep-cuda "$root/build/release/bin/lockstep-cuda"
  fi
  exec 9>&- # releases the lock taken by prepare
}
