"""Figures of many and of long names: nothing collides, and panels keep their size."""

from __future__ import annotations

import numpy as np
import pandas as pd
import pytest
from matplotlib.figure import Figure
from test_figures import assert_no_text_collides

from streameval.report import style
from streameval.report.figures.curves import measure_curves

#: 80 letters.
LONG = "Hoeffding adaptive trees that are bagged, and know which labels came late and which"[:80]
AT = np.arange(1000, 21000, 1000)


def panel_sizes_mm(drawn: Figure) -> np.ndarray:
    """Return width and height of the panels, a row for each."""
    drawn.draw_without_rendering()
    boxes = [axes.get_window_extent() for axes in drawn.axes]
    return np.array([(box.width, box.height) for box in boxes]) / drawn.dpi * style.MM_PER_INCH


def draw_curves(titles: dict[str, str]) -> Figure:
    parts = [
        pd.DataFrame(
            {"instance": AT, "learner": name, "measure": "kappa_combined", "value": 0.02 * i}
        )
        for i, name in enumerate(titles)
    ]
    return measure_curves(
        pd.concat(parts, ignore_index=True),
        measures=["kappa_combined"],
        learners=list(titles),
        titles=titles,
        title="A stream",
        simulated=True,
    )


FEW = {f"learner_{i}": f"Hoeffding tree {i}" for i in range(5)}
MANY = {f"learner_{i}": f"Hoeffding adaptive tree {i}" for i in range(16)}


@pytest.mark.parametrize(
    "titles",
    [MANY, MANY | {"learner_3": LONG}, {"knn": 3 * LONG}, dict.fromkeys(MANY, LONG)],
    ids=["many", "one is long", "longer than the figure", "many and long"],
)
def test_one_panel_keeps_its_height_above_a_large_legend(titles: dict[str, str]) -> None:
    few, drawn = draw_curves(FEW), draw_curves(titles)
    assert_no_text_collides(drawn)
    usual = panel_sizes_mm(few)[0]
    width, height = panel_sizes_mm(drawn)[0]
    assert width > 0.95 * usual[0]
    assert height > usual[1] - style.LEGEND_ROOM_MM
    assert height > 26


def test_few_learners_leave_a_figure_as_it_is() -> None:
    assert draw_curves(FEW).get_figheight() * style.MM_PER_INCH == pytest.approx(24 + 34)


def test_names_wider_than_the_figure_are_broken_and_kept() -> None:
    (legend,) = draw_curves({"knn": 3 * LONG}).legends
    (text,) = legend.get_texts()
    assert "\n" in text.get_text()
    assert text.get_text().replace("\n", "").replace(" ", "") == (3 * LONG).replace(" ", "")
