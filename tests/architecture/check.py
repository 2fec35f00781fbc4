# SPDX-License-Identifier: Apache-2.0
"""Runs the rules of the house on the repository: check.py [RULE...]; exit 1 with one line per violation."""
from __future__ import annotations

import sys
from pathlib import Path

from rules import RULES
from sources import read_tree

if __name__ == "__main__":
    tree = read_tree(Path(__file__).resolve().parents[2])
    violations = [message for name in sys.argv[1:] or RULES for message in RULES[name](tree)]
    print("\n".join(violations))
    sys.exit(1 if violations else 0)
