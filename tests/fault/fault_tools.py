# SPDX-License-Identifier: Apache-2.0
"""What the fault tests share: a small input, and the program run as a user would."""
import os
import shutil
import subprocess
from pathlib import Path

import pytest

INPUT = """title = "small liquid"
units = "lj"
seed = 4
[system]
temperature = 1.0
lattice = { kind = "fcc", density = 0.8, cells = [4, 4, 4] }
[[species]]
name = "A"
mass = 1.0
[[pair]]
potential = "lennard_jones"
cutoff = 2.5
coefficients = [ { species = ["A", "A"], epsilon = 1.0, sigma = 1.0 } ]
[[stage]]
method = "md"
integrator = "nve"
timestep = 0.004
steps = 60
[output]
directory = "out"
trajectory = { every = 10, fields = ["position", "velocity", "image"], storage = "lossless" }
log = { every = 10 }
checkpoint = { every_steps = 20 }
"""

DATA = """particles for fault tests

{n} atoms
1 atom types

0 {edge} xlo xhi
0 {edge} ylo yhi
0 {edge} zlo zhi

Masses

1 1.0

Atoms # atomic

{rows}
"""


class Lockstep:
    """Runs commands in a folder of its own."""

    def __init__(self, folder: Path):
        self.binary = os.environ.get("LOCKSTEP") or shutil.which("lockstep")
        if not self.binary:
            pytest.skip("LOCKSTEP does not name the program")
        self.folder = folder
        self.out = folder / "out"
        self.input = folder / "run.toml"
        self.input.write_text(INPUT)
        self.environment = dict(os.environ, OMP_WAIT_POLICY="passive", OMP_PROC_BIND="false",
                                OMPI_ALLOW_RUN_AS_ROOT="1", OMPI_ALLOW_RUN_AS_ROOT_CONFIRM="1")

    def line(self, *arguments, ranks=1):
        launcher = ["mpirun.openmpi", "--oversubscribe", "--bind-to", "none", "-n", str(ranks)] if ranks > 1 else []
        threads = ["--threads", "1"] if arguments[0] in ("run", "energy") else []
        return [*launcher, self.binary, *map(str, arguments), *threads]

    def __call__(self, *arguments, ranks=1, **options):
        return subprocess.run(self.line(*arguments, ranks=ranks), env=self.environment, cwd=self.folder, text=True,
                              capture_output=True, timeout=300, check=False, **options)

    def start(self, *arguments, ranks=1):
        return subprocess.Popen(self.line(*arguments, ranks=ranks), env=self.environment, cwd=self.folder, text=True,
                                stdout=subprocess.PIPE, stderr=subprocess.PIPE)

    def run(self, *settings, ranks=1, **options):
        arguments = [x for s in settings for x in ("--set", s)]
        return self("run", self.input, "--quiet", *arguments, ranks=ranks, **options)

    def change(self, old: str, new: str):
        text = self.input.read_text()
        assert old in text
        self.input.write_text(text.replace(old, new))

    def particles(self, positions, edge=10.0, ids=None):
        """The system becomes these particles, from a LAMMPS data file."""
        ids = ids or range(1, len(positions) + 1)
        rows = "\n".join(f"{i} 1 {x} {y} {z}" for i, (x, y, z) in zip(ids, positions))
        (self.folder / "p.data").write_text(DATA.format(n=len(positions), edge=edge, rows=rows))
        self.change('lattice = { kind = "fcc", density = 0.8, cells = [4, 4, 4] }', 'file = "p.data"\nfile_units = "lj"')
        self.change('name = "A"', 'name = "1"')
        self.change('["A", "A"]', '["1", "1"]')

    def good(self):
        """What is in the run directory can be read and holds together."""
        done = self("verify", self.out)
        assert done.returncode == 0, done.stdout + done.stderr
        return done.stdout


def says(done, code, *words):
    """The exit code and, in the message, all these words."""
    text = done.stderr
    assert done.returncode == code, f"exit {done.returncode}: {text}\n{done.stdout[-500:]}"
    for word in words:
        assert word in text, f"{word!r} is not in: {text}"
