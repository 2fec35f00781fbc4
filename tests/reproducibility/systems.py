# SPDX-License-Identifier: Apache-2.0
"""Small systems for the reproducibility tests: the files in inputs/ scaled down, and the shapes that break decompositions."""
import math
import random
import shutil
from dataclasses import dataclass, field
from pathlib import Path

INPUTS = Path(__file__).resolve().parents[2] / "inputs"

OUTPUT = """
[output]
directory = "out"
trajectory = { every = 100, fields = ["position", "velocity", "force", "image"], storage = "lossless" }
log = { every = 50 }
"""

SCALED = ["output.trajectory.every=100", "output.log.every=50", "output.trajectory.storage=lossless"]


@dataclass
class System:
    """How to make an input: a file of inputs/ with changes, or text with the files it needs.

    `skins` are (skin, inner_skin) in length units; `quick` systems are those of CI.
    """

    name: str
    source: str = ""
    text: str = ""
    changes: list = field(default_factory=list)
    files: dict = field(default_factory=dict)
    stages: int = 1
    cutoff: float = 2.5
    unit: str = ""
    quick: bool = False

    def write(self, folder: Path) -> Path:
        folder.mkdir(parents=True, exist_ok=True)
        path = folder / "run.toml"
        if self.source:
            shutil.copy(INPUTS / self.source / "run.toml", path)
        else:
            path.write_text(self.text + OUTPUT)
        for name, content in self.files.items():
            (folder / name).write_text(content)
        return path

    def settings(self, steps: int) -> list:
        """The --set values of a run of `steps` steps in all, shared among the stages."""
        each = [f"stage.{k}.steps={steps // self.stages}" for k in range(self.stages)]
        return self.changes + each

    def skins(self) -> list:
        """Three (skin, inner_skin) pairs as --set values: nearly none, the usual, the largest allowed."""
        pairs = [(0.04, 0.02), (0.15, 0.05), (0.25, 0.25)]
        text = (lambda v: f'"{v:.6g} {self.unit}"') if self.unit else (lambda v: f"{v:.6g}")
        return [[f"neighbor.skin={text(a * self.cutoff)}", f"neighbor.inner_skin={text(b * self.cutoff)}"]
                for a, b in pairs]


def stage(steps=500, timestep=0.004, temperature=1.0, method="langevin"):
    bath = {
        "langevin": f"langevin = {{ temperature = {temperature}, friction = 0.5 }}",
        "nvt_csvr": f"csvr = {{ temperature = {temperature}, relaxation_time = 0.5 }}",
        "nve": "",
    }[method]
    return f"""
[[stage]]
method = "md"
integrator = "{method}"
timestep = {timestep}
steps = {steps}
{bath}
"""


def one_species(name, lattice, pair, temperature=1.0, extra="", **options):
    """A system of one species on a lattice; `pair` are the lines of its [[pair]] section."""
    text = f"""title = "{name}"
units = "lj"
seed = 11
{extra}
[system]
temperature = {temperature}
lattice = {{ {lattice} }}
[[species]]
name = "A"
mass = 1.0
[[pair]]
{pair}
"""
    return System(name, text=text + stage(temperature=temperature), **options)


LJ = 'potential = "lennard_jones"\ncoefficients = [{ species = ["A", "A"], epsilon = 1.0, sigma = 1.0 }]\n'


