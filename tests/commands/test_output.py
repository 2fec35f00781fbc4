# SPDX-License-Identifier: Apache-2.0
"""What commands say on the terminal."""
import pathlib
import re

import pytest

INPUTS = pathlib.Path(__file__).parents[2] / "inputs"


@pytest.mark.fast
def test_check_foretells_the_speed_of_md_stages(product):
    text = product.command("check", INPUTS / "argon/run.toml")
    stages = re.findall(r"^speed +stage (\d): at most (\S+) ns/day, (\S+) M particle-steps/s", text, re.M)
    assert [stage for stage, _, _ in stages] == ["0", "1"]
    n = int(re.search(r"^particles +(\d+)", text, re.M)[1])
    timestep_fs = float(re.search(r'^timestep = "?([\d.]+)', text, re.M)[1]) * 1e3  # shown in ps
    for _, ns_per_day, rate in stages:
        steps_per_day = float(rate) * 1e6 / n * 86400
        assert float(ns_per_day) == pytest.approx(steps_per_day * timestep_fs * 1e-6, rel=0.02)


@pytest.mark.fast
def test_check_foretells_no_speed_of_monte_carlo(product):
    text = product.command("check", INPUTS / "mc-lj-nvt/run.toml")
    assert "input          good" in text and "speed" not in text


@pytest.mark.fast
def test_table_has_no_total_energy_of_monte_carlo(product, tmp_path):
    text = product.command("run", INPUTS / "mc-lj-nvt/run.toml", "--set", "stage.0.steps=10", "--set", "stage.1.steps=10",
                           "--set", f"output.directory={tmp_path / 'out'}")
    rows = [line.split() for line in text.splitlines() if re.match(r" +\d+ ", line)]
    assert len(rows) == 3 and all(row[4] == "-" and float(row[3]) < 0 for row in rows)
