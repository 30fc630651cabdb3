"""Further tests on two learners, which do not decide the verdict.

A new test needs a line in `PAIR_TESTS`, or in `INAPPLICABLE` if no comparison has evidence for it.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping
from typing import Any, NamedTuple

import numpy as np

from streameval.base.arrays import Floats
from streameval.base.errors import StreamevalError
from streameval.evaluation.decisions import DECISIONS, Decision, Evidence
from streameval.evaluation.folds import Counts
from streameval.evaluation.runs import Runs
from streameval.evaluation.verdicts import ComparisonPlan, Verdict, one_seed_clause
from streameval.significance.registry import TESTS


class FurtherTest(NamedTuple):
    """The result of a further test; NaN for values that the test does not have."""

    first: str
    second: str
    test: str
    estimand: str
    p_value: float
    first_better: float = math.nan  # probabilities: of a difference above the rope,
    practically_equal: float = math.nan  # within it
    second_better: float = math.nan  # and below it


class _Known(NamedTuple):
    """The evidence on two learners."""

    first_run: Evidence  # the counts of the first run
    means: Floats  # the mean difference of each run
    ratio: float  # instances that a model is tested on for each that it learns
    rope: float


class PairTest(NamedTuple):
    """A test, its evidence and its assumptions."""

    title: str
    test: str  # its name in the registry of tests
    evidence: Callable[[_Known], tuple[Any, ...]]  # the fields of the test's evidence
    needs: Callable[[ComparisonPlan, Runs], str]  # reason why the test does not apply, or ""
    family: str  # the observations: "instances", "folds", "time" or "runs"


def _as_in(decision: Decision) -> Callable[[_Known], tuple[Any, ...]]:
    return lambda known: decision.evidence(known.first_run)


_first_fold = _as_in(DECISIONS["mcnemar_fold"])


def _differences(known: _Known) -> tuple[Any, ...]:
    return known.first_run.differences, known.ratio


def _with_rope(known: _Known) -> tuple[Any, ...]:
    return known.first_run.differences, known.ratio / (1.0 + known.ratio), known.rope


def _means(known: _Known) -> tuple[Any, ...]:
    return (known.means,)


def _nothing(plan: ComparisonPlan, known: Runs) -> str:
    return ""


def _folds(plan: ComparisonPlan, known: Runs) -> str:
    return "" if plan.protocol.has_folds else "needs a protocol with folds"


def _seeds(plan: ComparisonPlan, known: Runs) -> str:
    """Reason why a test that averages over seeds does not apply; "" if it does."""
    if plan.one_seed:
        return f"is about other seeds, too; {one_seed_clause(plan.one_seed)}"
    return _folds(plan, known)


def _held_out(plan: ComparisonPlan, known: Runs) -> str:
    """Reason why a test that assumes held-out instances does not apply; "" if it does."""
    if plan.protocol.has_folds and getattr(plan.protocol, "tested", "") == "held_out":
        return _seeds(plan, known)
    return "assumes that a model is tested on instances that it does not learn: tested=held_out"


def _tested_once(plan: ComparisonPlan, known: Runs) -> str:
    """Reason why a test that assumes one model per instance does not apply; "" if it does."""
    # Instances that no trained model predicts are not tested.
    tested = known.models[known.models > 0]
    if plan.protocol.has_folds and (tested == len(known.tested)).all():
        return ""
    return (
        "assumes that each instance tests one model: cross_validation with tested=held_out, or "
        "split_validation with tested=learnt"
    )


def _several_runs(plan: ComparisonPlan, known: Runs) -> str:
    several = len(known.tested) > 1 and (known.draws is None or bool(known.draws))
    return "" if several else "needs several runs that differ"


#: Checks of the assumptions of tests over folds.
_NEEDS = {"corrected_t": _held_out, "kfold_interval": _tested_once}
#: The tests for which a comparison of two learners has evidence.
PAIR_TESTS = (
    *(
        PairTest(
            decision.title,
            decision.test,
            _differences if decision.test == "corrected_t" else _as_in(decision),
            _NEEDS.get(decision.test, _seeds if decision.family == "folds" else _nothing),
            "folds" if decision.test == "corrected_t" else decision.family,
        )
        for decision in DECISIONS.values()
        if not decision.printed and decision is not DECISIONS["mcnemar_fold"]
    ),
    PairTest("McNemar, one fold", "mcnemar", _first_fold, _folds, "instances"),
    PairTest("McNemar, first fold, exact", "mcnemar_exact", _first_fold, _nothing, "instances"),
    PairTest("Bayesian correlated t", "bayesian_correlated_t", _with_rope, _held_out, "folds"),
    PairTest("t over runs", "runs_t", _means, _several_runs, "runs"),
    PairTest("Permutation of runs", "runs_permutation", _means, _several_runs, "runs"),
)
#: Reasons why the other tests of the registry never apply.
INAPPLICABLE: Mapping[str, str] = {
    **dict.fromkeys(
        ("bayesian_signed_rank", "friedman", "streams_sign", "streams_wilcoxon"),
        "needs several streams",
    ),
    "kappa_z": "is about one learner",
    "label_order": "is about labels, not about learners",
}


def inapplicable_tests(plan: ComparisonPlan, known: Runs) -> dict[str, str]:
    """Reasons why tests do not apply to a comparison, by the titles of the tests."""
    if not plan.task.is_counted:
        return {"All other tests": "are about correct predictions of classes"}
    if known.groups is not None:
        return {"All other tests": "do not know that instances of an entity depend on each other"}
    why = {test.title: test.needs(plan, known) for test in PAIR_TESTS}
    others = {TESTS[name].title: reason for name, reason in INAPPLICABLE.items()}
    return {title: reason for title, reason in why.items() if reason} | others


def further_tests(known: Runs, pair: Verdict, plan: ComparisonPlan) -> list[FurtherTest]:
    """Results of the tests that apply to the runs of two learners.

    Tests over folds and instances use the first run.
    """
    if not plan.task.is_counted or known.groups is not None:
        return []
    names = (pair.first, pair.second)
    counts = Counts(*(part[:1] for part in known.counts(*names)))
    evidence = Evidence(counts, plan.protocol.name, known.series(*names)[None])
    ratio = float(known.tested[0].mean()) / (known.learnt * len(known.models))
    pair_evidence = _Known(evidence, known.differences(*names).mean(axis=1), ratio, plan.rope)
    return [
        FurtherTest(*names, test.title, TESTS[test.test].estimand, *_found(test, pair_evidence))
        for test in PAIR_TESTS
        if not test.needs(plan, known)
    ]


def _found(test: PairTest, known: _Known) -> list[float]:
    """P-value and posterior probabilities of a test; NaN if the evidence has no variance."""
    evidence = test.evidence(known)
    if test.family != "instances" and np.ptp(np.ravel(evidence[0])) == 0.0:
        return [math.nan]
    try:
        result = TESTS[test.test](*evidence)
    except StreamevalError:
        return [math.nan]
    values = [result.p_value]
    if "rope" in result.details:
        values += [result.details[name] for name in ("right", "rope", "left")]
    return [float(np.ravel(value)[0]) for value in values]
