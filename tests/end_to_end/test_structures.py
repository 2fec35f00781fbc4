# SPDX-License-Identifier: Apache-2.0
"""A run can begin where another one left off: [system] file names an HDF5 file laid out as trajectories are."""
import json
import os
import subprocess

import numpy as np
import pytest
from product import ENVIRONMENT

h5py = pytest.importorskip("h5py")

FIRST = """title = "first"
units = "lj"
seed = 4
precision = "{precision}"
[system]
temperature = 1.0
lattice = {{ kind = "fcc", density = 0.8, cells = [4, 4, 4], composition = [0.8, 0.2] }}
[[species]]
name = "A"
mass = 1.0
[[species]]
name = "B"
mass = 2.0
{rest}"""
REST = """[[pair]]
potential = "lennard_jones"
cutoff = 2.5
mixing = "geometric"
coefficients = [
  { species = ["A", "A"], epsilon = 1.0, sigma = 1.0 },
  { species = ["B", "B"], epsilon = 0.5, sigma = 0.9 },
]
[[stage]]
method = "md"
integrator = "nve"
timestep = 0.004
steps = 100
[output]
directory = "out"
trajectory = { every = 50, fields = ["position", "velocity", "force", "image"], storage = "STORAGE" }
log = { every = 50 }
checkpoint = { every_steps = 50 }
"""
SECOND = 'title = "second"\nunits = "lj"\nprecision = "{precision}"\n[system]\nfile = "{file}"\n{more}\n{rest}'


def first_run(product, folder, storage="lossless", precision="mixed"):
    (folder / "first.toml").write_text(FIRST.format(precision=precision, rest=REST.replace("STORAGE", storage)))
    return product.run(folder / "first.toml")


def second(folder, file="out/trajectory.h5", more="", precision="mixed", steps=0):
    rest = REST.replace("STORAGE", "lossless").replace('"out"', '"second"').replace("steps = 100", f"steps = {steps}")
    path = folder / "second.toml"
    path.write_text(SECOND.format(file=file, more=more, precision=precision, rest=rest))
    return path


def rows(folder, name="second"):
    return [json.loads(line) for line in (folder / name / "log.jsonl").read_text().splitlines()]


def frame(path, k):
    with h5py.File(path) as file:
        group = file["particles/all"]
        names = [name for name in ("position", "velocity", "force", "image") if name in group]
        return {name: group[f"{name}/value"][k] for name in names} | {"lattice": group["box/lattice/value"][k]}


@pytest.mark.parametrize("precision", ["mixed", "double"])
def test_the_end_of_a_run_is_the_beginning_of_the_next_bit_for_bit(product, tmp_path, precision):
    log, out = first_run(product, tmp_path, precision=precision)
    product.command("run", second(tmp_path, precision=precision), "--quiet", "--threads", 1)
    before, after = frame(out / "trajectory.h5", -1), frame(tmp_path / "second/trajectory.h5", 0)
    for name, values in before.items():
        np.testing.assert_array_equal(values, after[name], err_msg=name)
    for name in ("potential_energy", "kinetic_energy", "pressure"):
        assert log[-1][name] == rows(tmp_path)[0][name]


@pytest.mark.fast
def test_going_on_from_a_frame_gives_the_frames_of_the_unbroken_run(product, tmp_path):
    _, out = first_run(product, tmp_path)
    product.command("run", second(tmp_path, more="frame = 1", steps=50), "--quiet", "--threads", 1)
    unbroken, resumed = frame(out / "trajectory.h5", 2), frame(tmp_path / "second/trajectory.h5", -1)
    for name, values in unbroken.items():
        np.testing.assert_array_equal(values, resumed[name], err_msg=name)


def test_ranks_give_the_same_digests(product, tmp_path):
    first_run(product, tmp_path)
    digests = []
    for ranks in (1, 2, 3):
        path = second(tmp_path, steps=50)
        done = subprocess.run(["mpirun", "--oversubscribe", "--bind-to", "none", "-n", str(ranks), str(product.binary),
                               "run", str(path), "--quiet", "--threads", "1", "--set", f"output.directory=r{ranks}"],
                              env=os.environ | ENVIRONMENT, capture_output=True, text=True, timeout=120)
        assert done.returncode == 0, done.stderr
        digests.append([row["digest"] for row in rows(tmp_path, f"r{ranks}")])
    assert digests[0] == digests[1] == digests[2]


