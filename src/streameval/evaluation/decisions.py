"""Significance tests whose error rates studies record, and the evidence that each test takes."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np

from streameval.base.arrays import Flags, Floats
from streameval.significance.kfold_interval import FoldSums
from streameval.significance.registry import TESTS
from streameval.significance.sign_test import critical_wins, true_size

if TYPE_CHECKING:
    from streameval.evaluation.folds import Counts

#: Ratio of tested to learnt instances in a fold, by the scheme. A bootstrap sample of n instances
#: leaves out n/e of them.
TEST_TO_TRAINING: Mapping[str, Callable[[int], float]] = {
    "cross_validation": lambda folds: 1 / (folds - 1),
    "split_validation": lambda folds: folds - 1,
    "bootstrap_validation": lambda folds: 1 / (np.e - 1),
}

PValues = Floats


@dataclass(frozen=True)
class Evidence:
    """The evidence of several runs."""

    counts: Counts  # arrays of shape (runs, folds)
    scheme: str  # validation scheme, a key of `TEST_TO_TRAINING`
    series: Floats | None = None  # (runs, bins), mean differences in bins of time
    e_process: Floats | None = None  # (runs,), p-values of the e-process

    @property
    def differences(self) -> Floats:
        """The differences in accuracy, by fold."""
        return (self.counts.only_first - self.counts.only_second) / self.counts.n_tested


@dataclass(frozen=True)
class Decision:
    """A test and the function that extracts its evidence.

    If `as_printed`, the test ignores the level, and rejects at the critical value that Bifet et al.
    (2015) print.
    """

    title: str
    test: str
    evidence: Callable[[Evidence], tuple[Any, ...]]
    as_printed: bool = False

    @property
    def unit(self) -> str:
        """The unit of observation of the test: "instances", "folds" or "time"."""
        return UNITS[self.evidence]

    @property
    def takes_pooled_counts(self) -> bool:
        """Whether the test takes the counts of each run, pooled over folds, as records have."""
        return self.evidence is _pooled

    def is_available(self, evidence: Evidence) -> bool:
        """Whether the evidence has what the test needs."""
        if self.evidence is _series:
            series = evidence.e_process if self.test == "e_process" else evidence.series
            return series is not None
        return True

    def p_values(self, evidence: Evidence) -> PValues:
        """A p-value for each run."""
        if self.test == "e_process":
            assert evidence.e_process is not None  # noqa: S101  see `is_available`
            return evidence.e_process
        result = TESTS[self.test](*self.evidence(evidence))
        p_values: PValues = np.asarray(result.p_value, np.float64)
        return p_values

    def rejects(self, p_values: PValues, folds: int, level: float) -> Flags:
        """Mask of the runs in which the test rejects at a level."""
        # Without ties, `critical_wins` wins have this p-value.
        threshold = true_size(folds, critical_wins(folds)) if self.as_printed else level
        # A p-value of a discrete test can equal the level up to rounding.
        return p_values <= threshold * (1 + 1e-12)


def _pooled(evidence: Evidence) -> tuple[Any, ...]:
    return evidence.counts.only_first.sum(axis=-1), evidence.counts.only_second.sum(axis=-1)


def _first_fold(evidence: Evidence) -> tuple[Any, ...]:
    return evidence.counts.only_first[..., 0], evidence.counts.only_second[..., 0]


def _differences(evidence: Evidence) -> tuple[Any, ...]:
    return (evidence.differences,)


def _with_ratio(evidence: Evidence) -> tuple[Any, ...]:
    folds = evidence.differences.shape[-1]
    return evidence.differences, TEST_TO_TRAINING[evidence.scheme](folds)


def _sums(evidence: Evidence) -> FoldSums:
    """Sums of differences and of their squares; a difference of an instance is -1, 0 or 1."""
    first, second = evidence.counts.only_first, evidence.counts.only_second
    sums = evidence.counts.n_tested, first - second, first + second
    return FoldSums(*(values.astype(np.float64) for values in sums))


def _series(evidence: Evidence) -> tuple[Any, ...]:
    return (evidence.series,)


#: The unit of observation by the function that extracts the evidence.
UNITS: Mapping[Callable[[Evidence], tuple[Any, ...]], str] = {
    _pooled: "instances",
    _first_fold: "instances",
    _sums: "instances",
    _differences: "folds",
    _with_ratio: "folds",
    _series: "time",
}

#: The tests by their names in results.
DECISIONS: dict[str, Decision] = {
    "mcnemar": Decision("McNemar, all folds pooled", "mcnemar", _pooled),
    "mcnemar_fold": Decision("McNemar, one fold", "mcnemar", _first_fold),
    "sign_printed": Decision(
        "Sign test, 8 of 10 folds", "sign_test", _differences, as_printed=True
    ),
    "sign_test": Decision("Sign test, exact", "sign_test", _differences),
    "wilcoxon": Decision("Wilcoxon signed-rank", "wilcoxon", _differences),
    "paired_t": Decision("Paired t", "paired_t", _differences),
    "corrected_t": Decision("Corrected t (Nadeau, Bengio)", "corrected_t", _with_ratio),
    "kfold_interval": Decision("k-fold interval (Bayle et al.)", "kfold_interval", _sums),
    "diebold_mariano": Decision("Diebold-Mariano, fixed-b", "diebold_mariano", _series),
    "fluctuation": Decision("Fluctuation (Giacomini, Rossi)", "fluctuation", _series),
    "series_t": Decision("t over 30 blocks of time", "series_t", _series),
    "e_process": Decision("e-process", "e_process", _series),
}
