"""Predictions of regressors over one tape, their measures and comparisons."""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, Any

import numpy as np

from streameval.base.arrays import Codes, Flags, Floats
from streameval.errors import ConfigError
from streameval.evaluation.differences import Difference
from streameval.evaluation.interval_measures import (
    INTERVAL_SKILL,
    Ends,
    ends_of,
    interval_measures,
    is_of_intervals,
    measure_intervals,
    score_skill,
)
from streameval.evaluation.interval_measures import why_undefined as why_no_interval
from streameval.evaluation.measuring import Measured, positions
from streameval.evaluation.predictions import check_ids
from streameval.evaluation.roles import PREVIOUS_TARGET, REGRESSION_BASELINES, TARGET_MEAN
from streameval.evaluation.running import Cost, cost_of
from streameval.learners.learner import Progress
from streameval.learners.regression.baselines import PreviousTarget, Seasonal, TargetMean
from streameval.learners.regression.regressor import Regressor
from streameval.measures.regression import REGRESSION_MEASURES, RegressionMeasure, SkillMeasure
from streameval.protocols.partial import Partial, labels_learnt, no_interval
from streameval.protocols.protocol import Protocol
from streameval.protocols.tape import Tape
from streameval.significance.series import by_runs
from streameval.significance.skill_interval import Skill, skill_interval
from streameval.significance.stream_mean import stream_mean, without_ends
from streameval.streams.stream import Stream

if TYPE_CHECKING:
    import pandas as pd

    from streameval.learners.wrappers.conformal import Conformal


@dataclass(frozen=True)
class NumberTable:
    """The predictions of several regressors over a tape, in its order.

    Parameters
    ----------
    true : ndarray of float64, shape (p,)
        True targets; NaN where a target is not known.
    predicted : mapping of str to ndarray of float64, shape (p,)
        Predicted targets by regressor, NaN where there is no prediction.
    row : ndarray of int32, shape (p,)
        Row of the stream that is predicted.
    intervals : mapping of str to Ends
        Prediction intervals, of the regressors that have some.
    coverage : float, optional
        The nominal coverage of all intervals, where it is known.
    no_interval : str
        Why nothing about these predictions has an interval; empty if some may have.
    """

    true: Floats
    predicted: Mapping[str, Floats]
    row: Codes
    intervals: Mapping[str, Ends] = field(default_factory=dict)
    coverage: float | None = None
    no_interval: str = ""

    def __len__(self) -> int:
        return len(self.true)

    def errors(self, learner: str) -> Floats:
        """Return |true - predicted| for each prediction; NaN where one of them is missing."""
        found: Floats = np.abs(self.true - self.predicted[learner])
        return found

    def part(self, which: Flags) -> NumberTable:
        """Return some of the predictions."""
        return replace(
            self,
            true=self.true[which],
            predicted={name: values[which] for name, values in self.predicted.items()},
            row=self.row[which],
            intervals={name: ends.part(which) for name, ends in self.intervals.items()},
        )

    def missing(self, learner: str) -> int:
        """Return the number of known targets without a prediction of a regressor."""
        without = np.isnan(self.predicted[learner]) & ~np.isnan(self.true)
        return int(np.count_nonzero(without))


def run_regressors(
    stream: Stream,
    protocol: Protocol | Tape,
    regressors: Mapping[str, Regressor],
    seed: int = 1,
    *,
    scored: Codes | None = None,
    around: Conformal | None = None,
    progress: Progress | None = None,
) -> tuple[NumberTable, list[Cost]]:
    """Run several regressors over the same tape.

    The protocol has no folds. `scored` are the rows whose targets become known; by default all.
    Predictions without intervals of their own get those of `around`, whatever is inside it.
    `progress` is called with the number of events processed since the last call.

    Predictions before any target is known are left out as by `run_learners`.

    Raises ConfigError if an id is the name of another column, or the protocol has folds. Raises
    DataError if the protocol needs time stamps that the stream does not have.
    """
    check_ids(regressors)
    if isinstance(protocol, Tape):
        tape = protocol
    else:
        check_one_fold(protocol)
        (tape,) = protocol.tapes(stream)
    predicted, intervals, costs = {}, dict[str, Ends](), list[Cost]()
    instances = int(np.count_nonzero(np.bincount(tape.row)))
    for name, regressor in regressors.items():
        found = regressor.play(stream, tape, seed, progress=progress)
        if around is not None and found.low is None:
            found = around.surround(found, stream, tape)
        predicted[name] = found.value
        if (ends := ends_of(found)) is not None:
            intervals[name] = ends
        labels = labels_learnt(tape) if isinstance(protocol, Partial) else None
        costs.append(cost_of(name, instances, found, labels))
    row = tape.predict_rows
    target: Floats = stream.y
    if scored is not None:
        target = np.full(len(stream), np.nan)
        target[scored] = stream.y[scored]
    true = target[row]
    coverage = None if around is None else around.coverage
    why = "" if isinstance(protocol, Tape) else no_interval(str(protocol))
    table = NumberTable(true, predicted, row, intervals, coverage, why)
    if isinstance(protocol, Protocol) and protocol.starts_unlabelled:
        table = table.part(protocol.knows_a_label(stream)[row])
    return table, costs


