# SPDX-License-Identifier: Apache-2.0
"""The program in a folder of its own, with a small input."""
import pytest
from fault_tools import Lockstep


@pytest.fixture
def lockstep(tmp_path):
    return Lockstep(tmp_path)
