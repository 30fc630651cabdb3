"""The walk "A new protocol" of CONTRIBUTING.md, in a copy of the package."""

from __future__ import annotations

import pytest
from helpers import walks
from helpers.commands import first

#: An item names the protocol; its predictions are kept under its name.
ITEM = """
import json
from pathlib import Path
from streameval.pipeline.configuration import Configuration
from streameval.pipeline.items import items_of
from streameval.protocols.registry import forms, parse
from streameval.streams.generators.sea import Sea
from streameval.evaluation.predictions import (
    prediction_file, read_predictions, write_predictions
)
from streameval.evaluation.run import run_learners

block = {"kind": "overall_measures", "streams": ["sea"], "learners": ["no_change"]}
block["protocol"] = {"name": "hold_out", "train": 7}
(item,) = items_of(Configuration({"items": {"mine": {"table1": block}}}, {})).values()
path = prediction_file("sea", item.protocol)
write_predictions(run_learners(Sea().stream(10), item.protocol, {})[0], path)
kept = read_predictions(path)
assert path.stem == f"sea.{item.protocol}"
assert item.protocol == parse("hold_out:7")
print(json.dumps({
    "file": path.name,
    "title": item.protocol.title,
    "rows": kept.row.tolist(),
    "ordinals": kept.ordinal.tolist(),
    "in forms": "hold_out" in " ".join(forms()),
}))
"""


@pytest.fixture
def copy(tmp_path):
    """A copy of the package with the protocol that the walk adds."""
    line, module = walks.blocks("## A new protocol\n")
    protocols = walks.copy_package(tmp_path) / "protocols"
    (protocols / "hold_out.py").write_text(module, encoding="utf-8")
    walks.register(protocols / "registry.py", line)
    return tmp_path


def test_the_walk_adds_a_protocol(copy):
    (copy / "five.csv").write_text("x,y\n1,a\n2,b\n3,b\n4,b\n5,a\n6,b\n", encoding="utf-8")
    words = ("-m", "streameval", "evaluate", "five.csv", "--target", "y", "--json")
    words += ("--learner", "no_change", "--protocol")
    found = walks.call(copy, *words, "hold_out:3")
    # No-Change repeats the third label, b, for the rest: b, a, b.
    assert first(found.stdout)["accuracy"] == pytest.approx(2 / 3)
    assert found.stderr == ""
    wrong = walks.call(copy, *words, "hold_out")
    assert wrong.returncode == 2
    assert "expected a value for train (number of instances to learn from)" in wrong.stderr
    assert walks.read(copy, "-c", ITEM) == {
        "file": "sea.hold_out-7.parquet",
        "title": "hold-out after 7 instances",
        "rows": [7, 8, 9],
        "ordinals": [7, 8, 9],
        "in forms": True,
    }
