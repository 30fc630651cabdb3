"""The claims of Bifet et al. (2015), Sections 5 and 6.1, on measures over time: Figures 2 to 4."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from itertools import combinations, pairwise, permutations

import numpy as np
import pandas as pd

from streameval.base.rounding import percentage, percentage_bound
from streameval.papers.bifet2015.published import (
    DRIFTING_STREAMS,
    MAX_SIMILAR_EXCESS,
    MAX_VERY_SIMILAR_DISTANCE,
    MIN_PERIOD_FRACTION,
    STREAM_LENGTHS,
    full_length_need,
)
from streameval.report.claims import (
    AccuracyGap,
    Check,
    Condition,
    Predicate,
    accuracy_gaps_of_rows,
    check_figure_data,
    collect_outcomes,
)
from streameval.report.results import NotRunError, Results, figure_data
from streameval.significance.intervals import CONFIDENCE
from streameval.significance.stream_mean import N_SECTIONS, stream_mean
from streameval.view.numbers import lower_bound_text, number_text, upper_bound_text

#: The learner of Figure 3; for Figure 4 the paper names no learner.
HOEFFDING_TREE = "hoeffding_tree"
#: The figure of estimates of accuracy over time.
OVER_TIME_FIGURE = "bifet2015/fig3"
#: The figure that compares estimates with a hold-out set.
HOLD_OUT_FIGURE = "bifet2015/fig4"
#: Lengths of the windows, in instances.
_WINDOW_LENGTHS = (100, 1000, 10_000)
_LONGEST_WINDOW = max(_WINDOW_LENGTHS)
#: Ids of the estimators that are accuracies over windows of these lengths.
SHORT_WINDOW, MIDDLE_WINDOW, LONG_WINDOW = WINDOWS = tuple(
    f"window_{length}" for length in _WINDOW_LENGTHS
)
#: Id of the accuracy over ADWIN's window.
ADWIN = "adwin"
#: Id of the accuracy on a hold-out set, taken as the true accuracy.
HOLD_OUT = "hold_out"
_CONFIDENCE_TEXT = f"{100 * CONFIDENCE:g} %"
_INTERVAL_RULE = (
    f"a difference counts where its whole {_CONFIDENCE_TEXT} interval is on one side ({N_SECTIONS} "
    "sections of time), and is undecided where it is not or where there is none"
)


#: The baseline of Figure 2.
MAJORITY = "moving_majority"
#: The measures of Figure 2 other than kappa_m.
_OTHER_MEASURES = ("kappa", "harmonic_mean")


def _check_curves(check: Callable[[pd.DataFrame, str], list[Condition]]) -> Check:
    """The check of the curves of Figure 2."""
    return check_figure_data("bifet2015/fig2", "curves", ("elec2",), check)


def _measures(curves: pd.DataFrame, learner: str, measures: Sequence[str]) -> pd.DataFrame:
    """Table of the measures of a learner, with a row for each window."""
    rows = curves[curves["learner"] == learner]
    table = rows.pivot_table("value", "instance", "measure", dropna=False, observed=True)
    missing = {*measures} - {*table}
    if missing:
        names = " and ".join(sorted(missing))
        raise NotRunError(f"the figure of this run lacks {names} of {learner}")
    return table


def _check_unnoticed(curves: pd.DataFrame, stream: str) -> list[Condition]:
    tree = _measures(curves, HOEFFDING_TREE, ("kappa_m", *_OTHER_MEASURES))
    negative = tree["kappa_m"] < 0
    instances, last = tree.index.to_numpy(), int(tree.index.max())
    longest = _longest_period(instances, negative.to_numpy()) / last
    text = (
        f"kappa_m of {HOEFFDING_TREE} is below 0 in {percentage(float(negative.mean()))} of the "
        f"windows, for at most {percentage_bound(longest)} of the stream without a break"
    )
    conditions = [Condition(longest >= MIN_PERIOD_FRACTION, text)]
    for measure in _OTHER_MEASURES:
        smallest = float(tree.loc[negative, measure].min())
        text = f"{measure} of {HOEFFDING_TREE} is at least {lower_bound_text(smallest)} there"
        conditions.append(Condition(smallest > 0, text))
    return conditions


def _check_majority_positive(curves: pd.DataFrame, stream: str) -> list[Condition]:
    majority = _measures(curves, MAJORITY, ("kappa_m", *_OTHER_MEASURES))
    size = float(majority["kappa_m"].abs().max())
    text = f"kappa_m of {MAJORITY} is at most {upper_bound_text(size)} from 0"
    conditions = [Condition(size == 0, text)]
    for measure in _OTHER_MEASURES:
        proportion = float((majority[measure] > 0).mean())
        text = f"{measure} of {MAJORITY} is above 0 in {percentage(proportion)} of the windows"
        conditions.append(Condition(proportion >= MIN_PERIOD_FRACTION, text))
    return conditions


def _longest_period(instances: np.ndarray, is_marked: np.ndarray) -> int:
    """Number of instances from the first to the last window of the longest marked series.

    `instances` are the positions of the ends of the windows; `is_marked` is a mask of windows.
    """
    edges = np.flatnonzero(np.diff(np.concatenate(([False], is_marked, [False]))))
    starts, stops = edges[::2], edges[1::2] - 1
    return int((instances[stops] - instances[starts]).max(initial=0))


def _check_kappa_m_below(curves: pd.DataFrame, stream: str) -> list[Condition]:
    table = _measures(curves, HOEFFDING_TREE, ("kappa", "kappa_m"))
    excess = float((table["kappa_m"] - table["kappa"]).max())
    text = f"kappa_m of {HOEFFDING_TREE} is above kappa by {upper_bound_text(excess)} at most"
    return [Condition(excess <= MAX_SIMILAR_EXCESS, text)]


def _check_length(curves: pd.DataFrame, stream: str) -> list[Condition]:
    last = int(curves["instance"].max())
    return [Condition(last == STREAM_LENGTHS[stream], f"it ends at instance {last:,}")]


def _tree_rows(frame: pd.DataFrame, stream: str, *names: str) -> pd.DataFrame:
    """The rows of the tree; raises NotRunError if an estimator in `names` is missing."""
    rows = frame[frame["learner"] == HOEFFDING_TREE]
    if not {*names} <= {*rows["estimator"]}:
        missing = ", ".join(names)
        raise NotRunError(
            f"{stream}: the figure of this run does not have {missing} of {HOEFFDING_TREE}"
        )
    return rows


def _moves_more(frame: pd.DataFrame, estimator: str, other: str) -> Condition:
    """Whether `estimator` changes more from point to point than the estimator `other`."""
    change, other_change = (
        float(rows["accuracy"].diff().abs().mean())
        for name in (estimator, other)
        for rows in [frame[frame["estimator"] == name].sort_values("instance")]
    )
    return Condition(
        change > other_change,
        f"accuracy moves by {number_text(change, 5)} from point to point in {estimator}, by "
        f"{number_text(other_change, 5)} in {other}, on the mean",
    )


def _check_longer_is_smoother(estimates: pd.DataFrame, stream: str) -> list[Condition]:
    rows = _tree_rows(estimates, stream, *WINDOWS)
    return [_moves_more(rows, *pair) for pair in pairwise(WINDOWS)]


def _check_short_fluctuates(estimates: pd.DataFrame, stream: str) -> list[Condition]:
    condition = _moves_more(
        _tree_rows(estimates, stream, SHORT_WINDOW, HOLD_OUT), SHORT_WINDOW, HOLD_OUT
    )
    return [condition._replace(text=f"{stream}: {condition.text}")]


def _check_long_is_delayed(results: Results) -> list[Condition]:
    by_stream, reasons = collect_outcomes(
        DRIFTING_STREAMS,
        lambda stream: _is_delayed(
            figure_data(results, HOLD_OUT_FIGURE, stream, "following"), stream
        ),
    )
    conditions = [*by_stream.values()]
    holds = any(condition.holds for condition in conditions)
    if reasons and not holds:  # a single stream suffices, and may be among the missing streams
        raise NotRunError("; ".join(reasons))
    numbers = "; ".join(condition.text for condition in conditions)
    fails = all(condition.fails for condition in conditions)
    return [Condition(True if holds else False if fails else None, numbers)]


def _is_delayed(estimates: pd.DataFrame, stream: str) -> Condition:
    """Whether the longest window is closer to an earlier hold-out accuracy than to the present.

    Earlier means half a window ago, the mean age of the window's instances.
    """
    rows = _tree_rows(estimates, stream, LONG_WINDOW, HOLD_OUT)
    table = rows.pivot_table("accuracy", "instance", "estimator", observed=True)
    instances = table.index.to_numpy()
    step = float(np.diff(instances).mean())
    n_steps = max(round(_LONGEST_WINDOW / 2 / step), 1)
    full = table[instances >= _LONGEST_WINDOW]  # the window is full
    window, now = full[LONG_WINDOW].to_numpy(), full[HOLD_OUT].to_numpy()
    earlier = table[HOLD_OUT].shift(n_steps)[full.index].to_numpy()
    gain = (np.abs(window - now) - np.abs(window - earlier))[~np.isnan(earlier)]
    # Bonferroni, for all streams together
    confidence = 1 - (1 - CONFIDENCE) / len(DRIFTING_STREAMS)
    mean = stream_mean(gain, confidence)
    gap = AccuracyGap(mean.mean, mean.low, mean.high)
    lag = number_text(round(n_steps * step))
    reason = f" ({mean.reason})" if mean.reason else ""
    text = f"{stream}: closer to {HOLD_OUT} of {lag} instances ago by {gap.text}{reason}"
    return Condition(gap.above(), text)


def _check_closer(
    estimator: str, others: Sequence[str]
) -> Callable[[pd.DataFrame, str], list[Condition]]:
    """The check that an estimate of the tree's accuracy is closer than all of `others`."""
    return lambda differences, stream: _compare_distances(differences, stream, estimator, others)


