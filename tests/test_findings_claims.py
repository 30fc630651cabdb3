"""What docs/findings.md says of claims, as the scorecard of a default run has it."""

from __future__ import annotations

import re

import pandas as pd
import pytest
from helpers.findings import number, of_run, said

pytestmark = pytest.mark.finished_run


@pytest.fixture(scope="module")
def card() -> pd.DataFrame:
    """Return the scorecard by key."""
    return of_run("scorecard.csv").set_index("key")


def _found(card: pd.DataFrame, key: str, pattern: str) -> list[str]:
    """Return what the reason of a verdict says, by the groups of a pattern."""
    match = re.search(pattern, card.loc[key, "reason"])
    assert match, f"{key}: {card.loc[key, 'reason']}"
    return [*match.groups()]


def test_the_cells_of_the_head_of_kdd99(card):
    cells = card[card["item"].eq("table2") & card.index.str.startswith("kdd99/")]
    verdicts = cells.loc[cells["paper"] == "bifet2013", "verdict"].value_counts()
    assert verdicts.to_dict() == {"reproduced": 4, "reproduced if truncated": 4}
    assert said("give all eight cells, four of them truncated.")


def test_positive_kappa_t_in_figure_5(card):
    (tree,) = _found(
        card, "hat_lbag_mostly_positive", r"adaptive_tree is positive in ([\d.]+) % of the windows"
    )
    (bagging,) = _found(
        card, "hat_lbag_mostly_positive", r"bagging is positive in ([\d.]+) % of the windows"
    )
    assert card.loc["hat_lbag_mostly_positive", "verdict"] == "claim holds in part"
    assert said(
        f"κ_t is positive in {bagging} % of the windows for leveraging bagging, but only in {tree} "
        "% for the adaptive tree."
    )


def test_combined_kappa_in_figure_4(card):
    shares = [
        _found(
            card, "lbag_combined_kappa", rf"{stream}: kappa\+ of {name} is above 0 in ([\d.]+) %"
        )
        for stream, name in (
            ("elec2_mlj", "leveraging_bagging"),
            ("elec2_mlj", "leveraging_bagging_corrected"),
            ("elec2_mlj", "leveraging_bagging_augmented"),
            ("kdd99", "leveraging_bagging"),
        )
    ]
    alone, corrected, augmented, kdd99 = (share for (share,) in shares)
    assert said(
        f"κ⁺ of leveraging bagging alone is above 0 in {alone} % of the windows, corrected in "
        f"{corrected} %, and augmented in {augmented} %. On KDD99 it is above 0 in {kdd99} % of "
        "the windows where it is defined."
    )


def test_rules_of_table_1():
    table = of_run("tables/grzenda2019/table1_rules.csv").set_index(["stream", "learner"])
    forest = table.xs("adaptive_random_forest_2017", level="learner")
    first, second = (forest.loc[name] for name in ("hyperplane_delayed", "agrawal_delayed"))
    assert said(
        f"the forest has {first['paper_percent']:.1f} % instead of "
        f"{first['published_percent']:.1f} % in bin {first['bin']:.0f} of Hyperplane and "
        f"{second['paper_percent']:.1f} % instead of {second['published_percent']:.1f} % in bin "
        f"{second['bin']:.0f} of Agrawal."
    )
    name = "adaptive_random_forest_2017"
    rest = table.drop([("hyperplane_delayed", name), ("agrawal_delayed", name)])
    most = rest["difference"].abs().groupby("learner").max()
    assert most.idxmax() == "no_change"
    assert said(
        f"No-Change differs by up to {most['no_change']:.1f} points, all other learners by up to "
        f"{most.drop('no_change').max():.1f}."
    )


def test_no_single_best_learner():
    contrasts = {
        name: of_run(f"data/grzenda2019/{figure}/{name}.contrasts.csv").query("reference == 'best'")
        for name, figure in (("dataexpo_atl", "fig4"), ("elec2_dayahead", "fig5"))
    }
    behind = {
        name: set(rows.loc[rows["band_high"] < 0, "learner"]) for name, rows in contrasts.items()
    }
    assert behind["elec2_dayahead"] == set(contrasts["elec2_dayahead"]["learner"])
    assert behind["dataexpo_atl"] == {"no_change"}
    assert said("On airlines only No-Change is.")
    airlines = contrasts["dataexpo_atl"]
    width = ((airlines["band_high"] - airlines["band_low"]) / 2).median()
    size = of_run("data/grzenda2019/fig4/dataexpo_atl.bins.csv")
    assert said(
        f"With the {size['predictions'].max():,} labels of one week of airlines these bands have "
        f"half widths of {width:.3f} in the median"
    )
    best = size.loc[size.groupby("bin")["accuracy"].idxmax(), "learner"]
    assert set(best) == {"naive_bayes", "majority", "knn"}
    assert said("By digits alone Naive Bayes, Majority and k-NN are each the best one in some bin")


