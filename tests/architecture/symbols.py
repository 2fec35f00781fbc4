# SPDX-License-Identifier: Apache-2.0
"""Contract rule 10 on what was built: no object of Lockstep calls a libm function whose digits may differ."""
from __future__ import annotations

import re
import subprocess
import sys
from pathlib import Path

from rules import INEXACT

# fma is exact, but a call of it means the instruction was not used: the flags are wrong.
CALLS = re.compile(rf"\b(?:__)?({'|'.join(INEXACT)}|fma)(?:f|l)?(?:_finite|_finite@.*|@.*)?$")

# Objects that only read or write text, and what they may call for it: no number of the simulation passes through.
ALLOWED = {
    r"src/app/.*": {"log10", "pow"},
}


def undefined(path: Path) -> dict[str, set[str]]:
    """Forbidden functions called by each object of an archive."""
    output = subprocess.run(["nm", "-u", str(path)], check=True, capture_output=True, text=True).stdout
    found: dict[str, set[str]] = {}
    member = path.name
    for line in output.split("\n"):
        if line.endswith(":"):
            member = line[:-1]
        elif match := CALLS.search(line.strip()):
            found.setdefault(member, set()).add(match[1])
    return found


def check(build: Path) -> list[str]:
    """Violations in all archives and objects below the build folder's src and kernels."""
    archives = [p for folder in ("src", "kernels") for p in sorted((build / folder).rglob("*.[ao]"))]
    if not archives:
        return [f"{build}: nothing is built there"]
    messages = []
    for archive in archives:
        place = str(archive.relative_to(build))
        allowed = set().union(*(names for pattern, names in ALLOWED.items() if re.fullmatch(pattern, place)))
        for member, names in undefined(archive).items():
            messages += [f"{place}({member}): calls {name}" for name in sorted(names - allowed)]
    return messages


if __name__ == "__main__":
    violations = check(Path(sys.argv[1]))
    print("\n".join(violations))
    sys.exit(1 if violations else 0)
