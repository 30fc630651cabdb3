"""The digests of the tiny run that are committed, and with which packages they were made."""

from __future__ import annotations

import json
import re
from importlib.metadata import version
from pathlib import Path

from streameval.base.settings import ROOT

COMMITTED = Path(__file__).parents[1] / "digests" / "tiny.json"
#: What pictures depend on beside the numbers in them: fonts come with matplotlib.
DRAWING = ("matplotlib", "numpy", "seaborn")


def committed() -> dict[str, str]:
    digests: dict[str, str] = json.loads(COMMITTED.read_text(encoding="utf-8"))
    return digests


def other_versions() -> dict[str, str]:
    """The packages that are installed here in another version than is pinned."""
    pins = (ROOT / "requirements.txt").read_text(encoding="utf-8")
    pinned = dict(re.findall(r"^([\w.-]+)==(\S+)", pins, re.MULTILINE))
    needed = {name: pinned[name] for name in (*DRAWING, "llvmlite", "numba", "pandas", "scipy")}
    return {name: version(name) for name, pin in needed.items() if version(name) != pin}


def differences(expected: dict[str, str], actual: dict[str, str]) -> list[str]:
    """Changed, new and missing files, a line each."""
    words = []
    for path in sorted(expected.keys() | actual.keys()):
        if path not in actual:
            words.append(f"gone: {path}")
        elif path not in expected:
            words.append(f"new: {path}")
        elif actual[path] != expected[path]:
            words.append(f"changed: {path}")
    return words
