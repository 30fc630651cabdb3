"""Drawing results; needs the extra ``pipeline``."""

from __future__ import annotations

import io
from collections.abc import Callable, Mapping, Sequence
from functools import partial
from types import SimpleNamespace
from typing import TYPE_CHECKING, Any

import numpy as np
import pandas as pd

from streameval import report as _report  # noqa: F401  it says what to install for drawings
from streameval import settings
from streameval.api.arguments import whole
from streameval.evaluation.age_bins import in_units
from streameval.items.pending.draw_waiting import draw_accuracy_by_age
from streameval.items.performance.draw_measures import Shown, measure_curves
from streameval.items.reevaluation.draw_bins import draw_binned_errors, draw_binned_measures
from streameval.items.words import Subject
from streameval.learners.registry import load_learners
from streameval.report.difference_plots import (
    BinDifference,
    RunningDifference,
    bin_differences,
    running_differences,
)
from streameval.report.looks import looks_apart

if TYPE_CHECKING:
    from matplotlib.figure import Figure

    from streameval.api.compared import Compared
    from streameval.evaluation.verdicts import Verdict
    from streameval.streams.stream import Stream


def draw_curves(
    curves: pd.DataFrame,
    measures: Sequence[str],
    learners: Sequence[str],
    title: str,
    known: Mapping[str, Shown],
) -> Figure:
    """Draw measures over time as the report draws them; see `measure_curves`."""
    titles = _titles(learners)
    with looks_apart(learners):
        drawn = measure_curves(
            curves,
            measures=measures,
            learners=learners,
            titles=titles,
            title=title,
            simulated=False,
            known=known,
        )
    return _shown(drawn)


def draw_bins(
    frames: Mapping[str, pd.DataFrame],
    measures: Sequence[str],
    learners: Sequence[str],
    stream: Stream,
) -> Figure:
    """Draw measures of classifiers by bin as the report does."""
    return _as_item(draw_binned_measures, frames, stream, learners, measures=measures)


def draw_error_bins(
    frames: Mapping[str, pd.DataFrame],
    measures: Sequence[str],
    learners: Sequence[str],
    stream: Stream,
) -> Figure:
    """Draw errors of regressors by bin as the report does."""
    given = {**frames, "size": pd.DataFrame({"target": [stream.schema.target]})}
    return _as_item(draw_binned_errors, given, stream, learners, measures=measures)


def draw_ages(ages: pd.DataFrame, learners: Sequence[str], stream: Stream) -> Figure:
    """Draw accuracies, or errors, by age as the report does."""
    frames = {"ages": in_units(ages, stream, "")}
    return _as_item(draw_accuracy_by_age, frames, stream, learners, clock="time")


def _as_item(
    draw: Callable[[Mapping[str, pd.DataFrame], Subject], Figure],
    frames: Mapping[str, pd.DataFrame],
    stream: Stream,
    learners: Sequence[str],
    **settings: Any,
) -> Figure:
    """Draw frames as the figure of an item with these settings."""
    about = SimpleNamespace(learners=learners, **settings)
    subject = Subject(settings=about, titles=_titles(learners), title=stream.name)
    with looks_apart(learners):
        drawn = draw(frames, subject)
    return _shown(drawn)


def draw_difference(found: Compared, points: int) -> Figure:
    """Draw the differences of all pairs over time; see `running_differences`."""
    points = whole(points, "points")
    titles = _titles(found.learners)
    drawn = running_differences(
        [_running(found, pair, titles, points) for pair in found.pairs],
        rope=found.plan.rope,
        title=f"{found.stream.name}, {found.plan.title}",
        simulated=False,
        what=found.plan.quantity.about,
        factor=found.plan.quantity.factor,
        unit=found.plan.quantity.unit,
    )
    return _shown(drawn)


def draw_differences_by_bin(found: Compared) -> Figure:
    """Draw the differences of all pairs by bin; see `bin_differences`."""
    titles = _titles(found.learners)
    drawn = bin_differences(
        [
            BinDifference(
                titles[first],
                titles[second],
                *(
                    np.array([getattr(one, name) for one in verdicts])
                    for name in ("difference", "low", "high")
                ),
            )
            for (first, second), verdicts in found.by_bin.items()
        ],
        rope=found.plan.rope,
        title=found.stream.name,
        what=found.plan.quantity.about,
        factor=found.plan.quantity.factor,
        unit=found.plan.quantity.unit,
    )
    return _shown(drawn)


def _running(
    found: Compared, pair: Verdict, titles: Mapping[str, str], points: int
) -> RunningDifference:
    time = found.over_time(pair.first, pair.second)
    n = len(time.mean)
    at = np.unique(np.linspace(0, n - 1, min(points, n)).round().astype(np.int64))
    ends = (part[at] for part in time)
    return RunningDifference(titles[pair.first], titles[pair.second], at + 1, *ends)


def _titles(learners: Sequence[str]) -> dict[str, str]:
    """Return the titles of learners."""
    known = load_learners(settings.locate("config/learners.yaml"))
    return {name: known[name].title if name in known else name for name in learners}


def _shown(drawn: Figure) -> Figure:
    """Add the method by which notebooks show a figure without pyplot."""
    drawn._repr_png_ = partial(_png, drawn)  # type: ignore[attr-defined]
    return drawn


def _png(drawn: Figure) -> bytes:
    content = io.BytesIO()
    drawn.savefig(content, format="png")
    return content.getvalue()
