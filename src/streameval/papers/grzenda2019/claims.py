"""The claims of Grzenda et al. (2019), Delayed labelling evaluation for data streams."""

from __future__ import annotations

from collections.abc import Mapping
from itertools import pairwise
from typing import Any

import numpy as np
import pandas as pd
import scipy

from streameval.base.rounding import percentage_bound
from streameval.evaluation.roles import BEST, FIRST, TARGET_MEAN
from streameval.papers.grzenda2019.by_bin import BY_BINS
from streameval.papers.grzenda2019.published import (
    ABOUT,
    AIRLINES,
    ALL,
    DROP,
    ELECTRICITY,
    FIGURES,
    LABELS,
    LITTLE,
    NEARLY,
    NO_CHANGE,
    REAL,
    REGRESSORS,
    SETTLED,
    STABLE,
    TREND,
    Accuracies,
    all_labels,
    of_bins,
)
from streameval.papers.grzenda2019.streams import OF_STREAMS
from streameval.report.claims import Condition, Need, Predicate, check_each, check_figure_data
from streameval.report.results import NotRunError, Results, figure_data
from streameval.significance.intervals import CONFIDENCE
from streameval.significance.stream_mean import SECTIONS
from streameval.view.numbers import lower_bound_text, number_text, upper_bound_text

#: The figure of predictions made and stored over time.
USE = "grzenda2019/fig11"
#: The figure of additional predictions for each label.
COSTS = "grzenda2019/fig12"
#: The figure of accuracies by numbers of bins.
NUMBERS = "grzenda2019/fig13"
#: The intervals between predictions in our figure, in labels.
EVERY = (5, 10, 20, 50)
#: The numbers of bins in our figure.
_NUMBERS = (5, 10, 20, 50, 100)
#: The interval between predictions for which the paper counts them, in labels.
K = 10
#: The number of additional predictions that the paper states for this interval.
PREDICTIONS = 10
#: A number of bins whose curve is nearly that of `FINEST`.
FINE = 50
#: The largest number of bins.
FINEST = 100
#: Numbers of bins below this are coarse in the paper.
COARSE = 20
#: Columns with the numbers of predictions made and stored.
_INDICATORS = ("made", "buffered")


def _related(frame: pd.DataFrame, stream: str) -> list[Condition]:
    predicted, buffered = frame[[*_INDICATORS]].dropna().to_numpy(dtype=float).T
    relation = float(scipy.stats.spearmanr(predicted, buffered).statistic)
    text = f"{stream}: rank correlation of predictions made and stored {number_text(relation)}"
    return [Condition(relation >= TREND, text)]


def _drop(frame: pd.DataFrame, stream: str) -> list[Condition]:
    conditions = []
    for name in _INDICATORS:
        values = frame[name].dropna().to_numpy(dtype=float)
        # Without the beginning: from the first value that reaches the median.
        values = values[int(np.argmax(values >= np.median(values))) :]
        smallest = float(values.min() / np.median(values))
        text = f"{stream}: {name}, at least {lower_bound_text(100 * smallest, 1)} % of the median"
        conditions.append(Condition(smallest <= DROP, text))
    return conditions


def _stable(frame: pd.DataFrame, stream: str) -> list[Condition]:
    conditions = []
    for every, rows in frame.groupby("every"):
        ordered = rows.sort_values("labels")
        later = ordered[ordered["labels"] >= SETTLED * ordered["labels"].iloc[-1]]["per_label"]
        last = float(later.iloc[-1])
        distance = float((later - last).abs().max()) / last
        bound = percentage_bound(distance)
        text = f"{stream}, K = {every}: at most {bound} from the last value"
        conditions.append(Condition(distance <= STABLE, text))
    return conditions