def with_baselines(regressors: Mapping[str, Regressor]) -> dict[str, Regressor]:
    """Return regressors by id, with the baselines at the end if they are missing."""
    missing = {one.name: one for one in (PreviousTarget(), TargetMean())}
    return {**regressors, **{name: one for name, one in missing.items() if name not in regressors}}


def check_one_fold(protocol: Protocol) -> None:
    """Refuse folds, which regressors do not have."""
    if protocol.has_folds:
        raise ConfigError(
            f"Regressors: expected a protocol without folds, found {str(protocol)!r}. Choose "
            "prequential, delayed or reevaluation."
        )


#: How sentences call the baselines that always run.
_CALLED = {PREVIOUS_TARGET: "the previous target", TARGET_MEAN: "the mean so far"}
#: How the names of skills begin; behind it is the id of a baseline.
SKILL = "skill_over_"
DIFFERENCE_COLUMNS = ["learner", "other", "difference", "low", "high", "instances", "reason"]


def baselines_of(learners: Iterable[str]) -> list[str]:
    """Return the baselines among learners, seasonal baselines included."""
    given = dict.fromkeys(learners)
    found = [name for name in given if name in REGRESSION_BASELINES or _is_seasonal(name)]
    return sorted(found, key=[*REGRESSION_BASELINES, *found].index)


def _is_seasonal(name: str) -> bool:
    return name.partition(":")[0] == Seasonal.name


def called(baseline: str) -> str:
    """Return the name of a baseline within a sentence."""
    if baseline in _CALLED:
        return _CALLED[baseline]
    period = baseline.partition(":")[2]
    return (
        f"the target {int(period):,} instances before"
        if period
        else "the target of a season before"
    )


def measures_of(learners: Iterable[str], intervals: Iterable[str] = ()) -> dict[str, Any]:
    """Return the measures that these regressors have: errors, R², and a skill for each baseline.

    Also those of prediction intervals, if there are `intervals`, those of some of them.
    """
    with_intervals = [*intervals]
    skills_over = {
        SKILL + name: SkillMeasure(f"Skill over {called(name)}") for name in baselines_of(learners)
    }
    found: dict[str, RegressionMeasure | SkillMeasure] = {**REGRESSION_MEASURES, **skills_over}
    if not with_intervals:
        return dict(found)
    over = baselines_of(with_intervals)
    return {**found, **interval_measures(over, {name: called(name) for name in over})}


def measure(
    table: NumberTable, learner: str, name: str, part: slice | Flags = slice(None)
) -> float:
    """Return a measure of a regressor, over some of the predictions.

    Predictions that are missing are left out; a skill is about the instances that the baseline
    predicts, too. NaN where it is undefined.
    """
    if is_of_intervals(name):
        return _measure_intervals(table, learner, name, part)
    if name.startswith(SKILL):
        baseline = name.removeprefix(SKILL)
        return ratio_skill(table.errors(learner)[part], table.errors(baseline)[part])
    true, predicted = table.true[part], table.predicted[learner][part]
    known = ~np.isnan(true) & ~np.isnan(predicted)
    return float(REGRESSION_MEASURES[name].function(true[known], predicted[known]))


