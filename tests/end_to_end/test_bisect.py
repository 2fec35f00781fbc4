# SPDX-License-Identifier: Apache-2.0
"""lockstep bisect names the first differing step, particle and force term of two runs."""
import os
import re
import shutil
import subprocess

import pytest
from product import ENVIRONMENT

h5py = pytest.importorskip("h5py")

INPUT = """title = "two terms"
units = "lj"
seed = 4
[system]
temperature = 1.0
lattice = { kind = "fcc", density = 0.8, cells = [4, 4, 4], composition = [0.8, 0.2] }
[[species]]
name = "A"
mass = 1.0
[[species]]
name = "B"
mass = 2.0
[[pair]]
potential = "lennard_jones"
cutoff = 2.5
mixing = "geometric"
coefficients = [
  { species = ["A", "A"], epsilon = 1.0, sigma = 1.0 },
  { species = ["B", "B"], epsilon = 0.5, sigma = 0.9 },
]
[[pair]]
potential = "morse"
cutoff = 2.0
coefficients = [ { species = ["A", "B"], D0 = 0.3, alpha = 3.0, r0 = 1.2 } ]
[[stage]]
method = "md"
integrator = "nve"
timestep = 0.004
steps = 20
[output]
directory = "out"
trajectory = { every = 5, fields = ["position", "velocity", "force", "image"], storage = "lossless" }
log = { every = 5 }
"""
SEGMENT = "trajectory.0000.h5"


@pytest.fixture(scope="module")
def original(product, tmp_path_factory):
    """A run directory with frames of steps 0, 5, ... 20."""
    folder = tmp_path_factory.mktemp("bisect")
    (folder / "run.toml").write_text(INPUT)
    return product.run(folder / "run.toml")[1]


@pytest.fixture
def pair(original, tmp_path):
    """Two copies of it."""
    for name in ("a", "b"):
        shutil.copytree(original, tmp_path / name)
    return tmp_path / "a", tmp_path / "b"


def bisect(product, a, b, ranks=1, code=1):
    launcher = ["mpirun", "--oversubscribe", "--bind-to", "none", "-n", str(ranks)] if ranks > 1 else []
    done = subprocess.run([*launcher, str(product.binary), "bisect", str(a), str(b)], env=os.environ | ENVIRONMENT,
                          capture_output=True, text=True, timeout=120)
    assert done.returncode == code, done.stdout + done.stderr
    return done.stdout


def change(folder, name, frame, row, by, column=1):
    """Adds to one number of one frame; ids are rows from 1."""
    with h5py.File(folder / SEGMENT, "r+") as file:
        file[f"particles/all/{name}/value"][frame, row, column] += by


def term(text, name, side=0):
    """What the first table says about a term of one side: three integers."""
    words = re.search(rf"^ +{re.escape(name)} +(.*)$", text, re.MULTILINE)[1].split()
    return [int(w) for w in words[3 * side:3 * side + 3]]


def add_force(folder, frame, row, force):
    with h5py.File(folder / SEGMENT, "r+") as file:
        file["particles/all/force/value"][frame, row] += force


def test_equal_runs_agree(product, pair):
    assert "11 frames and rows agree" in bisect(product, *pair, code=0)


@pytest.mark.fast
def test_a_changed_force_is_told_from_its_terms_on_the_right_side(product, pair):
    a, b = pair
    change(b, "force", 2, 30, 5)
    text = bisect(product, a, b)
    assert "step 10, particle 31, force.y" in text
    assert "at step 5, where A and B agree last, all 256 stored forces are the sum" in text
    assert term(text, "stored - sum") == [0, 0, 0] and term(text, "stored - sum", 1) == [0, 5, 0]
    first, second, total = (term(text, name) for name in ("pair 1 (lennard_jones)", "pair 2 (morse)", "sum of terms"))
    assert [u + v for u, v in zip(first, second)] == total == term(text, "stored")
    assert "A: all 256 stored forces are the sum of their terms" in text
    assert "B: 1 of 256 stored forces differ" in text and "cannot be told" in text
    assert text.endswith("it is the evaluation of forces, on the side of B\n")
    assert "on the side of A" in bisect(product, b, a)


@pytest.mark.parametrize("ranks", [2, 3])
def test_ranks_do_not_change_what_is_said(product, pair, ranks):
    change(pair[1], "force", 2, 30, 5)
    assert bisect(product, *pair, ranks=ranks) == bisect(product, *pair)


@pytest.mark.parametrize("name", ["pair 1 (lennard_jones)", "pair 2 (morse)"])
def test_a_term_that_was_left_out_is_named(product, pair, name):
    a, b = pair
    change(b, "force", 1, 30, 5)
    force = term(bisect(product, a, b), name)
    change(b, "force", 1, 30, -5)
    add_force(b, 1, 30, [-f for f in force])
    assert f"lack exactly {name} on particle 31" in bisect(product, a, b)


def test_another_build_that_computes_a_term_otherwise_is_found_by_its_factor(product, tmp_path, original):
    other = tmp_path / "other"
    other.mkdir()
    (other / "run.toml").write_text(INPUT.replace("D0 = 0.3", "D0 = 0.33"))
    b = product.run(other / "run.toml")[1]
    with h5py.File(original / SEGMENT) as mine, h5py.File(b / "trajectory.h5", "r+") as file:
        file["parameters"].attrs["input_hash"] = mine["parameters"].attrs["input_hash"]
    text = bisect(product, original, b)
    assert "step 0, particle" in text and "force" in text and "no earlier frames agree" in text
    assert "what pair 2 (morse) times 1.1" in text
    assert "do not add up to zero" not in text
    assert "positions agree, forces do not" in text


