"""Remarks on what the tables of Bifet et al. (2015) themselves say of the paper's claims."""

from __future__ import annotations

import re

import pandas as pd
from helpers.scorecards import FOLDER, card_of

from streameval.base.rounding import round_half_up

PAPER = FOLDER / "bifet2015"
REMARKS = pd.read_csv(PAPER / "remarks.csv").set_index("key")["remark"]
TABLE2 = pd.read_csv(PAPER / "table2.csv")
RATES = TABLE2[TABLE2["test"] != "seconds"]
NULL, NOISE = (RATES[of] for of in (RATES["p_noise"] == 0, RATES["p_noise"] > 0))


def numbers(key: str) -> list[float]:
    """The numbers with two decimals of a remark."""
    return [float(text) for text in re.findall(r"\d\.\d\d(?!\d)", REMARKS[key])]


def rounded(values) -> list[float]:
    return [float(round_half_up(float(value), 2)) for value in values]


def test_power_for_a_thousand_seconds():
    seconds = TABLE2[(TABLE2["test"] == "seconds") & (TABLE2["p_noise"] > 0)]
    spent = seconds.groupby("validation")["value"].mean()
    power = NOISE.groupby("validation")["value"].mean()
    assert numbers("bootstrap_most_efficient") == rounded(1000 * power / spent)


def test_differences_of_modes():
    cells = RATES.pivot_table(index=["test", "validation", "p_noise"], columns="mode")["value"]
    apart = (cells["prequential"] - cells["non-prequential"]).abs().groupby("test").max()
    others = apart.drop("mcnemar").max()
    assert numbers("little_difference_of_modes") == rounded([apart["mcnemar"], others])


def test_false_rejections_by_validation():
    assert numbers("more_examples_help") == rounded(NULL.groupby("validation")["value"].mean())


def test_power_of_tests_over_folds_with_split():
    split = NOISE[(NOISE["validation"] == "split") & (NOISE["test"] != "mcnemar")]["value"]
    assert numbers("split_cannot_distinguish") == [split.min(), split.max()]


def test_wilcoxon_by_stream():
    table = pd.read_csv(PAPER / "table4.csv")
    table = table[~table["stream"].str.startswith("sea")]
    noisy, null = table[table["p_noise"] > 0], table[table["p_noise"] == 0]
    perfect = int((noisy["rejection_fraction"] == 1).sum())
    assert f"{perfect} of {len(noisy)} rates" in REMARKS["wilcoxon_perfect_but_sea"]
    means = rounded(null.groupby("validation")["rejection_fraction"].mean())
    assert numbers("wilcoxon_perfect_but_sea") == [1.0, *means]


def test_a_remark_is_the_end_of_the_reason_in_its_row():
    reasons = card_of({}, paper="bifet2015").set_index("key")["reason"]
    assert [key for key, text in REMARKS.items() if not reasons[key].endswith(text)] == []
