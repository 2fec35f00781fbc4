# SPDX-License-Identifier: Apache-2.0
"""The repository as the rules see it: paths with their text, and C++ without comments and strings."""
from __future__ import annotations

import re
import subprocess
from pathlib import Path

CPP = (".hpp", ".cpp", ".cu", ".cuh")
CODE = re.compile(
    r"""(?P<raw>R"(?P<mark>[^(\s]*)\(.*?\)(?P=mark)")   # raw string
      | (?P<string>"(?:\\.|[^"\\\n])*")
      | (?P<character>(?<![0-9a-fA-F])'(?:\\.|[^'\\\n])+')
      | (?P<comment>//[^\n]*|/\*.*?\*/)""",
    re.DOTALL | re.VERBOSE,
)


def without_comments(text: str) -> str:
    """C++ with comments blanked and the contents of string literals emptied; lines keep their numbers."""

    def blank(match: re.Match[str]) -> str:
        lines = "\n" * match.group().count("\n")
        return lines if match["comment"] else f'""{lines}'

    def keep_includes(match: re.Match[str]) -> str:
        line = text[text.rfind("\n", 0, match.start()) + 1 : match.start()]
        return match.group() if match["string"] and line.lstrip().startswith("#include") else blank(match)

    return CODE.sub(keep_includes, text)


def read_tree(root: Path) -> dict[str, str]:
    """Text of every file that git tracks or would track, by path from the root."""
    command = ["git", "-C", str(root), "ls-files", "--cached", "--others", "--exclude-standard"]
    try:
        names = subprocess.run(command, check=True, capture_output=True, text=True).stdout.split("\n")
    except (OSError, subprocess.CalledProcessError):  # an archive without git: every file but what is built
        names = [str(p.relative_to(root)) for p in root.rglob("*") if p.relative_to(root).parts[0] != "build"]
    tree = {}
    for name in sorted(filter(None, names)):
        try:
            tree[name] = (root / name).read_text(encoding="utf-8")
        except (UnicodeDecodeError, FileNotFoundError, IsADirectoryError):
            continue
    return tree


def cpp_files(tree: dict[str, str], *folders: str) -> dict[str, str]:
    """C++ files under the given folders, comments removed."""
    return {p: without_comments(t) for p, t in tree.items() if p.endswith(CPP) and p.startswith(folders)}


def line_of(text: str, position: int) -> int:
    return text.count("\n", 0, position) + 1
