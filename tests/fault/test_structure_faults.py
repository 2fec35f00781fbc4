# SPDX-License-Identifier: Apache-2.0
"""HDF5 structures that cannot be used: each is refused with what, why and fix, exit code 64, and on all ranks."""
import os
import shutil

import pytest
from fault_tools import INPUT, says

h5py = pytest.importorskip("h5py")

N = 256  # particles of INPUT


@pytest.fixture(scope="module")
def good(tmp_path_factory):
    """A trajectory of frames 0 to 2 in one segment."""
    from fault_tools import Lockstep
    lockstep = Lockstep(tmp_path_factory.mktemp("structure"))
    lockstep.change("steps = 60", "steps = 20")
    lockstep.change("every_steps = 20", "every_steps = 0")
    assert lockstep.run().returncode == 0
    return lockstep.out / "trajectory.0000.h5"


@pytest.fixture
def structure(lockstep, good):
    """An input that begins with a copy of it."""
    shutil.copy(good, lockstep.folder / "s.h5")
    lockstep.input.write_text(INPUT.replace('lattice = { kind = "fcc", density = 0.8, cells = [4, 4, 4] }',
                                            'file = "s.h5"').replace("steps = 60", "steps = 0"))
    lockstep.file = lockstep.folder / "s.h5"
    return lockstep


def refused(lockstep, *words, code=64, ranks=1, settings=()):
    done = lockstep.run(*settings, ranks=ranks)
    says(done, code, *words, "why:", "fix:")
    assert not (lockstep.folder / "out/log.jsonl").exists()
    return done.stderr


def edit(lockstep, work):
    with h5py.File(lockstep.file, "r+") as file:
        work(file)


def replace(file, name, values, **attributes):
    del file[name]
    file[name] = values
    for key, value in attributes.items():
        file[name].attrs[key] = value


def test_the_good_file_is_good(structure):
    assert structure.run().returncode == 0


def test_a_missing_file_is_told(structure):
    structure.file.unlink()
    refused(structure, "s.h5", "cannot be read")


def test_a_file_that_is_no_hdf5_is_told(structure):
    structure.file.write_bytes(b"hello, I am a text\n" * 10)
    refused(structure, "s.h5", "not an HDF5 file")
    structure.file.write_bytes(b"")
    refused(structure, "s.h5", "cannot be read")