def test_a_trajectory_and_its_segment_are_the_same_input(product, tmp_path):
    _, out = first_run(product, tmp_path)
    with h5py.File(out / "trajectory.0001.h5") as file:
        n = len(file["particles/all/position/step"])
    seen = set()
    for file, more in (("out/trajectory.h5", ""), ("out/trajectory.h5", "frame = 2"),
                       ("out/trajectory.0001.h5", ""), ("out/trajectory.0001.h5", f"frame = {n - 1}")):
        text = product.command("check", second(tmp_path, file, more))
        seen.add(text.split("hash")[1].split()[0])
    assert len(seen) == 1
    assert product.command("check", second(tmp_path, more="frame = 1")).split("hash")[1].split()[0] not in seen


def test_float32_frames_are_near_and_velocities_may_be_absent(product, tmp_path):
    _, out = first_run(product, tmp_path, storage="float32")
    product.command("run", second(tmp_path), "--quiet", "--threads", 1)
    with h5py.File(out / "trajectory.h5") as file:
        stored = file["particles/all/position/value"][-1].astype(float)
    after = frame(tmp_path / "second/trajectory.h5", 0)
    edge = after["lattice"][0, 0] * 2.0**-44
    delta = after["position"] * 2.0**-44 - stored
    assert np.abs(delta - edge * np.round(delta / edge)).max() < 1e-12  # a float32 is exact in 2^-44
    for segment in out.glob("trajectory.0*.h5"):
        with h5py.File(segment, "r+") as file:
            del file["particles/all/velocity"]
    product.command("run", second(tmp_path, "out/trajectory.0001.h5"), "--quiet", "--threads", 1, "--set",
                    "output.directory=still")
    assert rows(tmp_path, "still")[0]["kinetic_energy"] == 0


def test_a_box_that_is_finer_than_the_kernels_grid_is_rounded_and_particles_kept(product, tmp_path):
    _, out = first_run(product, tmp_path, precision="double")
    product.command("run", second(tmp_path), "--quiet", "--threads", 1)
    before, after = frame(out / "trajectory.h5", -1), frame(tmp_path / "second/trajectory.h5", 0)
    assert (after["lattice"] % 2**15 == 0).all()
    assert np.abs(after["lattice"] - before["lattice"]).max() <= 2**14
    same = (after["image"] == before["image"]).all(axis=1)
    assert same.mean() > 0.9
    np.testing.assert_array_equal(after["position"][same], before["position"][same])


def test_a_file_that_someone_made_of_reals_is_read(product, tmp_path):
    """system.h5 as docs/structures.md describes it."""
    x = np.array([[0.5, 0.5, 0.5], [1.75, 0.5, 0.5], [-0.25, 7.0, 9.5]])
    with h5py.File(tmp_path / "system.h5", "w") as file:
        file.create_group("parameters").attrs["units"] = "lj"
        group = file.create_group("particles/all")
        group["id"] = [3, 7, 1000]
        group["species"] = [0, 1, 0]
        group["species"].attrs["names"] = ["A", "B"]
        group["mass"] = [1.0, 2.0, 1.0]
        group["position/value"] = x[None]
        group["position/step"] = [0]
        group["box/edges/value"] = np.diag([8.0, 9.0, 10.0])[None]
    product.command("run", second(tmp_path, "system.h5"), "--quiet", "--threads", 1)
    after = frame(tmp_path / "second/trajectory.h5", 0)
    with h5py.File(tmp_path / "second/trajectory.h5") as file:
        assert list(file["particles/all/id"]) == [3, 7, 1000]
        assert list(file["particles/all/mass"]) == [1.0, 2.0, 1.0]
    np.testing.assert_array_equal(after["position"] + after["image"] * np.diagonal(after["lattice"]), x * 2.0**44)
    assert list(after["image"][2]) == [-1, 0, 0]


def test_masses_and_velocities_of_the_input_go_before_those_of_the_file(product, tmp_path):
    first_run(product, tmp_path)
    more = 'temperature = 0.5\n[[species]]\nname = "B"\nmass = 5.0'
    path = second(tmp_path, more=more)
    path.write_text("seed = 9\n" + path.read_text())
    product.command("run", path, "--quiet", "--threads", 1)
    row = rows(tmp_path)[0]
    assert row["temperature"] == pytest.approx(0.5, rel=1e-6)
    with h5py.File(tmp_path / "second/trajectory.h5") as file:
        assert set(file["particles/all/mass"]) == {1.0, 5.0}
