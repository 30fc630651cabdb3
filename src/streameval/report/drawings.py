"""The figures of streams by the kinds of the plan: which function draws which data."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import pandas as pd
from matplotlib.figure import Figure

from streameval.errors import ConfigError
from streameval.report.figures.class_distribution import class_distribution
from streameval.report.figures.delays import delays
from streameval.report.figures.dependence import dependence
from streameval.report.figures.estimates import estimates
from streameval.report.figures.false_alarms import false_alarms
from streameval.report.figures.lags import lags
from streameval.report.figures.measures import measure_curves
from streameval.report.figures.order import order_share
from streameval.report.figures.wrapped import wrapped
from streameval.report.looks import looks_apart


@dataclass(frozen=True)
class Subject:
    """What a figure is about.

    Parameters
    ----------
    item : mapping
        The settings of the item in the configuration.
    titles : mapping of str to str
        Names of all learners of the run, for people.
    title : str
        Name of the stream, for people.
    simulated : bool
        Whether the stream only resembles a real one.
    """

    item: Mapping[str, Any]
    titles: Mapping[str, str]
    title: str
    simulated: bool


def draw(kind: str, frames: Mapping[str, pd.DataFrame], subject: Subject) -> Figure:
    """Draw a figure.

    Parameters
    ----------
    kind : str
        A value of `streameval.pipeline.plan.FIGURES`.
    frames : mapping of str to pandas.DataFrame
        Its data, by the names in `streameval.pipeline.plan.DATA`; ``costs`` where times are shown.
    subject : Subject
        What it is about.

    Raises
    ------
    ConfigError
        If there is no such kind.
    """
    with looks_apart(subject.titles):
        return _draw(kind, frames, subject)


def _draw(kind: str, frames: Mapping[str, pd.DataFrame], subject: Subject) -> Figure:
    item, titles = subject.item, subject.titles
    about: dict[str, Any] = {"title": subject.title, "simulated": subject.simulated}
    match kind:
        case "class_distribution":
            prior, correlation = frames["prior"], frames["autocorrelation"]
            return class_distribution(prior, correlation, period=item.get("period"), **about)
        case "dependence":
            return dependence(frames["dependence"], **about)
    about["titles"] = titles
    match kind:
        case "measures":
            shown = {"measures": item["measures"], "learners": item["learners"]}
            return measure_curves(frames["curves"], **shown, **about)
        case "estimates":
            shown = {"measures": item["measures"], "learners": item["learners"]}
            return estimates(frames["estimates"], **shown, **about)
        case "wrapped":
            return wrapped(frames["estimates"], learners=item["learners"], **about)
        case "lags":
            return lags(frames["lags"], frames.get("costs"), measures=item["measures"], **about)
        case "false_alarms":
            return false_alarms(frames["false_alarms"], **about)
        case "order":
            return order_share(frames["order"], **about)
        case "delays":
            return delays(frames["delays"], learners=item["learners"], **about)
    raise ConfigError(
        f"No kind of figure is called {kind!r}; see FIGURES of streameval.pipeline.plan."
    )
