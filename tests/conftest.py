# SPDX-License-Identifier: Apache-2.0
"""The built program as a fixture of the Python tests."""
import os
import pathlib

import pytest

from product import Product

ROOT = pathlib.Path(__file__).parents[1]


@pytest.fixture(scope="session")
def product():
    """The binary named by LOCKSTEP, else that of the release build."""
    binary = pathlib.Path(os.environ.get("LOCKSTEP", ROOT / "build/release/bin/lockstep"))
    if not binary.exists():
        pytest.fail(f"{binary} is not built: run `./lockstep test`, or set LOCKSTEP to the binary")
    return Product(binary)
