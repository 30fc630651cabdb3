"""What docs/findings.md says of learners on electricity, KDD99 and ozone, in a default run."""

from __future__ import annotations

import numpy as np
import pandas as pd
import pytest
from helpers.findings import number, of_run, said
from scipy.stats import spearmanr

pytestmark = pytest.mark.finished_run

FIVE = (
    "naive_bayes",
    "ddm_nb",
    "hoeffding_tree",
    "hoeffding_adaptive_tree",
    "leveraging_bagging",
)
TREES = ("hoeffding_tree", "hoeffding_adaptive_tree")


@pytest.fixture(scope="module")
def value() -> pd.Series:
    """Return the measures by stream, learner and measure."""
    return of_run("measures.csv").set_index(["stream", "learner", "measure"])["value"]


@pytest.fixture(scope="module")
def differences() -> pd.DataFrame:
    """Return the differences in accuracy by stream, learner and other learner."""
    table = of_run("differences.csv")
    return table.set_index(["stream", "learner", "other"]).sort_index()


def test_learners_on_all_attributes(value):
    tree, repeats = (
        value["elec2", name, "accuracy"] for name in ("hoeffding_adaptive_tree", "no_change")
    )
    assert said(
        f"the tree ({tree:.4f}) is less accurate than No-Change ({repeats:.4f}), and its "
        "predictions equal MOA's."
    )
    assert said(f"which alone is correct {100 * repeats:.0f} times in 100.")
    names = ("naive_bayes", *TREES, "leveraging_bagging")
    augmented = [number(value["elec2", f"{n}_augmented", "kappa_temporal"], 2) for n in names]
    assert said(
        f"κ_t is {augmented[1]} for the Hoeffding tree and {augmented[2]} for the adaptive tree. "
        f"Of Figure 6, it is {augmented[3]} for leveraging bagging but {augmented[0]} for Naive "
        "Bayes."
    )


def test_no_change_against_five_learners(differences):
    others = {
        stream: differences.loc[[(stream, name, "no_change") for name in FIVE]]
        for stream in ("elec2_mlj", "kdd99")
    }
    assert (others["elec2_mlj"]["high"] < 0).all()
    assert said("On electricity No-Change is more accurate than all five learners.")
    bounds = others["kdd99"].droplevel(["stream", "other"])
    assert list(bounds.index[bounds["high"].isna()]) == ["naive_bayes"]
    assert list(bounds.index[bounds["high"] >= 0]) == ["leveraging_bagging"]
    assert said(
        "On KDD99 the difference is undecided for leveraging bagging, and there is no interval for "
        "Naive Bayes."
    )


def test_gains_of_the_wrappers(differences, value):
    rows = [("elec2_mlj", f"{name}_{way}", name) for name in FIVE for way in WRAPPERS]
    gains = differences.loc[rows]
    assert (gains["low"] > 0).all()
    points = 100 * gains["difference"]
    assert said(
        "Both wrappers make all five learners more accurate on electricity, by "
        f"{points.min():.0f} to {points.max():.0f} points."
    )
    row = differences.loc[("kdd99", "ddm_nb_augmented", "ddm_nb")]
    assert said(
        f"Augmented DDM is {-row['difference']:.4f} less accurate than DDM, with an interval from "
        f"{number(row['low'], 4)} to {number(row['high'], 4)}: undecided."
    )
    assert said(f"DDM alone already reaches {value['kdd99', 'ddm_nb', 'accuracy']:.4f}. ###")


WRAPPERS = ("augmented", "corrected")


def test_augmented_against_corrected(differences):
    rows = [
        (stream, f"{name}_augmented", f"{name}_corrected")
        for stream in ("elec2_mlj", "kdd99", "ozone")
        for name in FIVE
    ]
    cases = differences.loc[rows]
    better, worse = (cases["low"] > 0).sum(), (cases["high"] < 0).sum()
    undecided = len(cases) - better - worse
    assert worse == 0
    most = 100 * cases["difference"].abs().median()
    assert most < 0.3
    assert said("Most differences are below 0.3 points.")
    assert said(f"By interval it is better in {better} of {len(cases)} cases")
    assert said(f"worse in none, and undecided in {undecided}.")
    signs = np.sign(cases["difference"])
    assert said(
        f"By sign alone, {(signs > 0).sum()} cases favour augmented, {(signs < 0).sum()} "
        f"corrected, and {(signs == 0).sum()} are equal."
    )


