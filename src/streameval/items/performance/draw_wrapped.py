"""What the previous label adds to learners (Žliobaitė et al. 2015, Figure 3)."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import numpy as np
import pandas as pd
from matplotlib.axes import Axes
from matplotlib.figure import Figure

from streameval.evaluation.roles import AUGMENTED, CORRECTED
from streameval.items.subject import Subject
from streameval.report import scales, style
from streameval.report.results import as_numbers
from streameval.report.scales import Mark

#: How ids of a learner end, alone and in its wrappers.
MARKS = {
    "": Mark("ordinary", "o"),
    CORRECTED: Mark("Temporal Correction", "^", filled=True),
    AUGMENTED: Mark("Temporally Augmented", "s", filled=True),
}
PANELS = {"cumulative": "accuracy over all instances", "faded": "faded accuracy"}
_BASELINES = ("no_change", "majority")
#: The axis is at least so long.
LEAST_SPAN = 0.02
#: A baseline that would make the axis longer than this many times what the learners take is left
#: out, and said to be beside it.
STRETCH = 2.5


def draw(frames: Mapping[str, pd.DataFrame], subject: Subject) -> Figure:
    """Draw the figure of an item from its frames."""
    learners, titles = subject.settings.learners, subject.titles
    return wrapped(frames["estimates"], learners=learners, titles=titles, **subject.stream)


@style.styled
def wrapped(
    frame: pd.DataFrame,
    *,
    learners: Sequence[str],
    titles: Mapping[str, str],
    title: str,
    simulated: bool,
) -> Figure:
    """Draw accuracies of learners alone and in two wrappers, beside those of the baselines.

    Parameters
    ----------
    frame : pandas.DataFrame
        Columns variant, learner, estimator, measure, value; see `estimates`. Only the accuracies
        of the variant "original" are drawn, cumulative and faded, of each of the learners alone
        and with `MARKS` behind its id, and of `_BASELINES`.
    learners : sequence of str
        The learners inside, from top to bottom.
    titles : mapping of str to str
        Names of the learners, for people.
    title : str
        What stands above: the stream, for people.
    simulated : bool
        Whether the stream is simulated; it is then marked.
    """
    rows = frame[(frame["variant"] == "original") & (frame["measure"] == "accuracy")]
    ids = [learner + form for learner in learners for form in MARKS]
    values = pd.DataFrame({name: _column(rows, name, [*_BASELINES, *ids]) for name in PANELS})
    near = [name for name in _BASELINES if _is_near(values.loc[[name]], values.loc[ids])]
    names = scales.broken([titles.get(learner, learner) for learner in learners])
    height_mm = 34 + scales.row_mm(names, 8.0) * len(learners)
    drawn = style.figure(columns=2, aspect=height_mm / style.WIDTH_MM[2])
    style.headline(drawn, title, simulated)
    for axes, name in zip(drawn.subplots(1, 2, sharex=True, sharey=True), PANELS, strict=True):
        scales.dot_rows(axes, names)
        _draw_panel(axes, values[name], learners, near)
        far = [
            f"{titles.get(other, other)} ({float(values[name][other]):.3f}) lies beyond the axis"
            for other in _BASELINES
            if other not in near
        ]
        axes.set_title("\n".join(far), loc="right", pad=2.5)
        axes.set_xlabel(PANELS[name])
        scales.zoom(axes, values.loc[[*near, *ids]], LEAST_SPAN, along="x")
    handles = [mark.handle() for mark in MARKS.values()]
    handles += style.learner_handles(near, titles)
    if values.isna().to_numpy().any():
        handles.append(scales.undefined_handle())
    style.legend(drawn, handles, columns=len(handles))
    return drawn


def _column(rows: pd.DataFrame, estimator: str, learners: Sequence[str]) -> pd.Series:
    """Return an estimator's accuracies by learner."""
    part = rows[rows["estimator"] == estimator].set_index("learner")["value"]
    return as_numbers(part[list(learners)], "Wrapped learners")


def _is_near(baseline: pd.DataFrame, others: pd.DataFrame) -> bool:
    """Return whether a baseline leaves the differences between the others large enough to see."""
    together = _length(pd.concat([baseline, others]))
    return together <= STRETCH * max(_length(others), LEAST_SPAN)


def _length(values: pd.DataFrame) -> float:
    known = values.to_numpy(dtype=float)
    known = known[np.isfinite(known)]
    return float(np.ptp(known)) if known.size else 0.0


def _draw_panel(
    axes: Axes, values: pd.Series, learners: Sequence[str], baselines: Sequence[str]
) -> None:
    for name in baselines:
        look = style.learner_look(name)
        axes.axvline(values[name], color=look.color, linestyle=look.dash, zorder=look.layer)
    for row, learner in enumerate(learners):
        for number, (form, mark) in enumerate(MARKS.items()):
            y = scales.dot_height(row, number, len(MARKS))
            color = style.learner_look(learner).color
            scales.draw_dot(axes, mark, values[learner + form], y, color)
