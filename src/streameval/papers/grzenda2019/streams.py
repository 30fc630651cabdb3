"""The claims of Grzenda et al. (2019), Section 5.1, about its streams."""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np
import pandas as pd

from streameval.papers.grzenda2019 import READS
from streameval.papers.grzenda2019.published import (
    ABOUT,
    AIRLINES,
    COVERTYPE,
    ELECTRICITY,
    FIGURES,
    LED,
)
from streameval.report.claims import Condition, Predicate, check_figure_data
from streameval.report.results import NotRunError, Results, number
from streameval.view.numbers import number_text

#: Number of instances of forest cover type, according to Section 5.1.
INSTANCES = 581_383


def _instances_of_covertype(results: Results) -> list[Condition]:
    instances = number(results.find("zliobaite2015/table3", COVERTYPE, "instances"))
    return [
        Condition(instances == INSTANCES, f"{COVERTYPE}: {number_text(int(instances))} instances")
    ]


#: Number of inputs of LED, according to Section 5.1.
INPUTS = 24
#: Number of these inputs that are segments of the display.
_SEGMENTS = 7


def _inputs_of_led(size: pd.DataFrame, stream: str) -> list[Condition]:
    n_inputs = int(size["attributes"].iloc[0])
    text = f"{stream}: {n_inputs} inputs, {n_inputs - _SEGMENTS} beside the {_SEGMENTS} segments"
    return [Condition(n_inputs == INPUTS, text)]


(_WAITING,) = READS
#: The most frequent label delay of airlines, in minutes.
FREQUENT = 120
#: A label delay that some instances of airlines exceed, in minutes.
EXCEEDED = 13 * 60
#: The shortest and the longest label delay of electricity, one and two days in minutes.
DAYS = (24 * 60, 48 * 60)


def _delays(frame: pd.DataFrame, stream: str) -> np.ndarray:
    """Label delays in minutes, drawn at the quantiles of each class: one for each label."""
    units = set(frame["unit"])
    if units != {"minutes"}:
        raise NotRunError(f"{stream}: the figure of this run has delays in {', '.join(units)}")
    parts = []
    for _, rows in frame.groupby("class"):
        fractions = np.linspace(0, 1, int(rows["labels"].iloc[0]))
        parts.append(np.interp(fractions, rows["fraction"], rows["latency"]))
    return np.concatenate(parts)


def _of_airlines(frame: pd.DataFrame, stream: str) -> list[Condition]:
    delays = _delays(frame, stream)
    # Histogram with a bin around `FREQUENT`: the third bin, counted from two bins below it.
    width = 2 * ABOUT * FREQUENT
    counts = np.bincount(((delays - (1 - ABOUT) * FREQUENT) // width + 2).clip(0).astype(int))
    begin = (int(counts.argmax()) - 2) * width + (1 - ABOUT) * FREQUENT
    ends = f"{number_text(begin, 0)} to {number_text(begin + width, 0)} minutes"
    longest = float(delays.max())
    return [
        Condition(int(counts.argmax()) == 2, f"{stream}: most delays are of {ends}"),
        Condition(
            longest > EXCEEDED, f"{stream}: the longest delay has {number_text(longest, 0)} minutes"
        ),
    ]


def _of_electricity(frame: pd.DataFrame, stream: str) -> list[Condition]:
    delays = _delays(frame, stream)
    return [
        Condition(
            abs(delay - day) <= ABOUT * day,
            f"{stream}: the {which} delay has {number_text(delay, 0)} minutes",
        )
        for which, delay, day in zip(
            ("shortest", "longest"), (float(delays.min()), float(delays.max())), DAYS, strict=True
        )
    ]


OF_STREAMS: Mapping[str, Predicate] = {
    "led_inputs": Predicate(
        f"the stream of our figure has {INPUTS} inputs, {INPUTS - _SEGMENTS} of them beside the "
        "segments of the display",
        check_figure_data(FIGURES[LED], "size", (LED,), _inputs_of_led),
        universal=False,
    ),
    "covertype_instances": Predicate(
        f"the stream of our figure has {INSTANCES:,} instances",
        _instances_of_covertype,
        universal=False,
    ),
    "airlines_delays": Predicate(
        f"of the delays of airlines those within {100 * ABOUT:g} % of {FREQUENT} minutes are more "
        "than those in any other range of this width, counted from it, and some delay is above "
        f"{EXCEEDED} minutes",
        check_figure_data(_WAITING, "latency", (AIRLINES,), _of_airlines),
    ),
    "electricity_delays": Predicate(
        f"the shortest delay of electricity is within {100 * ABOUT:g} % of one day, and the "
        "longest one of two days",
        check_figure_data(_WAITING, "latency", (ELECTRICITY,), _of_electricity),
    ),
}
