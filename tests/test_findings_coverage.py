"""The numbers of docs/findings.md on intervals of single learners, from their record."""

from __future__ import annotations

from helpers.findings import said

from streameval.base.rounding import format_upper_bound
from streameval.base.settings import ROOT
from streameval.base.table_files import read_csv
from streameval.evaluation.coverage import INTERVALS as RECORD
from streameval.evaluation.coverage import MOST_FREQUENT, misses

#: The greatest rate of misses by the rule that was fixed before the run.
MOST = 0.09


def bound(rate):
    """The largest rate in percent, rounded up."""
    return format_upper_bound(rate, ".1f", 100)


def test_intervals_of_single_learners():
    record, found = read_csv(ROOT / RECORD), misses()
    accuracy, *kappas = (bound(rate) for rate in found.usual.values())
    limit = f"{100 * MOST_FREQUENT:.0f}"
    by_class, by_turns = (
        [bound(rates[number]) for number in sorted(rates)]
        for rates in (found.by_class, found.by_turns)
    )
    assert said(
        f"It holds for κ, κ_t and κ_m: at most {kappas[0]}, {kappas[1]} and {kappas[2]} % miss in "
        "any law and length."
    )
    assert said(
        f"Those of an accuracy miss in up to {accuracy} % with at most {limit} % of the labels in "
        f"one class, but in up to {by_class[0]} and {by_class[1]} % with "
        f"{sorted(found.by_class)[0]} and {sorted(found.by_class)[1]} %."
    )
    of_learner = record[record["learner"] == "learner"].set_index(["law", "runs"])
    steady = of_learner[~of_learner.index.get_level_values(0).str.startswith("turns_")]
    assert said(f"the rate of misses has an interval above {100 * MOST:.0f} %")
    assert said(
        f"So a page shows none of an accuracy with more than {limit} % of the labels in one class, "
        f"but for No-Change and Majority, of whose intervals at most {bound(found.of_baselines)} % "
        "miss there."
    )
    single, several = (
        100 * steady.loc[("forests", runs)].groupby("measure")["missed"].max() for runs in (1, 5)
    )
    assert said(
        f"Of a single run of forests, {single['accuracy']:.1f} % of the intervals of an accuracy "
        f"and up to {single['kappa_m']:.1f} % of those of κ_m miss"
    )
    assert single.idxmax() == several.idxmax() == "kappa_m"
    assert said(
        f"Over five runs at most {several['accuracy']:.1f} and {several['kappa_m']:.1f} % do"
    )
    assert said(f"and none for Majority, where up to {bound(found.kappa_of_majority)} % miss.")
    numbers = sorted(found.by_turns)
    assert said(
        f"With {numbers[0]}, {numbers[1]}, {numbers[2]} and {numbers[3]} lasting changes up to "
        f"{by_turns[0]}, {by_turns[1]}, {by_turns[2]} and {by_turns[3]} % miss, of all measures."
    )
    short = steady[steady["interval"] <= 0.5].nlargest(1, "missed").iloc[0]
    there = round(short["interval"] * short["streams"])
    worst = found.short
    assert short["missed"] == worst
    assert said(
        f"up to {bound(worst)} % of those that are there miss, {worst * there:.0f} of {there} "
    )
    streams = record.groupby("instances")["streams"].unique()
    assert [list(streams[n]) for n in (300, 1000, 3000)] == [[1000]] * 3
    assert said(
        f"1,000 streams a cell up to 3,000 instances, {streams[10_000][0]} of 10,000 and "
        f"{streams[100_000][0]} of 100,000"
    )