def _measure_intervals(table: NumberTable, learner: str, name: str, part: slice | Flags) -> float:
    if learner not in table.intervals:
        return np.nan
    true, own = table.true[part], table.intervals[learner].part(part)
    if not name.startswith(INTERVAL_SKILL):
        return measure_intervals(true, own, name, table.coverage)
    other = table.intervals.get(name.removeprefix(INTERVAL_SKILL))
    return np.nan if other is None else score_skill(true, own, other.part(part), table.coverage)


def measured(table: NumberTable, learners: Sequence[str], names: Sequence[str]) -> list[Measured]:
    """Return measures by regressor, then by measure, with the reason where one is undefined."""
    found = [
        (learner, name, measure(table, learner, name)) for learner in learners for name in names
    ]
    return [Measured(*one, _why(table, *one[:2]) if math.isnan(one[2]) else "") for one in found]


def _why(table: NumberTable, learner: str, name: str) -> str:
    if is_of_intervals(name):
        return why_no_interval(name, table.coverage, learner in table.intervals)
    return why_undefined(name)


def ratio_skill(errors: Floats, reference: Floats) -> float:
    """Return 1 minus the ratio of the mean errors where both are known, NaN if undefined."""
    own, other = paired(errors, reference)
    return 1.0 - float(own.mean() / other.mean()) if other.any() else np.nan


def paired(errors: Floats, others: Floats) -> tuple[Floats, Floats]:
    """Return the errors of two learners where both are known."""
    known = ~np.isnan(errors) & ~np.isnan(others)
    return errors[known], others[known]


def why_undefined(name: str) -> str:
    """Return why a measure is undefined, where it is."""
    if name.startswith(SKILL):
        return "the baseline makes no error, or predicts no instance that the learner predicts"
    if name == "r_squared":
        return "all targets are equal, or too large to be squared"
    return "there is no prediction"


def skill(table: NumberTable, learner: str, baseline: str) -> Skill:
    """Return the skill of a regressor over a baseline, with its interval."""
    errors = paired(table.errors(learner), table.errors(baseline))
    found = skill_interval(*errors, judged=True)
    if not table.no_interval:
        return found
    return found._replace(low=np.nan, high=np.nan, reason=found.reason or table.no_interval)


def skills(table: NumberTable, learners: Sequence[str]) -> pd.DataFrame:
    """Return skills over each baseline: columns learner, baseline, skill, low, high, reason."""
    import pandas as pd

    rows = [
        (name, baseline, *skill(table, name, baseline))
        for name in learners
        for baseline in baselines_of(table.predicted)
    ]
    return pd.DataFrame(rows, columns=["learner", "baseline", "skill", "low", "high", "reason"])


def error_difference(table: NumberTable, learner: str, other: str) -> Difference:
    """Return a row of `error_differences`, without the names."""
    own, beside = paired(table.errors(learner), table.errors(other))
    if not len(own):
        return Difference(np.nan, np.nan, np.nan, 0, "there is no instance that both predict")
    mean = stream_mean(beside - own, behind=by_runs(own, beside))
    found = without_ends(mean, table.no_interval)
    return Difference(found.mean, found.low, found.high, len(own), found.reason)


def error_differences(table: NumberTable, pairs: Iterable[tuple[str, str]]) -> pd.DataFrame:
    """Return differences in the mean absolute error of pairs of regressors.

    Columns `DIFFERENCE_COLUMNS`: by how much that of the first is lower, positive where the first
    is better; the ends of its 95 % interval, NaN for the reason given; and how many instances both
    predict.
    """
    import pandas as pd

    rows = [(one, other, *error_difference(table, one, other)) for one, other in pairs]
    return pd.DataFrame(rows, columns=DIFFERENCE_COLUMNS)


def windowed(
    table: NumberTable, learners: Sequence[str], measures: Sequence[str], window: int, points: int
) -> pd.DataFrame:
    """Return measures over a sliding window: columns instance, learner, measure, value."""
    import pandas as pd

    at = positions(len(table), window, points).tolist()
    rows = [
        (end, learner, name, measure(table, learner, name, slice(max(end - window, 0), end)))
        for learner in learners
        for name in measures
        for end in at
    ]
    return pd.DataFrame(rows, columns=["instance", "learner", "measure", "value"])
