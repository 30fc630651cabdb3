"""Claims of Bifet et al. (2015) in Theorems 1 to 3, and on the worked examples, made up."""

from __future__ import annotations

import pandas as pd
import pytest
from helpers.scorecards import bifet2015_examples, judged

from streameval.items import kinds
from streameval.report.results import Results

KIND = kinds()["theorems"]

HOLDS, FAILS, OPEN = "claim holds", "claim does not hold", "claim undecided"
IN_PART = "claim holds in part"


def frame(name, rows, usual):
    """A frame of the theorems; what rows leave out is usual."""
    table = pd.DataFrame([usual | row for row in rows])
    return {f"bifet2015/theorems/{name}": table[list(KIND.frames[name])]}


def verdict(key, frames):
    return judged("bifet2015", key, Results(frames)).verdict


def coverage(*rows):
    usual = {"error": 0.2, "memory": 0.0, "instances": 50, "delta": 0.05, "bound": 0.2}
    usual |= {"seeds": 100, "missed": 0.0, "low": 0.0, "high": 0.0, "exact": 0.0, "quantile": 0.1}
    return frame("coverage", rows, usual)


@pytest.mark.parametrize(("exact", "expected"), [(0.05, HOLDS), (0.051, FAILS)])
def test_the_bound_for_independent_errors(exact, expected):
    others = {"memory": 0.9, "exact": 0.9}, {"memory": 0.9, "missed": 0.9, "low": 0.9}
    assert verdict("theorem1_bound", coverage({}, {"exact": exact}, *others)) == expected


@pytest.mark.parametrize(
    ("low", "high", "expected"),
    [(0.01, 0.05, HOLDS), (0.04, 0.06, OPEN), (0.051, 0.08, IN_PART)],
)
def test_the_bound_for_correlated_errors(low, high, expected):
    rows = {"memory": 0.9, "missed": (low + high) / 2, "low": low, "high": high}, {"exact": 0.01}
    judgement = judged("bifet2015", "theorem1_in_streams", Results(coverage(*rows)))
    assert judgement.verdict == expected
    assert "independent errors: error 0.2, 50 instances: missed with" in judgement.reason
    # Where neither holds, nothing of the claim does.
    both = coverage({"exact": 0.9}, {"memory": 0.9, "missed": 0.9, "low": 0.8, "high": 1.0})
    assert verdict("theorem1_in_streams", both) == FAILS
    assert verdict("theorem1_in_streams", coverage(rows[1])) == "not run"


@pytest.mark.parametrize(
    ("quantiles", "expected"),
    [((0.3, 0.2, 0.1), HOLDS), ((0.2, 0.2, 0.1), OPEN), ((0.2, 0.2, 0.3), FAILS)],
)
def test_more_instances(quantiles, expected):
    sizes = (50, 200, 1000)
    rows = [
        {"error": error, "instances": size, "quantile": error * quantile}
        for error in (1.0, 2.0)  # each with its own distances
        for size, quantile in zip(sizes, quantiles, strict=True)
    ]
    assert verdict("theorem1_more_instances", coverage(*rows[::-1])) == expected


def of_quantity(name, rows):
    usual = {"seeds": 200, "mean": 0.0, "low": 0.0, "high": 0.0, "power": 1, "truth": "along"}
    usual |= {"scheme": "split_validation", "detector": "literal", "memory": 0.0, "delta": 0.05}
    usual |= {"steps": 1000, "gap": 0.5, "needed": 99}
    return frame(name, rows, usual)


def ends(low, high):
    return {"mean": (low + high) / 2, "low": low, "high": high}


@pytest.mark.parametrize(
    ("low", "high", "expected"),
    [(-0.02, 0.0, HOLDS), (-0.02, 0.01, OPEN), (0.001, 0.01, FAILS)],
)
def test_folds_against_a_single_model(low, high, expected):
    rows = [
        {"quantity": "k_fold - single", **ends(-0.1, -0.05)},
        {"quantity": "k_fold - single", "truth": "end", **ends(low, high)},
        {"quantity": "one_fold - single", **ends(0.1, 0.2)},
    ]
    assert verdict("theorem2_folds", of_quantity("discrepancies", rows)) == expected
    assert verdict("theorem2_folds", of_quantity("discrepancies", rows[2:])) == "not run"


