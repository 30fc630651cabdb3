"""What false alarms do to a detector of drift (Žliobaitė et al. 2015, Figure 7)."""

from __future__ import annotations

from collections.abc import Mapping

import pandas as pd
from matplotlib.artist import Artist
from matplotlib.axes import Axes
from matplotlib.figure import Figure
from matplotlib.ticker import FuncFormatter, LogLocator, NullLocator

from streameval.errors import DataError
from streameval.items.subject import Subject
from streameval.report import scales, style
from streameval.report.names import VARIANT_TITLES
from streameval.report.results import (
    as_numbers,
    known_numbers,
)

#: Panels, from left to right.
ORDERS = ("original", "temporal", "shuffled")
#: The learner whose probability of a false alarm is varied, and those that have none.
VARIED, STEADY = "ddm_random", ("no_change", "naive_bayes", "ddm_nb")
#: The axis is at least so long.
LEAST_SPAN = 0.02


def draw(frames: Mapping[str, pd.DataFrame], subject: Subject) -> Figure:
    """Draw the figure of an item from its frames."""
    return false_alarms(frames["false_alarms"], titles=subject.titles, **subject.stream)


@style.styled
def false_alarms(
    frame: pd.DataFrame, *, titles: Mapping[str, str], title: str, simulated: bool
) -> Figure:
    """Draw accuracy over the probability of a false alarm, a panel for each order of a stream.

    Parameters
    ----------
    frame : pandas.DataFrame
        Columns variant (`ORDERS`), seed, learner (`VARIED` and `STEADY`), probability (of a false
        alarm at an instance; NaN but for `VARIED`), accuracy. Lines are means over the seeds, bands
        reach from the least to the greatest.
    titles : mapping of str to str
        Names of the learners, for people.
    title : str
        What stands above: the stream, for people.
    simulated : bool
        Whether the stream is simulated; it is then marked.
    """
    rows = _checked(frame)
    drawn = style.figure(columns=2, aspect=0.46)
    style.headline(drawn, title, simulated)
    panels = drawn.subplots(1, len(ORDERS), sharex=True, sharey=True)
    for axes, variant in zip(panels, ORDERS, strict=True):
        part = rows[rows["variant"] == variant]
        for learner in STEADY:
            _draw_steady(axes, learner, part.loc[part["learner"] == learner, "accuracy"])
        _draw_varied(axes, part[part["learner"] == VARIED])
        axes.set_title(VARIANT_TITLES[variant], loc="left", pad=3)
        axes.set_xlabel("probability of a false alarm")
    panels[0].set_ylabel("accuracy")
    _scale(panels[0], rows)
    lines = style.learner_handles((VARIED, *STEADY), titles)
    for line in lines[1:]:
        line.set_marker("")  # as in the panels
    style.legend(drawn, [*lines, *_band_handle(rows)], columns=5)
    return drawn


def _checked(frame: pd.DataFrame) -> pd.DataFrame:
    """Return the rows that are drawn, with numbers."""
    rows = frame[frame["variant"].isin(ORDERS) & frame["learner"].isin([VARIED, *STEADY])]
    rows = rows.assign(
        probability=as_numbers(rows["probability"], "False alarms"),
        accuracy=known_numbers(rows["accuracy"], "False alarms"),
    )
    varied = rows.loc[rows["learner"] == VARIED, "probability"]
    if not (varied > 0).all():
        raise DataError(
            f"False alarms: expected probabilities above 0 for {VARIED}, found "
            f"{varied[~(varied > 0)].iloc[0]:g}. Without false alarms it is naive_bayes."
        )
    return rows


def _draw_steady(axes: Axes, learner: str, accuracy: pd.Series) -> None:
    look = style.learner_look(learner)
    if accuracy.max() > accuracy.min():
        least, greatest = accuracy.min(), accuracy.max()
        axes.axhspan(least, greatest, color=look.color, alpha=style.FAINT, linewidth=0, zorder=1.6)
    axes.axhline(accuracy.mean(), color=look.color, linestyle=look.dash, zorder=look.layer)


def _draw_varied(axes: Axes, part: pd.DataFrame) -> None:
    """Draw means over the seeds, and from the least to the greatest of them."""
    import seaborn  # here: to import it takes longer than to draw most figures

    look = style.learner_look(VARIED)
    seaborn.lineplot(
        part,
        x="probability",
        y="accuracy",
        errorbar=("pi", 100),
        err_kws={"alpha": style.FAINT, "linewidth": 0, "zorder": 1.7},
        ax=axes,
        color=look.color,
        linestyle=look.dash,
        marker=look.marker,
        zorder=look.layer + 0.1,
    )
    axes.set_ylabel("")


def _scale(axes: Axes, rows: pd.DataFrame) -> None:
    """Set the axes that all panels share."""
    scales.zoom(axes, rows["accuracy"], LEAST_SPAN)
    axes.set_xscale("log")
    axes.set_xlim(rows["probability"].min() / 1.4, rows["probability"].max() * 1.4)
    axes.xaxis.set_major_locator(LogLocator(numticks=6))
    axes.xaxis.set_minor_locator(NullLocator())
    axes.xaxis.set_major_formatter(FuncFormatter(lambda value, _: f"{value:g}"))


def _band_handle(rows: pd.DataFrame) -> list[Artist]:
    """Return what says in the legend how many seeds bands are over; nothing without bands."""
    seeds = rows.groupby(["variant", "learner", "probability"], dropna=False)["seed"].nunique()
    counts = sorted({int(count) for count in seeds if count > 1})
    if not counts:
        return []
    many = f"{counts[0]} seeds" if len(counts) == 1 else f"{counts[0]} to {counts[-1]} seeds"
    return [style.band_handle(f"{many}: mean, least to greatest")]
