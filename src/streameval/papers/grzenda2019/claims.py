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
from streameval.papers.grzenda2019.by_bin import BIN_CLAIMS
from streameval.papers.grzenda2019.published import (
    ABOUT_TOLERANCE,
    AIRLINES,
    ALL_LEARNERS,
    BIN_FIGURES,
    ELECTRICITY,
    MAX_DROP_FRACTION,
    MAX_LITTLE_VARIATION,
    MAX_NEARLY_SAME_DISTANCE,
    MAX_STABLE_DEVIATION,
    MIN_TREND_CORRELATION,
    N_LABELS,
    NO_CHANGE,
    REAL_STREAMS,
    REGRESSORS,
    SETTLING_FRACTION,
    Accuracies,
    all_labels_needs,
    bin_predicate,
)
from streameval.papers.grzenda2019.streams import STREAM_CLAIMS
from streameval.report.claims import Condition, Need, Predicate, check_each, check_figure_data
from streameval.report.results import NotRunError, Results, figure_data
from streameval.significance.intervals import CONFIDENCE
from streameval.significance.stream_mean import N_SECTIONS
from streameval.view.numbers import lower_bound_text, number_text, upper_bound_text

#: The figure of predictions made and stored over time.
USE_FIGURE = "grzenda2019/fig11"
#: The figure of additional predictions for each label.
COSTS_FIGURE = "grzenda2019/fig12"
#: The figure of accuracies by numbers of bins.
BIN_NUMBERS_FIGURE = "grzenda2019/fig13"
#: The intervals K between predictions in our figure, in labels.
PREDICTION_INTERVALS = (5, 10, 20, 50)
#: The numbers of bins B in our figure.
_NUMBERS_OF_BINS = (5, 10, 20, 50, 100)
#: The interval K for which the paper states the number of predictions, in labels.
STATED_INTERVAL = 10
#: The number of additional predictions by label that the paper states for `STATED_INTERVAL`.
STATED_PREDICTIONS = 10
#: With this number of bins B, the paper says, the curve is nearly that with `N_FINEST_BINS`.
N_FINE_BINS = 50
#: The largest number of bins in our figure.
N_FINEST_BINS = 100
#: The paper calls curves with fewer bins than this coarse.
COARSE_LIMIT = 20
_COARSE_NUMBERS_OF_BINS = tuple(n for n in _NUMBERS_OF_BINS if n < COARSE_LIMIT)
#: Columns with the numbers of predictions made and stored.
_PREDICTION_COUNTS = ("made", "buffered")


def _check_counts_correlate(frame: pd.DataFrame, stream: str) -> list[Condition]:
    predicted, buffered = frame[[*_PREDICTION_COUNTS]].dropna().to_numpy(dtype=float).T
    correlation = float(scipy.stats.spearmanr(predicted, buffered).statistic)
    text = f"{stream}: rank correlation of predictions made and stored {number_text(correlation)}"
    return [Condition(correlation >= MIN_TREND_CORRELATION, text)]


def _check_drops(frame: pd.DataFrame, stream: str) -> list[Condition]:
    conditions = []
    for name in _PREDICTION_COUNTS:
        values = frame[name].dropna().to_numpy(dtype=float)
        # Leave out the beginning, that is, all values before the first that reaches the median.
        values = values[int(np.argmax(values >= np.median(values))) :]
        smallest = float(values.min() / np.median(values))
        text = f"{stream}: {name}, at least {lower_bound_text(100 * smallest, 1)} % of the median"
        conditions.append(Condition(smallest <= MAX_DROP_FRACTION, text))
    return conditions


def _check_stability(frame: pd.DataFrame, stream: str) -> list[Condition]:
    conditions = []
    for every, rows in frame.groupby("every"):
        ordered = rows.sort_values("labels")
        later = ordered[ordered["labels"] >= SETTLING_FRACTION * ordered["labels"].iloc[-1]][
            "per_label"
        ]
        last = float(later.iloc[-1])
        distance = float((later - last).abs().max()) / last
        bound = percentage_bound(distance)
        text = f"{stream}, K = {every}: at most {bound} from the last value"
        conditions.append(Condition(distance <= MAX_STABLE_DEVIATION, text))
    return conditions


def _check_smoothness(frame: pd.DataFrame, stream: str) -> list[Condition]:
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


