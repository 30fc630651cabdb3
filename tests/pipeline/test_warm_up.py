"""What one job compiles for others."""

from __future__ import annotations

import os
from functools import partial

import pytest

from streameval.pipeline import warm_up


@pytest.mark.parametrize(
    ("part", "expected"),
    [
        ("trees.hoeffding_tree", {"hoeffding_adaptive_tree", "leveraging_bagging"}),
        ("regression.fimt_dd", {"orto"}),
        ("knn", set()),
    ],
)
def test_a_part_compiles_what_builds_on_it_in_a_process_apart(
    monkeypatch, tmp_path, part, expected
):
    """It is what the run has of that, and not itself."""

    def tell(name):
        (tmp_path / name).write_text(str(os.getpid()), encoding="utf-8")

    planned = "hoeffding_tree hoeffding_adaptive_tree leveraging_bagging knn fimt_dd orto"
    monkeypatch.setenv(warm_up.LEARNERS_VARIABLE, planned)
    monkeypatch.setattr(
        warm_up, "learner_parts", lambda specs: {name: partial(tell, name) for name in specs}
    )
    warm_up.warm_up_dependents(part)
    processes = {path.name: path.read_text(encoding="utf-8") for path in tmp_path.iterdir()}
    assert set(processes) == expected
    assert str(os.getpid()) not in processes.values()


def test_without_a_run_a_part_compiles_itself_only(monkeypatch):
    monkeypatch.delenv(warm_up.LEARNERS_VARIABLE, raising=False)
    monkeypatch.setattr(warm_up, "learner_parts", pytest.fail)
    warm_up.warm_up_dependents("trees.hoeffding_tree")
