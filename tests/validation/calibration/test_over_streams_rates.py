"""Error rates of tests over streams: the record, and cells of it computed again."""

from __future__ import annotations

import pandas as pd
import pytest

from calibration import over_streams
from streameval.base.rounding import percentage_bound
from streameval.base.settings import ROOT

FOLDER = ROOT / "resources" / "recorded" / "beyond"
RECORD = pd.read_csv(FOLDER / "over_streams.csv")
NEEDED = pd.read_csv(FOLDER / "streams_needed.csv")


@pytest.mark.parametrize(
    ("law", "cells"),
    [
        ("normal", lambda: over_streams.pair_rates("normal", 8)),
        ("ties", lambda: over_streams.pair_rates("ties", 6)),
        ("normal", lambda: over_streams.rank_test_rates("normal", 5, 10)),
    ],
)
def test_cells_come_out_as_recorded(law, cells):
    for row in cells():
        same = (RECORD[list(row)[:4]] == list(row.values())[:4]).all(axis=1)
        recorded = RECORD[same].iloc[0].to_dict()
        assert recorded["law"] == law
        assert row == pytest.approx(recorded)


def test_the_record_has_all_cells():
    assert tuple(RECORD.columns) == over_streams.COLUMNS
    assert set(RECORD["law"]) == {
        *over_streams.LAWS,
        *over_streams.AT_EDGE,
        *over_streams.EQUAL_SPREADS,
    }
    assert not RECORD.duplicated(list(over_streams.COLUMNS[:4])).any()
    assert tuple(NEEDED.columns) == over_streams.RATIO_COLUMNS
    # As the page of records says.
    row = NEEDED.set_index("streams").loc[8]
    assert (round(row["low"], 1), round(row["high"], 1)) == (0.4, 1.9)
    friedman = RECORD[RECORD["law"].str.startswith("two") & (RECORD["decision"] == "friedman")]
    assert friedman["false"].max() == 0.583
    skewed = RECORD[(RECORD["law"] == "skewed") & (RECORD["learners"] == 2)]
    assert skewed.groupby("decision")["false"].max()["streams_wilcoxon"] == 0.13975
    assert skewed.groupby("decision")["low"].max()["streams_sign"] < 0.05


def test_the_pages_say_the_rates_of_the_record():
    rates = RECORD.set_index(["law", "decision"])["false"]
    dependent = rates["two streams of each generator"]
    percentages = [
        percentage_bound(rate)
        for rate in (
            dependent["holm"].max(),
            dependent["friedman"].max(),
            RECORD.loc[RECORD["decision"].isin(["better", "practically equal"]), "false"].max(),
        )
    ]
    assert percentages == ["15.1 %", "58.3 %", "12.0 %"]
    for page in ("docs/howto/benchmark.md", "resources/recorded/README.md"):
        text = (ROOT / page).read_text(encoding="utf-8")
        assert [rate for rate in percentages if rate not in text] == []