def _check_most_variable(accuracies: Accuracies) -> list[Condition]:
    spans = {name: float(np.ptp(accuracies.curve(name))) for name in ALL_LEARNERS}
    return [
        Condition(
            spans[NO_CHANGE] > spans[name],
            f"{NO_CHANGE} spans {number_text(spans[NO_CHANGE])} over bins, {name} "
            f"{number_text(spans[name])}",
        )
        for name in ALL_LEARNERS
        if name != NO_CHANGE
    ]


def _repredictions_need(item: str, column: str, *values: int) -> Need:
    """The need of an item with predictions over time: these values of a column."""
    return Need(item, part="repredictions", streams=(AIRLINES,), column=column, values=values)


def _all_labels_need(item: str) -> Need:
    """The need of an item with predictions over time: all labels of the paper."""
    return _repredictions_need(item, "labels", N_LABELS[AIRLINES])


def _bin_numbers_need(column: str, *values: int) -> Need:
    """The need of the figure of numbers of bins: these values of a column."""
    return Need(
        BIN_NUMBERS_FIGURE,
        part="bin_numbers",
        streams=(ELECTRICITY,),
        column=column,
        values=values,
    )


def _check_no_single_best(results: Results, stream: str) -> list[Condition]:
    """Whether every learner is less accurate than another learner in some bin, by the bands."""
    frame = figure_data(results, BIN_FIGURES[stream], stream, "contrasts")
    rows = frame[frame["reference"] == BEST]
    if rows.empty:
        raise NotRunError(f"{stream}: the figure of this run has a single learner")
    best_learners = list(dict.fromkeys(rows.loc[rows["difference"] >= 0, "learner"]))
    conditions = []
    for learner, contrasts in rows.groupby("learner", sort=False):
        worst = contrasts.sort_values("band_high", kind="stable").to_dict("records")[0]
        is_best = bool((contrasts["band_low"] > 0).all())
        holds = True if worst["band_high"] < 0 else False if is_best else None
        value, low, high = (
            number_text(float(worst[name]), 4) for name in ("difference", "band_low", "band_high")
        )
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
        last._replace(text=f"{last.text} (by digits alone, best: {', '.join(best_learners)})"),
    ]


def _check_stated_predictions(frame: pd.DataFrame, stream: str) -> list[Condition]:
    rows = frame[frame["every"] == STATED_INTERVAL].sort_values("labels")
    last = float(rows["per_label"].iloc[-1])
    later = rows[rows["labels"] >= SETTLING_FRACTION * rows["labels"].iloc[-1]]["per_label"]
    low, high = float(later.min()), float(later.max())
    return [
        Condition(
            abs(last - STATED_PREDICTIONS) <= ABOUT_TOLERANCE * STATED_PREDICTIONS,
            f"{stream}: {number_text(last, 2)} additional predictions for each labelled instance",
        ),
        Condition(
            max(last - low, high - last) <= MAX_STABLE_DEVIATION * last,
            f"{stream}: from {number_text(low, 2)} to {number_text(high, 2)} of them, from where "
            f"{100 * SETTLING_FRACTION:g} % of the labels have arrived",
        ),
    ]


