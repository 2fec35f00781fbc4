# SPDX-License-Identifier: Apache-2.0
"""Mean energy and pressure of three liquid states by molecular dynamics against the tables of NIST."""
import csv

import numpy as np
import pytest

from product import REFERENCE, lj_pair, series, write_input

with open(REFERENCE / "nist_lj_states/mc_nvt.csv", newline="") as file:
    STATES = [{k: float(v) for k, v in row.items()} for row in csv.DictReader(file)]
STAGES = """
[[stage]]
name = "melt"
method = "md"
integrator = "langevin"
timestep = 0.004
steps = 8000
langevin = {{ temperature = {T}, friction = 1.0 }}
[[stage]]
name = "sample"
method = "md"
integrator = "{integrator}"
timestep = 0.004
steps = 60000
{options}"""
THERMOSTATS = {"nvt_csvr": "csvr = {{ temperature = {T}, relaxation_time = 0.5 }}",
               "langevin": "langevin = {{ temperature = {T}, friction = 0.5 }}"}


def block_mean(samples, blocks=20):
    """Mean and standard error; a block (12 tau) is far longer than the memory of the liquid."""
    means = samples[: len(samples) // blocks * blocks].reshape(blocks, -1).mean(axis=1)
    return means.mean(), means.std(ddof=1) / np.sqrt(blocks)


@pytest.mark.nightly
@pytest.mark.parametrize("state, integrator", [(0, "nvt_csvr"), (1, "langevin"), (2, "nvt_csvr")])
def test_energy_and_pressure_agree_with_nist(product, tmp_path, state, integrator):
    nist = STATES[state]
    system = (f'lattice = {{ kind = "fcc", density = {nist["rho"]}, cells = [5, 5, 5] }}\n'
              f'temperature = {2 * nist["T"]}\n[[species]]\nname = "A"\nmass = 1.0')
    stages = STAGES.format(T=nist["T"], integrator=integrator, options=THERMOSTATS[integrator].format(T=nist["T"]))
    text = write_input(tmp_path / "run.toml", lj_pair(3.0, "cut", "A", tail=True), "mixed", stages, system=system)
    rows, _ = product.run(text, "output.log.every=20")
    energy, energy_error = block_mean(series(rows, "potential_energy", "sample") / 500)
    pressure, pressure_error = block_mean(series(rows, "pressure", "sample"))
    z = ((energy - nist["U"]) / np.hypot(energy_error, nist["U_error"]),
         (pressure - nist["p"]) / np.hypot(pressure_error, nist["p_error"]))
    print(f"T {nist['T']} rho {nist['rho']} {integrator}: U {energy:.4f} +- {energy_error:.4f} (NIST {nist['U']}), "
          f"p {pressure:.4f} +- {pressure_error:.4f} (NIST {nist['p']}), z {z[0]:.2f} {z[1]:.2f}")
    assert max(map(abs, z)) < 3
    assert energy_error < 0.004 and pressure_error < 0.025, "the run is too short to tell"
