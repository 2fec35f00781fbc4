# SPDX-License-Identifier: Apache-2.0
"""The 32,000-particle Lennard-Jones liquid over 100 steps against LAMMPS, from the same data file."""
import json

import h5py
import numpy as np
import pytest
from scipy.spatial import cKDTree

from lj_liquid import LENGTH, write_liquid
from product import REFERENCE, lj_pair, write_input

GOLDEN = json.loads((REFERENCE / "lj_liquid/lammps.json").read_text())
STAGE = """[[stage]]
name = "nve"
method = "md"
integrator = "nve"
timestep = 0.005
steps = 100"""
OUTPUT = ["output.log.every=100", "output.trajectory.every=100", 'output.trajectory.storage="lossless"']


def pairs_by_distance(directory):
    """Pairs per bin of distance in the last frame, from the exact positions."""
    with h5py.File(directory / "trajectory.h5") as file:
        value = file["particles/all/position/value"]
        x = value[-1] * value.attrs["scale"]
    edges = np.arange(len(GOLDEN["pairs_per_bin"]) + 1) * GOLDEN["bin_width"]
    found = cKDTree(x % LENGTH, boxsize=LENGTH).query_pairs(edges[-1], output_type="ndarray")
    d = x[found[:, 0]] - x[found[:, 1]]
    d -= LENGTH * np.round(d / LENGTH)
    return np.histogram(np.sqrt((d * d).sum(axis=1)), edges)[0]


# double: seen 4e-12 at step 0 (all pairs of a crystal round alike), 6e-14 at step 100. mixed: float pairs err by
# 2^-17 each, independently; chaos has amplified that by step 100, seen 3e-8 in temperature, 1e-7 in energy, 6e-6 in
# pressure (the small rest of large terms), and 5e-5 of the pairs in another bin.
@pytest.mark.parametrize("precision, start, end, moved", [("double", 1e-11, 1e-9, 0), ("mixed", 1e-6, 3e-5, 3e-4)])
def test_steps_0_and_100_agree_with_lammps(product, tmp_path, precision, start, end, moved):
    n = write_liquid(tmp_path / "system.data")
    text = write_input(tmp_path / "run.toml", lj_pair(2.5, "cut"), precision, STAGE,
                       system='file = "system.data"\nremove_drift = false')
    rows, directory = product.run(text, *OUTPUT)
    assert [row["step"] for row in rows] == [0, 100]
    for row, golden, tolerance in zip(rows, GOLDEN["rows"], (start, end)):
        assert row["temperature"] == pytest.approx(golden["temperature"], rel=tolerance)
        assert row["pressure"] == pytest.approx(golden["pressure"], rel=tolerance)
        assert row["potential_energy"] / n == pytest.approx(golden["potential_energy"], rel=tolerance)
        assert row["total_energy"] / n == pytest.approx(golden["total_energy"], rel=tolerance)
    counts, golden = pairs_by_distance(directory), np.array(GOLDEN["pairs_per_bin"])
    # a pair within rounding of an edge may change its bin
    assert abs(counts - golden).sum() <= 4 + moved * golden.sum()
