"""What the tests that do not decide say about two learners, and why some tests say nothing.

To show one more: a line in `OTHERS`, or in `NOT_SHOWN` if a comparison has no evidence for it.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from streameval.errors import StreamevalError
from streameval.significance.registry import TESTS
from streameval.studies.decisions import DECISIONS, Decision, Evidence
from streameval.studies.fold_comparison import FoldRuns
from streameval.studies.fold_runs import Counts
from streameval.studies.verdicts import Plan, Verdict, deciding_test


class FurtherTest(NamedTuple):
    """What a test says that does not decide; a value is NaN where the test has none."""

    first: str
    second: str
    test: str
    estimand: str
    p_value: float
    first_better: float = math.nan  # probabilities: of a difference above the rope,
    practically_equal: float = math.nan  # within it
    second_better: float = math.nan  # and below it


@dataclass(frozen=True)
class _Known:
    """What is known of two learners: folds of the first run, mean difference of each run, rope."""

    first_run: Evidence
    means: NDArray[np.float64]
    rope: float


@dataclass(frozen=True)
class Other:
    """A test with its evidence.

    Parameters
    ----------
    title : str
        Its name for people.
    test : str
        Its name in the registry of tests.
    evidence : callable
        Returns the fields of the test's evidence.
    runs : int
        How many runs it needs.
    """

    title: str
    test: str
    evidence: Callable[[_Known], tuple[Any, ...]]
    runs: int = 1


def _as_in(decision: Decision) -> Callable[[_Known], tuple[Any, ...]]:
    return lambda known: decision.evidence(known.first_run)


def _with_rope(known: _Known) -> tuple[Any, ...]:
    differences, ratio = DECISIONS["corrected_t"].evidence(known.first_run)
    return differences, ratio / (1.0 + ratio), known.rope


def _means(known: _Known) -> tuple[Any, ...]:
    return (known.means,)


#: All tests that a comparison of two learners has evidence for.
OTHERS = (
    *(Other(one.title, one.test, _as_in(one)) for one in DECISIONS.values() if not one.printed),
    Other("McNemar, one fold, exact", "mcnemar_exact", _as_in(DECISIONS["mcnemar_fold"])),
    Other("Bayesian correlated t", "bayesian_correlated_t", _with_rope),
    Other("t over runs", "runs_t", _means, runs=2),
    Other("Permutation of runs", "runs_permutation", _means, runs=2),
)
#: The others of the registry, and why.
NOT_SHOWN: Mapping[str, str] = {
    "friedman": "needs several streams",
    "kappa_z": "is about one learner",
    "label_order": "is about labels, not about learners",
}


def not_shown(runs: int) -> dict[str, str]:
    """Return the tests that a comparison of so many runs does not show, and why."""
    few = {one.test: "needs several runs" for one in OTHERS if one.runs > runs}
    return {**NOT_SHOWN, **few}


def other_tests(known: FoldRuns, pair: Verdict, plan: Plan) -> list[FurtherTest]:
    """Return what all tests but the one that decides say about two learners.

    Parameters
    ----------
    known : FoldRuns
        The runs. Tests over folds and instances read those of the first one.
    pair : Verdict
        Says which learners.
    plan : Plan
        What was fixed before the run.
    """
    names = (pair.first, pair.second)
    counts = Counts(*(part[:1] for part in known.counts(*names)))
    evidence = Evidence(counts, plan.protocol.name, known.series(*names)[None])
    given = _Known(evidence, known.differences(*names).mean(axis=1), plan.rope)
    decides = deciding_test(plan.runs)
    return [
        FurtherTest(*names, one.title, TESTS[one.test].estimand, *_found(one, given))
        for one in OTHERS
        if one.test != decides and one.runs <= plan.runs
    ]


def _found(one: Other, known: _Known) -> list[float]:
    """Return the p-value and the probabilities; NaN where the evidence is too little."""
    try:
        result = TESTS[one.test](*one.evidence(known))
    except StreamevalError:
        return [math.nan]
    found = [result.p_value]
    if "rope" in result.details:
        found += [result.details[name] for name in ("right", "rope", "left")]
    return [float(np.ravel(value)[0]) for value in found]
