"""The tests that are compared, and their evidence from the counts of a run."""

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

#: Ratio of tested to learnt instances in a fold, by the scheme.
TEST_TO_TRAINING: Mapping[str, Callable[[int], float]] = {
    "cross_validation": lambda folds: 1 / (folds - 1),
    "split_validation": lambda folds: folds - 1,
    "bootstrap_validation": lambda folds: 1 / (np.e - 1),
}

PValues = Floats


@dataclass(frozen=True)
class Evidence:
    """The evidence of several runs: counts of shape (runs, folds), and optional series.

    `series` are mean differences in bins of time, (runs, bins), `anytime` p-values of the
    e-process.
    """

    counts: Counts
    scheme: str
    series: Floats | None = None
    anytime: Floats | None = None

    @property
    def differences(self) -> Floats:
        """The differences in accuracy, by fold."""
        return (self.counts.only_first - self.counts.only_second) / self.counts.tested


@dataclass(frozen=True)
class Decision:
    """A test and the function that extracts its evidence.

    If `printed`, it rejects at the critical value of Bifet et al. (2015), whatever the level.
    """

    title: str
    test: str
    evidence: Callable[[Evidence], tuple[Any, ...]]
    printed: bool = False

    @property
    def family(self) -> str:
        """The observations of the test: "instances", "folds" or "time"."""
        return FAMILIES[self.evidence]

    @property
    def takes_pooled_counts(self) -> bool:
        """Whether its evidence is counts over all folds, which a record keeps of each run."""
        return self.evidence is _pooled

    def is_known(self, known: Evidence) -> bool:
        """Whether the evidence of the test is available."""
        if self.evidence is _series:
            return (known.anytime if self.test == "e_process" else known.series) is not None
        return True

    def p_values(self, known: Evidence) -> PValues:
        """A p-value for each run."""
        if self.test == "e_process":
            assert known.anytime is not None  # noqa: S101  see `is_known`
            return known.anytime
        p_values: PValues = np.asarray(TESTS[self.test](*self.evidence(known)).p_value, np.float64)
        return p_values

    def rejects(self, p_values: PValues, folds: int, level: float) -> Flags:
        """Mask of the runs in which the test rejects at a level."""
        threshold = true_size(folds, critical_wins(folds)) if self.printed else level
        return p_values <= threshold * (1 + 1e-12)  # the p-values of a discrete test are rounded


def _pooled(known: Evidence) -> tuple[Any, ...]:
    return known.counts.only_first.sum(axis=-1), known.counts.only_second.sum(axis=-1)


def _first_fold(known: Evidence) -> tuple[Any, ...]:
    return known.counts.only_first[..., 0], known.counts.only_second[..., 0]


def _differences(known: Evidence) -> tuple[Any, ...]:
    return (known.differences,)


def _with_ratio(known: Evidence) -> tuple[Any, ...]:
    folds = known.differences.shape[-1]
    return known.differences, TEST_TO_TRAINING[known.scheme](folds)


def _sums(known: Evidence) -> FoldSums:
    first, second = known.counts.only_first, known.counts.only_second
    sums = known.counts.tested, first - second, first + second
    return FoldSums(*(part.astype(np.float64) for part in sums))


def _series(known: Evidence) -> tuple[Any, ...]:
    return (known.series,)


#: The unit of observation by the function that extracts the evidence.
FAMILIES: Mapping[Callable[[Evidence], tuple[Any, ...]], str] = {
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
    "sign_printed": Decision("Sign test, 8 of 10 folds", "sign_test", _differences, printed=True),
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
