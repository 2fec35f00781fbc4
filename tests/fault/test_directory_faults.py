# SPDX-License-Identifier: Apache-2.0
"""Run directories that cannot be used: damaged, foreign or changed checkpoints, rights, locks."""
import os
import shutil
import time

import pytest
from fault_tools import says


@pytest.fixture
def begun(lockstep):
    """A run that has stopped at step 40 with both checkpoints, as if killed: 60 steps are wanted."""
    assert lockstep.run("stage.0.steps=40").returncode == 0
    reference = lockstep.run("output.directory=unbroken")
    assert reference.returncode == 0
    # the same input, interrupted: the checkpoint of step 40 is what a killed run leaves behind
    out = lockstep.folder / "killed"
    process = lockstep.start("run", lockstep.input, "--quiet", "--set", "output.directory=killed",
                             "--set", "stage.0.steps=2000000")
    limit = time.monotonic() + 60
    while not (out / "checkpoint.prev.h5").exists() and time.monotonic() < limit:
        time.sleep(0.01)
    process.kill()
    process.communicate()
    lockstep.out = out
    lockstep.settings = ["output.directory=killed", "stage.0.steps=2000000"]
    return lockstep


def content(folder):
    return {p.name: p.read_bytes() for p in folder.iterdir() if p.is_file()}


def flip(path, at):
    data = bytearray(path.read_bytes())
    data[at if at >= 0 else len(data) + at] ^= 0x10
    path.write_bytes(data)


def shortly(lockstep, *more):
    """Continues the run for a moment."""
    return lockstep("run", lockstep.input, "--walltime", "1 s", *[x for s in [*lockstep.settings, *more]
                                                                  for x in ("--set", s)])


