# SPDX-License-Identifier: Apache-2.0
"""Constant energy: exact reversal, a fluctuation of order dt^2, and a drift below that of LAMMPS."""
import json

import h5py
import numpy as np
import pytest

from lj_liquid import EDGE, write_liquid
from product import REFERENCE, lj_pair, series, write_data, write_input

CELLS = 5  # 500 particles
SYSTEM = 'file = "system.data"\nremove_drift = false'


def nve(steps, timestep):
    return (f'[[stage]]\nname = "nve"\nmethod = "md"\nintegrator = "nve"\ntimestep = {timestep}\nsteps = {steps}\n')


def last_frame(directory):
    """Ids, then positions and velocities as the integers they are, each with its unit."""
    with h5py.File(directory / "trajectory.h5") as file:
        group = file["particles/all"]
        ids = group["id"][-1] if group["id"].ndim == 2 else group["id"][...]
        x, v = group["position/value"], group["velocity/value"]
        return ids, x[-1], x.attrs["scale"], v[-1], v.attrs["scale"]


@pytest.mark.parametrize("precision", ["mixed", "double"])
def test_a_thousand_steps_are_undone_bit_by_bit(product, tmp_path, precision):
    """Forward, velocities turned round by way of a data file, and the same steps once more: the start is back."""
    def leg(name, writer):
        folder = tmp_path / name
        folder.mkdir()
        writer(folder / "system.data")
        text = write_input(folder / "run.toml", lj_pair(2.5, "cut"), precision, nve(1000, 0.005), system=SYSTEM)
        _, directory = product.run(text, "output.trajectory.every=1000", 'output.trajectory.storage="lossless"',
                                   'output.trajectory.fields=["position", "velocity"]')
        with h5py.File(directory / "trajectory.h5") as file:
            first = file["particles/all/position/value"][0], file["particles/all/velocity/value"][0]
        return first, last_frame(directory)

    start, (ids, x, x_unit, v, v_unit) = leg("forward", lambda path: write_liquid(path, CELLS))
    assert abs(x - start[0]).max() * x_unit > 0.1, "nothing has moved"
    edge = [CELLS * EDGE] * 3
    there, back = leg("back", lambda path: write_data(path, [0.0] * 3, edge, x * x_unit, v=-v * v_unit, ids=ids))
    np.testing.assert_array_equal(there[0], x)
    np.testing.assert_array_equal(there[1], -v)
    np.testing.assert_array_equal(back[1], start[0])
    np.testing.assert_array_equal(back[3], -start[1])


def energies(product, folder, truncation, precision, steps, timestep):
    """Total energy per particle in the second half, sampled every 20 steps, and its times in steps."""
    write_liquid(folder / "system.data", CELLS)
    text = write_input(folder / "run.toml", lj_pair(2.5, truncation), precision, nve(steps, timestep), system=SYSTEM)
    rows, _ = product.run(text, "output.log.every=20")
    total, step = series(rows, "total_energy") / (4 * CELLS**3), series(rows, "step")
    half = len(step) // 5  # the crystal melts first
    return step[half:], total[half:]


def slope(step, energy, blocks=10):
    """Drift per step and its standard error from the scatter of blocks about the line."""
    n = len(step) // blocks * blocks
    t, e = step[:n].reshape(blocks, -1).mean(axis=1), energy[:n].reshape(blocks, -1).mean(axis=1)
    line, cov = np.polyfit(t, e, 1, cov=True)
    return line[0], np.sqrt(cov[0, 0])


@pytest.mark.nightly
def test_the_fluctuation_of_the_energy_grows_with_the_square_of_the_step(product, tmp_path):
    spread = []
    for k, timestep in enumerate((0.002, 0.008)):
        folder = tmp_path / str(k)
        folder.mkdir()
        step, energy = energies(product, folder, "force_shift", "mixed", round(80 / timestep), timestep)
        spread.append((energy - np.polyval(np.polyfit(step, energy, 1), step)).std())
    print(f"fluctuation per particle {spread[0]:.2e} at dt 0.002, {spread[1]:.2e} at 0.008")
    assert spread[1] / spread[0] == pytest.approx(16, rel=0.15)  # the two runs sample different stretches of chaos


@pytest.mark.nightly
@pytest.mark.parametrize("truncation", ["force_shift", "cut"])
@pytest.mark.parametrize("precision", ["mixed", "double"])
def test_the_drift_is_below_that_of_lammps(product, tmp_path, truncation, precision):
    golden = json.loads((REFERENCE / "lj_liquid/drift.json").read_text())["drift_per_particle_per_step"][truncation]
    drift, error = slope(*energies(product, tmp_path, truncation, precision, 20_000, 0.005))
    print(f"{truncation} {precision}: {drift:.2e} +- {error:.1e}; LAMMPS {golden[0]:.2e} +- {golden[1]:.1e}")
    # both are compatible with 0 where the potential is smooth: what can't be told from 0 or LAMMPS's is not above it
    assert abs(drift) <= abs(golden[0]) + 2 * np.hypot(error, golden[1])