@pytest.mark.parametrize(
    ("key", "memory", "refuted"),
    [("theorem3_false_alarms", 0.0, FAILS), ("theorem3_alarms_in_streams", 0.5, IN_PART)],
)
@pytest.mark.parametrize(
    ("low", "high", "expected"),
    [(0.01, 0.05, HOLDS), (0.04, 0.06, OPEN), (0.06, 0.07, None)],
)
def test_false_alarms(key, memory, refuted, low, high, expected):
    rows = [
        {"quantity": "steps", "memory": memory, **ends(low, high)},
        {"quantity": "steps", "memory": 0.5 - memory, **ends(low=0.01, high=0.02)},
        {"quantity": "any", "memory": memory, **ends(0.9, 1.0)},
        {"quantity": "steps", "memory": memory, "detector": "moa", **ends(0.9, 1.0)},
    ]
    assert verdict(key, of_quantity("alarms", rows)) == (expected or refuted)
    assert verdict(key, of_quantity("alarms", rows[1:2])) == "not run"


@pytest.mark.parametrize(
    ("low", "high", "expected"),
    [(0.96, 1.0, HOLDS), (0.94, 0.96, OPEN), (0.9, 0.95, FAILS)],
)
def test_detections(low, high, expected):
    rows = [
        {"quantity": "detected", **ends(low, high)},
        {"quantity": "no older", **ends(0.0, 0.1)},
        {"quantity": "detected", "detector": "moa", **ends(0.0, 0.1)},
    ]
    assert verdict("theorem3_detections", of_quantity("detections", rows)) == expected
    assert verdict("theorem3_detections", of_quantity("detections", rows[1:])) == "not run"


# --- The worked examples


#: A claim, what it reads of which table, and values with which it does not hold.
BROKEN = [
    ("wilcoxon_rejects", "table1", "wilcoxon", 0.051),
    ("majority_beats_positive_kappa", "table5", "kappa", -0.1),
    ("majority_beats_positive_kappa", "table5", "majority_accuracy", 0.65),
    ("same_numerator", "table5", "numerator_of_kappa", 851.0),
    ("same_numerator", "table5", "numerator_of_mcc", 851.0),
    ("harmonic_is_smallest", "table5", "harmonic_mean", 0.70),
    ("harmonic_is_smallest", "table5", "arithmetic_mean", 0.5),
    ("right_by_chance", "table5", "majority_accuracy", 0.6),
    ("geometric_progression", "table5", "harmonic_mean", 0.678),
    ("geometric_progression", "table5", "geometric_mean", 0.71),
    ("f1_prime_is_harmonic", "table5", "f1_prime", 0.678),
]


def changed(table, name, value):
    """The worked examples with another value."""
    frames = bifet2015_examples()
    of, columns = frames[f"bifet2015/{table}"], {"table1": "of", "table5": "measure"}
    fits = of[columns[table]] == name
    if table == "table1":
        fits &= of["quantity"] == "p_value"
    assert fits.sum() == 1
    frames[f"bifet2015/{table}"] = of.assign(value=of["value"].mask(fits, value))
    return frames


@pytest.mark.parametrize(("key", "table", "name", "value"), BROKEN)
def test_a_worked_example(key, table, name, value):
    assert verdict(key, bifet2015_examples()) == HOLDS
    assert verdict(key, changed(table, name, value)) == FAILS


def test_the_sign_test_does_not_reject():
    """Eight of ten: 2 (1 + 10 + 45) / 1024 = 0.109; nine would do."""
    assert verdict("sign_test_rejects", bifet2015_examples()) == FAILS
    assert verdict("sign_test_rejects", changed("table1", "sign_test", 22 / 1024)) == HOLDS
