"""Further significance tests on two learners, which do not decide the verdict.

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
    first_better: float = math.nan  # probability of a difference above the rope
    practically_equal: float = math.nan  # probability of a difference within the rope
    second_better: float = math.nan  # probability of a difference below the rope


class _PairEvidence(NamedTuple):
    """The evidence on two learners."""

    first_run: Evidence  # the counts of the first run
    means: Floats  # the mean difference of each run
    ratio: float  # number of tested instances for each learnt instance of a model
    rope: float


class PairTest(NamedTuple):
    """A test, its evidence and its assumptions."""

    title: str
    test: str  # name in the registry of significance tests
    evidence: Callable[[_PairEvidence], tuple[Any, ...]]  # the fields of the test's evidence
    unmet_need: Callable[[ComparisonPlan, Runs], str]  # reason why the test does not apply, or ""
    unit: str  # the unit of observation: "instances", "folds", "time" or "runs"


def _evidence_of_first_run(decision: Decision) -> Callable[[_PairEvidence], tuple[Any, ...]]:
    return lambda evidence: decision.evidence(evidence.first_run)


_first_fold = _evidence_of_first_run(DECISIONS["mcnemar_fold"])


def _with_ratio(evidence: _PairEvidence) -> tuple[Any, ...]:
    return evidence.first_run.differences, evidence.ratio


def _with_rope(evidence: _PairEvidence) -> tuple[Any, ...]:
    # Tested instances divided by all instances, as Nadeau and Bengio correct.
    correlation = evidence.ratio / (1.0 + evidence.ratio)
    return evidence.first_run.differences, correlation, evidence.rope


def _run_means(evidence: _PairEvidence) -> tuple[Any, ...]:
    return (evidence.means,)


def _needs_nothing(plan: ComparisonPlan, runs: Runs) -> str:
    return ""


def _needs_folds(plan: ComparisonPlan, runs: Runs) -> str:
    return "" if plan.protocol.has_folds else "needs a protocol with folds"


def _needs_seeds(plan: ComparisonPlan, runs: Runs) -> str:
    """Reason why a test that averages over seeds does not apply; "" if it does."""
    if plan.one_seed_learners:
        return f"is about other seeds, too; {one_seed_clause(plan.one_seed_learners)}"
    return _needs_folds(plan, runs)


def _needs_held_out(plan: ComparisonPlan, runs: Runs) -> str:
    """Reason why a test that assumes held-out instances does not apply; "" if it does."""
    if plan.protocol.has_folds and getattr(plan.protocol, "tested", "") == "held_out":
        return _needs_seeds(plan, runs)
    return "assumes that a model is tested on instances that it does not learn: tested=held_out"


def _needs_one_model(plan: ComparisonPlan, runs: Runs) -> str:
    """Reason why a test that assumes one model per instance does not apply; "" if it does."""
    # Instances that no trained model predicts are not tested.
    n_models = runs.n_models[runs.n_models > 0]
    if plan.protocol.has_folds and (n_models == len(runs.n_tested)).all():
        return ""
    return (
        "assumes that each instance tests one model: cross_validation with tested=held_out, or "
        "split_validation with tested=learnt"
    )


def _needs_several_runs(plan: ComparisonPlan, runs: Runs) -> str:
    has_random = runs.random_learners is None or bool(runs.random_learners)
    return "" if len(runs.n_tested) > 1 and has_random else "needs several runs that differ"


#: Checks of the assumptions of tests over folds.
_NEEDS = {"corrected_t": _needs_held_out, "kfold_interval": _needs_one_model}
#: The tests for which a comparison of two learners has evidence. Unlike in
#: `DECISIONS`, corrected_t takes the ratio of the runs, and McNemar on one fold needs folds.
PAIR_TESTS = (
    *(
        PairTest(
            decision.title,
            decision.test,
            _with_ratio if decision.test == "corrected_t" else _evidence_of_first_run(decision),
            _NEEDS.get(decision.test, _needs_seeds if decision.unit == "folds" else _needs_nothing),
            "folds" if decision.test == "corrected_t" else decision.unit,
        )
        for decision in DECISIONS.values()
        if not decision.as_printed and decision is not DECISIONS["mcnemar_fold"]
    ),
    PairTest("McNemar, one fold", "mcnemar", _first_fold, _needs_folds, "instances"),
    PairTest(
        "McNemar, first fold, exact", "mcnemar_exact", _first_fold, _needs_nothing, "instances"
    ),
    PairTest(
        "Bayesian correlated t", "bayesian_correlated_t", _with_rope, _needs_held_out, "folds"
    ),
    PairTest("t over runs", "runs_t", _run_means, _needs_several_runs, "runs"),
    PairTest("Permutation of runs", "runs_permutation", _run_means, _needs_several_runs, "runs"),
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


def inapplicable_tests(plan: ComparisonPlan, runs: Runs) -> dict[str, str]:
    """Reasons why tests do not apply to a comparison, by the titles of the tests."""
    if not plan.task.is_classification:
        return {"All other tests": "are about correct predictions of classes"}
    if runs.groups is not None:
        return {
            "All other tests": "do not account for the dependence between instances of an entity"
        }
    reasons = {test.title: test.unmet_need(plan, runs) for test in PAIR_TESTS}
    others = {TESTS[name].title: reason for name, reason in INAPPLICABLE.items()}
    return {title: reason for title, reason in reasons.items() if reason} | others


def further_tests(runs: Runs, pair: Verdict, plan: ComparisonPlan) -> list[FurtherTest]:
    """Results of the tests that apply to the runs of two learners.

    Tests over folds and instances use the first run.
    """
    if not plan.task.is_classification or runs.groups is not None:
        return []
    names = (pair.first, pair.second)
    counts = Counts(*(by_run[:1] for by_run in runs.counts(*names)))
    evidence = Evidence(counts, plan.protocol.name, runs.advantages(*names)[None])
    ratio = float(runs.n_tested[0].mean()) / (runs.learnt_proportion * len(runs.n_models))
    run_means = runs.differences(*names).mean(axis=1)
    pair_evidence = _PairEvidence(evidence, run_means, ratio, plan.rope)
    return [
        FurtherTest(*names, test.title, TESTS[test.test].estimand, *_numbers(test, pair_evidence))
        for test in PAIR_TESTS
        if not test.unmet_need(plan, runs)
    ]


def _numbers(test: PairTest, pair_evidence: _PairEvidence) -> list[float]:
    """P-value and posterior probabilities of a test; NaN if the evidence has no variance."""
    evidence = test.evidence(pair_evidence)
    # Observations without variance have no test statistic; counts of instances always have one.
    if test.unit != "instances" and np.ptp(np.ravel(evidence[0])) == 0.0:
        return [math.nan]
    try:
        result = TESTS[test.test](*evidence)
    except StreamevalError:
        return [math.nan]
    values = [result.p_value]
    if "rope" in result.details:
        values += [result.details[name] for name in ("right", "rope", "left")]
    return [float(np.ravel(value)[0]) for value in values]
