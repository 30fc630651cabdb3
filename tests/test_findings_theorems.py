"""What docs/findings.md says of the simulations of Theorems 1 to 3, in a default run."""

from __future__ import annotations

import pytest
from helpers.findings import of_run, said

pytestmark = pytest.mark.finished_run


def test_theorem_1_needs_independent_errors():
    coverage = of_run("data/bifet2015/theorems/coverage.csv")
    independent = coverage[coverage["memory"] == 0]
    assert (independent["exact"] < independent["delta"]).all()
    assert (independent["low"] < independent["delta"]).all()
    most = independent.loc[independent["delta"] == 0.05, "exact"].max()
    assert said(
        f"With δ = 0.05 at most {100 * most:.1f} % of the tests miss the bound if errors are "
        "independent"
    )
    dependent = coverage[coverage["memory"] > 0]
    assert (dependent["low"] > dependent["delta"]).any()
    assert said("With dependent errors more than δ can miss it (`coverage`).")


def test_theorem_2_is_not_about_a_single_model():
    distances = of_run("data/bifet2015/theorems/discrepancies.csv")
    q_1 = distances[(distances["power"] == 1) & (distances["quantity"] == "k_fold - single")]
    assert len(q_1) == 6
    larger, smaller = (q_1["low"] > 0).sum(), (q_1["high"] < 0).sum()
    words = ["none", "one", "two", "three", "four", "five", "six"]
    assert said(
        f"In a default run it is larger in {words[larger]} of six settings, smaller in "
        f"{words[smaller]} and undecided in {words[6 - larger - smaller]}"
    )
    of_one = distances[(distances["power"] == 1) & (distances["quantity"] == "k_fold - one_fold")]
    assert (of_one["high"] < 0).all()
    assert said("Against one of the k models the theorem holds by Jensen's inequality.")


def test_theorem_3_needs_independent_errors():
    alarms = of_run("data/bifet2015/theorems/alarms.csv")
    steps = alarms[alarms["quantity"] == "steps"]
    quiet = steps[(steps["memory"] == 0) & (steps["detector"] == "literal")]
    assert (quiet["mean"] == 0).all()
    (decided,) = quiet.loc[quiet["high"] < quiet["delta"], "delta"]
    assert said(
        "With independent errors there is no alarm at all in a default run, which decides for "
        f"δ = {decided} only."
    )
    assert (steps.loc[steps["memory"] > 0, "low"] > steps.loc[steps["memory"] > 0, "delta"]).any()
    assert said("With strongly dependent errors the bound breaks (`alarms`).")


def test_what_adwin_keeps_after_a_detection():
    found = of_run("data/bifet2015/theorems/detections.csv")
    by_quantity = dict(list(found.groupby("quantity")["mean"]))
    assert (by_quantity["detected"] > 0.95).all()
    assert (by_quantity["no older"] < 0.05).all()
    assert said("The change is detected, but older inputs remain in the window (`detections`).")