@pytest.mark.parametrize("damage", ["truncated", "flipped", "empty", "foreign"])
def test_a_damaged_checkpoint_is_set_aside_and_the_one_before_continued(begun, damage):
    path = begun.out / "checkpoint.h5"
    if damage == "truncated":
        os.truncate(path, path.stat().st_size // 2)
    elif damage == "flipped":
        flip(path, path.stat().st_size // 2)
    elif damage == "empty":
        path.write_bytes(b"")
    else:
        path.write_bytes(b"\x89HDF\r\n\x1a\n" + os.urandom(4000))
    done = shortly(begun)
    says(done, 75, "checkpoint", "continuing from", "damaged")
    assert "continuing from step" in done.stdout
    assert (begun.out / "checkpoint.damaged.h5").exists()
    begun.good()


def test_two_damaged_checkpoints_stop_the_run_and_nothing_is_lost(begun):
    for name in ("checkpoint.h5", "checkpoint.prev.h5"):
        flip(begun.out / name, -100)
    before = content(begun.out)
    done = shortly(begun)
    says(done, 70, "checkpoint", "fix:")
    assert content(begun.out) == before


@pytest.mark.parametrize("old, new", [("seed = 4", "seed = 5"), ("epsilon = 1.0", "epsilon = 1.1"),
                                      ("timestep = 0.004", "timestep = 0.003"), ("density = 0.8", "density = 0.7"),
                                      ("cutoff = 2.5", "cutoff = 2.4")])
def test_a_changed_input_does_not_continue_an_old_checkpoint(begun, old, new):
    before = content(begun.out)
    begun.change(old, new)
    says(shortly(begun), 64, "another input", "output.directory", "fix:")
    assert content(begun.out) == before


def test_settings_that_change_no_bit_may_differ_on_resuming(begun):
    says(shortly(begun, "neighbor.skin=0.4", "output.log.every=5", 'title="renamed"'), 75)


def test_a_missing_newest_checkpoint_is_told(begun):
    (begun.out / "checkpoint.h5").unlink()
    says(shortly(begun), 75, "missing", "before")
    begun.good()


def test_a_lost_log_stops_the_run(begun):
    (begun.out / "log.jsonl").unlink()
    says(shortly(begun), 70, "log.jsonl", "fix:")


def test_a_lost_segment_stops_the_run(begun):
    (begun.out / "trajectory.0000.h5").unlink()
    says(shortly(begun), 70, "trajectory", "fix:")


def test_a_directory_of_unknown_files_is_not_written_into(lockstep):
    lockstep.out.mkdir()
    (lockstep.out / "log.jsonl").write_text("mine\n")
    says(lockstep.run(), 64, "unknown origin", "output.directory")
    assert (lockstep.out / "log.jsonl").read_text() == "mine\n"


def test_a_finished_run_without_checkpoints_is_not_overwritten(lockstep):
    assert lockstep.run().returncode == 0
    for path in lockstep.out.glob("checkpoint*.h5"):
        path.unlink()
    before = content(lockstep.out)
    says(lockstep.run(), 64, "finished", "fix:")
    assert content(lockstep.out) == before


def test_a_directory_that_cannot_be_made_is_told(lockstep):
    (lockstep.folder / "file").write_text("")
    says(lockstep.run("output.directory=file/out"), 70, "file/out", "fix:")
    says(lockstep.run("output.directory=/proc/nowhere/out"), 70, "/proc/nowhere", "fix:")


@pytest.mark.skipif(os.geteuid() == 0, reason="root may write anywhere")
def test_a_directory_without_rights_is_told(lockstep):
    lockstep.out.mkdir(mode=0o500)
    says(lockstep.run(), 70, "out", "fix:")


def test_two_runs_in_one_directory_do_not_mix(lockstep):
    first = lockstep.start("run", lockstep.input, "--quiet", "--set", "stage.0.steps=100000000")
    try:
        limit = time.monotonic() + 60
        while not (lockstep.out / "checkpoint.h5").exists() and time.monotonic() < limit:
            time.sleep(0.02)
        says(lockstep.run("stage.0.steps=100000000"), 70, "in use", "fix:")
    finally:
        first.kill()
        first.communicate()


def test_a_finished_run_started_again_changes_nothing(lockstep):
    assert lockstep.run().returncode == 0
    before = content(lockstep.out)
    done = lockstep("run", lockstep.input)
    says(done, 0)
    assert "finished" in done.stdout
    after = content(lockstep.out)
    for rewritten in ("manifest.json", "trajectory.h5"):  # the list of starts; the view of the segments
        assert after.pop(rewritten) and before.pop(rewritten)
    assert after == before
    lockstep.good()


def test_other_trajectory_fields_cannot_follow_the_frames_that_are_there(lockstep):
    frames = ["output.trajectory.every=20", "output.trajectory.fields=['position', 'velocity']"]
    assert lockstep.run(*frames).returncode == 0
    before = content(lockstep.out)
    for change in ("output.trajectory.fields=['position']", "output.trajectory.storage='float32'"):
        result = lockstep.run(*frames, change)
        says(result, 64, "output.trajectory", "other fields or another storage", "output.directory")
    after = content(lockstep.out)
    assert {k: v for k, v in after.items() if k.endswith(".h5")} == {k: v for k, v in before.items() if k.endswith(".h5")}


def test_a_comparison_with_nothing_or_with_a_damaged_file_is_refused(lockstep):
    says(lockstep.run(), 0)
    copy = lockstep.folder / "copy"
    shutil.copytree(lockstep.out, copy)
    for command in ("verify", "bisect"):
        says(lockstep(command, lockstep.out, copy), 0)
        says(lockstep(command, lockstep.out, copy / "trajectory.h5"), 0)
        says(lockstep(command, copy / "log.jsonl", lockstep.out), 0)
        says(lockstep(command, lockstep.out, "nowhere"), 64, "nowhere: is not there", "fix:")
        says(lockstep(command, "nowhere", lockstep.out), 64, "nowhere: is not there", "fix:")
    segment = next(copy.glob("trajectory.0*.h5"))
    segment.write_bytes(segment.read_bytes()[:1000])  # the log and the checkpoint still agree
    for command in ("verify", "bisect"):
        done = lockstep(command, lockstep.out, copy)
        assert done.returncode in (64, 70), done.stdout
        assert "trajectory" in done.stderr and "fix:" in done.stderr


@pytest.mark.parametrize("word, advice", [("rnu", "Did you mean 'run'?"), ("frobnicate", "Known here are run, check")])
def test_an_unknown_command_is_told_from_a_missing_one(lockstep, word, advice):
    says(lockstep(word), 64, f'"{word}" is not a command', advice)
