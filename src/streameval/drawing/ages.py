"""Accuracies and errors by the age of instances, the time since their arrival.

Instances are at risk at an age if they then still wait for labels, which arrive later. Instances
without labels by the end are pending.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import pandas as pd
from matplotlib.axes import Axes
from matplotlib.figure import Figure
from matplotlib.ticker import MaxNLocator

from streameval.drawing import scales, style
from streameval.drawing.subject import Subject
from streameval.measures.registry import MEASURES

#: The panels from top to bottom: column, title, and whether it is a difference. The column ""
#: stands for the column of the measure.
PANELS = (
    ("", "over those at risk", False),
    ("gain", "gain over their first predictions", True),
    ("overall", "over all", False),
)
#: Names of measures on the axis, by their column in the frame.
_AXIS_NAMES = {"accuracy": "accuracy", "mean_absolute_error": "mean absolute error"}
#: Height of a panel.
_PANEL_MM = 42.0
#: Height of the numbers of instances at risk and pending.
_COUNTS_MM = 9.0
#: Height of title, axis and legend.
_MARGINS_MM = 34.0
#: Largest number of ticks of the age axis.
_TICKS = 8
#: The two rows of numbers: label, and vertical position as a fraction of the height of their axes.
_ROWS = {"at_risk": ("at risk", 0.75), "pending": ("pending", 0.2)}
#: Label of the age axis by the setting `clock`.
_AGE_LABELS = {
    "time": "time since the instance has arrived ({unit})",
    "labels": "labels since the instance has arrived",
    "instances": "instances since the instance has arrived",
}


@style.styled
def draw_accuracy_by_age(frames: Mapping[str, pd.DataFrame], subject: Subject) -> Figure:
    """Draw three panels over one axis, and numbers of instances below it."""
    settings, ages, learners = subject.settings, frames["ages"], subject.settings.learners
    heights = [_PANEL_MM] * len(PANELS) + [_COUNTS_MM]
    figure = style.titled_figure(
        (sum(heights) + _MARGINS_MM) / style.FULL_WIDTH_MM, **subject.stream_arguments
    )
    *panels, counts = figure.subplots(len(heights), 1, sharex=True, height_ratios=heights)
    draw_age_panels(panels, ages, learners)
    for axes in panels:
        axes.tick_params(labelbottom=axes is panels[-1])
    largest_age = set_age_axis(panels[-1], ages, settings.clock)
    _write_counts(counts, panels[-1], ages[ages["learner"] == learners[0]], largest_age)
    figure.align_ylabels(panels)
    style.legend(figure, style.learner_handles(learners, subject.titles), columns=4)
    return figure


def draw_age_panels(panels: Sequence[Axes], ages: pd.DataFrame, learners: Sequence[str]) -> None:
    """Draw the content of `PANELS` into axes."""
    measure = next(name for name in _AXIS_NAMES if name in ages)
    for axes, (name, text, is_difference) in zip(panels, PANELS, strict=True):
        column = name or measure
        style.learner_lines(axes, ages, "age", column, learners)
        values = ages.loc[ages["learner"].isin(learners), column].to_numpy(dtype=float)
        if is_difference:
            style.zero_line(axes)
            axes.yaxis.set_major_locator(MaxNLocator(5, steps=[1, 2, 2.5, 5, 10]))
        elif measure == "accuracy":  # errors have no upper limit
            scales.fit(axes, MEASURES[measure], values)
        axes.set_title(text, loc="left", pad=3)
        axes.set_ylabel("difference" if is_difference else _AXIS_NAMES[measure])


def set_age_axis(axes: Axes, ages: pd.DataFrame, clock: str) -> float:
    """Set limits, ticks and label of the age axis, and return the largest age."""
    largest_age = max(float(ages["age"].max()), 1.0)
    axes.set_xlim(0, largest_age * style.AXIS_FACTOR)
    axes.xaxis.set_major_locator(MaxNLocator(_TICKS, steps=[1, 2, 2.5, 3, 5, 6, 10]))
    axes.set_xlabel(_AGE_LABELS[clock].format(unit=ages["unit"].iloc[0]))
    return largest_age


def _write_counts(axes: Axes, panel_above: Axes, rows: pd.DataFrame, largest_age: float) -> None:
    """Write numbers of instances at each tick: those of the greatest age up to the tick."""
    axes.axis("off")
    ordered = rows.sort_values("age")
    for column, (name, height) in _ROWS.items():
        text_style: dict[str, Any] = {"ha": "center", "va": "center", "fontsize": style.SMALL}
        axes.annotate(
            name,
            (0, height),
            xytext=(-22, 0),  # left of the number at age 0
            xycoords=("axes fraction", "axes fraction"),
            textcoords="offset points",
            ha="right",
            va="center",
        )
        for tick in panel_above.get_xticks():
            earlier = ordered[ordered["age"] <= tick]
            if 0 <= tick <= largest_age and len(earlier):
                number = f"{int(earlier[column].iloc[-1]):,}"
                axes.text(tick, height, number, transform=axes.get_xaxis_transform(), **text_style)
