# SPDX-License-Identifier: Apache-2.0
"""Tabulated pairs against published force references: two species, physical units, cutoffs beyond the box."""
import json

import numpy as np
import pytest

from product import REFERENCE, write_data, write_input

GOLDEN = json.loads((REFERENCE / "lammps_forces/metal32.json").read_text())
EV = 1.602176634e-19 * 6.02214076e23 / 1000  # kJ/mol, exact in the SI of 2019
TOLERANCE = {  # energy and virial relative; forces: rms relative to the rms force (reasons: README of the data)
    "atomic-pair-table_linear": (2e-2, 2e-2), "atomic-pair-table_spline": (3e-6, 1e-4),
    "analytic-table-fine_morse": (1e-8, 1e-8)}


def beck(r, A=399.671876712, B=0.0000867636112694, a=0.675, alpha=4.390, beta=0.0003746):
    """Helium by Beck: energy and force. Source: doi:10.1080/00268976800101381"""
    t, c = r * r + a * a, 2.709 + 3 * a * a
    core = A * np.exp(-alpha * r - beta * r**6)
    u = core - B / t**3 * (1 + c / t)
    f = core * (alpha + 6 * beta * r**5) - 6 * B * r / t**4 * (1 + c / t) - 2 * B * r * c / t**5
    return u, f


def morse(r, D0, alpha, r0):
    e = np.exp(-alpha * (r - r0))
    return D0 * (e * e - 2 * e), 2 * D0 * alpha * (e * e - e)


def table(keyword, kind, low, high, n, function, zero_end=False):
    """One section of a table file in metal units."""
    r = np.linspace(low, high, n) if kind == "R" else np.sqrt(np.linspace(low**2, high**2, n))
    u, f = function(r)
    if zero_end:
        u[-1] = f[-1] = 0
    columns = zip(r.tolist(), u.tolist(), f.tolist())
    rows = "".join(f"{k + 1} {a!r} {b!r} {c!r}\n" for k, (a, b, c) in enumerate(columns))
    return f"\n{keyword}\nN {n} {kind} {low} {high}\n\n{rows}"


def tables(name):
    """The text of the table file, the keyword of each pair of species, and the cutoff in nm."""
    if name == "analytic-table-fine_morse":
        shape = {"11": (.40, 1.35, 2.75), "12": (.35, 1.30, 2.80), "22": (.33, 1.36, 2.85)}
        text = "".join(table(f"P{k}", "R", 1.6, 6.5, 4000, lambda r, p=p: morse(r, *p)) for k, p in shape.items())
        return text, {k: f"P{k}" for k in shape}, 0.65
    text = table("one", "R", 0.5, 8, 1000, beck, True) + table("two", "RSQ", 0.5, 8, 1000, beck, True)
    return text, {"11": "one", "12": "one", "22": "two"}, 0.8


def prepare(folder, name):
    """The file's velocities matter: its temperature sets the range of the sums, as the Beck well is 1e-9 eV deep."""
    system = GOLDEN["system"]
    write_data(folder / "system.data", [0.0] * 3, system["box"], system["x"], types=system["types"],
               masses=system["masses"], v=system["v"])
    text, keywords, cutoff = tables(name)
    (folder / "pairs.table").write_text(text)
    rows = "".join(f'  {{ species = ["{k[0]}", "{k[1]}"], file = "pairs.table", keyword = "{word}", '
                   'units = "metal" },\n' for k, word in keywords.items())
    pair = f'[[pair]]\npotential = "tabulated"\ncutoff = "{cutoff} nm"\ncoefficients = [\n{rows}]\n'
    return write_input(folder / "run.toml", pair, units="physical",
                       system='file = "system.data"\nfile_units = "metal"\nremove_drift = false')


@pytest.mark.fast
@pytest.mark.parametrize("name", GOLDEN["cases"])
def test_forces_agree_with_the_published_ones(product, tmp_path, name):
    got, forces = product.energy(prepare(tmp_path, name))
    compare(name, GOLDEN["cases"][name], got["potential_energy"], forces, got["virial"])


def compare(name, expected, energy, forces, virial):
    relative, rms = TOLERANCE[name]
    assert energy / EV == pytest.approx(expected["energy"], rel=relative)
    largest = abs(np.array(expected["virial"])).max()
    np.testing.assert_allclose(np.array(virial) / EV, expected["virial"], rtol=0, atol=max(relative, rms) * largest)
    reference = np.array(expected["forces"]) * EV * 10  # eV/A in kJ/mol/nm
    assert np.sqrt(((forces - reference) ** 2).mean() / (reference**2).mean()) < rms
