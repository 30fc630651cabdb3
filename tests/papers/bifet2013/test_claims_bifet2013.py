"""Claims of Bifet et al. (2013): what makes each hold, and what does not."""

from __future__ import annotations

import itertools
import math

import numpy as np
import pandas as pd
import pytest
from helpers.scorecards import (
    NO_CHANGE,
    PEAKS,
    gaps,
    judged,
    measures,
    papers_table1,
    peaks,
    results,
)

from streameval.papers.bifet2013.claims import LAGS
from streameval.papers.bifet2013.published import MIN_PRIOR_RANGE
from streameval.report.claims import UNIVERSAL
from streameval.report.results import DIFFERENCE_COLUMNS, Results

LEARNERS = ("naive_bayes", "hoeffding_tree", "hoeffding_adaptive_tree", "leveraging_bagging")


def verdict(key, **frames):
    return judged("bifet2013", key, results(**frames)).verdict


# --- Accuracies


@pytest.mark.parametrize(
    ("changed", "kappa", "expected", "says"),
    [
        (
            {},
            0.57,
            "claim holds",
            "naive_bayes less no_change's −0.12000 [−0.12100, −0.11900]",
        ),
        ({"hoeffding_tree": 0.05}, 0.57, "claim does not hold", "NOT accuracy of hoeffding_tree"),
        (
            {"hoeffding_tree": -0.0005},
            0.57,
            "claim undecided",
            "UNDECIDED accuracy of hoeffding_tree",
        ),
        ({"moving_majority": 0.01}, 0.57, "claim does not hold", "3 of 4 conditions: "),
        ({}, 0.4, "claim does not hold", "NOT kappa of hoeffding_tree 0.4000 > 0.4"),
        ({"naive_bayes": math.nan}, 0.57, "not run", "does not have elec2 naive_bayes no_change"),
    ],
)
def test_no_change_beats_the_learners(changed, kappa, expected, says):
    values = {"naive_bayes": -0.12, "hoeffding_tree": -0.06, "moving_majority": -0.27} | changed
    ours = {
        "measures": measures("elec2", hoeffding_tree__kappa=kappa),
        "differences": gaps("elec2", **{f"{name}__no_change": v for name, v in values.items()}),
    }
    judgement = judged("bifet2013", "no_change_beats_learners", Results(ours))
    assert judgement.verdict == expected
    assert "0.4, where Landis and Koch" in judgement.rule
    assert "95 % interval" in judgement.rule
    assert says in judgement.reason


@pytest.mark.parametrize(
    ("naive_bayes", "no_change", "simulated", "expected"),
    [
        (-0.4, 0.0, False, "claim holds"),
        (0.1, 0.0, False, "claim does not hold"),
        (0.0001, 0.0, False, "claim undecided"),
        (-0.4, 1e-12, False, "claim does not hold"),
        (-0.4, 0.0, True, "not run"),
    ],
)
def test_kappa_temporal_on_covtype(naive_bayes, no_change, simulated, expected):
    accuracies = {"naive_bayes__no_change": naive_bayes, "hoeffding_tree__no_change": -0.2}
    ours = {
        "measures": measures("covtype", simulated, no_change__kappa_temporal=no_change),
        "differences": gaps("covtype", simulated, **accuracies),
    }
    assert verdict("kappa_temporal_negative", **ours) == expected


@pytest.mark.parametrize(
    ("adaptive", "better", "expected"),
    [
        (-0.1, 0.1, "claim holds"),
        (-0.1, -0.1, "claim does not hold"),  # no better than the plain tree
        (-0.1, 0.0, "claim undecided"),
        (0.1, 0.1, "claim does not hold"),
        (0.1, math.nan, "not run"),
    ],
)
def test_adaptive_learners_on_covtype(adaptive, better, expected):
    differences = gaps(
        "covtype",
        hoeffding_adaptive_tree__no_change=adaptive,
        hoeffding_adaptive_tree__hoeffding_tree=better,
        leveraging_bagging__no_change=-0.05,
        leveraging_bagging__hoeffding_tree=0.15,
    )
    assert verdict("hat_lbag_still_negative", differences=differences) == expected


