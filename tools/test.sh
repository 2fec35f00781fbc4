# SPDX-License-Identifier: Apache-2.0
# shellcheck shell=bash
# `./lockstep test`: ctest for the C++ tests, pytest for the rest, one sum at the end; sourced after prepare.sh.
#   fast   unit, property, conformance, architecture: under a minute
#   (none) everything but the long physics runs, fuzzing and benchmarks
#   full   everything
: "${root:?}"

fast_labels='^(unit|property|conformance|architecture)$'
slow_labels='^(nightly|bench|fuzz)$'

# junit_sum FILE: sets passed and failed from a JUnit report (skipped tests count as neither).
junit_sum() {
  local counts
  counts=$(python3 - "$1" <<'PY'
import sys
import xml.etree.ElementTree as tree
suites = [s for s in tree.parse(sys.argv[1]).getroot().iter("testsuite")]
total, bad, skipped = (sum(int(s.get(k) or 0) for s in suites for k in keys)
                       for keys in (("tests",), ("failures", "errors"), ("skipped", "disabled")))
print(total - bad - skipped, bad)
PY
  ) || counts="0 1"
  passed=$((passed + ${counts% *}))
  failed=$((failed + ${counts#* }))
}

# The Python environment of the tests, made once per state of tests/requirements.txt.
prepare_venv() {
  local venv=$root/build/venv stamp
  stamp=$venv/.made-$(cksum <"$root/tests/requirements.txt" | tr -d ' ')
  [[ ! -e $stamp ]] || return 0
  say "installing the Python packages of the tests into build/venv"
  { python3 -m venv --clear "$venv" && "$venv/bin/pip" install -q --disable-pip-version-check -r "$root/tests/requirements.txt"; } >&2 ||
    fail "the Python packages of tests/requirements.txt could not be installed"
  touch "$stamp"
}

run_ctest() {
  local tree=$1 selection=$2 report=$1/ctest.xml arguments=()
  shift 2
  case $selection in
    fast) arguments=(-L "$fast_labels") ;;
    default) arguments=(-LE "$slow_labels") ;;
  esac
  rm -f "$report"
  (cd "$tree" && "$(dirname "$(cmake_program)")/ctest" -j "$(jobs_count)" --output-on-failure --no-tests=ignore \
    --output-junit "$report" "${arguments[@]}" "$@") || :
  if [[ -e $report ]]; then junit_sum "$report"; else failed=$((failed + 1)); fi
}

run_pytest() {
  local tree=$1 selection=$2 report=$1/pytest.xml arguments=()
  shift 2
  [[ -n $(find "$root/tests" -name 'test_*.py' -print -quit) ]] || return 0
  prepare_venv
  case $selection in
    fast) arguments=(-m fast) ;;
    default) arguments=(-m "not nightly") ;;
  esac
  rm -f "$report"
  local status=0
  LOCKSTEP="$tree/bin/lockstep" LOCKSTEP_BUILD="$tree" "$root/build/venv/bin/python" -m pytest -q -p no:cacheprovider \
    -c "$root/tests/pytest.ini" -n "$(jobs_count)" --dist loadfile "${arguments[@]}" --junit-xml "$report" \
    "$root/tests" || status=$?
  if [[ $status -gt 1 && $status -ne 5 ]]; then failed=$((failed + 1)); fi   # 5: nothing was selected
  if [[ -e $report ]]; then junit_sum "$report"; fi
}

# run_tests [fast|full] [ctest arguments...]: the last line is "N passed, M failed"; with ctest arguments only ctest runs.
run_tests() {
  local preset=${LOCKSTEP_PRESET:-release} selection=default
  case ${1:-} in
    fast | full) selection=$1; shift ;;
  esac
  passed=0 failed=0
  prepare "$preset"
  if [[ $selection == fast ]]; then build "$preset" fast_tests lockstep; else build "$preset"; fi
  export OMP_PROC_BIND=${OMP_PROC_BIND:-false} OMP_WAIT_POLICY=${OMP_WAIT_POLICY:-passive}
  export ASAN_OPTIONS=${ASAN_OPTIONS:-detect_leaks=0} UBSAN_OPTIONS=${UBSAN_OPTIONS:-print_stacktrace=1} # MPI leaks
  if [[ $(id -u) == 0 ]]; then export OMPI_ALLOW_RUN_AS_ROOT=1 OMPI_ALLOW_RUN_AS_ROOT_CONFIRM=1; fi
  run_ctest "$root/build/$preset" "$selection" "$@"
  [[ $# -gt 0 ]] || run_pytest "$root/build/$preset" "$selection"
  printf '%d passed, %d failed\n' "$passed" "$failed"
  [[ $failed -eq 0 && $passed -gt 0 ]]
}
