# SPDX-License-Identifier: Apache-2.0
"""Runs that are asked to stop: exit code 75, a checkpoint, and the same bytes when they are continued."""
import os
import shutil
import signal
import subprocess

import pytest
import systems
from engine import Layout, command, differences, environment, results
from kills import CHECKPOINTS, wait_for_step

STEPS = 300
SYSTEM = next(s for s in systems.ALL if s.name == "sequence")


@pytest.fixture(scope="module")
def unbroken(tmp_path_factory):
    binary = os.environ.get("LOCKSTEP") or shutil.which("lockstep")
    if not binary:
        pytest.skip("LOCKSTEP does not name the program")
    folder = tmp_path_factory.mktemp("stops")
    input_file = SYSTEM.write(folder)
    settings = SYSTEM.settings(STEPS) + CHECKPOINTS
    done = finish(binary, Layout(), input_file, [*settings, "output.directory=unbroken"])
    assert done.returncode == 0, done.stderr
    return binary, input_file, settings, results(folder / "unbroken")


def finish(binary, layout, input_file, settings, *more):
    return subprocess.run(command(binary, layout, "run", input_file, settings) + list(more), env=environment(),
                          text=True, capture_output=True, timeout=600, check=False)


@pytest.mark.parametrize("name, ranks", [("SIGTERM", 1), ("SIGUSR1", 1), ("SIGUSR2", 1), ("SIGINT", 1), ("SIGUSR1", 2),
                                         ("SIGUSR2", 2)])
def test_a_signal_stops_with_75_and_the_next_start_goes_on(unbroken, name, ranks):
    binary, input_file, settings, reference = unbroken
    folder = input_file.parent / f"{name}{ranks}"
    settings = [*settings, f"output.directory={folder.name}"]
    process = subprocess.Popen(command(binary, Layout(ranks=ranks), "run", input_file, settings), env=environment(),
                               text=True, stdout=subprocess.PIPE, stderr=subprocess.PIPE)
    if wait_for_step(folder, 30, process):
        process.send_signal(getattr(signal, name))
    _, error = process.communicate(timeout=300)
    assert process.returncode == 75, error
    assert (folder / "checkpoint.h5").exists()
    done = finish(binary, Layout(ranks=3 - ranks), input_file, settings)
    assert done.returncode == 0, done.stderr
    assert differences(reference, results(folder)) == []


def test_a_signal_before_the_first_step_stops_with_75_too(unbroken):
    binary, input_file, settings, _ = unbroken
    folder = input_file.parent / "early"
    settings = [*settings, "output.directory=early"]
    process = subprocess.Popen(command(binary, Layout(), "run", input_file, settings), env=environment(), text=True,
                               stdout=subprocess.PIPE, stderr=subprocess.PIPE)
    while process.poll() is None and not (folder / ".lock").exists():
        pass
    process.send_signal(signal.SIGUSR1)
    _, error = process.communicate(timeout=300)
    assert process.returncode == 75, error


def test_walltime_stops_with_75_again_and_again_until_the_run_is_finished(unbroken):
    binary, input_file, settings, reference = unbroken
    folder = input_file.parent / "walltime"
    settings = [*settings, "output.directory=walltime"]
    codes = []
    for k in range(4 * STEPS):
        limit = ["--walltime", "0.05 s"] if k < 8 else []
        codes.append(finish(binary, Layout(threads=1 + k % 2), input_file, settings, *limit).returncode)
        if codes[-1] != 75:
            break
    assert codes[0] == 75 and codes[-1] == 0, codes
    assert differences(reference, results(folder)) == []


@pytest.mark.parametrize("moment", ["converged", "stage end"])
def test_a_checkpoint_at_the_end_of_a_stage_is_continued_into_the_next(unbroken, moment):
    """Every step is a checkpoint, and a stop comes at each of them once."""
    binary, input_file, _, _ = unbroken
    first = ["stage.0.steps=200", "stage.0.fire.force_tolerance=1000"] if moment == "converged" else ["stage.0.steps=6"]
    settings = [*first, "stage.1.steps=6", "stage.2.steps=6", "output.log.every=1", "output.trajectory.every=1"]
    whole, parts = f"whole {moment[:5]}", f"parts {moment[:5]}"
    assert finish(binary, Layout(), input_file, [*settings, f'output.directory="{whole}"']).returncode == 0
    for _ in range(40):  # a walltime that is over at once: one step per start
        done = finish(binary, Layout(), input_file, [*settings, f'output.directory="{parts}"'], "--walltime", "0.001 s")
        if done.returncode != 75:
            break
    assert done.returncode == 0, done.stderr
    assert differences(results(input_file.parent / whole), results(input_file.parent / parts)) == []
