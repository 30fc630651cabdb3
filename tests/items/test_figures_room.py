"""Figures of many and of long names of learners or classes: panels keep their size."""

from __future__ import annotations

import numpy as np
import pandas as pd
import pytest
from helpers.drawn import assert_no_text_collides, autocorrelation, drawing, prior
from matplotlib.figure import Figure

from streameval.drawing import style
from streameval.drawing.curves import measure_curves
from streameval.items.dependence.show import (
    draw_class_distribution as _draw_class_distribution,
)

class_distribution = drawing(_draw_class_distribution, "prior", "autocorrelation")

#: 80 letters.
LONG = "Hoeffding adaptive trees that are bagged, and know which labels came late and which"[:80]
AT = np.arange(1000, 21000, 1000)


def panel_sizes_mm(figure: Figure) -> np.ndarray:
    """Width and height of the panels, a row for each."""
    figure.draw_without_rendering()
    boxes = [axes.get_window_extent() for axes in figure.axes]
    return np.array([(box.width, box.height) for box in boxes]) / figure.dpi * style.MM_PER_INCH


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
    [MANY | {"learner_3": LONG}, {"knn": 3 * LONG}, dict.fromkeys(MANY, LONG)],
    ids=["one is long", "longer than the figure", "many and long"],
)
def test_one_panel_keeps_its_height_above_a_large_legend(titles: dict[str, str]) -> None:
    few, many = draw_curves(FEW), draw_curves(titles)
    assert_no_text_collides(many)
    usual = panel_sizes_mm(few)[0]
    width, height = panel_sizes_mm(many)[0]
    assert width > 0.95 * usual[0]
    assert height > usual[1] - style.LEGEND_ROOM_MM
    assert height > 26


def test_a_figure_of_many_measures_is_not_higher_than_a_page() -> None:
    figure = style.figure(aspect=3.0)
    assert figure.get_figheight() * style.MM_PER_INCH == pytest.approx(style.PAGE_MM)
    assert style.figure(aspect=1.0).get_figheight() < figure.get_figheight()


def test_names_wider_than_the_figure_are_broken_and_kept() -> None:
    (legend,) = draw_curves({"knn": 3 * LONG}).legends
    (text,) = legend.get_texts()
    assert "\n" in text.get_text()
    assert text.get_text().replace("\n", "").replace(" ", "") == (3 * LONG).replace(" ", "")


SERVICES = [f"attack of the network by way of the service number {i}" for i in range(30)]
#: Alike at both ends.
ALIKE = [f"attack of the network by way of the service {i}, number unknown" for i in range(30)]


def draw_classes(names: list[str]) -> Figure:
    frame = prior(len(names))
    known = dict(zip([f"class {i}" for i in range(len(names))], names, strict=True))
    return class_distribution(
        frame.assign(**{"class": frame["class"].map(known)}),
        autocorrelation(),
        title="A stream",
        simulated=True,
        period=48,
    )


@pytest.mark.parametrize("names", [SERVICES, ALIKE], ids=["alike at one end", "at both"])
def test_many_classes_of_long_names_leave_the_panels_as_they_are(names: list[str]) -> None:
    few, many = draw_classes(["up", "down"]), draw_classes(names)
    assert_no_text_collides(many)
    usual, sizes = panel_sizes_mm(few), panel_sizes_mm(many)
    assert (sizes[:, 0] > 0.95 * usual[:, 0]).all()
    assert (sizes[:, 1] > usual[:, 1] - style.LEGEND_ROOM_MM).all()
    assert sizes[:, 1].min() > 38
    labels = [text.get_text() for text in many.axes[0].get_legend().get_texts()]
    assert len(set(labels)) == 7  # they are told apart
    assert labels[-1] == "24 others"


def test_names_of_classes_are_short_but_differ() -> None:
    assert style.shorten_names(["up", "x" * 24]) == ["up", "x" * 24]
    short = style.shorten_names(SERVICES)
    assert short[7] == "attack of the…e number 7"
    assert len(set(short)) == 30
    whole = style.shorten_names(ALIKE)
    assert [name.replace("\n", " ") for name in whole] == ALIKE
    assert max(len(line) for name in whole for line in name.split("\n")) <= style.NAME_LETTERS
