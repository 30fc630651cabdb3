"""The claims of Grzenda et al. (2019), Delayed labelling evaluation for data streams."""

from __future__ import annotations

import numpy as np
import pandas as pd

from streameval.evaluation.roles import BEST
from streameval.papers.grzenda2019.by_bin import BY_BINS
from streameval.papers.grzenda2019.costs import OF_COSTS
from streameval.papers.grzenda2019.generated import OF_GENERATED
from streameval.papers.grzenda2019.published import ABOUT, LABELS, NEARLY, SETTLED, STABLE
from streameval.papers.grzenda2019.regression import REGRESSION
from streameval.report.claims.condition import (
    Condition,
    Need,
    Outcome,
    Predicate,
    of_traces,
    unless_lacking,
)
from streameval.report.results import Results
from streameval.report.tables import number_text
from streameval.significance.intervals import CONFIDENCE
from streameval.significance.stream_mean import SECTIONS

AIRLINES, ELECTRICITY, COVERTYPE = "dataexpo_atl", "elec2_dayahead", "covtype"
#: The figures of accuracy by bin, those of costs and of numbers of bins.
BINS = {
    AIRLINES: "grzenda2019/fig4",
    ELECTRICITY: "grzenda2019/fig5",
    COVERTYPE: "grzenda2019/fig7",
}
COSTS, NUMBERS = "grzenda2019/fig12", "grzenda2019/fig13"
#: The labels between two predictions of an instance, and how many predictions the paper has then.
K, PREDICTIONS = 10, 10
#: The numbers of bins that are nearly the same, and below which the paper calls them coarse.
FINE, FINEST, COARSE = 50, 100, 20
_LEARNER = "no_change"


def _no_single_best(results: Results) -> Outcome:
    """Each learner has to be less accurate than another one in some bin, by the bands."""
    conditions, reasons = list[Condition](), list[str]()
    for stream, figure in BINS.items():
        found = of_traces(results, figure, "contrasts", (stream,), _all_are_beaten)
        if isinstance(found, str):
            reasons.append(found)
        else:
            conditions += found
    return unless_lacking(conditions, reasons)


def _all_are_beaten(frame: pd.DataFrame, stream: str) -> Outcome:
    rows = frame[frame["reference"] == BEST]
    if rows.empty:
        return f"{stream}: the figure of this run has a single learner"
    highest = list(dict.fromkeys(rows.loc[rows["difference"] >= 0, "learner"]))
    conditions = []
    for learner, own in rows.groupby("learner", sort=False):
        worst = own.sort_values("band_high", kind="stable").to_dict("records")[0]
        is_best = bool((own["band_low"] > 0).all())
        holds = True if worst["band_high"] < 0 else False if is_best else None
        ends = (worst["difference"], worst["band_low"], worst["band_high"])
        value, low, high = (number_text(float(end), 4) for end in ends)
        conditions.append(
            Condition(
                holds,
                f"{stream}: {learner} minus {worst['other']} in bin {int(worst['bin'])} is {value} "
                f"[{low}, {high}]",
            )
        )
    *first, last = conditions
    return [
        *first,
        last._replace(numbers=f"{last.numbers} (by digits alone, best: {', '.join(highest)})"),
    ]


def _predictions_per_label(results: Results) -> Outcome:
    return of_traces(results, COSTS, "repredictions", (AIRLINES,), _about_ten)


def _about_ten(frame: pd.DataFrame, stream: str) -> Outcome:
    rows = frame[frame["every"] == K].sort_values("labels")
    last = float(rows["per_label"].iloc[-1])
    later = rows[rows["labels"] >= SETTLED * rows["labels"].iloc[-1]]["per_label"]
    low, high = float(later.min()), float(later.max())
    return [
        Condition(
            abs(last - PREDICTIONS) <= ABOUT * PREDICTIONS,
            f"{stream}: {number_text(last, 2)} additional predictions for each labelled instance",
        ),
        Condition(
            max(last - low, high - last) <= STABLE * last,
            f"{stream}: from {number_text(low, 2)} to {number_text(high, 2)} of them, from where "
            f"{100 * SETTLED:g} % of the labels have arrived",
        ),
    ]


def _bins_fine_enough(results: Results) -> Outcome:
    return of_traces(results, NUMBERS, "bin_numbers", (ELECTRICITY,), _are_fine)


def _are_fine(frame: pd.DataFrame, stream: str) -> Outcome:
    rows = frame[frame["learner"] == _LEARNER]
    curves = {
        bins: rows[rows["bins"] == bins].sort_values("bin")["accuracy"].to_numpy(dtype=float)
        for bins in sorted(rows["bins"].unique().tolist())
    }
    finest = curves[FINEST]
    conditions = []
    for bins in (*(one for one in curves if one < COARSE), FINE):
        own = np.repeat(curves[bins], FINEST // bins)
        distance = float(np.abs(own - finest).max())
        text = f"{stream}, B = {bins}: at most {number_text(distance, 4)} from B = {FINEST}"
        conditions.append(Condition((distance <= NEARLY) is (bins == FINE), text))
    return conditions


_REACH = tuple(
    Need(figure, "stages", (stream,), "labels", values=(LABELS[stream],))
    for stream, figure in BINS.items()
)
_NUMBERS = (5, 10, FINE, FINEST)

CLAIMS = {
    "no_single_best": Predicate(
        "on each of the three streams, each learner is less accurate than another one in some bin: "
        "the band of the difference to the most accurate other learner is below 0 there, at "
        f"{100 * CONFIDENCE:g} % for all bins and pairs of learners together ({SECTIONS} sections "
        "of time, correlations of bins); a learner whose band is above 0 in all bins fails, any "
        "other one is undecided",
        _no_single_best,
        _REACH,
        universal=True,
    ),
    "predictions_per_label": Predicate(
        f"with K = {K}, additional predictions for each labelled instance are within "
        f"{100 * ABOUT:g} % of {PREDICTIONS:g} after all labels, and, from where "
        f"{100 * SETTLED:g} % of the labels have arrived, within {100 * STABLE:g} % of that",
        _predictions_per_label,
        (
            Need(COSTS, "repredictions", (AIRLINES,), "labels", values=(LABELS[AIRLINES],)),
            Need(COSTS, "repredictions", (AIRLINES,), "every", values=(K,)),
        ),
    ),
    "bins_fine_enough": Predicate(
        f"of No-Change, no bin of B = {FINE} has an accuracy that differs by more than {NEARLY} "
        f"from that of a bin of B = {FINEST} within it, and for each B below {COARSE} one does",
        _bins_fine_enough,
        (
            Need(NUMBERS, "bin_numbers", (ELECTRICITY,), "bins", values=_NUMBERS),
            Need(
                NUMBERS, "bin_numbers", (ELECTRICITY,), "predictions", values=(LABELS[ELECTRICITY],)
            ),
        ),
        universal=True,
    ),
    **BY_BINS,
    **OF_GENERATED,
    **OF_COSTS,
    **REGRESSION,
}
