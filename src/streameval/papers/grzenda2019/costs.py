"""The claims of Grzenda et al. (2019), Section 6, about predictions made and numbers of bins."""

from __future__ import annotations

from collections.abc import Mapping
from itertools import pairwise

import numpy as np
import pandas as pd
import scipy

from streameval.papers.grzenda2019.accuracies import (
    AIRLINES,
    ALL,
    ELECTRICITY,
    NO_CHANGE,
    Accuracies,
    all_labels,
    of_figure,
)
from streameval.papers.grzenda2019.published import DROP, LABELS, SETTLED, STABLE, TREND
from streameval.report.claims.condition import Condition, Need, Outcome, Predicate, of_traces
from streameval.report.results import Results
from streameval.report.tables import number_text

USE, COSTS, NUMBERS = "grzenda2019/fig11", "grzenda2019/fig12", "grzenda2019/fig13"
#: The intervals between predictions, and the numbers of bins, of our figures.
EVERY, BINS = (5, 10, 20, 50), (5, 10, 20, 50, 100)
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


OF_COSTS: Mapping[str, Predicate] = {
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
        (Need(NUMBERS, "bin_numbers", (ELECTRICITY,), "bins", values=BINS),),
        universal=True,
    ),
    "no_change_most_variable": Predicate(
        "on electricity the accuracies of No-Change span more over all bins than those of each "
        "other learner",
        of_figure(ELECTRICITY, _most_variable),
        all_labels(ELECTRICITY),
        universal=True,
    ),
}
