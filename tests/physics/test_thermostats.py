# SPDX-License-Identifier: Apache-2.0
"""Langevin and CSVR sample the canonical ensemble, as judged by physical_validation.

Source: doi:10.1371/journal.pone.0202764
"""
import numpy as np
import physical_validation as pv
import pytest

from product import lj_pair, series, write_input

TEMPERATURES = (1.00, 1.04)  # about two standard deviations of the energy apart, as the authors advise
N, DENSITY = 256, 0.75
STAGES = """
[[stage]]
name = "melt"
method = "md"
integrator = "langevin"
timestep = 0.005
steps = 4000
langevin = {{ temperature = {T}, friction = 1.0 }}
[[stage]]
name = "sample"
method = "md"
integrator = "{integrator}"
timestep = 0.004
steps = 60000
{options}"""
OPTIONS = {"nvt_csvr": "csvr = {{ temperature = {T}, relaxation_time = 0.2 }}",
           "langevin": "langevin = {{ temperature = {T}, friction = 1.0 }}"}
UNITS = dict(kb=1.0, energy_conversion=1.0, length_conversion=1.0, volume_conversion=1.0, temperature_conversion=1.0,
             pressure_conversion=1.0, time_conversion=1.0)


def sample(product, folder, integrator, temperature):
    """One run as data of physical_validation."""
    folder.mkdir()
    system = (f'lattice = {{ kind = "fcc", density = {DENSITY}, cells = [4, 4, 4] }}\n'
              f'temperature = {2 * temperature}\n[[species]]\nname = "A"\nmass = 1.0')
    stages = STAGES.format(T=temperature, integrator=integrator, options=OPTIONS[integrator].format(T=temperature))
    text = write_input(folder / "run.toml", lj_pair(2.5, "force_shift", "A"), "mixed", stages, system=system)
    rows, _ = product.run(text, "output.log.every=20")
    kinetic, potential = series(rows, "kinetic_energy", "sample"), series(rows, "potential_energy", "sample")
    # CSVR conserves the total momentum, Langevin's noise does not
    system = pv.data.SystemData(natoms=N, nconstraints=0, ndof_reduction_tra=0 if integrator == "langevin" else 3,
                                ndof_reduction_rot=0, mass=np.ones(N))
    return pv.data.SimulationData(
        units=pv.data.UnitData(**UNITS), system=system,
        ensemble=pv.data.EnsembleData("NVT", natoms=N, volume=N / DENSITY, temperature=temperature),
        observables=pv.data.ObservableData(kinetic_energy=kinetic, potential_energy=potential,
                                           total_energy=kinetic + potential))


@pytest.mark.nightly
@pytest.mark.parametrize("integrator", OPTIONS)
def test_energies_are_canonically_distributed(product, tmp_path, integrator):
    runs = [sample(product, tmp_path / str(k), integrator, T) for k, T in enumerate(TEMPERATURES)]
    for run in runs:  # mean and width of the kinetic energy, in standard errors; then its whole distribution
        mean, width = pv.kinetic_energy.distribution(run, strict=False, verbosity=0, bs_repetitions=200,
                                                     bootstrap_seed=1)
        p = pv.kinetic_energy.distribution(run, strict=True, verbosity=0)
        print(f"{integrator} T {run.ensemble.temperature}: mean {mean:.2f}, width {width:.2f} errors; p {p:.3f}")
        assert abs(mean) < 3 and abs(width) < 3 and p > 0.001
    # the ratio of the energy distributions is exp(-(beta' - beta) U): deviation of the fitted slope
    for kind in (False, True):
        deviation = pv.ensemble.check(*runs, total_energy=kind, verbosity=0, bootstrap_seed=1)
        print(f"{integrator} ensemble, total energy {kind}: {np.ravel(deviation)} standard errors")
        assert np.max(np.abs(deviation)) < 3