def _check_adwin_is_optimal(differences: pd.DataFrame, stream: str) -> list[Condition]:
    conditions = _compare_distances(differences, stream, ADWIN, WINDOWS)
    gaps = _distance_gaps(differences)
    return [
        condition._replace(holds=gaps[ADWIN, other].at_most())
        for condition, other in zip(conditions, WINDOWS, strict=True)
    ]


def _distance_gaps(differences: pd.DataFrame) -> dict[tuple[str, str], AccuracyGap]:
    """Differences of the distances of two estimators to the hold-out, by ordered pair."""
    gaps_of_pairs = {}
    rows = differences[differences["learner"] == HOEFFDING_TREE]
    gaps = accuracy_gaps_of_rows(rows, "difference")
    for first, second, gap in zip(rows["estimator"], rows["other"], gaps, strict=True):
        gaps_of_pairs[first, second] = gap
        gaps_of_pairs[second, first] = AccuracyGap(-gap.value, -gap.high, -gap.low)
    return gaps_of_pairs


def _compare_distances(
    differences: pd.DataFrame, stream: str, estimator: str, others: Sequence[str]
) -> list[Condition]:
    """Whether an estimate of the tree's accuracy is closer than all of `others`."""
    gaps, conditions = _distance_gaps(differences), []
    for other in others:
        if (estimator, other) not in gaps:
            names = f"{estimator} and {other} of {HOEFFDING_TREE}"
            raise NotRunError(f"{stream}: the figure of this run does not have {names}")
        gap = gaps[other, estimator]
        text = f"{stream}: {estimator} is closer than {other} by {gap.text}"
        conditions.append(Condition(gap.above(), text))
    return conditions