def _smoother(frame: pd.DataFrame, stream: str) -> list[Condition]:
    rows = frame[frame["learner"] == NO_CHANGE].sort_values("bin")
    steps = {
        bins: float(rows.loc[rows["bins"] == bins, "accuracy"].diff().abs().mean())
        for bins in rows["bins"].unique().tolist()
    }
    numbers_of_bins = sorted(steps)
    return [
        Condition(
            steps[more] < steps[fewer],
            f"{stream}: neighbouring bins differ by {number_text(steps[more])} with {more} bins, "
            f"by {number_text(steps[fewer])} with {fewer}, on the mean",
        )
        for fewer, more in pairwise(numbers_of_bins)
    ]


def _most_variable(accuracies: Accuracies) -> list[Condition]:
    spans = {name: float(np.ptp(accuracies.curve(name))) for name in ALL}
    return [
        Condition(
            spans[NO_CHANGE] > spans[name],
            f"{NO_CHANGE} spans {number_text(spans[NO_CHANGE])} over bins, {name} "
            f"{number_text(spans[name])}",
        )
        for name in ALL
        if name != NO_CHANGE
    ]


def _all_labels(item: str) -> Need:
    """The need of a figure of costs: all labels of the paper."""
    return Need(item, "repredictions", (AIRLINES,), "labels", values=(LABELS[AIRLINES],))


def _no_single_best(results: Results, stream: str) -> list[Condition]:
    """Whether each learner is less accurate than another in some bin, by the bands."""
    frame = figure_data(results, FIGURES[stream], stream, "contrasts")
    rows = frame[frame["reference"] == BEST]
    if rows.empty:
        raise NotRunError(f"{stream}: the figure of this run has a single learner")
    highest = list(dict.fromkeys(rows.loc[rows["difference"] >= 0, "learner"]))
    conditions = []
    for learner, contrasts in rows.groupby("learner", sort=False):
        worst = contrasts.sort_values("band_high", kind="stable").to_dict("records")[0]
        is_best = bool((contrasts["band_low"] > 0).all())
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


def _about_ten(frame: pd.DataFrame, stream: str) -> list[Condition]:
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


