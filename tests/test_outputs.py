"""What commands print, results hold and learners predict, compared with what is committed.

Names and order may change; a change of a number is meant, or a fault. What an edit reruns is tested
in `pipeline/test_workflow.py` and `test_sources.py`.
"""

from __future__ import annotations

import pytest
from helpers.outputs import committed, named, numbers_in

COMMITTED, NAMED = committed(), named()


def test_all_that_is_named_is_committed():
    assert list(COMMITTED) == list(NAMED)
    assert len([name for name in COMMITTED if COMMITTED[name]]) == len(NAMED)


@pytest.mark.parametrize("name", NAMED)
def test_an_output_has_the_numbers_that_are_committed(name, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    expected, found = COMMITTED[name].split(), NAMED[name]()
    gone, new = sorted({*expected} - {*found}), sorted({*found} - {*expected})
    assert not gone + new, f"gone: {gone}; new: {new}; see `When numbers change` in CONTRIBUTING.md"


def test_numbers_are_found_wherever_they_stand():
    found = {"a": [1, True, "2"], "b": {"c": (0.1 + 0.2, None)}, "seconds": 7.5}
    assert numbers_in(found) == ["0.3", "1.0"]
    assert numbers_in({"other": [0.3], "more": [1.0, 1.0]}) == numbers_in(found)