def _check_adwin_is_similar(distances: pd.DataFrame, stream: str) -> list[Condition]:
    rows = _tree_rows(distances, stream, ADWIN)
    distance = accuracy_gaps_of_rows(rows[rows["estimator"] == ADWIN], "distance")[0]
    holds = distance.at_most(MAX_VERY_SIMILAR_DISTANCE)
    return [Condition(holds, f"{stream}: {ADWIN} is {distance.text} from {HOLD_OUT}")]


def _check_best_window_differs(results: Results) -> list[Condition]:
    gaps = dict[str, dict[tuple[str, str], AccuracyGap]]()

    def check(differences: pd.DataFrame, stream: str) -> list[Condition]:
        gaps[stream] = _distance_gaps(differences)
        if not {*combinations(WINDOWS, 2)} <= gaps[stream].keys():
            raise NotRunError(
                f"{stream}: the figure of this run lacks some windows of {HOEFFDING_TREE}"
            )
        return []

    check_figure_data(HOLD_OUT_FIGURE, "closer", DRIFTING_STREAMS, check)(results)
    # Pairs of windows, the first of which is closer than the second on some stream.
    closer_pairs = {
        pair
        for gaps_of_stream in gaps.values()
        for pair in permutations(WINDOWS, 2)
        if gaps_of_stream[pair[::-1]].above()
    }
    best = {stream: _closest_window(gaps_of_stream) for stream, gaps_of_stream in gaps.items()}
    text = ", ".join(f"{stream} {window}" for stream, window in best.items())
    # Of some two windows, each is closer on some stream: no window is best on all.
    if any(pair[::-1] in closer_pairs for pair in closer_pairs):
        return [Condition(True, f"closest to {HOLD_OUT}: {text}")]
    holds = None if len({*best.values()}) > 1 else False
    return [Condition(holds, f"closest to {HOLD_OUT}: {text}")]


