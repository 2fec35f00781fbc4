# SPDX-License-Identifier: Apache-2.0
"""Runs the built program on inputs made by tests and reads what it writes; shared by all Python tests."""
import json
import os
import pathlib
import subprocess

import numpy as np

REFERENCE = pathlib.Path(__file__).parent / "reference"
ENVIRONMENT = {"OMP_NUM_THREADS": "1", "OMP_PROC_BIND": "false", "OMP_WAIT_POLICY": "passive",
               "OMPI_ALLOW_RUN_AS_ROOT": "1", "OMPI_ALLOW_RUN_AS_ROOT_CONFIRM": "1"}


class Product:
    """The program's commands as functions."""

    def __init__(self, binary):
        self.binary = pathlib.Path(binary)

    def command(self, *arguments, timeout=600):
        """Runs one command on one thread; a failure raises with what the program said."""
        done = subprocess.run([str(self.binary), *map(str, arguments)], env=os.environ | ENVIRONMENT,
                              capture_output=True, text=True, timeout=timeout)
        if done.returncode != 0:
            raise AssertionError(f"{' '.join(map(str, arguments))} ended with {done.returncode}: {done.stderr}")
        return done.stdout

    def energy(self, run_file, *settings):
        """The JSON of `lockstep energy` and the forces [n, 3] in order of ids."""
        run_file = pathlib.Path(run_file)
        forces = run_file.with_suffix(".forces.csv")
        out = self.command("energy", run_file, "--threads", 1, "--forces", forces, *changes(settings))
        table = np.loadtxt(forces, delimiter=",", skiprows=1, ndmin=2)
        assert (np.diff(table[:, 0]) > 0).all(), "the forces are not in order of ids"
        return json.loads(out), table[:, 1:]

    def run(self, run_file, *settings, timeout=3600):
        """Runs all stages; the rows of the log and the run directory (`out` beside the input)."""
        self.command("run", run_file, "--quiet", "--threads", 1, *changes(settings), timeout=timeout)
        directory = pathlib.Path(run_file).parent / "out"
        rows = [json.loads(line) for line in (directory / "log.jsonl").read_text().splitlines()]
        return rows, directory


def changes(settings):
    return [word for setting in settings for word in ("--set", setting)]


def series(rows, name, stage=None):
    """One column of the log, of one stage or of all."""
    return np.array([row[name] for row in rows if stage in (None, row["stage"])])


def write_data(path, low, high, x, tilt=None, types=None, masses=(1.0,), v=None, ids=None, comment="made by a test"):
    """A LAMMPS data file of atom style atomic; positions x [n, 3] may lie outside the box."""
    types = np.ones(len(x), int) if types is None else types
    ids = np.arange(1, len(x) + 1) if ids is None else ids
    lines = [comment, "", f"{len(x)} atoms", f"{len(masses)} atom types", ""]
    lines += [f"{low[d]!r} {high[d]!r} {axis}lo {axis}hi" for d, axis in enumerate("xyz")]
    if tilt is not None:
        lines.append("{!r} {!r} {!r} xy xz yz".format(*map(float, tilt)))
    lines += ["", "Masses", ""] + [f"{k + 1} {mass!r}" for k, mass in enumerate(masses)]
    lines += ["", "Atoms # atomic", ""]
    lines += [f"{i} {t} {a!r} {b!r} {c!r}" for i, t, (a, b, c) in zip(ids, types, np.asarray(x, float).tolist())]
    if v is not None:
        lines += ["", "Velocities", ""]
        lines += [f"{i} {a!r} {b!r} {c!r}" for i, (a, b, c) in zip(ids, np.asarray(v, float).tolist())]
    pathlib.Path(path).write_text("\n".join(lines) + "\n")


def write_input(path, pairs, precision="double", stages="", units="lj", head="", system='file = "system.data"'):
    """A run.toml; `pairs` and `stages` are TOML text."""
    pathlib.Path(path).write_text(
        f'title = "test"\nunits = "{units}"\nseed = 11\nprecision = "{precision}"\n{head}\n[system]\n{system}\n'
        f'{pairs}\n{stages}\n[output]\ndirectory = "out"\n')
    return path


def lj_pair(cutoff, truncation, species="1", tail=False, extra=""):
    """The [[pair]] section of one Lennard-Jones species with epsilon = sigma = 1."""
    return (f'[[pair]]\npotential = "lennard_jones"\ncutoff = {cutoff}\ntruncation = "{truncation}"\n{extra}\n'
            f'tail_correction = {str(tail).lower()}\n'
            f'coefficients = [ {{ species = ["{species}", "{species}"], epsilon = 1.0, sigma = 1.0 }} ]\n')


def fcc(cells, edge):
    """Positions [4 cells^3, 3] of an fcc lattice: z slowest, then y, x, and the basis fastest."""
    basis = np.array([[0, 0, 0], [.5, .5, 0], [.5, 0, .5], [0, .5, .5]])
    z, y, x = np.mgrid[0:cells, 0:cells, 0:cells]
    corner = np.stack([x.ravel(), y.ravel(), z.ravel()], axis=1)
    return ((corner[:, None, :] + basis) * edge).reshape(-1, 3)