#: A claim, the differences that it reads, and those on the first and second stream.
OF_TWO_STREAMS = {
    "no_change_beats_majority": ["majority__no_change"],
    "augmented_positive": [f"{name}_augmented__no_change" for name in LEARNERS],
    "augmented_improves": [f"{name}_augmented__{name}" for name in LEARNERS],
}


@pytest.mark.parametrize(
    ("key", "on_elec2", "on_other", "expected"),
    [
        ("no_change_beats_majority", -0.1, -0.1, "claim holds"),
        ("no_change_beats_majority", -0.1, None, "not run"),
        ("no_change_beats_majority", 0.1, None, "claim does not hold"),
        ("no_change_beats_majority", -0.1, 0.0, "claim undecided"),
        ("augmented_positive", 0.1, 0.2, "claim holds"),
        ("augmented_positive", 0.1, -0.2, "claim does not hold"),
        ("augmented_positive", 0.1, 0.0, "claim undecided"),
        ("augmented_positive", 0.0, None, "not run"),
        ("augmented_positive", -0.1, None, "claim does not hold"),
        ("augmented_improves", 0.05, 0.05, "claim holds"),
        ("augmented_improves", 0.05, 0.02, "claim undecided"),
        ("augmented_improves", 0.01, None, "claim does not hold"),
    ],
)
def test_differences_on_two_streams(key, on_elec2, on_other, expected):
    other = "airlines" if key == "no_change_beats_majority" else "covtype"
    differences = [
        gaps(stream, **dict.fromkeys(OF_TWO_STREAMS[key], value))
        for stream, value in (("elec2", on_elec2), (other, on_other))
        if value is not None
    ]
    assert verdict(key, differences=pd.concat(differences)) == expected


def test_figure_8_has_the_two_trees_only():
    """Naive Bayes, which it does not show, refutes the former reading, shown beside."""
    values = {"hoeffding_tree": 0.1, "hoeffding_adaptive_tree": 0.16, "leveraging_bagging": 0.3}
    named = {f"{name}_augmented__no_change": value for name, value in values.items()}
    named["naive_bayes_augmented__no_change"] = -0.47
    ours = {"differences": pd.concat([gaps(stream, **named) for stream in ("elec2", "covtype")])}
    judgement = judged("bifet2013", "augmented_positive", Results(ours))
    assert judgement.verdict == "claim holds"
    assert "as read until 2026-11-26" in judgement.reason
    says = ": claim does not hold, 6 of 8 conditions: NOT elec2: accuracy of naive_bayes"
    assert says in judgement.reason


@pytest.mark.parametrize(
    ("values", "expected"),
    [
        ({"moving_majority": 0.6, "hoeffding_tree": 0.8}, "claim holds"),
        ({"moving_majority": 0.6, "hoeffding_tree": 0.59}, "claim does not hold"),
        ({"hoeffding_tree": 0.8}, "not run"),
    ],
)
def test_learners_beat_majority(values, expected):
    named = {f"{name}__accuracy": value for name, value in values.items()}
    frame = measures("elec2", naive_bayes__accuracy=0.75, **named)
    assert verdict("learners_beat_majority", measures=frame) == expected


# --- Labels


@pytest.mark.parametrize(
    ("frame", "expected", "share"),
    [
        (peaks(48), "claim holds", 1),
        (peaks(24), "claim holds", 1),  # also a peak every 12 hours has one every 24
        (peaks(96), "claim does not hold", 3 / 7),  # at 96, 192 and 288 only
        (peaks(50), "claim does not hold", 0),
        (peaks(lags=100), "not run: lower scale", math.nan),
    ],
)
def test_autocorrelation_peaks(frame, expected, share):
    judgement = judged("bifet2013", "label_autocorrelation_peaks", Results({PEAKS: frame}))
    assert judgement.verdict == expected
    assert judgement.proportion == pytest.approx(share, nan_ok=True)
    assert ("needs lag 337 too" in judgement.reason) is math.isnan(share)


#: Numbers of Table 2 of which claims hold.
ON_TABLE_2 = {
    **{f"{s}/P(c{c})": 0.3 for s in ("elec2", "airlines", "kdd99") for c in (1, 2, 3)},
    **{f"{s}/P(c{c}|c{c})": 0.8 for s in ("elec2", "airlines", "kdd99") for c in (1, 2, 3)},
    "kdd99/no_change_accuracy": 0.995,
    "ozone/P(c2)": 0.03,
    "ozone/P(c2|c2)": 0.11,
}