def test_kappa_on_electricity(value):
    kappa = {name: f"{value['elec2_mlj', name, 'kappa']:.2f}" for name in FIVE}
    assert said(
        f"κ is only {kappa['naive_bayes']} for Naive Bayes, {kappa['ddm_nb']} for DDM, "
        f"{kappa['hoeffding_tree']} and {kappa['hoeffding_adaptive_tree']} for the trees, and "
        f"{kappa['leveraging_bagging']} for leveraging bagging."
    )
    assert said(f"all eight ({value['elec2', 'hoeffding_tree', 'kappa']:.2f} for the tree).")
    of_bagging, repeats = (
        value["elec2", name, "accuracy"] for name in ("leveraging_bagging", "no_change")
    )
    assert of_bagging > repeats
    assert said("But with all eight leveraging bagging beats No-Change")


def test_bagging_in_the_wrappers(value):
    corrected, augmented, repeats = (
        value["elec2_mlj", name, "accuracy"]
        for name in ("leveraging_bagging_corrected", "leveraging_bagging_augmented", "no_change")
    )
    assert said(f"({corrected:.4f} and {augmented:.4f} against {repeats:.4f}).")


def test_naive_bayes_on_ozone(value):
    accuracy = value["ozone", "naive_bayes", "accuracy"]
    assert said(f"The accuracy of Naive Bayes is {100 * accuracy:.0f} %.")


def _shuffled(stream: str) -> pd.DataFrame:
    """Return the measures over all of a shuffled stream, by learner."""
    table = of_run(f"data/zliobaite2015/fig2/{stream}.estimates.csv")
    chosen = table["estimator"].eq("cumulative") & table["variant"].eq("shuffled:1")
    return table[chosen].pivot_table("value", "learner", "measure")


def test_kappas_of_shuffled_ozone():
    table = _shuffled("ozone")
    tree, bagging = (
        table.loc[name, ["kappa", "kappa_temporal", "kappa_combined"]]
        for name in ("hoeffding_tree", "leveraging_bagging")
    )
    assert said(
        f"On shuffled ozone the Hoeffding tree has κ = {number(tree['kappa'], 4)} but "
        f"κ_t = {tree['kappa_temporal']:.3f}."
    )
    assert said(
        f"On shuffled ozone leveraging bagging has κ = {bagging['kappa']:.3f}, "
        f"κ_t = {bagging['kappa_temporal']:.3f} and κ⁺ = {bagging['kappa_combined']:.3f}."
    )
    repeats = table.loc["no_change", "accuracy"]
    assert said(f"which are correct in ΣP(i)² = {repeats:.3f} of all cases.")
    bayes, ddm = (number(table.loc[name, "kappa_temporal"]) for name in ("naive_bayes", "ddm_nb"))
    assert said(f"Shuffled, Naive Bayes and DDM have κ_t of {bayes} and {ddm}.")


def test_kappas_of_other_shuffled_streams():
    for stream in ("elec2_mlj", "kdd99"):
        table = _shuffled(stream).loc[list(FIVE)]
        assert (table["kappa"] - table["kappa_temporal"]).abs().max() < 0.02
    assert said("learners nearly do, and κ and κ_t differ by less than 0.02.")


def test_lags():
    found = [of_run(f"data/bifet2013/fig{number}/elec2.lags.csv") for number in (9, 10, 11)]
    table = pd.concat(found)
    table = table[table["lags"] > 0]
    assert said(f"The default run has lags {table['lags'].min()} to {table['lags'].max()}.")
    by_curve = table.groupby(["measure", "learner", "kind"])["value"].agg(["min", "max"])
    accuracy = by_curve.loc["accuracy"]
    assert len(accuracy) == 3 * 2
    most = (accuracy["max"] - accuracy["min"]).max()
    assert said(f"given labels or labels and inputs, changes by at most {most:.3f}, and κ_t stays")
    assert (by_curve.loc["kappa_temporal", "min"] > 0).all()


def test_false_alarms():
    table = of_run("data/zliobaite2015/fig7/elec2_mlj.false_alarms.csv")
    table = table[table["learner"] == "ddm_random"]
    assert table["seed"].nunique() == 3
    means = table.groupby(["variant", "probability"])["accuracy"].mean().reset_index()
    ranks = {
        name: number(spearmanr(own["probability"], own["accuracy"]).statistic, 2)
        for name, own in means.groupby("variant")
    }
    assert said(f"their rank correlation is {ranks['original']} in the original stream, and ")
    assert said(
        f"and {ranks['temporal']} with instances permuted within classes. It is "
        f"{ranks['shuffled']} if the order is random."
    )


def test_the_sign_of_dependence():
    table = of_run("data/zliobaite2015/fig5/elec2.dependence.csv")
    delta = table.set_index(["class", "order"])["delta"]
    (down, up), second = ([delta[name, n] for name in ("DOWN", "UP")] for n in (1, 2))
    assert said(
        f"Δ(1) is {down:.2f} and {up:.2f}, Δ(2) is {second[0]:.2f} and {second[1]:.2f}, and Δ(48) "
        f"of the class DOWN is {delta['DOWN', 48]:.2f}."
    )
