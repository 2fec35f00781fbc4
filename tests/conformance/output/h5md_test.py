# SPDX-License-Identifier: Apache-2.0
"""MDAnalysis and h5py read what Lockstep writes, whatever the number of ranks.

Run: LOCKSTEP_BUILD=build/release python -m pytest tests/conformance/output/h5md_test.py
Needs MDAnalysis and h5py, and the built target conformance_output_write_trajectory.
"""
import os
import pathlib
import shutil
import subprocess

import pytest

h5py = pytest.importorskip("h5py")
np = pytest.importorskip("numpy")
mda = pytest.importorskip("MDAnalysis")

ROOT = pathlib.Path(__file__).parents[3]
WRITER = ROOT / os.environ.get("LOCKSTEP_BUILD", "build/release") / "tests/conformance_output_write_trajectory"


def write(folder, ranks):
    launcher = shutil.which("mpiexec.openmpi") or shutil.which("mpiexec")
    command = [str(WRITER)]
    if ranks > 1:
        command = [launcher, "--oversubscribe", "--bind-to", "none", "-n", str(ranks), *command]
    environment = os.environ | {"LOCKSTEP_SAMPLES": str(folder), "OMP_PROC_BIND": "false", "OMP_NUM_THREADS": "1",
                                "OMPI_ALLOW_RUN_AS_ROOT": "1", "OMPI_ALLOW_RUN_AS_ROOT_CONFIRM": "1"}
    subprocess.run(command, env=environment, check=True, timeout=120, capture_output=True)
    return folder


@pytest.fixture(scope="module")
def samples(tmp_path_factory):
    if not WRITER.exists():
        pytest.skip(f"{WRITER} is not built")
    return {ranks: write(tmp_path_factory.mktemp(f"ranks{ranks}"), ranks) for ranks in (1, 2, 3)}


def universe(path, **options):
    with h5py.File(path) as file:
        n = file["particles/all/id"].shape[0]
    return mda.Universe.empty(n, trajectory=False).load_new(str(path), format="H5MD", **options)


def test_mdanalysis_reads_positions_velocities_forces_box_time_and_step(samples):
    path = samples[2] / "physical/trajectory.h5"
    u = universe(path)
    with h5py.File(path) as file:
        group = file["particles/all"]
        assert len(u.trajectory) == 3
        for k, frame in enumerate(u.trajectory):
            assert frame.data["step"] == [0, 10, 20][k]
            assert frame.time == pytest.approx([0, 0.05, 0.1][k], abs=1e-12)
            # MDAnalysis holds float32; nm to Angstrom costs one rounding
            np.testing.assert_allclose(frame.positions, 10 * group["position/value"][k], rtol=3e-7)
            np.testing.assert_allclose(frame.velocities, 10 * group["velocity/value"][k], rtol=3e-7)
            np.testing.assert_allclose(frame.forces, group["force/value"][k] / 10, rtol=3e-7)
            a, b, c = group["box/edges/value"][k]
            lengths = [10 * np.linalg.norm(v) for v in (a, b, c)]
            np.testing.assert_allclose(frame.dimensions[:3], lengths, rtol=1e-6)
            gamma = np.degrees(np.arccos(a @ b / np.linalg.norm(a) / np.linalg.norm(b)))
            assert frame.dimensions[5] == pytest.approx(gamma, rel=1e-6)


def test_mdanalysis_reads_reduced_units_without_conversion(samples):
    path = samples[1] / "lj/trajectory.h5"
    u = universe(path, convert_units=False)
    with h5py.File(path) as file:
        np.testing.assert_array_equal(u.trajectory[1].positions, file["particles/all/position/value"][1])
        assert file["particles/all/position/value"].attrs["reduced_unit"] == "sigma"


def test_lossless_integers_times_their_scale_are_the_floats(samples):
    folder = samples[1]
    with h5py.File(folder / "lossless/trajectory.h5") as exact, h5py.File(folder / "physical/trajectory.h5") as near:
        for name in ("position", "velocity", "force"):
            a, b = exact[f"particles/all/{name}/value"], near[f"particles/all/{name}/value"]
            assert a.dtype == np.int64 and b.dtype == np.float32
            np.testing.assert_array_equal((a[...] * a.attrs["scale"]).astype(np.float32), b[...])
            assert a.attrs["unit"] == b.attrs["unit"]
        assert exact["h5md"].attrs["version"].tolist() == [1, 1]
        assert exact["parameters/input"][()].decode() == 'title = "samples"\n'
        assert exact["particles/all/species"].attrs["names"].tolist() == ["A", "Ar"]


def datasets(path):
    """Bytes of every dataset of a file, by name."""
    found = {}

    def note(name, item):
        if isinstance(item, h5py.Dataset) and item.shape:
            found[name] = (item.dtype.str, item.shape, item[()].tobytes())
        elif isinstance(item, h5py.Dataset):
            found[name] = item[()]

    with h5py.File(path) as file:
        file.visititems(note)
    return found


@pytest.mark.parametrize("kind", ["physical", "lossless", "lj"])
@pytest.mark.parametrize("name", ["trajectory.h5", "trajectory.0001.h5", "checkpoint.h5"])
def test_datasets_are_equal_over_rank_counts(samples, kind, name):
    one = datasets(samples[1] / kind / name)
    assert len(one) > 5
    for ranks in (2, 3):
        assert datasets(samples[ranks] / kind / name) == one


def test_a_moved_run_directory_still_reads(samples, tmp_path):
    shutil.copytree(samples[1] / "physical", tmp_path / "moved")
    shutil.rmtree(samples[1] / "physical")
    with h5py.File(tmp_path / "moved/trajectory.h5") as file:
        assert file["particles/all/position/step"][...].tolist() == [0, 10, 20]
        assert np.abs(file["particles/all/position/value"][...]).sum() > 0