def triclinic_data(n_edge=7, edges=(8.1, 7.7, 8.6), tilts=(2.6, -1.9, 3.0)):
    """A LAMMPS data file with a tilted box (xy, xz, yz), three species and jittered sites in shuffled order."""
    rng = random.Random(3)
    (lx, ly, lz), (xy, xz, yz) = edges, tilts
    lines = ["three species in a tilted box", "", f"{n_edge ** 3} atoms", "3 atom types", "",
             f"-1.0 {lx - 1.0} xlo xhi", f"0.5 {ly + 0.5} ylo yhi", f"0.0 {lz} zlo zhi", f"{xy} {xz} {yz} xy xz yz",
             "", "Masses", "", "1 1.0", "2 1.5", "3 0.7", "", "Atoms # atomic", ""]
    rows = []
    for k in range(n_edge ** 3):
        a, b, c = ((k // n_edge ** d % n_edge + 0.5 + 0.1 * (rng.random() - 0.5)) / n_edge for d in range(3))
        x, y, z = a * lx + b * xy + c * xz - 1.0, b * ly + c * yz + 0.5, c * lz
        rows.append(f"{k + 1} {1 + rng.randrange(3)} {x!r} {y!r} {z!r} {rng.randrange(-2, 3)} 0 1")
    rng.shuffle(rows)
    return "\n".join(lines + rows) + "\n"


def table_file(n=400, low=0.3, high=2.5):
    """A LAMMPS pair table of a soft, oscillating potential: no formula of the engine has this form."""
    lines = ["# U(r) = 2 exp(-2 (r - 1)) cos(3 r)", "", "RIPPLE", f"N {n} R {low} {high}", ""]
    for k in range(n):
        r = low + (high - low) * k / (n - 1)
        e = 2 * math.exp(-2 * (r - 1))
        lines.append(f"{k + 1} {r!r} {e * math.cos(3 * r)!r} {e * (2 * math.cos(3 * r) + 3 * math.sin(3 * r))!r}")
    return "\n".join(lines) + "\n"


TRICLINIC = """title = "three species in a tilted box"
units = "lj"
seed = 5
[system]
file = "triclinic.data"
file_units = "lj"
temperature = 1.1
[[species]]
name = "1"
[[species]]
name = "2"
[[species]]
name = "3"
[[pair]]
potential = "lennard_jones"
mixing = "lorentz_berthelot"
truncation = "switch"
switch_from = 1.7
cutoff = 2.2
coefficients = [
  { species = ["1", "1"], epsilon = 1.0, sigma = 1.0 },
  { species = ["2", "2"], epsilon = 0.6, sigma = 0.9 },
  { species = ["3", "3"], epsilon = 1.2, sigma = 1.05 },
]
"""

SEQUENCE = """title = "minimize, heat, sample"
units = "lj"
seed = 12
[system]
temperature = 1.0
lattice = { kind = "random", density = 0.6, particles = 600 }
[[species]]
name = "A"
mass = 1.0
[[pair]]
potential = "lennard_jones"
truncation = "force_shift"
cutoff = 2.5
coefficients = [ { species = ["A", "A"], epsilon = 1.0, sigma = 1.0 } ]
[[stage]]
name = "relax"
method = "minimize"
steps = 150
fire = { force_tolerance = 0.01 }
[[stage]]
name = "heat"
method = "md"
integrator = "nvt_csvr"
timestep = 0.004
steps = 150
csvr = { temperature = 1.2, relaxation_time = 0.2 }
[[stage]]
name = "sample"
method = "md"
integrator = "nve"
timestep = 0.004
steps = 150
remove_drift_every = 40
"""

ALL = [
    System("lj-liquid", source="lj-liquid", changes=SCALED + ["system.lattice.cells=[8,8,8]"], quick=True),
    System("kob-andersen", source="kob-andersen", changes=SCALED + ["system.lattice.cells=[6,6,6]"], stages=2),
    System("argon", source="argon", changes=SCALED + ["system.lattice.cells=[5,5,5]"], stages=2, cutoff=1.0, unit="nm"),
    System("droplet", source="droplet", changes=SCALED + ["system.lattice.cells=[16,16,16]"], quick=True),
    System("mc-lj-nvt", source="mc-lj-nvt", changes=["output.log.every=20"], stages=2, cutoff=3.0, quick=True),
    one_species("vapor", 'kind = "fcc", density = 0.01, cells = [6, 6, 6]', LJ + "cutoff = 2.5", 1.5, quick=True),
    one_species("images", 'kind = "fcc", density = 0.8, cells = [2, 2, 2]', LJ + 'cutoff = 4.5\ntruncation = "shift"',
                cutoff=4.5, quick=True),
    System("triclinic", text=TRICLINIC + stage(method="nvt_csvr"), files={"triclinic.data": triclinic_data()},
           cutoff=2.2, quick=True),
    one_species("buckingham", 'kind = "fcc", density = 0.6, cells = [4, 4, 4]',
                'potential = "buckingham"\ntruncation = "force_shift"\ncutoff = 2.5\n'
                'coefficients = [{ species = ["A", "A"], A = 130000.0, rho = 0.09, C = 2.0 }]'),
    one_species("morse", 'kind = "bcc", density = 0.7, cells = [5, 5, 5]',
                'potential = "morse"\ntruncation = "shift"\ncutoff = 2.5\n'
                'coefficients = [{ species = ["A", "A"], D0 = 1.0, alpha = 5.0, r0 = 1.12 }]'),
    one_species("mie", 'kind = "fcc", density = 0.7, cells = [4, 4, 4]',
                'potential = "mie"\ntruncation = "switch"\nswitch_from = 2.0\ncutoff = 2.5\n'
                'coefficients = [{ species = ["A", "A"], epsilon = 1.0, sigma = 1.0, n = 14, m = 7 }]'),
    one_species("tabulated", 'kind = "fcc", density = 0.5, cells = [4, 4, 4]',
                'potential = "tabulated"\ncutoff = 2.5\n'
                'coefficients = [{ species = ["A", "A"], file = "ripple.table", keyword = "RIPPLE" }]',
                files={"ripple.table": table_file()}),
    one_species("double", 'kind = "fcc", density = 0.8442, cells = [4, 4, 4]', LJ + "cutoff = 2.5",
                extra='precision = "double"'),
    System("sequence", text=SEQUENCE, stages=3),
]
