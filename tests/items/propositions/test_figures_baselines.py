"""Figures of baselines by dependence: scales, and conditions that are left out."""

from __future__ import annotations

import itertools

import pandas as pd
import pytest
from helpers.drawn import assert_no_text_collides

from streameval.items.propositions.baseline_accuracies import MEMORY_QUANTITIES, QUANTITIES
from streameval.items.propositions.error_dependence import CONDITIONS
from streameval.items.propositions.show import baselines_by_persistence, majority_memory

COLUMNS = ["shares", "persistence", "quantity", "window", "mean"]


def with_ends(frame: pd.DataFrame) -> pd.DataFrame:
    return frame.assign(low=frame["mean"] - 0.01, high=frame["mean"] + 0.01, seeds=5)


@pytest.mark.parametrize(("temporal", "scale"), [(-15.0, "symlog"), (-0.5, "linear")])
def test_kappas_bend_only_where_they_must(temporal: float, scale: str) -> None:
    shares = ["0.5/0.5", "0.7/0.3", "0.5/0.3/0.2"]
    rows = [
        (*row, 0, temporal if row[2] == "kappa_temporal" else 0.4)
        for row in itertools.product(shares, [0.45, 0.7, 0.99], QUANTITIES)
    ]
    figure = baselines_by_persistence(with_ends(pd.DataFrame(rows, columns=COLUMNS)))
    for axes in figure.axes[3:]:
        assert axes.get_yscale() == scale
        assert axes.get_ylim()[0] < temporal
    noted = figure.axes[3].get_title(loc="left").startswith("shaded: logarithmic")
    assert noted is (scale == "symlog")
    assert_no_text_collides(figure)


def test_a_condition_may_be_left_out() -> None:
    rows = itertools.product(["0.7/0.3"], [0.64, 0.9], MEMORY_QUANTITIES, [1, 10, 100], [0.5])
    errors = {"shares": "0.7/0.3", "persistence": [0.45, 0.9], "condition": CONDITIONS[0]}
    errors |= {"error_a": 0.1, "error_b": 0.4, "expected": 0.01, "mean": 0.012}
    memory = with_ends(pd.DataFrame(rows, columns=COLUMNS))
    figure = majority_memory(memory, with_ends(pd.DataFrame(errors)))
    names = [text.get_text() for text in figure.legends[0].get_texts()]
    assert len(names) == 6
    assert not any("condition 3" in name for name in names)
