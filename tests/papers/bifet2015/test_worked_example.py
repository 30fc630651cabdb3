"""Tables 1 and 5 of Bifet et al. (2015): what follows from the numbers that the paper prints."""

from __future__ import annotations

import pandas as pd
import pytest
from helpers.scorecards import bifet2015_examples, card_of, row_of

from streameval.papers.bifet2015.claims import EXAMPLE_CLAIMS


@pytest.fixture(scope="module")
def card() -> pd.DataFrame:
    return card_of(bifet2015_examples(), paper="bifet2015")


def test_the_worked_examples_have_all_published_digits(card: pd.DataFrame) -> None:
    rows = card[card["item"].isin(["table1", "table5"])]
    rows = rows[~rows["key"].isin(list(EXAMPLE_CLAIMS))]  # which are claims
    assert len(rows) == 40 + 11
    assert (rows["verdict"] == "reproduced").all()
    assert (rows["by_construction"] == "yes").all()


def test_two_numbers_of_the_tests_are_errata(card: pd.DataFrame) -> None:
    rows = card[card["item"] == "table1_tests"].set_index("key")
    differs = rows[rows["verdict"] == "differs"]
    assert differs["ours"].to_dict() == {
        "sign_test/critical_wins_5_percent": 9,  # 9 of 10: 22/1024; 8 of 10: 112/1024
        "wilcoxon/positive": 52,  # 55, the sum of the ranks of 10 folds, less 3
    }
    assert (rows.drop(differs.index)["verdict"] == "reproduced").all()
    assert "An erratum: the ranks of 10 folds sum to 55" in differs["reason"].iloc[1]
    assert "not significant at 5 %" in differs["reason"].iloc[0]


def test_without_a_run_there_is_nothing_to_compare() -> None:
    row = row_of(card_of({}, paper="bifet2015"), "bifet2015/table5", "kappa")
    assert row["verdict"] == "not run"
    assert "no bifet2015/table5" in row["reason"]
    tables = bifet2015_examples()
    first = tables["bifet2015/table1"]
    tables["bifet2015/table1"] = first[first["of"] != "wilcoxon"]
    card = card_of(tables, paper="bifet2015")
    row = row_of(card, "bifet2015/table1_tests", "wilcoxon/positive")
    assert row["reason"].startswith("bifet2015/table1 of this run does not have wilcoxon positive")
