"""The walk "A new detector" of CONTRIBUTING.md, in a copy of the package."""

from __future__ import annotations

from helpers import walks

import streameval.detectors.registry

DETECT = """
import json
from streameval.detectors.registry import forms, parse
alarms = parse("in_a_row:2").run([0, 1, 1, 1, 1, 0, 1])
print(json.dumps([[part.tolist() for part in alarms], "in_a_row[:ERRORS]" in forms()]))
"""


def test_the_walk_adds_a_detector(tmp_path):
    assert "in_a_row" not in streameval.detectors.registry.DETECTORS
    line, module = walks.blocks("## A new detector")
    folder = walks.copy_package(tmp_path) / "detectors"
    (folder / "in_a_row.py").write_text(module, encoding="utf-8")
    walks.register(folder / "registry.py", line)
    assert walks.read(tmp_path, "-c", DETECT) == [[[], [2, 4]], True]