def _check_fine_bins(frame: pd.DataFrame, stream: str) -> list[Condition]:
    rows = frame[frame["learner"] == NO_CHANGE]
    curves = {
        bins: rows[rows["bins"] == bins].sort_values("bin")["accuracy"].to_numpy(dtype=float)
        for bins in sorted(rows["bins"].unique().tolist())
    }
    finest = curves[N_FINEST_BINS]
    conditions = []
    for bins in (*(number for number in curves if number < COARSE_LIMIT), N_FINE_BINS):
        coarse = np.repeat(curves[bins], N_FINEST_BINS // bins)  # to the length of `finest`
        distance = float(np.abs(coarse - finest).max())
        text = (
            f"{stream}, B = {bins}: at most {upper_bound_text(distance)} from B = {N_FINEST_BINS}"
        )
        is_near = distance <= MAX_NEARLY_SAME_DISTANCE
        conditions.append(Condition(is_near is (bins == N_FINE_BINS), text))  # coarse curves differ
    return conditions


#: The stream of the paper's regression experiment.
BIKE_STREAM = "bike"
#: The figure of errors on this stream by bin.
REGRESSION_FIGURE = "grzenda2019/fig14"
ORTO = REGRESSORS["orto"]
REGRESSION_FOREST = REGRESSORS["arf_reg"]


def _contrast_rows(
    frame: pd.DataFrame, stream: str, learner: str, reference: str, subject: str
) -> pd.DataFrame:
    """The rows of a learner and a reference; `subject` names both in the error without rows."""
    rows = frame[(frame["learner"] == learner) & (frame["reference"] == reference)]
    if rows.empty:
        raise NotRunError(f"{stream}: the figure of this run does not have {subject}")
    return rows


def _lowest_difference_text(rows: pd.DataFrame) -> str:
    """Text with the difference in the bin whose band has the lowest lower end."""
    worst = rows.sort_values("band_low", kind="stable").to_dict("records")[0]
    subject = f"MAE of {worst['other']} minus that of {worst['learner']} in bin {int(worst['bin'])}"
    return f"{subject} is {_difference_text(worst, 'band_low', 'band_high')}"


def _difference_text(row: Mapping[Any, Any], low: str, high: str) -> str:
    value, *ends = (number_text(float(row[name]), 2) for name in ("difference", low, high))
    return f"{value} [{', '.join(ends)}]"


def _is_smaller_in_all_bins(rows: pd.DataFrame) -> bool | None:
    """Whether errors are smaller in all bins; None if the bands do not decide."""
    if (rows["band_high"] < 0).any():
        return False
    return True if (rows["band_low"] > 0).all() else None


def _check_better_than_target_mean(frame: pd.DataFrame, stream: str) -> list[Condition]:
    conditions = []
    for learner in REGRESSORS.values():
        rows = _contrast_rows(frame, stream, learner, TARGET_MEAN, f"{learner} and {TARGET_MEAN}")
        holds = _is_smaller_in_all_bins(rows)
        if learner == ORTO:  # according to the paper, ORTO has larger errors in all bins
            is_better = bool((rows["band_low"] > 0).any())
            holds = True if (rows["band_high"] < 0).all() else False if is_better else None
        conditions.append(Condition(holds, f"{stream}: {_lowest_difference_text(rows)}"))
    return conditions


def _check_forest_is_best(frame: pd.DataFrame, stream: str) -> list[Condition]:
    rows = _contrast_rows(frame, stream, REGRESSION_FOREST, BEST, f"{REGRESSION_FOREST} and others")
    return [Condition(_is_smaller_in_all_bins(rows), f"{stream}: {_lowest_difference_text(rows)}")]


def _check_forest_gains(frame: pd.DataFrame, stream: str) -> list[Condition]:
    rows = _contrast_rows(frame, stream, REGRESSION_FOREST, FIRST, REGRESSION_FOREST)
    last = rows.sort_values("bin").to_dict("records")[-1]
    holds = True if last["low"] > 0 else False if last["high"] < 0 else None
    subject = f"MAE of {REGRESSION_FOREST} in bin 0 minus that in bin {int(last['bin'])}"
    return [Condition(holds, f"{stream}: {subject} is {_difference_text(last, 'low', 'high')}")]


def _check_little_variation(frame: pd.DataFrame, stream: str) -> list[Condition]:
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
        conditions.append(Condition(span <= MAX_LITTLE_VARIATION, text))
    return conditions


_ALL_PREDICTIONS_NEEDS = (
    Need(
        REGRESSION_FIGURE,
        part="bins",
        streams=(BIKE_STREAM,),
        column="predictions",
        values=(N_LABELS[BIKE_STREAM],),
    ),
)
_BAND_RULE = (
    f"by the band of the difference, at {100 * CONFIDENCE:g} % for all bins together ({N_SECTIONS} "
    "sections of time, correlations of bins)"
)

CLAIMS = {
    **STREAM_CLAIMS,
    "no_single_best": Predicate(
        "on each of the three streams, each learner is less accurate than another one in some bin: "
        "the band of the difference to the most accurate other learner is below 0 there, at "
        f"{100 * CONFIDENCE:g} % for all bins and pairs of learners together ({N_SECTIONS} "
        "sections of time, correlations of bins); a learner whose band is above 0 in all bins "
        "fails, any other one is undecided",
        check_each(REAL_STREAMS, _check_no_single_best),
        all_labels_needs(*REAL_STREAMS),
    ),
    "predictions_per_label": Predicate(
        f"with K = {STATED_INTERVAL}, additional predictions for each labelled instance are "
        f"within {100 * ABOUT_TOLERANCE:g} % of {STATED_PREDICTIONS:g} after all labels, and, "
        f"from where {100 * SETTLING_FRACTION:g} % of the labels have arrived, within "
        f"{100 * MAX_STABLE_DEVIATION:g} % of that",
        check_figure_data(COSTS_FIGURE, "repredictions", (AIRLINES,), _check_stated_predictions),
        (
            _all_labels_need(COSTS_FIGURE),
            _repredictions_need(COSTS_FIGURE, "every", STATED_INTERVAL),
        ),
        universal=False,
    ),
    "bins_fine_enough": Predicate(
        f"of No-Change, no bin of B = {N_FINE_BINS} has an accuracy that differs by more than "
        f"{MAX_NEARLY_SAME_DISTANCE} from that of a bin of B = {N_FINEST_BINS} within it, and for "
        f"each B below {COARSE_LIMIT} one does",
        check_figure_data(BIN_NUMBERS_FIGURE, "bin_numbers", (ELECTRICITY,), _check_fine_bins),
        (
            _bin_numbers_need("bins", *_COARSE_NUMBERS_OF_BINS, N_FINE_BINS, N_FINEST_BINS),
            _bin_numbers_need("predictions", N_LABELS[ELECTRICITY]),
        ),
    ),
    "made_and_stored": Predicate(
        "the numbers of predictions made over 100 labels and of those stored have a rank "
        f"correlation of at least {MIN_TREND_CORRELATION}",
        check_figure_data(USE_FIGURE, "repredictions", (AIRLINES,), _check_counts_correlate),
        (_all_labels_need(USE_FIGURE),),
        universal=False,
    ),
    "both_drop": Predicate(
        "after they have first reached their medians, both numbers are at some time at most "
        f"{100 * MAX_DROP_FRACTION:g} % of them",
        check_figure_data(USE_FIGURE, "repredictions", (AIRLINES,), _check_drops),
        (_all_labels_need(USE_FIGURE),),
    ),
    "all_stable": Predicate(
        "with each K, the number of additional predictions for each labelled instance is, from "
        f"where {100 * SETTLING_FRACTION:g} % of the labels have arrived, within "
        f"{100 * MAX_STABLE_DEVIATION:g} % of its last value",
        check_figure_data(COSTS_FIGURE, "repredictions", (AIRLINES,), _check_stability),
        (
            _all_labels_need(COSTS_FIGURE),
            _repredictions_need(COSTS_FIGURE, "every", *PREDICTION_INTERVALS),
        ),
    ),
    "more_bins_are_smoother": Predicate(
        "the accuracies of No-Change in neighbouring bins differ by less, on the mean of their "
        "sizes, the more bins there are",
        check_figure_data(BIN_NUMBERS_FIGURE, "bin_numbers", (ELECTRICITY,), _check_smoothness),
        (_bin_numbers_need("bins", *_NUMBERS_OF_BINS),),
    ),
    "no_change_most_variable": bin_predicate(
        ELECTRICITY,
        "on electricity the accuracies of No-Change span more over all bins than those of each "
        "other learner",
        _check_most_variable,
        by_interval=False,
    ),
    **BIN_CLAIMS,
    "better_than_target_mean": Predicate(
        "FIMT-DD, AMRules and ARF-Reg have a smaller MAE than Target Mean in all bins, and ORTO a "
        f"larger one, {_BAND_RULE}; a learner fails where the band of some bin is on the other "
        "side, and is undecided otherwise",
        check_figure_data(
            REGRESSION_FIGURE, "contrasts", (BIKE_STREAM,), _check_better_than_target_mean
        ),
        _ALL_PREDICTIONS_NEEDS,
        universal=False,
    ),
    "arf_reg_is_best": Predicate(
        "in all bins ARF-Reg has a smaller MAE than the best other learner there, by the band of "
        f"the difference, at {100 * CONFIDENCE:g} % for all bins and pairs of learners together "
        f"({N_SECTIONS} sections of time, correlations of bins); it fails if some band is below 0",
        check_figure_data(REGRESSION_FIGURE, "contrasts", (BIKE_STREAM,), _check_forest_is_best),
        _ALL_PREDICTIONS_NEEDS,
    ),
    "arf_reg_gains": Predicate(
        "the MAE of ARF-Reg is smaller in the last bin than in bin 0, by the "
        f"{100 * CONFIDENCE:g} % interval of the difference ({N_SECTIONS} sections of time)",
        check_figure_data(REGRESSION_FIGURE, "contrasts", (BIKE_STREAM,), _check_forest_gains),
        _ALL_PREDICTIONS_NEEDS,
        universal=False,
    ),
    "little_variation": Predicate(
        "of each regressor of the paper, the largest MAE of all bins less the smallest one is at "
        f"most {100 * MAX_LITTLE_VARIATION:g} % of their mean",
        check_figure_data(REGRESSION_FIGURE, "bins", (BIKE_STREAM,), _check_little_variation),
        _ALL_PREDICTIONS_NEEDS,
        universal=False,
    ),
}
