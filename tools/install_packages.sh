#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# Installs Debian or Ubuntu packages, as root; `catch2` means version 3, on Debian 12 from the backports of the mirror
# in use. Called by the door; by hand: sudo tools/install_packages.sh PACKAGE...
set -euo pipefail
export DEBIAN_FRONTEND=noninteractive LC_ALL=C
install=(apt-get -o DPkg::Lock::Timeout=300 install -y --no-install-recommends)

# Adds the backports of Debian release $1 from the mirror that serves the release itself.
add_backports() {
  local mirror
  # shellcheck disable=SC2016  # the format is apt's own, not the shell's
  mirror=$(apt-get indextargets --format '$(CODENAME) $(REPO_URI)' 'Created-By: Packages' "Codename: $1" |
    awk 'NR == 1 { print $2 }')
  [[ -n $mirror ]] || { echo "apt has no index of $1: run apt-get update and look at its messages" >&2; exit 1; }
  printf '%s\n' 'Types: deb' "URIs: $mirror" "Suites: $1-backports" 'Components: main' \
    'Signed-By: /usr/share/keyrings/debian-archive-keyring.gpg' >/etc/apt/sources.list.d/lockstep-backports.sources
  apt-get update -qq
}

install_catch2() {
  local codename
  if dpkg --compare-versions "$(apt-cache policy catch2 | awk '/Candidate:/ { print $2 }')" ge 3; then
    "${install[@]}" catch2
  else
    codename=$(. /etc/os-release && echo "$VERSION_CODENAME")
    apt-cache madison catch2 | grep -q "$codename-backports" || add_backports "$codename"
    "${install[@]}" -t "$codename-backports" catch2
  fi
}

plain=() catch2=no
for package in "$@"; do
  if [[ $package == catch2 ]]; then catch2=yes; else plain+=("$package"); fi
done
apt-get update -qq
if ((${#plain[@]})); then "${install[@]}" "${plain[@]}"; fi
if [[ $catch2 == yes ]]; then install_catch2; fi
