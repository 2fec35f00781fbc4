#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# Formats all C++ of the repository with clang-format 14 (Debian 12; pip install clang-format==14.0.6 elsewhere).
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."
git ls-files -z '*.hpp' '*.cpp' '*.cu' '*.cuh' | xargs -0 clang-format -i --style=file "$@"
