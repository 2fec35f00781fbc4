# SPDX-License-Identifier: Apache-2.0
"""Failures while a run is going: what it says, what it leaves behind."""
import json
import os
import re
import signal
import time
from pathlib import Path

import pytest
from fault_tools import says


def log_rows(lockstep):
    return [json.loads(line) for line in (lockstep.out / "log.jsonl").read_text().splitlines()]


def lattice_points(n, spacing):
    return [(spacing * a, spacing * b, spacing * c) for a in range(n) for b in range(n) for c in range(n)]


def test_overlapping_particles_stop_the_run_with_ids_distance_and_step(lockstep):
    points = lattice_points(4, 2.0)
    points[9] = (points[30][0] + 0.0009765625, *points[30][1:])
    lockstep.particles(points)
    says(lockstep.run(), 70, "step 0", "particle 10", "particle 31", "0.000976", "minimize")
    assert (lockstep.out / "emergency.h5").exists()
    assert lockstep("info", lockstep.out / "emergency.h5").returncode == 0


def test_the_message_about_overlaps_is_the_same_on_any_layout(lockstep):
    points = lattice_points(4, 2.0)
    for k in (5, 17, 40):
        points[k] = (points[k + 20][0] + 0.0009765625, *points[k + 20][1:])
    lockstep.particles(points)
    messages = {lockstep.run(f"output.directory=out{n}", ranks=n).stderr.split("\n----")[0].split("    fix")[0]
                for n in (1, 2, 3)}
    assert len(messages) == 1, messages


def test_overlaps_within_the_range_of_the_numbers_are_no_error(lockstep):
    lockstep.particles([(1, 1, 1), (1.4, 1, 1), (5, 5, 5), (5.5, 5, 5)])
    assert lockstep("energy", lockstep.input).returncode == 0


def test_a_huge_timestep_ends_as_a_runaway_with_particle_and_step(lockstep):
    lockstep.change("timestep = 0.004", "timestep = 50.0")
    done = lockstep.run("output.log.every=1", "output.trajectory.every=1")
    says(done, 70, "particle", "timestep")
    assert re.search(r"step \d+, particle \d+", done.stderr)
    assert (lockstep.out / "emergency.h5").exists()
    assert log_rows(lockstep)[0]["step"] == 0
    lockstep.good()


def test_frames_before_a_runaway_stay_readable(lockstep):
    assert lockstep.run("stage.0.steps=20").returncode == 0
    before = lockstep.good()
    lockstep.change("steps = 60", 'steps = 20\n[[stage]]\nmethod = "md"\ntimestep = 40.0\nsteps = 40')
    done = lockstep.run("output.directory=two", "output.trajectory.every=5")
    assert done.returncode == 70, done.stderr
    done = lockstep("info", lockstep.folder / "two" / "trajectory.h5", "--json")
    assert done.returncode == 0 and len(json.loads(done.stdout)["frames"]) >= 4
    assert "agree" in before


@pytest.mark.skipif(os.geteuid() != 0, reason="mounting needs root")
@pytest.mark.parametrize("ranks", [1, 2])
def test_a_full_disk_is_told_and_the_run_goes_on_when_there_is_room(lockstep, ranks):
    disk = lockstep.folder / "disk"
    disk.mkdir()
    if os.system(f"mount -t tmpfs -o size=600k tmpfs {disk} 2>/dev/null") != 0:
        pytest.skip("tmpfs cannot be mounted here")
    try:
        settings = [f"output.directory={disk}/out", "stage.0.steps=200", "output.trajectory.every=2"]
        done = lockstep.run(*settings, ranks=ranks)
        says(done, 70, "fix:", "start the same command again")
        assert "Segmentation" not in done.stderr
        if (disk / "out" / "checkpoint.h5").exists():
            assert lockstep("verify", disk / "out").returncode == 0
        assert os.system(f"mount -o remount,size=64m {disk}") == 0
        assert lockstep.run(*settings).returncode == 0
        assert lockstep.run("output.directory=unbroken", *settings[1:]).returncode == 0
        assert (disk / "out/log.jsonl").read_bytes() == (lockstep.folder / "unbroken/log.jsonl").read_bytes()
    finally:
        os.system(f"umount {disk}")


def test_a_killed_rank_ends_the_job_within_seconds(lockstep):
    process = lockstep.start("run", lockstep.input, "--quiet", "--set", "stage.0.steps=100000000",
                             "--set", "output.log.every=1000", ranks=3)
    try:
        limit = time.monotonic() + 60
        while not (lockstep.out / "checkpoint.h5").exists() and time.monotonic() < limit:
            time.sleep(0.05)
        ranks = [int(c) for t in Path(f"/proc/{process.pid}/task").glob("*/children") for c in t.read_text().split()]
        os.kill(ranks[-1], signal.SIGKILL)
        start = time.monotonic()
        _, error = process.communicate(timeout=60)
        assert time.monotonic() - start < 30  # a busy machine; alone it is about two seconds
        assert process.returncode != 0 and "killed" in error.lower()
    finally:
        if process.poll() is None:
            process.kill()
    lockstep.good()
