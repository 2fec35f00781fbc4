# SPDX-License-Identifier: Apache-2.0
"""Starts lockstep as a user would, and compares what two runs left behind, byte for byte."""
import os
import subprocess
from dataclasses import dataclass
from pathlib import Path

import h5py
import numpy as np

# the input text and what is derived from it differ when a setting that must not matter is varied
INPUT_ECHO = {"input", "parameters/input", "input_hash", "build", "creator"}


@dataclass(frozen=True)
class Layout:
    """How a run is spread and computed; nothing of it may change a bit."""

    ranks: int = 1
    threads: int = 1
    kernel: str = "auto"
    skin: tuple = ()
    balance: bool = True
    launcher: str = "mpirun.openmpi"

    def words(self) -> str:
        return (f"{self.ranks} ranks, {self.threads} threads, kernel {self.kernel}, "
                f"{' '.join(self.skin) or 'usual skin'}, {'' if self.balance else 'not '}balanced")


def environment() -> dict:
    e = dict(os.environ)
    e.pop("OMP_NUM_THREADS", None)
    e.update(OMP_WAIT_POLICY="passive", OMP_PROC_BIND="false",
             OMPI_ALLOW_RUN_AS_ROOT="1", OMPI_ALLOW_RUN_AS_ROOT_CONFIRM="1")
    return e


def command(binary: str, layout: Layout, subcommand: str, input_file: Path, settings=()) -> list:
    line = []
    if layout.ranks > 1:
        line = [layout.launcher, "-n", str(layout.ranks)]
        if "mpich" not in layout.launcher:
            line += ["--oversubscribe", "--bind-to", "none"]
    line += [binary, subcommand, str(input_file), "--threads", str(layout.threads), "--kernel", layout.kernel]
    line += [] if layout.balance else ["--no-balance"]
    line += ["--quiet"] if subcommand == "run" else []
    for s in [*settings, *layout.skin]:
        line += ["--set", s]
    return line


def run(binary: str, layout: Layout, input_file: Path, settings=(), subcommand="run", timeout=600, **options):
    return subprocess.run(command(binary, layout, subcommand, input_file, settings), env=environment(), text=True,
                          capture_output=True, timeout=timeout, check=False, **options)


def file_content(path: Path) -> dict:
    """Every dataset and every attribute of the root group: name -> (type, shape, bytes)."""
    content = {}

    def take(name, value):
        if name not in INPUT_ECHO:
            value = np.asarray(value)
            text = repr(value.tolist()).encode() if value.dtype == object else value.tobytes()
            content[name] = (str(value.dtype), value.shape, text)

    with h5py.File(path, "r") as f:
        f.visititems(lambda name, node: take(name, node[()]) if isinstance(node, h5py.Dataset) else None)
        for name, value in f.attrs.items():
            take(name, value)
    return content


def results(folder: Path) -> dict:
    """All that must be equal: rows of the log, datasets of trajectory and checkpoint."""
    content = {"log.jsonl": (folder / "log.jsonl").read_bytes()}
    for name in ("trajectory.h5", "checkpoint.h5"):
        if (folder / name).exists():
            content |= {f"{name}:{k}": v for k, v in file_content(folder / name).items()}
    return content


def differences(a: dict, b: dict) -> list:
    """Names whose content differs, the log first by its row; empty if all bytes are equal."""
    found = [k for k in sorted(a.keys() | b.keys()) if a.get(k) != b.get(k)]
    if "log.jsonl" in found:
        rows = zip(a["log.jsonl"].splitlines(), b["log.jsonl"].splitlines())
        first = next((f"{x.decode()} / {y.decode()}" for x, y in rows if x != y), "one is longer")
        found[found.index("log.jsonl")] = f"log.jsonl: {first}"
    return found
