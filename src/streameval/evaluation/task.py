"""The two tasks, classification and regression, and everything that differs between them.

Differences, verdicts, bins and skills are computed from `Task.gain`; sentences and tables format
them with the `Unit` of the task. `task_of` is the only function that decides between the tasks.
Learners name their tasks, see `streameval.learners.tasks`.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from streameval.base.arrays import Flags, Floats
from streameval.base.rounding import format_number, percentage
from streameval.evaluation.roles import (
    MAJORITY,
    NO_CHANGE,
    PREVIOUS_TARGET,
    SEASONAL,
    TARGET_MEAN,
)
from streameval.learners.tasks import (
    CLASSIFICATION,
    REGRESSION,
    HasClasses,
    TaskName,
    task_name,
)
from streameval.streams.stream import NO_LABEL

#: Gains of predictions, of any shape: correct or not, or the negative absolute error.
Gains = NDArray[Any]


#: Names of regression baselines in sentences; seasonal baselines have names of their own.
_NAMES_IN_TEXT = {PREVIOUS_TARGET: "the previous target", TARGET_MEAN: "the mean so far"}


def _format_lag(baseline: str, text: str) -> str:
    """Text with the lag of a seasonal baseline; with the smallest lag if lags differ.

    Ids are ``seasonal:48``, or ``seasonal:24:latest`` if lags differ.
    """
    _, lag, *latest = baseline.split(":")
    return text.format(f"{int(lag):,}{' or more' * bool(latest)}")


def gain_differences(gains: Gains, others: Gains) -> NDArray[Any]:
    """Gains minus other gains; int8 for flags, to save memory."""
    dtype = np.int8 if gains.dtype == np.bool_ else np.float64
    return np.subtract(gains, others, dtype=dtype)


@dataclass(frozen=True)
class Unit:
    """The format of differences.

    Parameters
    ----------
    name : str
        The compared quantity, such as ``accuracy``.
    factor, unit
        Factor and unit of displayed differences.
    decimals : int, optional
        Decimals of differences. By default differences that are printed together have the decimals
        that give the largest of them four significant digits.
    is_error : bool
        Whether the quantity is an error: sentences say by how much it is lower.
    """

    name: str
    factor: int
    unit: str
    decimals: int | None = None
    is_error: bool = True

    @property
    def difference_phrase(self) -> str:
        """Phrase for the quantity of a difference A - B that is above 0 if learner A is better."""
        return f"in {self.name}" + ", by how much A's is lower" * self.is_error

    def numbers(self, *differences: float, sign: str = "+") -> list[str]:
        """Differences without unit, all with the same number of decimals."""
        decimals = self.decimals
        if decimals is None:
            largest = max(
                (abs(difference) for difference in differences if np.isfinite(difference)),
                default=0.0,
            )
            # Four significant digits, and at most 12 decimals.
            decimals = min(max(3 - int(np.floor(np.log10(largest))), 0), 12) if largest else 0
        return [
            format_number(difference, f"{sign},.{decimals}f", self.factor)
            for difference in differences
        ]

    def interval(
        self, difference: float, low: float, high: float, *, sign: str = "+", unit: bool = True
    ) -> str:
        """Text of a difference with its interval, if there is one."""
        if np.isnan(difference):
            return "undefined"
        text, *ends = self.numbers(difference, low, high, sign=sign)
        text += self.unit * unit
        return text if np.isnan(low) else f"{text} [{', '.join(ends)}]"

    def half_width_text(self, rope: float) -> str:
        """Text of the half width of a region of practical equivalence."""
        half_width = format_number(
            rope, ",.0f" if self.factor * rope >= 100.0 else ".3g", self.factor
        )
        singular = self.unit.removesuffix("s")  # 1 point, 2 points
        return half_width + (singular if half_width == "1" else self.unit)


@dataclass(frozen=True, kw_only=True)
class Task(Unit, ABC):
    """The predicted quantity, the measure that compares learners, and its format.

    Parameters
    ----------
    column_heading : str
        Heading of the column of `measure`.
    baselines : mapping of str to str
        Ids of the baselines that run on all streams, with their names in tables.
    no_difference_reason : str
        Reason why the difference of two learners is undefined.
    largest_difference : float
        The largest possible difference.
    is_classification : bool
        Whether each prediction is right or wrong. Folds, significance tests and the simulated error
        rates of verdicts and intervals need counts of right predictions.
    """

    column_heading: str
    baselines: Mapping[str, str]
    no_difference_reason: str
    largest_difference: float = np.inf
    is_classification: bool = False

    @property
    def measure(self) -> str:
        """Name in results of the measure that compares learners."""
        return self.name.replace(" ", "_")

    @property
    def axis_label(self) -> str:
        """Label of an axis of `measure`, with its unit."""
        return self.name if self.is_error else f"{self.name} (%)"

    @abstractmethod
    def is_known(self, y: NDArray[Any]) -> Flags:
        """Mask of the known labels or targets."""

    @abstractmethod
    def gain(self, true: NDArray[Any], predicted: NDArray[Any]) -> Gains:
        """Gains of predictions, of any shape; higher is better, NaN where undefined."""

    @abstractmethod
    def series(self, gain: Gains) -> NDArray[Any]:
        """Series whose mean is `measure`, from the gains of predictions."""

    @abstractmethod
    def losses_from_gains(self, gain: Gains) -> NDArray[Any]:
        """Losses from the gains of predictions; `losses` computes them from the predictions."""

    @abstractmethod
    def skill(self, losses: NDArray[Any], reference: NDArray[Any]) -> float:
        """Skill: 1 minus the ratio of mean losses where both are known; NaN where undefined."""

    @abstractmethod
    def skill_column(self, baseline: str) -> str:
        """Name of the column of the skill over a baseline whose labels have the same delay."""

    @abstractmethod
    def baselines_of(self, learners: Iterable[str]) -> list[str]:
        """The baselines among learners: first `baselines` in its order, then seasonal baselines."""

    @abstractmethod
    def name_in_text(self, baseline: str) -> str:
        """Name of a baseline in sentences."""

    def with_seasons(self, names: Iterable[str]) -> Task:
        """The task with additional seasonal baselines, by their ids."""
        seasonal = {name: _format_lag(name, "target {} before") for name in names}
        return replace(self, baselines={**self.baselines, **seasonal})

    def values(self, true: NDArray[Any], predicted: NDArray[Any]) -> NDArray[Any]:
        """Values whose mean is `measure`, without missing values."""
        series = self.series(self.gain(true, predicted))
        values: NDArray[Any] = series[~np.isnan(series)]
        return values

    def losses(self, true: NDArray[Any], predicted: NDArray[Any]) -> NDArray[Any]:
        """1 for wrong predictions, or their absolute errors; NaN where undefined."""
        return self.losses_from_gains(self.gain(true, predicted))

    @abstractmethod
    def error(self, value: float) -> float:
        """Error rate, or mean error, that corresponds to a value of `measure`."""

    @abstractmethod
    def value_text(self, value: float) -> str:
        """Text of a value of `measure`."""

    @abstractmethod
    def deviation_text(self, deviation: float) -> str:
        """Text of a standard deviation of `measure`."""


@dataclass(frozen=True, kw_only=True)
class _Classification(Task):
    def is_known(self, y: NDArray[Any]) -> Flags:
        is_known: Flags = y != NO_LABEL
        return is_known

    def gain(self, true: NDArray[Any], predicted: NDArray[Any]) -> Gains:
        gains: Gains = predicted == true
        return gains

    def series(self, gain: Gains) -> NDArray[Any]:
        return gain

    def losses_from_gains(self, gain: Gains) -> NDArray[Any]:
        is_wrong: Flags = ~gain
        return is_wrong

    def skill(self, losses: NDArray[Any], reference: NDArray[Any]) -> float:
        # One division of integers, so that skills equal the κ of a tally to the last digit.
        errors, reference_errors = np.count_nonzero(losses), np.count_nonzero(reference)
        return (reference_errors - errors) / reference_errors if reference_errors else np.nan

    def skill_column(self, baseline: str) -> str:
        return {NO_CHANGE: "kappa_temporal_delayed", MAJORITY: "kappa_m_delayed"}[baseline]

    def baselines_of(self, learners: Iterable[str]) -> list[str]:
        present = {*learners}
        return [name for name in self.baselines if name in present]

    def name_in_text(self, baseline: str) -> str:
        return self.baselines[baseline]

    def error(self, value: float) -> float:
        return 1.0 - value

    def value_text(self, value: float) -> str:
        return percentage(value, 2)

    def deviation_text(self, deviation: float) -> str:
        return format_number(deviation, ".2f", 100)


@dataclass(frozen=True, kw_only=True)
class _Regression(Task):
    def is_known(self, y: NDArray[Any]) -> Flags:
        is_known: Flags = ~np.isnan(y)
        return is_known

    def gain(self, true: NDArray[Any], predicted: NDArray[Any]) -> Gains:
        gains: Gains = -np.abs(predicted - true)
        return gains

    def series(self, gain: Gains) -> NDArray[Any]:
        errors: Floats = -gain
        return errors

    def losses_from_gains(self, gain: Gains) -> NDArray[Any]:
        return self.series(gain)

    def skill(self, losses: NDArray[Any], reference: NDArray[Any]) -> float:
        has_both = ~np.isnan(losses) & ~np.isnan(reference)
        errors, reference_errors = losses[has_both], reference[has_both]
        if not reference_errors.any():
            return np.nan
        return 1.0 - float(errors.mean() / reference_errors.mean())

    def skill_column(self, baseline: str) -> str:
        return f"skill_over_{baseline}"

    def baselines_of(self, learners: Iterable[str]) -> list[str]:
        names = dict.fromkeys(learners)
        regular = [name for name in self.baselines if name in names]
        return [*regular, *(name for name in names if name.partition(":")[0] == SEASONAL)]

    def name_in_text(self, baseline: str) -> str:
        if baseline in _NAMES_IN_TEXT:
            return _NAMES_IN_TEXT[baseline]
        if baseline == SEASONAL:
            return "the target one season earlier"
        return _format_lag(baseline, "the target {} instances before")

    def error(self, value: float) -> float:
        return value

    def value_text(self, value: float) -> str:
        return format_number(value, ",.4g")

    def deviation_text(self, deviation: float) -> str:
        return format_number(deviation, ",.4g")


CLASSIFICATION_TASK: Task = _Classification(
    name="accuracy",
    factor=100,
    unit=" points",
    decimals=2,
    is_error=False,
    column_heading="accuracy",
    baselines={NO_CHANGE: "No-Change", MAJORITY: "Majority"},
    no_difference_reason="there is no prediction of an instance with a label",
    largest_difference=1.0,
    is_classification=True,
)
REGRESSION_TASK: Task = _Regression(
    name="mean absolute error",
    factor=1,
    unit="",
    column_heading="MAE",
    baselines={PREVIOUS_TARGET: "previous target", TARGET_MEAN: "mean"},
    no_difference_reason="there is no instance that both predict",
)
#: The tasks by the names that learners use.
TASKS: Mapping[TaskName, Task] = {CLASSIFICATION: CLASSIFICATION_TASK, REGRESSION: REGRESSION_TASK}
#: Unit of skills: the reduction of the error of a baseline, as a percentage.
SKILL_UNIT = Unit(name="error", factor=100, unit=" %", decimals=1)


def task_of(data: HasClasses) -> Task:
    """Task of a stream or of predictions; regression if it has 0 classes."""
    return TASKS[task_name(data)]
