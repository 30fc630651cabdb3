"""Claims of Žliobaitė et al. (2015) in propositions, and about κ⁺, with made-up results."""

from __future__ import annotations

import numpy as np
import pandas as pd
import pytest
from helpers.scorecards import measures, verdict_on
from scipy.stats import binom

from streameval.items.propositions import BASELINE_CASES, CASES
from streameval.papers.zliobaite2015 import baselines
from streameval.papers.zliobaite2015.published import CRITICAL_Z, ORDINARY_LEARNERS

ITEM = "zliobaite2015/propositions"
STREAMS = ("elec2_mlj", "covtype", "kdd99", "ozone")


def case(proposition: str, verdict: str, origin: str = "paper") -> dict[str, object]:
    numbers = {"mean": 0.1, "low": 0.05, "high": 0.15, "seeds": 20}
    words = {"case": "a case", "quantity": "p_persistent - p_majority", "stated": "> 0"}
    return {"proposition": proposition, "verdict": verdict, "origin": origin, **words, **numbers}


@pytest.mark.parametrize("number", ["5", "6", "7", "8", "9"])
def test_propositions(number: str) -> None:
    # Neither another proposition nor what follows from our algebra decides.
    others = [case("5" if number != "5" else "6", "contradicted")]
    others += [case(number, "contradicted", origin="follows")]
    for verdicts, expected in (
        (["as stated", "as stated"], "claim holds"),
        (["as stated", "contradicted"], "claim does not hold"),
        (["as stated", "not decided"], "claim undecided"),
        ([], "not run"),
    ):
        rows = [*(case(number, verdict) for verdict in verdicts), *others]
        ours = {f"{ITEM}/cases": pd.DataFrame(rows, columns=list(CASES))}
        assert verdict_on("zliobaite2015", f"proposition{number}", ours) == expected


@pytest.mark.parametrize(
    ("verdict", "expected"),
    [("as stated", "holds"), ("contradicted", "does not hold"), ("not decided", "undecided")],
)
def test_table_of_baselines(verdict: str, expected: str) -> None:
    where = {"classes": "balanced", "dependence": "independent", "shares": "0.5/0.5"}
    rows = [case("6", "as stated"), case("7", verdict), case("7", "contradicted", origin="follows")]
    frame = pd.DataFrame([where | row for row in rows], columns=list(BASELINE_CASES))
    ours = {f"{ITEM}/baselines": frame}
    assert verdict_on("zliobaite2015", "baselines_by_distribution", ours) == f"claim {expected}"


@pytest.mark.parametrize(
    ("combined", "expected"),
    [(0.396, "holds"), (0.394, "does not hold"), (float("nan"), "undecided")],
)
def test_combined_is_kappa(combined: float, expected: str) -> None:
    rows = [
        (variant, name, "cumulative", measure, value, "")
        for name in ORDINARY_LEARNERS
        for variant, measure, value in (
            ("original", "kappa", 0.9),
            ("original", "kappa_combined", 0.0),
            ("shuffled:1", "kappa", 0.4),
            ("shuffled:1", "kappa_combined", combined if name == ORDINARY_LEARNERS[-1] else 0.404),
        )
    ]
    columns = ["variant", "learner", "estimator", "measure", "value", "reason"]
    frame = pd.DataFrame(rows, columns=columns)
    ours = {f"zliobaite2015/fig2/{stream}.estimates": frame for stream in STREAMS}
    assert verdict_on("zliobaite2015", "combined_is_kappa", ours) == f"claim {expected}"


@pytest.mark.parametrize(
    ("positive", "undefined", "expected"),
    [(6, 0, "holds"), (5, 0, "does not hold"), (5, 1, "holds"), (0, 10, None)],
)
def test_leveraging_bagging_on_ozone(positive: int, undefined: int, expected: str | None) -> None:
    values = [float("nan")] * undefined + [0.2] * positive
    values += [0.0] * (10 - len(values))
    frame = pd.DataFrame({"value": values, "instance": range(10), "measure": "kappa_combined"})
    frame["learner"] = "leveraging_bagging"
    figure = {"zliobaite2015/fig4/ozone.curves": frame}
    verdict = verdict_on("zliobaite2015", "ozone_lbag_performs_well", figure)
    assert verdict == (f"claim {expected}" if expected else "not run")


@pytest.mark.parametrize(("persistent", "expected"), [(0.5, "holds"), (0.51, "does not hold")])
def test_random_on_ozone(persistent: float, expected: str) -> None:
    """With an accuracy of 0.7 and a kappa of 0.4, Random is correct in a half of the cases."""
    values = {f"{name}__accuracy": 0.7 for name in ORDINARY_LEARNERS}
    values |= {f"{name}__kappa": 0.4 for name in ORDINARY_LEARNERS}
    values["no_change__accuracy"] = persistent - 1e-9
    ours = {"measures": measures("ozone", **values)}
    key = "ozone_persistent_not_above_random"
    assert verdict_on("zliobaite2015", key, ours) == f"claim {expected}"


def test_exact_false_alarms_are_those_of_simulated_labels() -> None:
    draws, n, runs, rates = np.random.default_rng(3), 50, 20_000, np.array([0.1, 0.4])
    labels = draws.integers(0, 2, (runs, 1)) ^ np.cumsum(draws.random((runs, n)) > 0.85, axis=1) % 2
    errors = (draws.random((runs, n)) < rates[labels]).sum(axis=1)
    alarms = (errors - 0.25 * n) / np.sqrt(n * 0.25 * 0.75) > CRITICAL_Z
    exact = baselines._false_alarm_rate(n, 0.85)
    assert abs(alarms.mean() - exact) < 4 * np.sqrt(exact * (1 - exact) / runs)
    # Of labels that do not depend on each other errors are binomial: more than 17 of 50.
    assert baselines._false_alarm_rate(n, 0.5) == pytest.approx(binom.sf(17, n, 0.25))
