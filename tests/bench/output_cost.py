#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""What output costs: inputs/lj-liquid with a log row and a frame every 100 steps, and without, in turn; prints a record.

output_cost.py --lockstep BINARY [--steps 1000] [--rounds 5] [--record FILE]
Run it on an otherwise idle machine.
"""
import argparse
import json
import os
import pathlib
import statistics
import subprocess
import tempfile

from lj_liquid import processor

INPUT = pathlib.Path(__file__).parents[2] / "inputs/lj-liquid/run.toml"


def rate(binary: pathlib.Path, steps: int, every: int) -> float:
    """Million particle-steps per second; every = 0: no frames, log rows at the ends only."""
    with tempfile.TemporaryDirectory() as folder:
        settings = {"stage.0.steps": steps, "output.directory": f"{folder}/out", "output.trajectory.every": every,
                    "output.log.every": every or steps}
        words = [word for key, value in settings.items() for word in ("--set", f"{key}={value}")]
        subprocess.run([binary, "run", INPUT, "--quiet", "--threads", "1", *words], check=True,
                       env=dict(os.environ, OMP_NUM_THREADS="1"))
        manifest = json.loads(pathlib.Path(folder, "out/manifest.json").read_text())
    return manifest["performance"]["particle_steps_per_second"] * 1e-6


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--lockstep", type=pathlib.Path, required=True)
    parser.add_argument("--steps", type=int, default=1000)
    parser.add_argument("--rounds", type=int, default=5)
    parser.add_argument("--record", type=pathlib.Path)
    a = parser.parse_args()
    without, with_output = [], []
    for _ in range(a.rounds):
        without.append(rate(a.lockstep, a.steps, 0))
        with_output.append(rate(a.lockstep, a.steps, 100))
    text = json.dumps({
        "case": "lj-liquid, 32,000 particles, a frame and a log row every 100 steps", "steps": a.steps,
        "processor": processor(), "unit": "million particle-steps per second",
        "without": [round(x, 3) for x in without], "with": [round(x, 3) for x in with_output],
        "cost_by_medians": round(statistics.median(without) / statistics.median(with_output) - 1, 4),
        "cost_by_best": round(max(without) / max(with_output) - 1, 4)}, indent=2)
    print(text)
    if a.record:
        a.record.write_text(text + "\n")


if __name__ == "__main__":
    main()