def _are_fine(frame: pd.DataFrame, stream: str) -> list[Condition]:
    rows = frame[frame["learner"] == NO_CHANGE]
    curves = {
        bins: rows[rows["bins"] == bins].sort_values("bin")["accuracy"].to_numpy(dtype=float)
        for bins in sorted(rows["bins"].unique().tolist())
    }
    finest = curves[FINEST]
    conditions = []
    for bins in (*(number for number in curves if number < COARSE), FINE):
        coarse = np.repeat(curves[bins], FINEST // bins)  # a value for each of the finest bins
        distance = float(np.abs(coarse - finest).max())
        text = f"{stream}, B = {bins}: at most {upper_bound_text(distance)} from B = {FINEST}"
        conditions.append(Condition((distance <= NEARLY) is (bins == FINE), text))
    return conditions


#: The stream and the figure of regression.
BIKE = "bike"
FIGURE = "grzenda2019/fig14"
ORTO = REGRESSORS["orto"]
FOREST = REGRESSORS["arf_reg"]


def _rows(
    frame: pd.DataFrame, stream: str, learner: str, reference: str, what: str
) -> pd.DataFrame:
    """The rows of a learner and a reference; `what` names them in the error if there are none."""
    rows = frame[(frame["learner"] == learner) & (frame["reference"] == reference)]
    if rows.empty:
        raise NotRunError(f"{stream}: the figure of this run does not have {what}")
    return rows


def _lowest(rows: pd.DataFrame) -> str:
    """The difference in the bin whose band has the lowest lower end, in words."""
    worst = rows.sort_values("band_low", kind="stable").to_dict("records")[0]
    subject = f"MAE of {worst['other']} minus that of {worst['learner']} in bin {int(worst['bin'])}"
    return f"{subject} is {_with_ends(worst, 'band_low', 'band_high')}"


def _with_ends(row: Mapping[Any, Any], low: str, high: str) -> str:
    value, *ends = (number_text(float(row[name]), 2) for name in ("difference", low, high))
    return f"{value} [{', '.join(ends)}]"


def _smaller(rows: pd.DataFrame) -> bool | None:
    """Whether errors are smaller in all bins; None if the bands do not decide."""
    if (rows["band_high"] < 0).any():
        return False
    return True if (rows["band_low"] > 0).all() else None


def _all_but_orto(frame: pd.DataFrame, stream: str) -> list[Condition]:
    conditions = []
    for learner in REGRESSORS.values():
        rows = _rows(frame, stream, learner, TARGET_MEAN, f"{learner} and {TARGET_MEAN}")
        holds = _smaller(rows)
        if learner == ORTO:  # its errors are larger in all bins, according to the paper
            is_better = bool((rows["band_low"] > 0).any())
            holds = True if (rows["band_high"] < 0).all() else False if is_better else None
        conditions.append(Condition(holds, f"{stream}: {_lowest(rows)}"))
    return conditions


def _is_best(frame: pd.DataFrame, stream: str) -> list[Condition]:
    rows = _rows(frame, stream, FOREST, BEST, f"{FOREST} and others")
    return [Condition(_smaller(rows), f"{stream}: {_lowest(rows)}")]


def _gains(frame: pd.DataFrame, stream: str) -> list[Condition]:
    rows = _rows(frame, stream, FOREST, FIRST, FOREST)
    last = rows.sort_values("bin").to_dict("records")[-1]
    holds = True if last["low"] > 0 else False if last["high"] < 0 else None
    subject = f"MAE of {FOREST} in bin 0 minus that in bin {int(last['bin'])}"
    return [Condition(holds, f"{stream}: {subject} is {_with_ends(last, 'low', 'high')}")]


def _varies_little(frame: pd.DataFrame, stream: str) -> list[Condition]:
    conditions = []
    names = [*REGRESSORS.values(), TARGET_MEAN]
    printed = frame[frame["learner"].isin(names)]
    if printed.empty:
        raise NotRunError(f"{stream}: the figure of this run has none of {', '.join(names)}")
    for learner, rows in printed.groupby("learner", sort=False):
        error = rows["mean_absolute_error"]
        span = float((error.max() - error.min()) / error.mean())
        ends = f"{number_text(float(error.min()), 2)} to {number_text(float(error.max()), 2)}"
        text = (
            f"{stream}, MAE of {learner}: from {ends}, {number_text(100 * span, 1)} % of the mean"
        )
        conditions.append(Condition(span <= LITTLE, text))
    return conditions


_NEEDS = (Need(FIGURE, "bins", (BIKE,), "predictions", values=(LABELS[BIKE],)),)
_BANDS = (
    f"by the band of the difference, at {100 * CONFIDENCE:g} % for all bins together ({SECTIONS} "
    "sections of time, correlations of bins)"
)

CLAIMS = {
    **OF_STREAMS,
    "no_single_best": Predicate(
        "on each of the three streams, each learner is less accurate than another one in some bin: "
        "the band of the difference to the most accurate other learner is below 0 there, at "
        f"{100 * CONFIDENCE:g} % for all bins and pairs of learners together ({SECTIONS} sections "
        "of time, correlations of bins); a learner whose band is above 0 in all bins fails, any "
        "other one is undecided",
        check_each(REAL, _no_single_best),
        all_labels(*REAL),
    ),
    "predictions_per_label": Predicate(
        f"with K = {K}, additional predictions for each labelled instance are within "
        f"{100 * ABOUT:g} % of {PREDICTIONS:g} after all labels, and, from where "
        f"{100 * SETTLED:g} % of the labels have arrived, within {100 * STABLE:g} % of that",
        check_figure_data(COSTS, "repredictions", (AIRLINES,), _about_ten),
        (
            _all_labels(COSTS),
            Need(COSTS, "repredictions", (AIRLINES,), "every", values=(K,)),
        ),
        universal=False,
    ),
    "bins_fine_enough": Predicate(
        f"of No-Change, no bin of B = {FINE} has an accuracy that differs by more than {NEARLY} "
        f"from that of a bin of B = {FINEST} within it, and for each B below {COARSE} one does",
        check_figure_data(NUMBERS, "bin_numbers", (ELECTRICITY,), _are_fine),
        (
            Need(NUMBERS, "bin_numbers", (ELECTRICITY,), "bins", values=(5, 10, FINE, FINEST)),
            Need(
                NUMBERS, "bin_numbers", (ELECTRICITY,), "predictions", values=(LABELS[ELECTRICITY],)
            ),
        ),
    ),
    "made_and_stored": Predicate(
        "the numbers of predictions made over 100 labels and of those stored have a rank "
        f"correlation of at least {TREND}",
        check_figure_data(USE, "repredictions", (AIRLINES,), _related),
        (_all_labels(USE),),
        universal=False,
    ),
    "both_drop": Predicate(
        "after they have first reached their medians, both numbers are at some time at most "
        f"{100 * DROP:g} % of them",
        check_figure_data(USE, "repredictions", (AIRLINES,), _drop),
        (_all_labels(USE),),
    ),
    "all_stable": Predicate(
        "with each K, the number of additional predictions for each labelled instance is, from "
        f"where {100 * SETTLED:g} % of the labels have arrived, within {100 * STABLE:g} % of its "
        "last value",
        check_figure_data(COSTS, "repredictions", (AIRLINES,), _stable),
        (
            _all_labels(COSTS),
            Need(COSTS, "repredictions", (AIRLINES,), "every", values=EVERY),
        ),
    ),
    "more_bins_are_smoother": Predicate(
        "the accuracies of No-Change in neighbouring bins differ by less, on the mean of their "
        "sizes, the more bins there are",
        check_figure_data(NUMBERS, "bin_numbers", (ELECTRICITY,), _smoother),
        (Need(NUMBERS, "bin_numbers", (ELECTRICITY,), "bins", values=_NUMBERS),),
    ),
    "no_change_most_variable": of_bins(
        ELECTRICITY,
        "on electricity the accuracies of No-Change span more over all bins than those of each "
        "other learner",
        _most_variable,
        by_interval=False,
    ),
    **BY_BINS,
    "better_than_target_mean": Predicate(
        "FIMT-DD, AMRules and ARF-Reg have a smaller MAE than Target Mean in all bins, and ORTO a "
        f"larger one, {_BANDS}; a learner fails where the band of some bin is on the other side, "
        "and is undecided otherwise",
        check_figure_data(FIGURE, "contrasts", (BIKE,), _all_but_orto),
        _NEEDS,
        universal=False,
    ),
    "arf_reg_is_best": Predicate(
        "in all bins ARF-Reg has a smaller MAE than the best other learner there, by the band of "
        f"the difference, at {100 * CONFIDENCE:g} % for all bins and pairs of learners together "
        f"({SECTIONS} sections of time, correlations of bins); it fails if some band is below 0",
        check_figure_data(FIGURE, "contrasts", (BIKE,), _is_best),
        _NEEDS,
    ),
    "arf_reg_gains": Predicate(
        "the MAE of ARF-Reg is smaller in the last bin than in bin 0, by the "
        f"{100 * CONFIDENCE:g} % interval of the difference ({SECTIONS} sections of time)",
        check_figure_data(FIGURE, "contrasts", (BIKE,), _gains),
        _NEEDS,
        universal=False,
    ),
    "little_variation": Predicate(
        "of each regressor of the paper, the largest MAE of all bins less the smallest one is at "
        f"most {100 * LITTLE:g} % of their mean",
        check_figure_data(FIGURE, "bins", (BIKE,), _varies_little),
        _NEEDS,
        universal=False,
    ),
}
