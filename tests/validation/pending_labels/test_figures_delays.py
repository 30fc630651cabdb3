"""The figure of learners with delayed labels where delays lie close together, or there is one."""

from __future__ import annotations

from itertools import product

import numpy as np
import pandas as pd
from helpers.drawn import assert_no_text_collides, drawing
from matplotlib.figure import Figure

from pending_labels.delays import MEASURED, OPTIONS
from pending_labels.show import draw_delays


def draw(learners: list[str], delays: list[int]) -> Figure:
    lines = [("no_change", "ordinary"), ("majority", "ordinary"), *product(learners, OPTIONS)]
    rows = [
        (delay, *line, measure, 0.5 + 0.02 * place + 0.1 / (delay + 1), "", np.nan, np.nan)
        for place, line in enumerate(lines)
        for measure, delay in product(MEASURED, delays)
    ]
    columns = ["delay", "learner", "option", "measure", "value", "reason", "low", "high"]
    return drawing(draw_delays, "delays")(
        pd.DataFrame(rows, columns=columns),
        learners=learners,
        titles={"no_change": "No-Change", "majority": "Majority class"},
        title="A stream",
        simulated=True,
    )


def below(figure: Figure) -> list[str]:
    """Labels of the lowest panel on the left."""
    last = max(figure.axes, key=lambda axes: axes.get_subplotspec().rowspan.start)
    return [text.get_text() for text in last.get_xticklabels()]


def test_delays_that_lie_close_together_do_not_collide() -> None:
    learners = ["naive_bayes", "hoeffding_tree", "hoeffding_adaptive_tree", "leveraging_bagging"]
    figure = draw(learners, [1, 2, 100, 101, 102, 103, 110, 200, 1000])
    assert below(figure) == ["1", "2", "100", "", "", "", "", "200", "1000"]
    assert_no_text_collides(figure)


def test_a_single_delay_is_drawn_as_points() -> None:
    figure = draw(["naive_bayes"], [7])
    assert figure.axes[0].get_xticks().tolist() == [8]
    assert below(figure) == ["7"]
    assert all(x.get_marker() not in ("", "None") for x in figure.axes[0].lines)
    assert_no_text_collides(figure)