def table(changed):
    """Table 2 with other numbers, or without those that are None."""
    numbers = (ON_TABLE_2 | changed).items()
    rows = [(*key.split("/"), False, value) for key, value in numbers if value is not None]
    return pd.DataFrame(rows, columns=["stream", "measure", "simulated", "value"])


@pytest.mark.parametrize(
    ("key", "changed", "expected"),
    [
        ("dependent_labels", {}, "claim holds"),
        ("dependent_labels", {"airlines/P(c2|c2)": 0.29}, "claim does not hold"),
        ("repeats_by_more_than_chance", {}, "claim holds"),
        ("repeats_by_more_than_chance", {"elec2/P(c2|c2)": 0.29}, "claim does not hold"),
        ("repeats_by_more_than_chance", {"elec2/P(c1)": None}, "not run"),
        ("slightly_imbalanced", {"elec2/P(c1)": 0.4, "airlines/P(c1)": 0.4}, "claim holds"),
        ("slightly_imbalanced", {"elec2/P(c1)": 0.4}, "claim does not hold"),
        ("slightly_imbalanced", {"elec2/P(c1)": 0.4, "airlines/P(c1)": 0.6}, "claim does not hold"),
        ("kdd99_nearly_perfect", {}, "claim holds"),
        ("kdd99_nearly_perfect", {"kdd99/no_change_accuracy": 0.98}, "claim does not hold"),
    ],
)
def test_numbers_of_table_2(key, changed, expected):
    ours = Results({"bifet2013/table2": table(changed)})
    assert judged("bifet2013", key, ours).verdict == expected


def test_classes_of_kdd99():
    for classes, expected in ((23, "claim holds"), (20, "claim does not hold")):
        frame = pd.DataFrame([{"stream": "kdd99", "simulated": False, "classes": classes}])
        ours = Results({"zliobaite2015/table3": frame})
        assert judged("bifet2013", "kdd99_classes", ours).verdict == expected


@pytest.mark.parametrize(
    ("ends", "minority", "expected"),
    [
        ((0.01, 0.03), 0.11, "claim holds"),
        ((-0.01, 0.03), 0.11, "claim undecided"),
        ((-0.03, -0.01), 0.11, "claim does not hold"),
        ((0.01, 0.03), 0.02, "claim does not hold"),
    ],
)
def test_no_advantage_on_ozone(ends, minority, expected):
    row = ("ozone", False, "majority", "no_change", sum(ends) / 2, *ends, 2536)
    differences = pd.DataFrame([row], columns=list(DIFFERENCE_COLUMNS))
    ours = {"bifet2013/table2": table({"ozone/P(c2|c2)": minority}), "differences": differences}
    assert judged("bifet2013", "ozone_no_advantage", Results(ours)).verdict == expected


@pytest.mark.parametrize(
    ("high", "expected"),
    [(0.41 + MIN_PRIOR_RANGE, "claim holds"), (0.39 + MIN_PRIOR_RANGE, "claim does not hold")],
)
def test_a_prior_evolves_if_it_moves(high, expected):
    rows = [(1000 + i, c, share) for i, share in enumerate((0.4, high)) for c in ("UP", "DOWN")]
    frame = pd.DataFrame(rows, columns=["instance", "class", "proportion"])
    assert verdict("prior_evolves", bifet2013__fig1__elec2__prior=frame) == expected


# --- Curves, lags and what others report


@pytest.mark.parametrize(
    ("accuracy", "expected"),
    [(NO_CHANGE, "claim holds"), (0.86, "claim does not hold")],
)
def test_six_of_sixteen(accuracy, expected):
    # 0.86 is above EDDM-IB1's 85.7.
    ours = Results({"bifet2013/table1": papers_table1(accuracy)})
    assert judged("bifet2013", "few_beat_no_change", ours).verdict == expected


