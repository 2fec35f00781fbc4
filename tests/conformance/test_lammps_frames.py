# SPDX-License-Identifier: Apache-2.0
"""Every potential, truncation and mixing rule against one frame by LAMMPS: three species, triclinic, several images."""
import gzip
import json

import numpy as np
import pytest

from product import REFERENCE, write_data, write_input

with gzip.open(REFERENCE / "lammps_frames/frames.json.gz") as packed:
    GOLDEN = json.load(packed)
FAST = {("triclinic", "lennard_jones", "switch"), ("small", "morse", "force_shift"), ("triclinic", "mie", "cut"),
        ("small", "buckingham", "shift")}
# of the largest force and virial component; energy: see compare
TOLERANCE = {"double": 1e-10, "mixed": 1e-5}


def label(case):
    return "-".join(case[key] for key in ("frame", "potential", "truncation", "mixing"))


def cases():
    for case in GOLDEN["cases"]:
        key = case["frame"], case["potential"], case["truncation"]
        yield pytest.param(case, id=label(case), marks=pytest.mark.fast if key in FAST else ())


def pair_section(case, rows):
    cutoff = "" if case["potential"] == "wca" else f"cutoff = {case['cutoff']}\n"
    switch = f"switch_from = {case['switch_from']}\n" if case["truncation"] == "switch" else ""
    return (f'[[pair]]\npotential = "{case["potential"]}"\n{cutoff}{switch}truncation = "{case["truncation"]}"\n'
            f'mixing = "{case["mixing"]}"\ncoefficients = [\n{rows}]\n')


def coefficient_rows(case):
    def row(pair, values):
        a, b = pair.split()
        return f'  {{ species = ["{a}", "{b}"], ' + ", ".join(f"{k} = {v!r}" for k, v in values.items()) + " },\n"
    return "".join(row(*item) for item in case["coefficients"].items())


def evaluate(product, folder, case, pair, precision):
    frame = GOLDEN["frames"][case["frame"]]
    write_data(folder / "system.data", [0.0] * 3, frame["edges"], frame["x"], frame["tilt"], frame["types"], (1.0,) * 3)
    return product.energy(write_input(folder / "run.toml", pair, precision))


def compare(case, got, forces, tolerance):
    expected = np.array(case["forces"])
    scale = abs(expected).max()
    np.testing.assert_allclose(forces, expected, rtol=0, atol=tolerance * scale)
    # the energy may be a small rest of repulsion and attraction: a force over 1 sigma is added to its size
    assert got["potential_energy"] == pytest.approx(case["energy"], abs=tolerance * (abs(case["energy"]) + scale))
    largest = abs(np.array(case["virial"])).max()
    np.testing.assert_allclose(got["virial"], case["virial"], rtol=0, atol=tolerance * largest)


@pytest.mark.parametrize("case", list(cases()))
def test_double_agrees_with_lammps(product, tmp_path, case):
    got, forces = evaluate(product, tmp_path, case, pair_section(case, coefficient_rows(case)), "double")
    compare(case, got, forces, TOLERANCE["double"])


@pytest.mark.parametrize("case", [case for case in cases() if "cut-none" in case.id or "switch" in case.id])
def test_mixed_agrees_with_lammps(product, tmp_path, case):
    got, forces = evaluate(product, tmp_path, case, pair_section(case, coefficient_rows(case)), "mixed")
    compare(case, got, forces, TOLERANCE["mixed"])


@pytest.mark.parametrize("truncation", ["cut", "shift", "force_shift", "switch"])
def test_a_fine_table_of_morse_agrees_with_lammps(product, tmp_path, truncation):
    """20,000 rows per pair: the spline's error, ~ (spacing / decay length)^4, is then below 1e-10."""
    case = next(c for c in GOLDEN["cases"] if label(c) == f"triclinic-morse-{truncation}-none")
    r = np.linspace(0.75, case["cutoff"], 20_000)
    rows = []
    for pair, c in case["coefficients"].items():
        e = np.exp(-c["alpha"] * (r - c["r0"]))
        columns = np.stack([r, c["D0"] * (e * e - 2 * e), 2 * c["D0"] * c["alpha"] * (e * e - e)], axis=1).tolist()
        keyword = "P" + pair.replace(" ", "")
        text = f"\n{keyword}\nN {len(r)} R 0.75 {case['cutoff']!r}\n\n"
        text += "".join(f"{k + 1} {a!r} {b!r} {c!r}\n" for k, (a, b, c) in enumerate(columns))
        (tmp_path / f"{keyword}.table").write_text("# a table\n" + text)
        a, b = pair.split()
        rows.append(f'  {{ species = ["{a}", "{b}"], file = "{keyword}.table", keyword = "{keyword}" }},\n')
    pair = pair_section(case | {"potential": "tabulated"}, "".join(rows))
    got, forces = evaluate(product, tmp_path, case, pair, "double")
    compare(case, got, forces, TOLERANCE["double"])
