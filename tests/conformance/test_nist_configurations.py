# SPDX-License-Identifier: Apache-2.0
"""Energy, virial, tails and forces of the NIST Lennard-Jones configurations, cuboid and triclinic."""
import gzip
import json
from decimal import Decimal

import numpy as np
import pytest

from product import REFERENCE, lj_pair, write_data, write_input

FOLDER = REFERENCE / "nist_lj"
VALUES = json.loads((FOLDER / "values.json").read_text())
CASES = [(name, scheme) for name, value in VALUES.items() for scheme in value["schemes"]]
FAST = ("lrc_rc3", "lfs_rc2.5")
TRUNCATION = {"lrc": "cut", "lfs": "force_shift", "shift": "shift"}
# double: integer sums of terms of about 1 rounded at 2^-34 or finer; mixed: float terms, relative 2^-17 each, and
# their errors are independent over at least 3,000 pairs
RELATIVE = {"double": 1e-12, "mixed": 1e-6}
# of the largest force; mixed: a few float roundings (6e-8) of the largest terms
FORCE = {"double": 1e-10, "mixed": 1e-5}


def table(name):
    with gzip.open(FOLDER / f"{name}.csv.gz", "rt") as file:
        return np.genfromtxt(file, delimiter=",", names=True)


def point(product, folder, name, scheme, precision):
    """One configuration through `lockstep energy`."""
    value, rows = VALUES[name], table(name)
    x = np.stack([rows[axis] for axis in "xyz"], axis=1)
    write_data(folder / "system.data", value["low"], value["high"], x, value["tilt"], ids=rows["id"].astype(int))
    kind = scheme.split("_")[0]
    pair = lj_pair(value["schemes"][scheme]["cutoff"], TRUNCATION[kind], tail=kind == "lrc")
    return (*product.energy(write_input(folder / "run.toml", pair, precision)), rows)


def same_digits(got, published):
    """Whether got, rounded to the digits of a published decimal, is that decimal."""
    unit = Decimal(1).scaleb(Decimal(repr(published)).as_tuple().exponent)
    return abs(Decimal(got) - Decimal(repr(published))) <= unit * Decimal("0.5001")


@pytest.mark.parametrize("name, scheme", [
    pytest.param(name, scheme, marks=pytest.mark.fast if scheme in FAST else ()) for name, scheme in CASES])
def test_double_agrees_to_every_digit(product, tmp_path, name, scheme):
    expected = VALUES[name]["schemes"][scheme]
    got, forces, rows = point(product, tmp_path, name, scheme, "double")
    compare(expected, got, RELATIVE["double"])
    compare_forces(forces, rows, scheme, FORCE["double"])
    digits = {"U_pair": got["terms"]["pair"], "W_pair_scalar": sum(got["virial"][:3]),
              "U_tail": got["terms"].get("tail", 0.0)}
    for key, published in expected["published"].items():
        if len(repr(published)) < 12:
            assert same_digits(digits[key], published), f"{key}: {digits[key]} is not {published}"
        else:  # non-cuboid values are printed with all digits of a double, the last ones being noise
            assert digits[key] == pytest.approx(published, rel=1e-12), key


@pytest.mark.parametrize("name, scheme", CASES)
def test_mixed_agrees_within_a_millionth(product, tmp_path, name, scheme):
    got, forces, rows = point(product, tmp_path, name, scheme, "mixed")
    compare(VALUES[name]["schemes"][scheme], got, RELATIVE["mixed"])
    compare_forces(forces, rows, scheme, FORCE["mixed"])


def compare(expected, got, relative):
    """Energy, virial tensor, tails and pressure against a brute-force sum in double."""
    tensor = np.array(expected["virial_tensor_xx_yy_zz_xy_xz_yz"])
    assert got["terms"]["pair"] == pytest.approx(expected["U_pair"], rel=relative)
    scale = max(abs(tensor).max(), abs(expected["W_pair_scalar"]))
    assert sum(got["virial"][:3]) == pytest.approx(expected["W_pair_scalar"], rel=relative)
    np.testing.assert_allclose(got["virial"], tensor, rtol=0, atol=relative * scale)
    tail = expected.get("U_tail", 0.0), expected.get("P_tail", 0.0)
    volume = got["volume"]
    edges = 1e-12 if relative == RELATIVE["double"] else 1e-8  # mixed rounds box edges to 2^-29 or finer
    assert got["terms"].get("tail", 0.0) == pytest.approx(tail[0], rel=edges)
    assert got["tail_virial"] == pytest.approx(3 * volume * tail[1], rel=edges)
    assert got["potential_energy"] == pytest.approx(expected["U_pair"] + tail[0], rel=relative)
    pressure = expected["W_pair_scalar"] / (3 * volume) + tail[1]  # without velocities
    assert got["pressure"] == pytest.approx(pressure, abs=relative * scale / volume)


def compare_forces(forces, rows, scheme, tolerance):
    if f"{scheme}_fx" not in rows.dtype.names:
        return
    expected = np.stack([rows[f"{scheme}_f{axis}"] for axis in "xyz"], axis=1)
    np.testing.assert_allclose(forces, expected, rtol=0, atol=tolerance * abs(expected).max())
