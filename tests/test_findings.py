"""The numbers of docs/findings.md are those that code computes, sentence by sentence."""

from __future__ import annotations

import pandas as pd
import pytest

from streameval import papers
from streameval.report.claims.condition import UNIVERSAL
from streameval.report.recorded_scorecard import agreements, intervals, recorded_scorecard
from streameval.settings import ROOT
from streameval.studies.recorded import read_record

TEXT = " ".join((ROOT / "docs" / "findings.md").read_text(encoding="utf-8").split())
PUBLISHED = ROOT / "resources" / "published"
SHOWN = papers.among(["bifet2015"])


def said(sentence: str) -> bool:
    """Return whether the page has a sentence, wherever its lines break."""
    assert sentence in TEXT, f"docs/findings.md does not say: {sentence}"
    return True


@pytest.fixture(scope="module")
def record():
    return read_record(ROOT / "resources" / "recorded" / "bifet2015" / "paper")


@pytest.fixture(scope="module")
def rates(record) -> pd.DataFrame:
    """Return the rates of single streams that are recorded at the paper's scale."""
    card = recorded_scorecard(SHOWN, PUBLISHED, [record])
    rows = card[card["item"].isin(["table3", "table4"])]
    keys = rows["key"].str.split("/", expand=True)
    keys.columns = ["stream", "noise", "validation"]
    within = rows["verdict"] == "within sampling error"
    return pd.concat([rows, keys], axis=1).assign(within=within, same=keys["noise"] == "0")


def test_rates_within_sampling_error(rates):
    same, noise = rates[rates["same"]], rates[~rates["same"]]
    assert said(
        f"Of {len(rates)} rates of single streams at the paper's scale {rates['within'].sum()} are "
        f"within sampling error: {same['within'].sum()} of {len(same)} without noise, "
        f"{noise['within'].sum()} of {len(noise)} with noise."
    )
    assert said(
        f"With noise our tests find the difference in {100 * noise['ours'].min():.0f} to "
        f"{100 * noise['ours'].max():.0f} % of the runs."
    )
    differ = rates[~rates["within"]]
    split = differ[(differ["stream"] == "rbf_0_0") & (differ["validation"] == "split")]
    assert said(
        f"Of the {len(differ)} rates that differ, {(differ['stream'] == 'sea_50').sum()} are SEA's "
        f"and {len(split)} split validation's on random RBF."
    )
    others = noise[noise["stream"].isin(["elec2", "hyp_10_0.001"])]
    assert said(
        "On electricity and Hyperplane noise shows as in the paper, but for "
        f"{(~others['within']).sum()} of {len(others)} rates."
    )


def test_averages_by_both_intervals_with_their_widths(record):
    found = intervals(SHOWN, PUBLISHED, record)
    is_same = found["key"].str.split("/").str[2] == "0"
    same, noise = found[is_same], found[~is_same]
    ends = {
        name: f"{same[name].min():.2f} to {same[name].max():.2f}"
        for name in ("width", "width_alone")
    }
    assert not noise[["agrees", "agrees_alone"]].any(axis=None)
    alone, over = same["agrees_alone"].sum(), same["agrees"].sum()
    assert said(
        f"The averages of Table 2 are so in {alone} of {len(same)} cells without noise, in none of "
        f"{len(noise)} with noise."
    )
    assert said(
        f"The {alone} of {len(same)} are by intervals about these four streams "
        f"({ends['width_alone']} wide). By intervals over streams of their kind ({ends['width']} "
        f"wide) {over} of {len(same)} are; an interval that is {same['width'].max():.2f} wide"
    )
    (sentence,) = agreements(SHOWN, PUBLISHED, [record])
    assert f"{found['agrees'].sum()} of {len(found)} by intervals over streams" in sentence
    assert f"{found['agrees_alone'].sum()} of {len(found)} by intervals about these" in sentence


def test_mcnemars_rates_by_scheme(rates):
    rows = rates[(rates["item"] == "table3") & rates["same"]]
    printed = rows["published"].astype(float)
    assert said(
        f"McNemar's test rejects in {100 * rows['ours'].min():.0f} to "
        f"{100 * rows['ours'].max():.0f} % of the runs of a stream (held out; printed "
        f"{100 * printed.min():.0f} to {100 * printed.max():.0f} %)."
    )
    ours, theirs = (
        rows.assign(value=values).pivot_table("value", "stream", "validation")
        for values in (rows["ours"], printed)
    )
    fewest, printed_so = ((one.idxmin(axis=1) == "cv").sum() for one in (ours, theirs))
    assert said(
        f"With cross-validation it rejects in the fewest runs on {fewest} of {len(ours)} streams, "
        f"in print on {printed_so}."
    )


def test_odd_hundredths_of_the_printed_rates():
    odd = {}
    for name in ("table3", "table4"):
        printed = pd.read_csv(PUBLISHED / "bifet2015" / f"{name}.csv", dtype=str)
        hundredths = printed["rejection_fraction"].astype(float).mul(100).round().astype(int)
        odd[name] = (int((hundredths % 2).sum()), len(hundredths))
    assert said(
        f"{odd['table3'][0]} of the {odd['table3'][1]} rates of Table 3 and {odd['table4'][0]} of "
        f"the {odd['table4'][1]} of Table 4 are odd hundredths"
    )


def test_the_page_names_the_claims_that_are_refuted_since_they_are_universal():
    rules = pd.read_csv(ROOT / "docs" / "rules.csv", keep_default_na=False)
    changed = rules[
        rules["rule"].str.contains(UNIVERSAL, regex=False)
        & (rules["before"] == "claim holds in part")
        & (rules["after"] == "claim does not hold")
    ]
    *first, last = [f"`{key}`" for key in changed["key"]]
    paragraph = TEXT.partition("**Universal claims.**")[2].partition("**Intervals.**")[0]
    assert len(changed) == 6  # "Six claims"
    assert all(key in paragraph for key in (*first, last))
