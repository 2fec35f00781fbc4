# SPDX-License-Identifier: Apache-2.0
"""Structures and inputs that cannot be run: each is refused with what, why and fix, and exit code 64."""
import csv
import json

import pytest
from fault_tools import DATA, says

POINTS = [(2, 2, 2), (4, 4, 4), (6, 6, 6)]


def test_nan_in_a_position_is_refused_with_its_line(lockstep):
    lockstep.particles([(2, 2, 2), ("nan", 4, 4)])
    says(lockstep.run(), 64, "p.data", "nan", "fix:")


def test_infinity_in_a_position_is_refused(lockstep):
    lockstep.particles([(2, 2, 2), (4, "inf", 4)])
    says(lockstep.run(), 64, "p.data", "fix:")


def test_a_position_too_far_for_fixed_point_is_refused(lockstep):
    lockstep.particles([(2, 2, 2), (4, 1e9, 4)])
    says(lockstep.run(), 64, "particle 2", "too far", "fix:")


def test_too_few_particles_are_refused(lockstep):
    lockstep.particles(POINTS)
    path = lockstep.folder / "p.data"
    path.write_text(path.read_text().replace("3 atoms", "4 atoms"))
    says(lockstep.run(), 64, "p.data", "4", "3", "fix:")


def test_too_many_particles_are_refused(lockstep):
    lockstep.particles(POINTS)
    path = lockstep.folder / "p.data"
    path.write_text(path.read_text().replace("3 atoms", "2 atoms"))
    says(lockstep.run(), 64, "p.data", "fix:")


def test_a_repeated_id_is_refused(lockstep):
    lockstep.particles(POINTS, ids=[1, 2, 2])
    says(lockstep.run(), 64, "p.data", "2", "fix:")


@pytest.mark.parametrize("identity", ["0", "-4", "1.5", "99999999999999999999"])
def test_an_impossible_id_is_refused(lockstep, identity):
    lockstep.particles(POINTS, ids=[1, 2, identity])
    done = lockstep("energy", lockstep.input)
    assert done.returncode in (0, 64)
    if done.returncode == 64:
        says(done, 64, "p.data", "fix:")


def test_an_unknown_type_is_refused(lockstep):
    lockstep.particles(POINTS)
    path = lockstep.folder / "p.data"
    path.write_text(path.read_text().replace("3 1 6 6 6", "3 7 6 6 6"))
    says(lockstep.run(), 64, "p.data", "7", "fix:")


def test_a_missing_structure_file_is_told(lockstep):
    lockstep.particles(POINTS)
    (lockstep.folder / "p.data").unlink()
    says(lockstep.run(), 64, "p.data", "fix:")


def test_a_directory_as_structure_file_is_told(lockstep):
    lockstep.particles(POINTS)
    (lockstep.folder / "p.data").unlink()
    (lockstep.folder / "p.data").mkdir()
    says(lockstep.run(), 64, "p.data", "fix:")


@pytest.mark.parametrize("content", [b"", b"\0" * 1000, b"\xff\xfe\x00garbage", b"LAMMPS\n\n5 atoms\n"])
def test_a_file_that_is_no_structure_is_told(lockstep, content):
    lockstep.particles(POINTS)
    (lockstep.folder / "p.data").write_bytes(content)
    says(lockstep.run(), 64, "p.data", "fix:")


def test_a_missing_input_is_told(lockstep):
    says(lockstep("run", "nowhere.toml"), 64, "nowhere.toml", "fix:")


def test_a_plain_number_in_physical_units_names_the_units(lockstep):
    lockstep.change('units = "lj"', 'units = "physical"')
    says(lockstep.run(), 64, "cutoff", "nm", "timestep", "fix:")


def test_a_wrong_unit_is_refused(lockstep):
    lockstep.change("cutoff = 2.5", 'cutoff = "2.5 ps"')
    says(lockstep.run(), 64, "cutoff", "fix:")


@pytest.mark.parametrize("value", ["1e9", "1e12", "1e30"])
def test_a_temperature_beyond_the_range_of_velocities_is_refused(lockstep, value):
    lockstep.change("temperature = 1.0", f"temperature = {value}")
    says(lockstep.run(), 64, "species A", "highest temperature", "16384", "fix:")
    assert not (lockstep.folder / "out" / "log.jsonl").exists()


@pytest.mark.parametrize("value", ["100", "1e4", "1e9"])
def test_a_cutoff_with_too_many_neighbors_is_refused(lockstep, value):
    lockstep.change("cutoff = 2.5", f"cutoff = {value}")
    for command in ("run", "check", "energy"):
        says(lockstep(command, lockstep.input), 64, "neighbors", "tail_correction", "fix:")


@pytest.mark.parametrize("value", ["0", "-1", "513", "10000", "many"])
def test_an_impossible_number_of_threads_is_refused(lockstep, value):
    says(lockstep("check", lockstep.input, "--threads", value), 64, "--threads")


def test_too_many_threads_in_the_environment_are_cut_to_what_can_be_had(lockstep):
    lockstep.environment["OMP_NUM_THREADS"] = "100000"
    done = lockstep("check", lockstep.input)
    assert done.returncode == 0 and "1 rank(s) x 512 thread(s)" in done.stdout


def test_a_bad_input_says_the_same_on_several_ranks_once(lockstep):
    lockstep.change("cutoff = 2.5", "cutof = 2.5")
    done = lockstep.run(ranks=3)
    says(done, 64, "cutof", "cutoff")
    assert done.stderr.count("cutof\n") + done.stderr.count("cutof ") <= 2


def test_a_particle_outside_the_box_is_wrapped(lockstep):
    lockstep.particles([(2, 2, 2), (2.0, 2.0, 3.2)])
    inside = lockstep("energy", lockstep.input, "--forces", "inside.csv")
    text = DATA.format(n=2, edge=10.0, rows="1 1 -38 22 2\n2 1 2.0 -108.0 13.2")
    (lockstep.folder / "p.data").write_text(text)
    outside = lockstep("energy", lockstep.input, "--forces", "outside.csv")
    says(outside, 0)
    energy = [json.loads(done.stdout)["potential_energy"] for done in (inside, outside)]
    assert energy[0] == energy[1] != 0
    rows = [list(csv.DictReader((lockstep.folder / f).open())) for f in ("inside.csv", "outside.csv")]
    assert rows[0] == rows[1]
