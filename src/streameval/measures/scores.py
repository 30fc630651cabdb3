"""All measures of class scores by name, with the conditions under which each is undefined.

`Forecasts` has the true labels and the class scores of n predictions. Class scores divided by their
sum are probability forecasts of the k classes. A measure is either a mean of losses of predictions,
or a function of counts in s `Windows` of predictions. The counts are of pairs of predictions with
different true classes, or of predictions in bins of the probability. To add a measure, write such a
function and list it here. All measures can be computed over all predictions and over a sliding
window; only means of losses can have fading weights.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from functools import partial
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import ArrayLike, NDArray

from streameval.base.arrays import Flags, Floats, Integers
from streameval.base.errors import ConfigError
from streameval.measures import calibration, ranking
from streameval.measures import forecasts as forecast_losses
from streameval.measures.counting import checked_positions
from streameval.measures.forecasts import LARGEST_LOG_LOSS, Forecasts
from streameval.measures.sliding_windows import (
    Windows,
    checked_windows,
    faded_means,
    single_window,
    window_means,
)
from streameval.measures.tally import ratio

#: Maximum number of counts, s × k × k, that are computed at a time, to limit memory.
_MAX_COUNTS = 1 << 22


class ScoreCause(NamedTuple):
    """A condition under which a measure of scores is undefined.

    It is a condition on the number of predictions of each true class in each window, shape (s, k).
    """

    text: str
    holds: Callable[[Integers], Flags]  # whether each window, (s,), meets the condition


def _is_empty(counts: Integers) -> Flags:
    return counts.sum(axis=1) == 0


def _has_one_class(counts: Integers) -> Flags:
    return (counts > 0).sum(axis=1) == 1


def _is_not_binary(counts: Integers) -> Flags:
    return np.full(len(counts), counts.shape[1] != 2)


def _has_at_most(size: int, counts: Integers) -> Flags:
    return np.full(len(counts), counts.shape[1] <= size)


# Conditions are named functions, not lambdas, so that results that refer to them can be pickled.
NO_PREDICTIONS = ScoreCause("there are no predictions", _is_empty)
ONE_CLASS = ScoreCause("there is only one true class", _has_one_class)
NOT_BINARY = ScoreCause(
    "it is defined for two classes only: auc_one_vs_one and auc_one_vs_rest are for more",
    _is_not_binary,
)


def _no_more_than(size: int) -> ScoreCause:
    return ScoreCause(f"there are no more than {size} classes", partial(_has_at_most, size))


@dataclass(frozen=True)
class ScoreMeasure:
    """A measure of class scores, with its symbol, title, range and source.

    Parameters
    ----------
    name : str
        Id in the registry.
    symbol, title : str
        Short and full name in figures and tables.
    lower, upper : float
        Smallest and largest possible value.
    reference : str
        Work that defines the measure.
    losses : callable, optional
        For a mean over predictions: maps `Forecasts` to the loss of each prediction, shape (n,).
    counting : callable, optional
        For any other measure: maps `Forecasts` and `Windows` to counts. Measures with the same
        `counting` share the counts.
    value : callable
        Maps the counts to values of shape (s,); unused for a mean over predictions.
    causes : tuple of ScoreCause
        Conditions: the measure is undefined exactly where one of them holds.
    """

    name: str
    symbol: str
    title: str
    lower: float
    upper: float
    reference: str
    losses: Callable[[Forecasts], Floats] | None = None
    counting: Callable[[Forecasts, Windows], Any] | None = None
    value: Callable[[Any], Floats] = np.asarray
    causes: tuple[ScoreCause, ...] = (NO_PREDICTIONS,)

    def reason(self, counts: Integers) -> NDArray[np.object_]:
        """Why the measure is undefined for the class counts (s, k); "" where it is defined."""
        reason = np.full(len(counts), "", dtype=object)
        for cause in reversed(self.causes):  # if several hold, the first of them counts
            reason[cause.holds(counts)] = cause.text
        return reason


def _binary_pairs(forecasts: Forecasts, windows: Windows) -> ranking.PairCounts:
    """Pairs of predictions of two classes, compared by their scores of the second class only.

    `ranking.auc` needs no other scores. It is undefined for any other number of classes; the result
    then has a single class without predictions.
    """
    if forecasts.scores.shape[1] == 2:
        return ranking.count_pairs(forecasts, windows, classes=range(1, 2))
    no_pairs = np.zeros((len(windows.stops), 1, 1), dtype=np.int64)
    return ranking.PairCounts(counts=no_pairs[:, 0], twice_concordant=no_pairs)


#: Conditions of areas under the ROC curve.
_AREA_CAUSES = (NO_PREDICTIONS, ONE_CLASS)
_MURPHY, _STEPHENSON = "Murphy (1973)", "Stephenson et al. (2008)"
#: Largest Brier score. No term of its decomposition is larger.
_MAX_BRIER = 2


def _top_accuracy(size: int) -> ScoreMeasure:
    return ScoreMeasure(
        f"top_{size}_accuracy",
        f"top-{size}",
        f"Top-{size} accuracy",
        0,
        1,
        "Russakovsky et al. (2015)",
        losses=partial(forecast_losses.top_accuracies, size=size),
        causes=(_no_more_than(size), NO_PREDICTIONS),
    )


def _brier_term(
    name: str, value: Callable[[Any], Floats], symbol: str, title: str, lower: float, source: str
) -> ScoreMeasure:
    """Measure for a term of the decomposition of the Brier score."""
    return ScoreMeasure(
        f"brier_{name}",
        symbol,
        f"{title} of the Brier score",
        lower,
        _MAX_BRIER,
        source,
        counting=calibration.class_bins,
        value=value,
    )


# fmt: off
#: All measures of class scores, by name.
SCORE_MEASURES: dict[str, ScoreMeasure] = {measure.name: measure for measure in (
    ScoreMeasure("auc", "AUC", "Area under the ROC curve", 0, 1,
                 "Hanley, McNeil (1982); Brzezinski, Stefanowski (2017)",
                 counting=_binary_pairs, value=ranking.auc, causes=(NOT_BINARY, *_AREA_CAUSES)),
    ScoreMeasure("auc_one_vs_one", "M", "Area under the ROC curve, mean of pairs of classes", 0, 1,
                 "Hand, Till (2001)", counting=ranking.count_pairs,
                 value=ranking.auc_one_vs_one, causes=_AREA_CAUSES),
    ScoreMeasure("auc_one_vs_rest", "AUC_r", "Area under the ROC curve, classes against the rest",
                 0, 1, "Provost, Domingos (2000); Fawcett (2006)", counting=ranking.count_pairs,
                 value=ranking.auc_one_vs_rest, causes=_AREA_CAUSES),
    ScoreMeasure("log_loss", "LL", "Log loss, in nats", 0, LARGEST_LOG_LOSS, "Good (1952)",
                 losses=forecast_losses.log_losses),
    ScoreMeasure("log_loss_clipped", "LL_c", "Proportion clipped in the log loss", 0, 1,
                 "none: effect of the floor of the log loss", losses=forecast_losses.is_clipped),
    ScoreMeasure("brier", "BS", "Brier score", 0, _MAX_BRIER, "Brier (1950)",
                 losses=forecast_losses.brier_losses),
    _brier_term("reliability", calibration.reliability, "REL", "Reliability", 0, _MURPHY),
    _brier_term("resolution", calibration.resolution, "RES", "Resolution", 0, _MURPHY),
    _brier_term("uncertainty", calibration.uncertainty, "UNC", "Uncertainty", 0, _MURPHY),
    _brier_term("within_variance", calibration.within_variance, "WBV", "Variance within bins", 0,
                _STEPHENSON),
    _brier_term("within_covariance", calibration.within_covariance, "WBC",
                "Covariance within bins", -2, _STEPHENSON),
    ScoreMeasure("expected_calibration_error", "ECE", "Expected calibration error", 0, 1,
                 "Guo et al. (2017)", counting=calibration.top_bins,
                 value=calibration.expected_calibration_error),
    _top_accuracy(2), _top_accuracy(3), _top_accuracy(5),
    ScoreMeasure("no_forecast", "NF", "Proportion without a forecast", 0, 1,
                 "none: missing forecasts count as uniform", losses=forecast_losses.is_missing),
)}
# fmt: on


class ScoreValues(NamedTuple):
    """Values of a measure at s positions, NaN where undefined, and the reasons."""

    value: Floats
    reason: NDArray[np.object_]


def score_measures(names: Iterable[str] | None) -> list[ScoreMeasure]:
    """Measures of scores by name, all by default.

    Raises
    ------
    ConfigError
        If a name is unknown.
    """
    measure_names = list(SCORE_MEASURES if names is None else names)
    for name in measure_names:
        if name not in SCORE_MEASURES:
            raise ConfigError(
                f"Measures of class scores: expected some of {', '.join(SCORE_MEASURES)}, "
                f"found {name!r}."
            )
    return [SCORE_MEASURES[name] for name in measure_names]


def overall_scores(
    forecasts: Forecasts, names: Iterable[str] | None = None
) -> dict[str, ScoreValues]:
    """Measure all forecasts.

    Parameters
    ----------
    forecasts : Forecasts
        From `checked_forecasts`.
    names : iterable of str, optional
        Names of `SCORE_MEASURES`, by default all.

    Returns
    -------
    dict of str to ScoreValues
        Values at one position, by name of the measure.
    """
    return _over_windows(forecasts, names, single_window(len(forecasts.true)))


def window_scores(
    forecasts: Forecasts, names: Iterable[str] | None = None, *, window: int, positions: ArrayLike
) -> dict[str, ScoreValues]:
    """Measure the last `window` forecasts at each position.

    Parameters
    ----------
    forecasts, names
        See `overall_scores`.
    window : int
        Number of predictions in a window; before it is full, all predictions so far.
    positions : array-like of int, shape (s,)
        Sample positions: numbers of predictions so far, increasing, within 1..n.

    Raises
    ------
    ConfigError
        If the window is empty, or a name is unknown.
    DataError
        If positions are out of range.
    """
    return _over_windows(forecasts, names, checked_windows(window, positions, len(forecasts.true)))


def faded_scores(
    forecasts: Forecasts, names: Iterable[str] | None = None, *, fading: float, positions: ArrayLike
) -> dict[str, ScoreValues]:
    """Measure with fading weights: the i-th last prediction weighs ``fading**i``.

    Parameters
    ----------
    forecasts, positions
        See `window_scores`.
    names : iterable of str, optional
        Names of measures that are means over predictions, by default all such measures.
    fading : float
        Fading factor: the fraction of its weight that a prediction keeps at each further
        prediction, at most 1.

    Raises
    ------
    ConfigError
        If a measure is not a mean over predictions, or `fading` is out of range.
    DataError
        If positions are out of range.
    """
    means = [name for name, measure in SCORE_MEASURES.items() if measure.losses is not None]
    measures = score_measures(means if names is None else names)
    positions = checked_positions(positions, len(forecasts.true))
    # At each position, a window of all predictions so far.
    windows = single_window(len(forecasts.true))._replace(stops=positions)
    class_counts = windows.class_counts(forecasts.true, forecasts.scores.shape[1])
    scores = {}
    for measure in measures:
        if measure.losses is None:
            raise ConfigError(
                f"{measure.name} is not a mean over predictions, so it cannot be computed with "
                f"fading weights. Use a window, or one of {', '.join(means)}."
            )
        values = faded_means(measure.losses(forecasts), fading, positions)
        scores[measure.name] = _with_reasons(measure, values, class_counts)
    return scores


def _over_windows(
    forecasts: Forecasts, names: Iterable[str] | None, windows: Windows
) -> dict[str, ScoreValues]:
    k = forecasts.scores.shape[1]
    measures = score_measures(names)
    values: dict[str, Floats] = {}
    # Measures with the same counts are computed together, in portions to limit memory.
    countings = [measure.counting for measure in measures if measure.counting is not None]
    n_portions = max(math.ceil(len(windows.stops) * k * k / _MAX_COUNTS), 1)
    for counting in dict.fromkeys(countings):
        measures_of_counts = [measure for measure in measures if measure.counting is counting]
        portions: dict[str, list[Floats]] = {measure.name: [] for measure in measures_of_counts}
        for stops in np.array_split(windows.stops, n_portions):
            counts = counting(forecasts, windows._replace(stops=stops))
            for measure in measures_of_counts:
                portions[measure.name].append(measure.value(counts))
        values |= {name: np.concatenate(portion) for name, portion in portions.items()}
    for measure in measures:
        if measure.losses is not None:
            values[measure.name] = window_means(measure.losses(forecasts), windows)
    class_counts = windows.class_counts(forecasts.true, k)
    return {
        measure.name: _with_reasons(measure, values[measure.name], class_counts)
        for measure in measures
    }


def _with_reasons(measure: ScoreMeasure, values: Floats, class_counts: Integers) -> ScoreValues:
    reason = measure.reason(class_counts)
    return ScoreValues(np.where(reason == "", values, np.nan), reason)


def skill(loss: ArrayLike, reference: ArrayLike) -> Floats:
    """Skill 1 - loss / reference, from the mean losses of a learner and of a baseline.

    The skill is 1 without any loss, 0 for the baseline itself, and negative if the loss is larger
    than that of the baseline. It is NaN where the baseline has no loss.
    """
    return 1.0 - ratio(loss, reference)
