# SPDX-License-Identifier: Apache-2.0
"""The start of the 32,000-particle Lennard-Jones liquid for both programs: exact in binary, the same everywhere."""
import numpy as np

from product import fcc, write_data

CELLS = 20
EDGE = round((4 / 0.8442) ** (1 / 3) * 2**28) / 2**28  # exact in the integer positions of both precisions
LENGTH = CELLS * EDGE
TEMPERATURE = 1.44


def velocities(n, seed=2026):
    """[n, 3] without total momentum, in multiples of 2^-30; their temperature is 1.44 within 1e-7."""
    v = np.random.Generator(np.random.PCG64(seed)).random((n, 3)) - 0.5
    v -= v.mean(axis=0)
    v *= np.sqrt(TEMPERATURE * 3 * (n - 1) / (v * v).sum())
    return np.round(v * 2**30) / 2**30


def write_liquid(path, cells=CELLS):
    """The LAMMPS data file of cells^3 unit cells."""
    x = fcc(cells, EDGE)
    write_data(path, [0.0] * 3, [cells * EDGE] * 3, x, v=velocities(len(x)))
    return len(x)