def _closest_window(gaps: Mapping[tuple[str, str], AccuracyGap]) -> str:
    """The window with the smallest distance; intervals are ignored."""
    return next(
        window
        for window in WINDOWS
        if all(gaps[window, other].value <= 0 for other in WINDOWS if other != window)
    )


#: Claims on generated streams need runs of the paper's length.
_FULL_LENGTH_NEEDS = (full_length_need(HOLD_OUT_FIGURE, "closer", DRIFTING_STREAMS),)
_DRIFTING_TEXT = "each of the paper's nine generated streams with drift, of a million instances"
_TREE_ON_DRIFTING_TEXT = f"for the Hoeffding tree on {_DRIFTING_TEXT}"
_FULL_WINDOWS_TEXT = "over all tests from where all windows are full"

ESTIMATE_CLAIMS: Mapping[str, Predicate] = {
    "kappa_m_negative": Predicate(
        "kappa_m, here against the majority of the last 1000 labels as in Section 5.4.1, is below "
        f"0 for the Hoeffding tree over at least {100 * MIN_PERIOD_FRACTION:g} % of the stream "
        "without a break, and in all these windows kappa and H are above 0",
        _check_curves(_check_unnoticed),
    ),
    "kappa_m_not_above_kappa": Predicate(
        "in no window that the figure shows kappa_m of the Hoeffding tree is above its kappa by "
        f"more than {MAX_SIMILAR_EXCESS}",
        _check_curves(_check_kappa_m_below),
    ),
    "majority_kappa_positive": Predicate(
        "for the majority of the last 1000 labels kappa_m is 0 in all windows that the figure "
        f"shows, and kappa and H are above 0 in at least {100 * MIN_PERIOD_FRACTION:g} % of them",
        _check_curves(_check_majority_positive),
    ),
    "electricity_length": Predicate(
        f"the last window of the figure ends at instance {STREAM_LENGTHS['elec2']:,}",
        _check_curves(_check_length),
    ),
    "smoother_the_longer": Predicate(
        "from point to point of the figure the accuracy of the Hoeffding tree changes less, on the "
        "mean of the sizes, over the window of 1000 than over that of 100, and less over that of "
        "10000",
        check_figure_data(OVER_TIME_FIGURE, "following", ("elec2",), _check_longer_is_smoother),
    ),
    "adwin_follows_1000": Predicate(
        "the mean absolute distance to ADWIN's estimate is less for the window of 1000 than for "
        "those of 100 and 10000, over all instances from where all windows are full; "
        f"{_INTERVAL_RULE}",
        check_figure_data(
            OVER_TIME_FIGURE,
            "closer",
            ("elec2",),
            _check_closer(MIDDLE_WINDOW, (SHORT_WINDOW, LONG_WINDOW)),
        ),
    ),
    "adwin_follows_holdout": Predicate(
        f"{_TREE_ON_DRIFTING_TEXT}, the mean absolute distance to the hold-out is less for ADWIN "
        f"than for the windows of 100 and 10000, {_FULL_WINDOWS_TEXT}; {_INTERVAL_RULE}",
        check_figure_data(
            HOLD_OUT_FIGURE,
            "closer",
            DRIFTING_STREAMS,
            _check_closer(ADWIN, (SHORT_WINDOW, LONG_WINDOW)),
        ),
        _FULL_LENGTH_NEEDS,
    ),
    "adwin_is_optimal": Predicate(
        f"{_TREE_ON_DRIFTING_TEXT}, the mean absolute distance to the hold-out is not greater for "
        f"ADWIN than for any of the windows of 100, 1000 and 10000, {_FULL_WINDOWS_TEXT}; "
        f"{_INTERVAL_RULE}",
        check_figure_data(HOLD_OUT_FIGURE, "closer", DRIFTING_STREAMS, _check_adwin_is_optimal),
        _FULL_LENGTH_NEEDS,
    ),
    "adwin_similar_to_holdout": Predicate(
        f"{_TREE_ON_DRIFTING_TEXT}, the mean absolute distance of ADWIN's estimate to the "
        f"hold-out is at most {MAX_VERY_SIMILAR_DISTANCE}, {_FULL_WINDOWS_TEXT}; a distance "
        f"counts where its whole {_CONFIDENCE_TEXT} interval is on one side, and is undecided "
        "where it is not",
        check_figure_data(HOLD_OUT_FIGURE, "distances", DRIFTING_STREAMS, _check_adwin_is_similar),
        _FULL_LENGTH_NEEDS,
    ),
    "short_window_fluctuates": Predicate(
        f"{_TREE_ON_DRIFTING_TEXT}, the estimate of the window of 100 changes more from test to "
        "test than the hold-out does, on the mean of the sizes",
        check_figure_data(HOLD_OUT_FIGURE, "following", DRIFTING_STREAMS, _check_short_fluctuates),
        _FULL_LENGTH_NEEDS,
    ),
    "long_window_is_late": Predicate(
        "for the Hoeffding tree on some of the paper's nine generated streams with drift, of a "
        "million instances, the window of 10000 is closer, on the mean of absolute distances, to "
        "the hold-out half a window ago than to that of the moment; it counts where the whole "
        f"interval is above 0, at {_CONFIDENCE_TEXT} for all nine streams together",
        _check_long_is_delayed,
        _FULL_LENGTH_NEEDS,
        universal=False,
    ),
    "optimal_window_differs": Predicate(
        "of two of the windows of 100, 1000 and 10000, one is closer to the hold-out on some of "
        "the paper's nine generated streams with drift, of a million instances, and the other one "
        f"on another; it fails if one is closest on all by the distances alone; {_INTERVAL_RULE}",
        _check_best_window_differs,
        _FULL_LENGTH_NEEDS,
        universal=False,
    ),
}
