# SPDX-License-Identifier: Apache-2.0
"""The same bytes from any layout, and through kills: the quick forms of matrix.py and kills.py."""
import os
import shutil
import subprocess
import sys
from pathlib import Path

import kills
import pytest
import systems

HERE = Path(__file__).resolve().parent


def sums(script, *arguments):
    binary = os.environ.get("LOCKSTEP") or shutil.which("lockstep")
    if not binary:
        pytest.skip("LOCKSTEP does not name the program")
    done = subprocess.run([sys.executable, str(HERE / script), "--binary", binary, *arguments], text=True,
                          capture_output=True, check=False)
    assert done.returncode == 0, done.stdout + done.stderr


@pytest.mark.parametrize("name", [s.name for s in systems.ALL if s.quick])
def test_every_layout_writes_the_same_bytes(name):
    sums("matrix.py", "--quick", "--system", name)


@pytest.mark.parametrize("seed", range(5))
def test_a_run_killed_three_times_ends_with_the_same_bytes(seed):
    sums("kills.py", "--first", str(seed), "--seeds", "1", "--system", kills.SYSTEMS[seed % len(kills.SYSTEMS)])


@pytest.mark.nightly
@pytest.mark.parametrize("name", [s.name for s in systems.ALL])
def test_every_layout_writes_the_same_bytes_in_full(name):
    sums("matrix.py", "--system", name)


@pytest.mark.nightly
def test_fifty_runs_killed_three_times_end_with_the_same_bytes():
    sums("kills.py", "--seeds", "50")
