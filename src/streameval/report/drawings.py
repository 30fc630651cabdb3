"""The figures of streams by the kinds of the plan: which function draws which data."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

import pandas as pd
from matplotlib.figure import Figure

from streameval.report.figures.class_distribution import class_distribution
from streameval.report.figures.curves import measure_curves
from streameval.report.figures.delays import delays
from streameval.report.figures.dependence import dependence
from streameval.report.figures.estimates import estimates
from streameval.report.figures.false_alarms import false_alarms
from streameval.report.figures.lags import lags
from streameval.report.figures.order import order_share
from streameval.report.figures.wrapped import wrapped


@dataclass(frozen=True)
class Subject:
    """What a figure is about.

    Parameters
    ----------
    item : mapping
        The settings of the item in the configuration.
    titles : mapping of str to str
        Names of the learners, for people.
    title : str
        Name of the stream, for people.
    simulated : bool
        Whether the stream only resembles a real one.
    """

    item: Mapping[str, Any]
    titles: Mapping[str, str]
    title: str
    simulated: bool


Frames = Mapping[str, pd.DataFrame]


def draw(kind: str, frames: Frames, subject: Subject) -> Figure:
    """Draw a figure.

    Parameters
    ----------
    kind : str
        A value of `streameval.plan.FIGURES`.
    frames : mapping of str to pandas.DataFrame
        Its data, by the names in `streameval.plan.DATA`; ``costs`` where times are shown.
    subject : Subject
        What it is about.
    """
    return _DRAWINGS[kind](frames, subject)


def _class_distribution(frames: Frames, subject: Subject) -> Figure:
    return class_distribution(
        frames["prior"],
        frames["autocorrelation"],
        title=subject.title,
        simulated=subject.simulated,
        period=subject.item.get("period"),
    )


def _measures(frames: Frames, subject: Subject) -> Figure:
    return measure_curves(
        frames["curves"],
        measures=subject.item["measures"],
        learners=subject.item["learners"],
        titles=subject.titles,
        title=subject.title,
        simulated=subject.simulated,
    )


def _dependence(frames: Frames, subject: Subject) -> Figure:
    return dependence(frames["dependence"], title=subject.title, simulated=subject.simulated)


def _estimates(frames: Frames, subject: Subject) -> Figure:
    return estimates(
        frames["estimates"],
        measures=subject.item["measures"],
        learners=subject.item["learners"],
        titles=subject.titles,
        title=subject.title,
        simulated=subject.simulated,
    )


def _wrapped(frames: Frames, subject: Subject) -> Figure:
    return wrapped(
        frames["estimates"],
        learners=subject.item["learners"],
        titles=subject.titles,
        title=subject.title,
        simulated=subject.simulated,
    )


def _lags(frames: Frames, subject: Subject) -> Figure:
    return lags(
        frames["lags"],
        frames.get("costs"),
        titles=subject.titles,
        measures=subject.item["measures"],
        title=subject.title,
        simulated=subject.simulated,
    )


def _false_alarms(frames: Frames, subject: Subject) -> Figure:
    return false_alarms(
        frames["false_alarms"],
        titles=subject.titles,
        title=subject.title,
        simulated=subject.simulated,
    )


def _order(frames: Frames, subject: Subject) -> Figure:
    return order_share(
        frames["order"],
        titles=subject.titles,
        title=subject.title,
        simulated=subject.simulated,
    )


def _delays(frames: Frames, subject: Subject) -> Figure:
    return delays(
        frames["delays"],
        learners=subject.item["learners"],
        titles=subject.titles,
        title=subject.title,
        simulated=subject.simulated,
    )


_DRAWINGS: dict[str, Callable[[Frames, Subject], Figure]] = {
    "class_distribution": _class_distribution,
    "measures": _measures,
    "dependence": _dependence,
    "estimates": _estimates,
    "wrapped": _wrapped,
    "lags": _lags,
    "false_alarms": _false_alarms,
    "order": _order,
    "delays": _delays,
}
