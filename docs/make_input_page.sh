#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# Writes the tables of docs/input.md from the program itself: docs/make_input_page.sh, or with --check only compares.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")"
program=${LOCKSTEP:-../build/release/bin/lockstep}
page=$(sed '/^<!-- What follows is written by/q' input.md)
page+=$'\n\n'$("$program" schema --markdown)
if [[ ${1:-} == --check ]]; then
  diff <(printf '%s\n' "$page") input.md || { echo "docs/input.md is old: run docs/make_input_page.sh" >&2; exit 1; }
else
  printf '%s\n' "$page" >input.md
fi
