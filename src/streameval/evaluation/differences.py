"""Differences between learners on the same stream, and from baselines, with intervals."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Sequence
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from streameval.evaluation.predictions import PredictionTable, read_scored
from streameval.evaluation.roles import (
    AUGMENTED,
    CLASSIFICATION_BASELINES,
    CORRECTED,
    REGRESSION_BASELINES,
)
from streameval.significance.stream_mean import Signs, StreamMean

if TYPE_CHECKING:
    import pandas as pd

COLUMNS = ["learner", "other", "difference", "low", "high", "instances"]


class Difference(NamedTuple):
    """A difference in accuracy or in mean absolute error, with its 95 % interval.

    Parameters
    ----------
    difference : float
        Accuracy of the first learner minus accuracy of the second, or error of the second minus
        error of the first; positive if the first is better.
    low, high : float
        Ends of the interval of `stream_mean`; NaN if there is no interval.
    instances : int
        Number of compared instances.
    reason : str
        Reason why there is no interval; empty if there is one.
    signs : Signs or None
        Numbers of instances where the first learner is worse, equal and better, if the
        differences are too few for an interval; otherwise None.
    """

    difference: float
    low: float
    high: float
    instances: int
    reason: str
    signs: Signs | None = None

    @classmethod
    def from_mean(cls, mean: StreamMean, instances: int) -> Difference:
        """Difference over a number of instances, given its mean and interval."""
        return cls(mean.mean, mean.low, mean.high, instances, mean.reason, mean.signs)

    def as_dict(self) -> dict[str, Any]:
        """Fields by name, as in JSON."""
        return {**self._asdict(), "signs": self.signs and self.signs._asdict()}


def paired_differences(
    predictions: PredictionTable, further_pairs: Iterable[Sequence[str]] = ()
) -> pd.DataFrame:
    """Differences in accuracy, or in mean absolute error, between pairs of learners.

    Each learner is compared with the first baseline: No-Change or the previous target. A wrapped
    learner is also compared with the plain learner, an augmented learner also with the corrected
    learner.
    """
    persistence = next(iter(predictions.task.baselines))
    pairs = _pairs(predictions.predicted, persistence, list(further_pairs))
    return differences_of_pairs(predictions, pairs)[COLUMNS]


def differences_of_pairs(table: PredictionTable, pairs: Iterable[tuple[str, str]]) -> pd.DataFrame:
    """Differences of pairs of learners: `COLUMNS`, and reason and signs as in `Difference`."""
    import pandas as pd

    table.require_one_fold("Intervals of differences")
    rows = [(*pair, *difference(table, *pair)) for pair in pairs]
    return pd.DataFrame(rows, columns=[*COLUMNS, "reason", "signs"])


def difference(table: PredictionTable, learner: str, other: str) -> Difference:
    """Difference of two learners on the instances that both predict.

    In classification a missing prediction is wrong. There is no interval with folds, or if only a
    part of the labels is learnt.
    """
    n = int(table.compared_mask(learner, other).sum())
    return Difference.from_mean(table.difference(learner, other), n)


def skills_over_baselines(table: PredictionTable, learners: Iterable[str]) -> pd.DataFrame:
    """Skills over each baseline: columns learner, baseline, skill, low, high, reason."""
    import pandas as pd

    rows = [
        (name, baseline, *table.skill(name, baseline))
        for name in learners
        for baseline in table.task.baselines_of(table.predicted)
    ]
    return pd.DataFrame(rows, columns=["learner", "baseline", "skill", "low", "high", "reason"])


def differences_over_baselines(
    table: PredictionTable, learners: Iterable[str]
) -> dict[str, dict[str, Difference]]:
    """Differences of each learner from each other baseline."""
    baselines = table.task.baselines_of(table.predicted)
    return {
        name: {
            baseline: difference(table, name, baseline)
            for baseline in baselines
            if baseline != name
        }
        for name in learners
    }


def _pairs(
    learners: Collection[str], persistence: str, further_pairs: Collection[Sequence[str]]
) -> Iterator[tuple[str, str]]:
    """Yield the pairs of available learners."""
    pairs = []
    for name in learners:
        plain = name.removesuffix(CORRECTED).removesuffix(AUGMENTED)
        others = [persistence]
        others += [plain] if plain != name else []
        others += [f"{plain}{CORRECTED}"] if name.endswith(AUGMENTED) else []
        others += [second for first, second in further_pairs if first == name]
        pairs += [(name, other) for other in others if other != name]
    yield from ((name, other) for name, other in dict.fromkeys(pairs) if other in learners)


#: Bin of the predictions on arrival.
_ARRIVAL = 0


class GainOverBaseline(NamedTuple):
    """Skill of a learner over a baseline, or difference in accuracy; positive if it is better."""

    learner: str
    baseline: str
    is_skill: bool
    value: float
    low: float
    high: float
    accuracy: float


def read_gains_over_baselines(path: str) -> list[GainOverBaseline]:
    """Comparisons with baselines from a file: a CSV file of skills, or a file of predictions."""
    # Imported here: it loads pandas, which is slow, and evaluations that import this module do not
    # need it.
    from streameval.base.table_files import read_csv_table

    if path.endswith(".csv"):
        return skills_on_arrival(read_csv_table(path))
    return gains_over_baselines(read_scored(path))


def gains_over_baselines(predictions: PredictionTable) -> list[GainOverBaseline]:
    """Differences in accuracy between learners and baselines, or skills of regressors over them.

    If an instance is predicted several times, the first prediction (on arrival) counts.
    """
    table, gains = predictions.on_arrival(), []
    if not table.task.is_classification:
        return [
            _skill_over(learner, baseline, *table.skill(learner, baseline)[:3])
            for learner in table.predicted
            if learner not in REGRESSION_BASELINES
            for baseline in REGRESSION_BASELINES
        ]
    for learner, labels in table.predicted.items():
        if learner not in CLASSIFICATION_BASELINES:
            accuracy = float((labels == table.true).mean()) if len(table) else np.nan
            for other in CLASSIFICATION_BASELINES:
                estimate = difference(table, learner, other)
                gain = GainOverBaseline(
                    learner,
                    other,
                    is_skill=False,
                    value=estimate.difference,
                    low=estimate.low,
                    high=estimate.high,
                    accuracy=accuracy,
                )
                gains.append(gain)
    return gains


def _skill_over(
    learner: str, baseline: str, value: float, low: float, high: float
) -> GainOverBaseline:
    return GainOverBaseline(
        learner, baseline, is_skill=True, value=value, low=low, high=high, accuracy=np.nan
    )


def skills_on_arrival(skills: pd.DataFrame) -> list[GainOverBaseline]:
    """Skills of learners on arrival.

    `skills` is the frame ``skills`` of `items.reevaluation.binned_measures` or `binned_errors`.
    """
    # The two kinds have other names for the same columns.
    skills = skills.rename(columns={"reference": "baseline", "value": "skill"})
    return [
        _skill_over(row["learner"], row["baseline"], row["skill"], row["low"], row["high"])
        for row in skills[skills["bin"] == _ARRIVAL].to_dict("records")
        if row["learner"] not in (*CLASSIFICATION_BASELINES, *REGRESSION_BASELINES)
    ]