def test_knn_above_the_adaptive_tree(card):
    bins, which, closest = _found(
        card,
        "electricity_hat_above_knn",
        r"than knn in 0 of (\d+) bins; most in bin (\d+), by −([\d.]+) ",
    )
    assert said(f"k-NN is more accurate in all {bins} bins, under both rules for the prediction of")
    rules = of_run("data/grzenda2019/fig5/elec2_dayahead.rules.csv")
    other = rules.pivot_table("other_accuracy", "bin", "learner")
    assert (other["knn"] > other["hoeffding_adaptive_tree"]).all()
    assert said(
        f"In bin {which}, where they are closest, {number(100 * float(closest))} points separate "
        "them."
    )


def test_predictions_for_each_label(card):
    (late,) = _found(card, "predictions_per_label", r"([\d.]+) additional predictions for each")
    low, high = _found(card, "predictions_per_label", r"from ([\d.]+) to ([\d.]+) of them")
    assert said(
        f"{float(late):.1f} after all labels, and from {float(low):.1f} to {float(high):.1f} of "
        "them since a tenth has arrived."
    )


def test_numbers_of_bins(card):
    few = [
        float(_found(card, "bins_fine_enough", rf"B = {n}: at most ([\d.]+) from B = 100")[0])
        for n in (5, 10, 50)
    ]
    assert card.loc["bins_fine_enough", "reason"].startswith("2 of 3 conditions")
    assert f"{few[0]:.2f}" == f"{few[1]:.2f}"
    assert said(
        "*Claim does not hold*, 2 of 3 conditions do. With 5 and 10 bins, the accuracy of "
        f"No-Change on electricity is up to {few[0]:.2f} from that with 100 bins, with 50 up to "
        f"{few[2]:.3f}."
    )


def test_regressors_in_bins(card):
    conditions = re.split(r": (?=UNDECIDED)|; ", card.loc["better_than_target_mean", "reason"])
    by_learner = {
        name: next(one for one in conditions if f"that of {name} " in one)
        for name in ("orto_moa", "fimt_dd_moa", "amrules_moa", "arf_reg_moa")
    }
    undecided = {name for name, text in by_learner.items() if text.startswith("UNDECIDED")}
    assert undecided == {"orto_moa", "fimt_dd_moa", "amrules_moa"}
    assert said("by the band of the difference ARF-Reg has smaller errors in all bins.")
    errors = of_run("data/grzenda2019/fig14/bike.bins.csv").pivot_table(
        "mean_absolute_error", "bin", "learner"
    )
    mean = errors["target_mean"]
    assert (errors["amrules_moa"] < mean).all()
    bands = of_run("data/grzenda2019/fig14/bike.contrasts.csv")
    bands = bands[bands["reference"] == "target_mean"].groupby("learner")["band_low"]
    without = bands.apply(lambda one: one.isna().mean())
    assert 0 < without["amrules_moa"] < 1
    assert without["orto_moa"] == without["fimt_dd_moa"] == 1
    assert (errors["orto_moa"] > mean).all()
    assert said("ORTO has the larger error in every bin.")


def test_the_best_regressor(card):
    which, more, low, high = _found(
        card, "arf_reg_is_best", r"in bin (\d+) is ([−\d.]+) \[([−\d.]+), ([−\d.]+)\]"
    )
    less, *ends = _found(card, "arf_reg_gains", r"is ([−\d.]+) \[([−\d.]+), ([−\d.]+)\]")
    varied = {
        name: _found(card, "little_variation", rf"MAE of {name}: .*?, ([\d.]+) % of the mean")[0]
        for name in ("orto_moa", "fimt_dd_moa")
    }
    holds, of_all = _found(card, "little_variation", r"^(\d) of (\d) conditions")
    assert said(
        f"in bin {which} AMRules has {more} more ({low} to {high}). The second *holds*: {less} "
        f"less ({ends[0]} to {ends[1]}). The third *holds in part*, for {holds} of {of_all} "
        f"learners: ORTO varies by {varied['orto_moa']} % of its mean, FIMT-DD by "
        f"{varied['fimt_dd_moa']} %."
    )