@pytest.mark.parametrize(
    ("adaptive", "expected"),
    [
        ([0.2, 0.1, -0.3, math.nan], "claim holds"),
        ([0.2, -0.1, -0.3, 0.3], "claim holds in part"),
        ([0.2, 0.1, 0.3, 0.3], "claim holds in part"),
        ([], "not run"),
    ],
)
def test_adaptive_learners_on_electricity(adaptive, expected):
    values = {"hoeffding_adaptive_tree": adaptive, "leveraging_bagging": [0.5, 0.4, -0.1, 0.2]}
    rows = [
        (1000 * i, learner, "kappa_temporal", value)
        for learner, of_windows in values.items()
        for i, value in enumerate(of_windows, 1)
    ]
    curves = pd.DataFrame(rows, columns=["instance", "learner", "measure", "value"])
    ours = results(bifet2013__fig5__elec2__curves=curves)
    judgement = judged("bifet2013", "hat_lbag_mostly_positive", ours)
    assert judgement.verdict == expected
    if expected == "claim holds":
        assert "tree is positive in 66.7 % of the windows" in judgement.reason


def stable(spread=0.0, least=0.1, lags=LAGS, measures=("accuracy", "kappa_temporal")):
    """Results of more and more lags: how far accuracy spreads, and the least kappa."""
    ours = {}
    figures = {"fig9": "hoeffding_tree", "fig10": "hoeffding_adaptive_tree"}
    for figure, name in figures.items() | {("fig11", "leveraging_bagging")}:
        rows = []
        for kind, lag in itertools.product(("labels", "labels_and_inputs"), (0, *lags)):
            accuracy = 0.5 if lag == 0 else 0.8 + spread * (lag == 3)
            values = {"accuracy": accuracy, "kappa_temporal": -0.5 if lag == 0 else 0.1}
            if name == "hoeffding_adaptive_tree" and lag == 14:
                values["kappa_temporal"] = least
            rows += [(name, kind, lag, measure, values[measure]) for measure in measures]
        frame = pd.DataFrame(rows, columns=["learner", "kind", "lags", "measure", "value"])
        ours[f"bifet2013__{figure}__elec2__lags"] = frame
    return ours


@pytest.mark.parametrize(
    ("ours", "expected", "by_the_other"),
    [
        (stable(spread=0.019), "claim holds", "claim holds"),
        (stable(spread=0.021), "claim does not hold", "claim does not hold"),
        (stable(least=-0.01), "claim holds", "claim does not hold"),
        # Up to a lag of 10 all is well: that is no ground for what is said of more.
        (stable(least=-0.01, lags=(1, 2, 3, 5, 10)), "not run: lower scale", ""),
        (stable(lags=()), "not run: lower scale", ""),
        (stable(measures=["kappa_temporal"]), "not run", ""),
    ],
)
def test_stable_in_lag(ours, expected, by_the_other):
    judgement = judged("bifet2013", "stable_in_lag", results(**ours))
    assert judgement.verdict == expected
    if by_the_other:
        assert f"after results were known; {UNIVERSAL}): {by_the_other}, " in judgement.reason
        assert "labels and inputs from 0.8000" in judgement.reason
    elif expected == "not run":
        assert "lacks accuracy of hoeffding_tree" in judgement.reason
    else:
        assert "bifet2013/fig10, elec2: needs lags (labels_and_inputs) " in judgement.reason
        assert "12, 14, 16 too" in judgement.reason
        assert np.isnan(judgement.proportion)
    del ours["bifet2013__fig9__elec2__lags"]
    fails = expected == "claim does not hold"
    assert verdict("stable_in_lag", **ours) == (expected if fails else "not run")


# --- What arithmetic decides


@pytest.mark.parametrize(
    ("key", "numbers"),
    [
        ("random_accuracy", "5 classes, differently frequent: 1/5"),
        # Majority is correct in 13 of 20 cases, No-Change in 7, more than a third.
        ("repeats_above_1_of_k", "3 classes: not if P(c|c) is 7/20 and P(M|c) 13/20"),
        # 6 labels of 2 and of 3 classes: 2**6 and 3**6 ways to predict them.
        ("balanced_kappas_agree", "equal for 64 of 64; labels (0, 0, 1, 1, 2, 2)"),
        # All of the larger class: 3 right of 4, by chance 3/4 and 9/16 + 1/16.
        ("independent_kappas_agree", "such as 0 and 1/3"),
    ],
)
def test_reasons_of_what_arithmetic_decides_have_its_numbers(key, numbers):
    assert numbers in judged("bifet2013", key, Results({})).reason
