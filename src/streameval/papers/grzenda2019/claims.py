"""The claims of Grzenda et al. (2019), Delayed labelling evaluation for data streams."""

from __future__ import annotations

from itertools import pairwise

import numpy as np
import pandas as pd
import scipy

from streameval.evaluation.roles import BEST
from streameval.papers.grzenda2019.accuracies import (
    AIRLINES,
    ALL,
    COVERTYPE,
    ELECTRICITY,
    FIGURES,
    NO_CHANGE,
    Accuracies,
    all_labels,
    of_figure,
)
from streameval.papers.grzenda2019.by_bin import BY_BINS
from streameval.papers.grzenda2019.generated import OF_GENERATED
from streameval.papers.grzenda2019.published import (
    ABOUT,
    DROP,
    LABELS,
    NEARLY,
    SETTLED,
    STABLE,
    TREND,
)
from streameval.papers.grzenda2019.regression import REGRESSION
from streameval.report.claims import (
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

#: The figures of accuracy by bin on real streams, those of costs and of numbers of bins.
BINS = {stream: FIGURES[stream] for stream in (AIRLINES, ELECTRICITY, COVERTYPE)}
USE, COSTS, NUMBERS = "grzenda2019/fig11", "grzenda2019/fig12", "grzenda2019/fig13"
#: The intervals between predictions, and the numbers of bins, of our figures.
EVERY, _NUMBERS = (5, 10, 20, 50), (5, 10, 20, 50, 100)
#: The labels between two predictions of an instance, and how many predictions the paper has then.
K, PREDICTIONS = 10, 10
#: The numbers of bins that are nearly the same, and below which the paper calls them coarse.
FINE, FINEST, COARSE = 50, 100, 20
_INDICATORS = ("made", "buffered")


def _made_and_buffered(results: Results) -> Outcome:
    return of_traces(results, USE, "repredictions", (AIRLINES,), _related)


def _related(frame: pd.DataFrame, stream: str) -> Outcome:
    made, buffered = frame[[*_INDICATORS]].dropna().to_numpy(dtype=float).T
    relation = float(scipy.stats.spearmanr(made, buffered).statistic)
    text = f"{stream}: rank correlation of predictions made and stored {number_text(relation)}"
    return [Condition(relation >= TREND, text)]


def _both_drop(results: Results) -> Outcome:
    return of_traces(results, USE, "repredictions", (AIRLINES,), _drop)


def _drop(frame: pd.DataFrame, stream: str) -> Outcome:
    conditions = []
    for name in _INDICATORS:
        values = frame[name].dropna().to_numpy(dtype=float)
        values = values[int(np.argmax(values >= np.median(values))) :]  # not the beginning
        least = float(values.min() / np.median(values))
        text = f"{stream}: {name}, at least {number_text(100 * least, 1)} % of the median"
        conditions.append(Condition(least <= DROP, text))
    return conditions


def _all_stable(results: Results) -> Outcome:
    return of_traces(results, COSTS, "repredictions", (AIRLINES,), _stable)


def _stable(frame: pd.DataFrame, stream: str) -> Outcome:
    conditions = []
    for every, rows in frame.groupby("every"):
        own = rows.sort_values("labels")
        later = own[own["labels"] >= SETTLED * own["labels"].iloc[-1]]["per_label"]
        last = float(later.iloc[-1])
        away = float((later - last).abs().max()) / last
        text = f"{stream}, K = {every}: at most {number_text(100 * away, 1)} % from the last value"
        conditions.append(Condition(away <= STABLE, text))
    return conditions


def _more_bins_are_smoother(results: Results) -> Outcome:
    return of_traces(results, NUMBERS, "bin_numbers", (ELECTRICITY,), _smoother)


def _smoother(frame: pd.DataFrame, stream: str) -> Outcome:
    rows = frame[frame["learner"] == NO_CHANGE].sort_values("bin")
    steps = {
        bins: float(rows.loc[rows["bins"] == bins, "accuracy"].diff().abs().mean())
        for bins in rows["bins"].unique().tolist()
    }
    found = sorted(steps)
    return [
        Condition(
            steps[more] < steps[fewer],
            f"{stream}: neighbouring bins differ by {number_text(steps[more])} with {more} bins, "
            f"by {number_text(steps[fewer])} with {fewer}, on the mean",
        )
        for fewer, more in pairwise(found)
    ]


def _most_variable(found: Accuracies) -> list[Condition]:
    spans = {name: float(np.ptp(found.curve(name))) for name in ALL}
    return [
        Condition(
            spans[NO_CHANGE] > spans[name],
            f"{NO_CHANGE} spans {number_text(spans[NO_CHANGE])} over bins, {name} "
            f"{number_text(spans[name])}",
        )
        for name in ALL
        if name != NO_CHANGE
    ]


def _reach(item: str) -> Need:
    return Need(item, "repredictions", (AIRLINES,), "labels", values=(LABELS[AIRLINES],))


def _no_single_best(results: Results) -> Outcome:
    """Return whether each learner is less accurate than another in some bin, by the bands."""
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
    rows = frame[frame["learner"] == NO_CHANGE]
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


CLAIMS = {
    "no_single_best": Predicate(
        "on each of the three streams, each learner is less accurate than another one in some bin: "
        "the band of the difference to the most accurate other learner is below 0 there, at "
        f"{100 * CONFIDENCE:g} % for all bins and pairs of learners together ({SECTIONS} sections "
        "of time, correlations of bins); a learner whose band is above 0 in all bins fails, any "
        "other one is undecided",
        _no_single_best,
        all_labels(*BINS),
        universal=True,
    ),
    "predictions_per_label": Predicate(
        f"with K = {K}, additional predictions for each labelled instance are within "
        f"{100 * ABOUT:g} % of {PREDICTIONS:g} after all labels, and, from where "
        f"{100 * SETTLED:g} % of the labels have arrived, within {100 * STABLE:g} % of that",
        _predictions_per_label,
        (
            _reach(COSTS),
            Need(COSTS, "repredictions", (AIRLINES,), "every", values=(K,)),
        ),
    ),
    "bins_fine_enough": Predicate(
        f"of No-Change, no bin of B = {FINE} has an accuracy that differs by more than {NEARLY} "
        f"from that of a bin of B = {FINEST} within it, and for each B below {COARSE} one does",
        _bins_fine_enough,
        (
            Need(NUMBERS, "bin_numbers", (ELECTRICITY,), "bins", values=(5, 10, FINE, FINEST)),
            Need(
                NUMBERS, "bin_numbers", (ELECTRICITY,), "predictions", values=(LABELS[ELECTRICITY],)
            ),
        ),
        universal=True,
    ),
    "made_and_stored": Predicate(
        "the numbers of predictions made over 100 labels and of those stored have a rank "
        f"correlation of at least {TREND}",
        _made_and_buffered,
        (_reach(USE),),
    ),
    "both_drop": Predicate(
        "after they have first reached their medians, both numbers are at some time at most "
        f"{100 * DROP:g} % of them",
        _both_drop,
        (_reach(USE),),
        universal=True,
    ),
    "all_stable": Predicate(
        "with each K, the number of additional predictions for each labelled instance is, from "
        f"where {100 * SETTLED:g} % of the labels have arrived, within {100 * STABLE:g} % of its "
        "last value",
        _all_stable,
        (
            _reach(COSTS),
            Need(COSTS, "repredictions", (AIRLINES,), "every", values=EVERY),
        ),
        universal=True,
    ),
    "more_bins_are_smoother": Predicate(
        "the accuracies of No-Change in neighbouring bins differ by less, on the mean of their "
        "sizes, the more bins there are",
        _more_bins_are_smoother,
        (Need(NUMBERS, "bin_numbers", (ELECTRICITY,), "bins", values=_NUMBERS),),
        universal=True,
    ),
    "no_change_most_variable": Predicate(
        "on electricity the accuracies of No-Change span more over all bins than those of each "
        "other learner",
        of_figure(ELECTRICITY, _most_variable),
        all_labels(ELECTRICITY),
        universal=True,
    ),
    **BY_BINS,
    **OF_GENERATED,
    **REGRESSION,
}
