#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Draws docs/pictures/run.svg: one input run on three layouts, one of them killed; the data are of real runs.

Usage: docs/draw_run.py [PROGRAM], after ./lockstep build; needs Open MPI's mpirun. Takes about a minute.
"""
from __future__ import annotations

import json
import os
import subprocess
import sys
import tempfile
import time
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
INPUT = ROOT / "inputs/lj-liquid/run.toml"
STEPS = 100
COLORS = ["#1b6ca8", "#c8553d", "#588157"]
ENVIRONMENT = dict(os.environ, OMP_PROC_BIND="false", OMP_WAIT_POLICY="passive", OMPI_ALLOW_RUN_AS_ROOT="1",
                   OMPI_ALLOW_RUN_AS_ROOT_CONFIRM="1")


def start(program: str, directory: Path, ranks: int, threads: int) -> subprocess.Popen[bytes]:
    command = ["mpirun.openmpi", "--oversubscribe", "--bind-to", "none", "-n", str(ranks), program, "run", str(INPUT),
               "--threads", str(threads), "--set", f"output.directory={directory}", "--set", f"stage.0.steps={STEPS}",
               "--set", "output.log.every=5", "--set", "output.checkpoint.every_steps=20"]
    return subprocess.Popen(command, env=ENVIRONMENT, stdout=subprocess.DEVNULL, start_new_session=True)


def rows(directory: Path) -> list[dict]:
    log = directory / "log.jsonl"
    lines = log.read_text().split("\n")[:-1] if log.exists() else []
    return [json.loads(line) for line in lines]


def last_step(directory: Path) -> int:
    return max((row["step"] for row in rows(directory)), default=-1)


def run(program: str, directory: Path, parts: list[tuple[int, int, int]]) -> list[dict]:
    """Runs in parts of (ranks, threads, step at which the launcher is killed, or STEPS)."""
    for ranks, threads, until in parts:
        process = start(program, directory, ranks, threads)
        while until < STEPS and process.poll() is None and last_step(directory) < until:
            time.sleep(0.02)
        if until < STEPS:
            process.kill()
            process.wait()
            time.sleep(3)  # until the ranks notice that their launcher is gone
        elif process.wait() != 0:
            sys.exit(f"the run on {ranks} ranks failed")
    return rows(directory)


def text(x: float, y: float, words: str, size: int = 13, color: str = "#222", extra: str = "") -> str:
    return f'<text x="{x:.0f}" y="{y:.0f}" font-size="{size}" fill="{color}" {extra}>{words}</text>'


def lane(y: int, color: str, name: str, parts: list[tuple[int, int, int]], digest: str, place) -> list[str]:
    shapes, begin = [text(20, y + 17, name)], 0
    for number, (ranks, threads, until) in enumerate(parts):
        left, right = place(begin), place(until)
        words = f"{ranks} rank{'s' * (ranks > 1)} x {threads} thread{'s' * (threads > 1)}"
        shapes += [f'<rect x="{left:.0f}" y="{y}" width="{right - left - 3:.0f}" height="26" rx="4" fill="{color}" '
                   f'fill-opacity="{1 - 0.25 * number}"/>', text(left + 8, y + 18, words, 12, "#fff")]
        if until < STEPS:
            shapes.append(text(right - 10, y - 3, "killed", 11, "#a00"))
        begin = until
    return shapes + [text(place(STEPS) + 12, y + 17, digest[:16], 13, "#222", 'font-family="monospace"')]


def picture(runs: list[tuple[str, list[tuple[int, int, int]], list[dict]]], key: str) -> str:
    def place(step: float) -> float:
        return 180 + 480 * step / STEPS

    shapes = [text(20, 28, "One input, three layouts, one trajectory", 17, "#222", 'font-weight="bold"'),
              text(place(STEPS) + 12, 52, f"digest at step {STEPS}", 12, "#555")]
    values = [row[key] for _, _, log in runs for row in log]
    low, high = min(values), max(values)
    for number, (name, parts, log) in enumerate(runs):
        color = COLORS[number]
        shapes += lane(62 + 46 * number, color, name, parts, log[-1]["digest"], place)
        points = [(place(row["step"]), 360 - 120 * (row[key] - low) / (high - low)) for row in log]
        line = " ".join(f"{x:.1f},{y:.1f}" for x, y in points)
        shapes.append(f'<polyline points="{line}" fill="none" stroke="{color}" stroke-width="{7 - 2.5 * number}"/>')
    for value, y in ((high, 244), (low, 364)):
        shapes.append(text(170, y, f"{value:.2f}", 12, "#555", 'text-anchor="end"'))
    shapes += [text(20, 304, f"{key} (lj units)"), '<path d="M180 232V372H660" fill="none" stroke="#999"/>']
    for step in range(0, STEPS + 1, 20):
        shapes.append(text(place(step), 388, str(step), 12, "#555", 'text-anchor="middle"'))
    shapes.append(text(place(STEPS / 2), 406, "step", 12, "#555", 'text-anchor="middle"'))
    return "\n".join(['<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 840 420" font-family="sans-serif">',
                      '<rect width="840" height="420" fill="#fff"/>', *shapes, "</svg>"]) + "\n"


def main() -> None:
    program = sys.argv[1] if len(sys.argv) > 1 else str(ROOT / "build/release/bin/lockstep")
    layouts = [("a laptop", [(1, 2, STEPS)]), ("four ranks", [(4, 1, STEPS)]),
               ("killed, moved", [(3, 1, 40), (2, 1, STEPS)])]
    with tempfile.TemporaryDirectory() as folder:
        runs = [(name, parts, run(program, Path(folder) / str(number), parts))
                for number, (name, parts) in enumerate(layouts)]
    if len({json.dumps(log) for _, _, log in runs}) != 1:
        sys.exit("the logs differ: there is no such picture to draw")
    (ROOT / "docs/pictures/run.svg").write_text(picture(runs, "temperature"))


if __name__ == "__main__":
    main()
