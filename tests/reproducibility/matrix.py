#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Runs each small system in many layouts and compares everything they write, byte for byte.

Each factor (ranks, threads, kernel, skin, balance, other builds) is varied alone; then a set of layouts covers every
pair of values of two factors. --quick runs the covering set alone, shorter, on fewer systems. The last line is
"N passed, M failed". Environment: LOCKSTEP_CLANG, LOCKSTEP_MPICH: other builds of the same sources (MPICH with at most
two ranks: more are slow where they outnumber the cores).
"""
import argparse
import itertools
import os
import random
import sys
import tempfile
import time
from dataclasses import replace
from pathlib import Path

import systems
from engine import Layout, differences, results, run

RANKS = [1, 2, 3, 4, 7]
QUICK_RANKS = [1, 2, 3, 7]
THREADS = [1, 2]
BALANCE = [True, False]


def kernels_here() -> list:
    """Kernel widths this processor runs."""
    info = Path("/proc/cpuinfo")
    flags = info.read_text().split() if info.exists() else []
    names = ["portable"] + [k for k, flag in (("avx2", "avx2"), ("avx512", "avx512dq")) if flag in flags]
    return names + (["neon"] if os.uname().machine == "aarch64" else [])


def covering(factors: list) -> list:
    """Few rows that together hold every pair of values of two factors: greedy, seeded, the same in each run."""
    rng = random.Random(1)
    missing = {((a, x), (b, y)) for a, b in itertools.combinations(range(len(factors)), 2)
               for x in range(len(factors[a])) for y in range(len(factors[b]))}
    rows = []
    while missing:
        best, best_new = None, -1
        seed = min(missing)
        for _ in range(60):
            row = [rng.randrange(len(f)) for f in factors]
            for factor, value in seed:
                row[factor] = value
            pairs = set(itertools.combinations(enumerate(row), 2))
            if len(pairs & missing) > best_new:
                best, best_new = row, len(pairs & missing)
        missing -= set(itertools.combinations(enumerate(best), 2))
        rows.append([f[i] for f, i in zip(factors, best)])
    return rows


def layouts(system, quick: bool) -> list:
    usual = Layout()
    skins = [tuple(s) for s in system.skins()]
    varied = []
    if not quick:
        varied += [replace(usual, ranks=r) for r in RANKS[1:]]
        varied += [replace(usual, threads=t) for t in THREADS[1:]]
        varied += [replace(usual, kernel=k) for k in kernels_here()]
        varied += [replace(usual, skin=s) for s in skins]
        varied += [replace(usual, ranks=4, balance=False)]
    varied += [Layout(*row) for row in covering([QUICK_RANKS if quick else RANKS, THREADS, kernels_here(), skins, BALANCE])]
    return varied


def builds() -> list:
    """(binary, layout) of the other builds named in the environment."""
    found = []
    if clang := os.environ.get("LOCKSTEP_CLANG"):
        found += [(clang, Layout()), (clang, Layout(ranks=3, threads=2))]
    if mpich := os.environ.get("LOCKSTEP_MPICH"):
        found += [(mpich, Layout(launcher="mpiexec.mpich")), (mpich, Layout(ranks=2, launcher="mpiexec.mpich"))]
    return found


class Counter:
    def __init__(self):
        self.passed = self.failed = 0

    def check(self, system: str, what: str, faults: list):
        self.passed += not faults
        self.failed += bool(faults)
        if faults:
            print(f"FAILED  {system}: {what}", *faults[:8], sep="\n        ", flush=True)


def run_system(binary: str, system, folder: Path, tries: list, counter: Counter, steps: int) -> None:
    input_file = system.write(folder)
    settings = system.settings(steps)

    def outcome(program, layout, name):
        done = run(program, layout, input_file, [*settings, f"output.directory={name}"])
        if done.returncode != 0:
            return None, f"exit {done.returncode}: {done.stderr.strip()[-400:]}"
        return results(folder / name), ""

    reference, problem = outcome(binary, Layout(), "reference")
    counter.check(system.name, "one rank, one thread", [problem] if problem else [])
    if reference is None:
        return
    for k, (program, layout) in enumerate(tries):
        found, problem = outcome(program, layout, f"run{k}")
        faults = [problem] if found is None else differences(reference, found)
        counter.check(system.name, f"{program}, {layout.words()}", faults)


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--binary", default=os.environ.get("LOCKSTEP", "lockstep"))
    parser.add_argument("--quick", action="store_true")
    parser.add_argument("--system", action="append", choices=[s.name for s in systems.ALL])
    parser.add_argument("--steps", type=int, default=0, help="in all stages together (default 500, quick 120)")
    parser.add_argument("--against", help="another build: only it is tried, with --launcher and --ranks")
    parser.add_argument("--launcher", default="mpirun.openmpi")
    parser.add_argument("--ranks", default="1 2")
    a = parser.parse_args()
    binary = str(Path(a.binary).resolve()) if os.sep in a.binary else a.binary
    chosen = [s for s in systems.ALL if (s.name in a.system if a.system else s.quick or not a.quick)]
    counter = Counter()
    for system in chosen:
        start, before = time.monotonic(), counter.passed
        if a.against:
            tries = [(a.against, Layout(ranks=int(r), launcher=a.launcher)) for r in a.ranks.split()]
        else:
            tries = [(binary, layout) for layout in layouts(system, a.quick)] + builds()
        with tempfile.TemporaryDirectory(prefix="lockstep-matrix-") as folder:
            run_system(binary, system, Path(folder), tries, counter, a.steps or (120 if a.quick else 500))
        print(f"{system.name}: {counter.passed - before} layouts agree, {time.monotonic() - start:.1f} s", flush=True)
    print(f"{counter.passed} passed, {counter.failed} failed")
    return 0 if counter.failed == 0 and counter.passed > 0 else 1


if __name__ == "__main__":
    sys.exit(main())