def test_changed_positions_are_told_by_the_forces_of_the_other_side(product, pair):
    change(pair[1], "position", 3, 30, 5_000_000_000)
    text = bisect(product, *pair)
    assert "step 15, particle 31, position.y" in text
    assert "B's frame is not what its own digest says" in text
    assert "B's stored forces are those of A's positions" in text


def test_changed_velocities_are_no_force_term(product, pair):
    change(pair[1], "velocity", 3, 30, 1)
    text = bisect(product, *pair)
    assert "step 15, particle 31, velocity.y" in text
    assert text.count("all 256 stored forces are the sum of their terms") == 3
    assert "B's frame is not what its own digest says" in text


def test_velocities_of_a_true_run_are_told_to_be_no_force_term(product, tmp_path, original):
    other = tmp_path / "other"
    other.mkdir()
    (other / "run.toml").write_text(INPUT.replace("seed = 4", "seed = 5").replace("composition = [0.8, 0.2]",
                                                                                  'species = ["A"]'))
    (other / "second.toml").write_text((other / "run.toml").read_text().replace("seed = 5", "seed = 6")
                                       .replace('"out"', '"second"'))
    a = product.run(other / "run.toml")[1]
    product.command("run", other / "second.toml", "--quiet", "--threads", 1)
    with h5py.File(a / "trajectory.h5") as mine, h5py.File(other / "second/trajectory.h5", "r+") as file:
        file["parameters"].attrs["input_hash"] = mine["parameters"].attrs["input_hash"]
    text = bisect(product, a, other / "second")
    assert "step 0, particle 1, velocity.x" in text
    assert "the velocities differ, so it is not a force term but the integrator" in text
    with h5py.File(a / SEGMENT, "r+") as one, h5py.File(other / "second" / SEGMENT, "r+") as two:
        for name in ("force", "velocity", "position", "image"):
            two[f"particles/all/{name}/value"][0] = one[f"particles/all/{name}/value"][0]
        two["observables/digest/value"][0] = one["observables/digest/value"][0]
    text = bisect(product, a, other / "second")
    assert "came apart between steps 0 and 5" in text and "output.trajectory.every = 1" in text


def test_runs_of_different_inputs_are_not_compared_term_by_term(product, tmp_path, original):
    (tmp_path / "run.toml").write_text(INPUT.replace("epsilon = 1.0", "epsilon = 1.1"))
    text = bisect(product, original, product.run(tmp_path / "run.toml")[1])
    assert "step 0, particle" in text and "the runs are of different inputs" in text


@pytest.mark.parametrize("old, new, words", [
    ('"force", ', "", "holds no forces"),
    ('"position", ', "", "holds no positions"),
    ('"lossless"', '"float32"', "as float32"),
])
def test_frames_that_hold_too_little_say_what_to_store(product, tmp_path, old, new, words):
    (tmp_path / "run.toml").write_text(INPUT.replace(old, new))
    a = product.run(tmp_path / "run.toml")[1]
    b = shutil.copytree(a, tmp_path / "b")
    with h5py.File(b / SEGMENT, "r+") as file:
        file["particles/all/velocity/value"][1, 0, 0] += 1
    text = bisect(product, a, b)
    assert "particle 1, velocity.x" in text and words in text and 'storage = "lossless"' in text


def test_files_of_an_older_build_and_damaged_ones_are_told(product, pair):
    change(pair[1], "force", 2, 30, 5)
    with h5py.File(pair[1] / "trajectory.h5", "r+") as file:
        scales = file["parameters"].attrs["scales"]
        del file["parameters"].attrs["scales"]
    assert "did not store the units of force" in bisect(product, *pair)
    with h5py.File(pair[1] / "trajectory.h5", "r+") as file:
        file["parameters"].attrs["scales"] = scales + [0, 1, 0, 0, 0, 0]
    assert "other units of force" in bisect(product, *pair)


def test_a_table_that_is_gone_is_told(product, tmp_path):
    rows = "\n".join(f"{k} {0.7 + 0.01 * k} {1 / (0.7 + 0.01 * k)} {1 / (0.7 + 0.01 * k) ** 2}" for k in range(1, 181))
    (tmp_path / "t.table").write_text(f"# a table\nREPULSION\nN 180\n\n{rows}\n")
    (tmp_path / "run.toml").write_text(re.sub(
        r"potential = \"morse\".*?\]\n", 'potential = "tabulated"\ncutoff = 2.0\ncoefficients = [ { species = ["A", "B"], '
        'file = "t.table", keyword = "REPULSION", units = "internal" } ]\n', INPUT, flags=re.DOTALL))
    a = product.run(tmp_path / "run.toml")[1]
    b = shutil.copytree(a, tmp_path / "deeper/b")
    change(b, "force", 2, 30, 5)
    assert "pair 2 (tabulated)" in bisect(product, a, b)
    (tmp_path / "t.table").unlink()
    text = bisect(product, a, b)
    assert "step 10, particle 31" in text and "force terms are not compared" in text and "t.table" in text
