"""The claims of Grzenda et al. (2019), Section 5.1, about its streams."""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np
import pandas as pd

from streameval.papers.grzenda2019 import READS
from streameval.papers.grzenda2019.published import (
    ABOUT_TOLERANCE,
    AIRLINES,
    BIN_FIGURES,
    COVERTYPE,
    ELECTRICITY,
    LED,
)
from streameval.report.claims import Condition, Predicate, check_figure_data
from streameval.report.results import NotRunError, Results, require_number
from streameval.view.numbers import number_text

#: Number of instances of forest cover type, according to Section 5.1.
N_COVERTYPE_INSTANCES = 581_383


def _check_covertype_instances(results: Results) -> list[Condition]:
    # Tables 1 and 2 of this paper have the number of labels, not of instances.
    instances = require_number(results.find("zliobaite2015/table3", COVERTYPE, "instances"))
    return [
        Condition(
            instances == N_COVERTYPE_INSTANCES,
            f"{COVERTYPE}: {number_text(int(instances))} instances",
        )
    ]


#: Number of inputs of LED, according to Section 5.1.
N_LED_INPUTS = 24
#: Number of inputs of LED that are segments of the display; the others are irrelevant.
_N_SEGMENTS = 7


def _check_led_inputs(size: pd.DataFrame, stream: str) -> list[Condition]:
    n_inputs = int(size["attributes"].iloc[0])
    text = (
        f"{stream}: {n_inputs} inputs, {n_inputs - _N_SEGMENTS} beside the {_N_SEGMENTS} segments"
    )
    return [Condition(n_inputs == N_LED_INPUTS, text)]


#: The figure of label delays, the only item of another study whose data the claims read.
(_DELAYS_ITEM,) = READS
#: The most frequent label delay of airlines, in minutes.
FREQUENT_DELAY = 120
#: A label delay that some instances of airlines exceed, in minutes.
EXCEEDED_DELAY = 13 * 60
#: The extreme label delays of electricity, in minutes: one day and two days.
ELECTRICITY_DELAYS = {"shortest": 24 * 60, "longest": 48 * 60}


def _label_delays(frame: pd.DataFrame, stream: str) -> np.ndarray:
    """One label delay in minutes per label, interpolated from the quantiles of each class."""
    units = set(frame["unit"])
    if units != {"minutes"}:
        raise NotRunError(f"{stream}: the figure of this run has delays in {', '.join(units)}")
    parts = []
    for _, rows in frame.groupby("class"):
        fractions = np.linspace(0, 1, int(rows["labels"].iloc[0]))
        parts.append(np.interp(fractions, rows["fraction"], rows["latency"]))
    return np.concatenate(parts)


def _check_airlines_delays(frame: pd.DataFrame, stream: str) -> list[Condition]:
    delays = _label_delays(frame, stream)
    width = 2 * ABOUT_TOLERANCE * FREQUENT_DELAY
    start = (1 - ABOUT_TOLERANCE) * FREQUENT_DELAY
    # Histogram: bin `n_below` starts at `start`, with the bins from 0 to `start` before it.
    n_below = 2
    counts = np.bincount(((delays - start) // width + n_below).clip(0).astype(int))
    begin = (int(counts.argmax()) - n_below) * width + start
    ends = f"{number_text(begin, 0)} to {number_text(begin + width, 0)} minutes"
    longest = float(delays.max())
    return [
        Condition(int(counts.argmax()) == n_below, f"{stream}: most delays are of {ends}"),
        Condition(
            longest > EXCEEDED_DELAY,
            f"{stream}: the longest delay has {number_text(longest, 0)} minutes",
        ),
    ]


def _check_electricity_delays(frame: pd.DataFrame, stream: str) -> list[Condition]:
    delays = _label_delays(frame, stream)
    extremes = {"shortest": float(delays.min()), "longest": float(delays.max())}
    return [
        Condition(
            abs(delay - ELECTRICITY_DELAYS[name]) <= ABOUT_TOLERANCE * ELECTRICITY_DELAYS[name],
            f"{stream}: the {name} delay has {number_text(delay, 0)} minutes",
        )
        for name, delay in extremes.items()
    ]


STREAM_CLAIMS: Mapping[str, Predicate] = {
    "led_inputs": Predicate(
        f"the stream of our figure has {N_LED_INPUTS} inputs, {N_LED_INPUTS - _N_SEGMENTS} of "
        "them beside the segments of the display",
        check_figure_data(BIN_FIGURES[LED], "size", (LED,), _check_led_inputs),
        universal=False,
    ),
    "covertype_instances": Predicate(
        f"the stream of our figure has {N_COVERTYPE_INSTANCES:,} instances",
        _check_covertype_instances,
        universal=False,
    ),
    "airlines_delays": Predicate(
        f"of the delays of airlines those within {100 * ABOUT_TOLERANCE:g} % of {FREQUENT_DELAY} "
        "minutes are more than those in any other range of this width, counted from it, and some "
        f"delay is above {EXCEEDED_DELAY} minutes",
        check_figure_data(_DELAYS_ITEM, "latency", (AIRLINES,), _check_airlines_delays),
    ),
    "electricity_delays": Predicate(
        f"the shortest delay of electricity is within {100 * ABOUT_TOLERANCE:g} % of one day, and "
        "the longest one of two days",
        check_figure_data(_DELAYS_ITEM, "latency", (ELECTRICITY,), _check_electricity_delays),
    ),
}
