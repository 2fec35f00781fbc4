#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Kills runs at random moments and restarts them on another layout until they finish.

Each seed: three SIGKILLs at seeded moments (of one rank, or of all ranks and the launcher), each followed by a start
on other rank and thread counts. Then every dataset of trajectory.h5 and checkpoint.h5 and every row of log.jsonl must
equal those of an unbroken run, byte for byte. The last line is "N passed, M failed".
"""
import argparse
import os
import random
import re
import signal
import subprocess
import sys
import tempfile
import time
from pathlib import Path

import systems
from engine import Layout, command, differences, environment, results

CHECKPOINTS = ["output.checkpoint.every_steps=15", "output.trajectory.every=10", "output.log.every=5"]
SYSTEMS = ["droplet", "sequence", "triclinic", "kob-andersen"]
STEPS = 300


def children(pid: int) -> list:
    """Processes started by `pid` and theirs, deepest last."""
    found = []
    for task in Path(f"/proc/{pid}/task").glob("*/children"):
        try:
            ids = [int(c) for c in task.read_text().split()]
        except OSError:
            continue
        for c in ids:
            found += [c, *children(c)]
    return found


def gone(pid: int) -> bool:
    try:
        return re.search(r"^State:\s+[ZX]", Path(f"/proc/{pid}/status").read_text(), re.M) is not None
    except OSError:
        return True


def kill(process: subprocess.Popen, ranks: int, rng: random.Random) -> None:
    """SIGKILL for one rank, or for all and the launcher; returns when no process of the run is left."""
    everyone = [process.pid, *children(process.pid)]
    victims = everyone
    if ranks > 1 and rng.random() < 0.7:
        victims = [rng.choice(everyone[1:])] if len(everyone) > 1 else everyone
    for pid in victims:
        try:
            os.kill(pid, signal.SIGKILL)
        except ProcessLookupError:
            pass
    limit = time.monotonic() + 120
    while time.monotonic() < limit and (process.poll() is None or not all(map(gone, everyone))):
        time.sleep(0.02)
    if process.poll() is None:
        raise TimeoutError("the job outlived the death of one rank by two minutes")


def start(binary: str, layout: Layout, input_file: Path, settings: list) -> subprocess.Popen:
    return subprocess.Popen(command(binary, layout, "run", input_file, settings), env=environment(), text=True,
                            stdout=subprocess.DEVNULL, stderr=subprocess.PIPE)


def wait_for_step(folder: Path, step: int, process: subprocess.Popen) -> bool:
    """Waits until the log has passed `step`; False if the run ended first."""
    log = folder / "log.jsonl"
    while process.poll() is None:
        if log.exists():
            rows = log.read_bytes().rsplit(b"\n", 2)
            if len(rows) > 1 and rows[-2] and int(re.search(rb'"step": (\d+)', rows[-2]).group(1)) >= step:
                return True
        time.sleep(0.002)
    return False


def unbroken(binary: str, name: str, folder: Path):
    system = next(s for s in systems.ALL if s.name == name)
    input_file = system.write(folder)
    settings = system.settings(STEPS) + CHECKPOINTS
    process = start(binary, Layout(), input_file, [*settings, "output.directory=unbroken"])
    _, error = process.communicate()
    if process.returncode != 0:
        raise RuntimeError(f"{name}: the unbroken run failed: {error}")
    return input_file, settings, results(folder / "unbroken")


def broken(binary: str, seed: int, input_file: Path, settings: list) -> list:
    """One run with three kills. Returns what happened, for messages."""
    rng = random.Random(seed)
    folder = input_file.parent / f"killed{seed}"
    settings = [*settings, f"output.directory={folder.name}"]
    story = []
    moments = sorted(rng.randrange(STEPS) for _ in range(3))
    for moment in [*moments, None]:
        layout = Layout(ranks=rng.choice([1, 1, 2, 3]), threads=rng.choice([1, 2]), balance=rng.random() < 0.7)
        process = start(binary, layout, input_file, settings)
        if moment is not None and wait_for_step(folder, moment, process):
            time.sleep(rng.random() * 0.05)
            kill(process, layout.ranks, rng)
            story.append(f"killed after step {moment} on {layout.words()}")
            process.stderr.close()
            continue
        _, error = process.communicate(timeout=600)
        story.append(f"exit {process.returncode} on {layout.words()}: {error.strip()[-500:]}")
        if process.returncode == 0:
            return story
    raise RuntimeError("; ".join(story))


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--binary", default=os.environ.get("LOCKSTEP", "lockstep"))
    parser.add_argument("--seeds", type=int, default=50)
    parser.add_argument("--first", type=int, default=0)
    parser.add_argument("--system", choices=SYSTEMS)
    a = parser.parse_args()
    binary = str(Path(a.binary).resolve()) if os.sep in a.binary else a.binary
    passed = failed = 0
    with tempfile.TemporaryDirectory(prefix="lockstep-kills-") as folder:
        references = {}
        for seed in range(a.first, a.first + a.seeds):
            name = a.system or SYSTEMS[seed % len(SYSTEMS)]
            if name not in references:
                references[name] = unbroken(binary, name, Path(folder) / name)
            input_file, settings, reference = references[name]
            try:
                story = broken(binary, seed, input_file, settings)
                faults = differences(reference, results(input_file.parent / f"killed{seed}"))
            except (RuntimeError, TimeoutError, subprocess.TimeoutExpired) as error:
                story, faults = [], [str(error)]
            passed += not faults
            failed += bool(faults)
            if faults:
                print(f"FAILED  seed {seed}, {name}", *faults[:8], *story, sep="\n        ", flush=True)
    print(f"{passed} passed, {failed} failed")
    return 0 if failed == 0 and passed > 0 else 1


if __name__ == "__main__":
    sys.exit(main())