@pytest.mark.parametrize("ranks", [1, 3])
def test_a_truncated_file_is_told(structure, ranks):
    os.truncate(structure.file, structure.file.stat().st_size // 2)
    refused(structure, "s.h5", "truncated", ranks=ranks)


def test_a_checkpoint_is_told_to_be_none(structure, good):
    shutil.copy(good.parent / "checkpoint.h5", structure.file)
    refused(structure, "is a checkpoint", "trajectory.h5")


@pytest.mark.parametrize("name", ["particles/all/id", "particles/all/species", "particles/all/position", "particles",
                                  "particles/all/position/step", "particles/all/box"])
def test_a_foreign_file_that_lacks_something_says_what(structure, name):
    edit(structure, lambda file: file.__delitem__(name))
    refused(structure, "s.h5", f"lacks particles/all/{'id' if name == 'particles' else name.split('/')[2]}")


def test_a_box_of_reals_serves_without_the_exact_one(structure):
    edit(structure, lambda file: file.__delitem__("particles/all/box/lattice"))
    assert structure.run().returncode == 0


def test_a_file_without_frames_is_told(structure):
    def empty(file):
        for name in ("position", "velocity", "image", "box/lattice", "box/edges"):
            file[f"particles/all/{name}/value"].resize(0, axis=0)
        file["particles/all/position/step"].resize(0, axis=0)
    edit(structure, empty)
    refused(structure, "no complete frame")


def test_a_frame_that_is_not_there_is_told(structure):
    refused(structure, "has no frame 3", "3 complete frames", "at most 2", settings=["system.frame=3"])
    refused(structure, "system.frame", settings=["system.frame=-1"])
    assert structure.run("system.frame=2").returncode == 0


def test_frames_of_which_a_part_is_missing_are_not_complete(structure):
    edit(structure, lambda file: file["particles/all/velocity/value"].resize(2, axis=0))
    refused(structure, "has no frame 2", "2 complete frames", settings=["system.frame=2"])
    assert structure.run("system.frame=1").returncode == 0


@pytest.mark.parametrize("ranks", [1, 2])
@pytest.mark.parametrize("change, words", [
    (lambda ids: ids.__setitem__(9, 9), ["particle 9 twice"]),
    (lambda ids: ids.__setitem__(200, 2), ["particle 2 after particle 200"]),
    (lambda ids: ids.__setitem__(0, -1), ["particle -1"]),
    (lambda ids: ids.__setitem__(255, 2**48), [f"particle {2**48}"])])
def test_ids_that_do_not_ascend_are_told(structure, change, words, ranks):
    edit(structure, lambda file: change(file["particles/all/id"]))
    refused(structure, "s.h5", *words, ranks=ranks)


def test_species_that_are_not_named_are_told(structure):
    edit(structure, lambda file: file["particles/all/species"].__setitem__(7, 1))
    refused(structure, "particle 8", "species 1")
    edit(structure, lambda file: file["particles/all/species"].__setitem__(7, -1))
    refused(structure, "particle 8", "species -1")
    edit(structure, lambda file: file["particles/all/species"].attrs.__delitem__("names"))
    refused(structure, "does not name its species")


def test_a_species_that_the_input_does_not_know_is_told(structure):
    edit(structure, lambda file: file["particles/all/species"].attrs.__setitem__("names", ["Z"]))
    refused(structure, '"A" is not a type of s.h5', '"A" is not a species')


@pytest.mark.parametrize("names", [["A", "A"], ["A", ""]])
def test_species_names_that_are_empty_or_twice_there_are_told(structure, names):
    edit(structure, lambda file: file["particles/all/species"].attrs.__setitem__("names", names))
    refused(structure, "names species 1")


@pytest.mark.parametrize("name", ["position", "velocity"])
@pytest.mark.parametrize("value", [float("nan"), float("inf"), -1e9])
def test_reals_that_are_not_finite_or_too_large_are_told(structure, name, value):
    def spoil(file):
        data = file[f"particles/all/{name}/value"]
        values = data[...] * data.attrs["scale"]
        values[2, 41, 1] = value
        replace(file, f"particles/all/{name}/value", values)
    edit(structure, spoil)
    refused(structure, "row 41", name)


def test_integers_out_of_range_are_told_on_all_ranks(structure):
    edit(structure, lambda file: file["particles/all/position/value"].__setitem__((2, 41, 1), 2**62 + 1))
    refused(structure, "particle 42", "too far", ranks=3)


def test_velocities_and_images_out_of_range_are_told(structure):
    edit(structure, lambda file: file["particles/all/velocity/value"].__setitem__((2, 41, 1), 2**57))
    refused(structure, "particle 42", "faster")
    edit(structure, lambda file: file["particles/all/velocity/value"].__setitem__((2, 41, 1), 0))
    edit(structure, lambda file: file["particles/all/image/value"].__setitem__((2, 41, 1), 2**31 - 1))
    refused(structure, "particle 42", "image flag")


@pytest.mark.parametrize("at, value, words", [((2, 0, 0), 0, "no volume"), ((2, 0, 1), 2**20, "lower triangular"),
                                              ((2, 1, 1), 2**62, "larger"), ((2, 2, 2), 2**30, "must be")])
def test_an_impossible_box_is_told(structure, at, value, words):
    edit(structure, lambda file: file["particles/all/box/lattice/value"].__setitem__(at, value))
    refused(structure, "s.h5", "box", words)


def test_a_box_that_is_nan_is_told(structure):
    def spoil(file):
        del file["particles/all/box/lattice"]
        file["particles/all/box/edges/value"][2, 1, 1] = float("nan")
    edit(structure, spoil)
    refused(structure, "component nan")


@pytest.mark.parametrize("name, values, words", [
    ("particles/all/position/value", [[1.0, 2.0, 3.0]] * N, "256 x 3"),
    ("particles/all/position/value", [[[1.0, 2.0, 3.0]] * (N - 1)], "1 x 255 x 3"),
    ("particles/all/position/value", [[["a", "b", "c"]] * N], "something else than numbers"),
    ("particles/all/image/value", [[[0.0, 0.0, 0.0]] * N], "no integers"),
    ("particles/all/box/lattice/value", [[1, 2, 3]], "1 x 3"),
    ("particles/all/id", [1.0] * N, "integer"), ("particles/all/species", [0] * (N - 1), "one integer"),
    ("particles/all/mass", [1] * N, "mass"), ("particles/all/mass", [1.0] * (N - 1) + [2.0], "another"),
    ("particles/all/mass", [-1.0] * N, "positive"), ("particles/all/mass", [float("nan")] * N, "positive")])
def test_datasets_of_another_shape_or_type_are_told(structure, name, values, words):
    edit(structure, lambda file: replace(file, name, values))
    refused(structure, "s.h5", words)


def test_integers_of_another_unit_are_told(structure):
    edit(structure, lambda file: file["particles/all/position/value"].attrs.__setitem__("scale", 1e-9))
    refused(structure, "integers of another unit", "scale")
    edit(structure, lambda file: file["particles/all/position/value"].attrs.__delitem__("scale"))
    refused(structure, "integers of another unit")


def test_units_that_contradict_are_told(structure):
    edit(structure, lambda file: file["parameters"].attrs.__setitem__("units", "physical"))
    refused(structure, "means units lockstep", 'units = "lj"')
    refused(structure, "file_units", "does not belong here", settings=["system.file_units=real"])
    edit(structure, lambda file: file["parameters"].attrs.__delitem__("units"))
    assert structure.run().returncode == 0  # as for data files: lj, as the input


def test_a_file_that_claims_more_than_it_holds_is_refused_before_memory_is_taken(structure):
    def claim(file):
        for name in ("id", "species"):
            del file[f"particles/all/{name}"]
            file.create_dataset(f"particles/all/{name}", (2**40,), "i8", chunks=(1000,))
        file["particles/all/species"].attrs["names"] = ["A"]
    edit(structure, claim)
    refused(structure, "claims more values than are stored")


def test_a_lost_or_shortened_segment_is_told(structure, good):
    shutil.copy(good.parent / "trajectory.h5", structure.folder / "t.h5")
    refused(structure, "trajectory.0000.h5", settings=["system.file=t.h5"])
    shutil.copy(good, structure.folder / "trajectory.0000.h5")
    assert structure.run("system.file=t.h5").returncode == 0
    shutil.rmtree(structure.out)
    with h5py.File(structure.folder / "trajectory.0000.h5", "r+") as file:
        file["particles/all/position/value"].resize(2, axis=0)
    refused(structure, "is shorter than", settings=["system.file=t.h5"])


def test_a_frame_of_a_data_file_is_refused(lockstep):
    lockstep.particles([(2, 2, 2), (4, 4, 4)])
    says(lockstep.run("system.frame=0"), 64, "system.frame", "no frames", "fix:")
    lockstep.input.write_text(INPUT)
    says(lockstep.run("system.frame=0"), 64, "system", "frame", "fix:")
