"""The numbers of docs/findings.md on alarms, skills and intervals, which simulations found."""

from __future__ import annotations

import numpy as np
from helpers.findings import said

from calibration.verdict_laws import NULLS
from streameval.base.settings import ROOT
from streameval.base.table_files import read_csv
from streameval.evaluation.error_simulation import proportion_interval
from streameval.evaluation.task import CLASSES
from streameval.evaluation.verdict_words import PART, region_of
from streameval.significance.bounded_mean import bounded_mean_interval
from streameval.significance.intervals import mean_interval


def test_alarms_that_know_nothing():
    found = read_csv(ROOT / "resources" / "recorded" / "detectors" / "alarm_calibration.csv")
    worst = found.loc[found["excludes"].idxmax()]
    number = (found["excludes"] * found["streams"]).round().astype(int)
    of_null = number.groupby(found["null"]).sum()
    streams = found.groupby("null")["streams"].sum()
    assert {*streams} == {2400}
    assert {*found["streams"]} == {400, 200}
    rate, low, high = (100 * end for end in proportion_interval(int(of_null.max()), 2400))
    ends = [100 * worst[f"excludes_{end}"] for end in ("low", "high")]
    assert said(
        f"seem to be better or worse than the same gaps in random order in at most {rate:.1f} % of "
        f"simulated streams of a kind (95 % interval of that rate {low:.1f} to {high:.1f} %), and "
        f"in at most {100 * worst['excludes']:.1f} % of a cell ({ends[0]:.1f} to {ends[1]:.1f} %; "
        f"`detectors/alarm_calibration`, 400 or 200 streams a cell with dependent labels, "
        f"{len(found)} cells)."
    )
    # The rule that was fixed before the run.
    assert found["excludes_low"].max() <= 0.09
    assert all(proportion_interval(int(k), 2400).low <= 0.05 for k in of_null)
    with_warm_up = found[found["null"] == "warm_up"]
    assert with_warm_up["excludes"].max() <= 0.05


def test_intervals_of_normalised_delays():
    random, truth = np.random.default_rng(3), 0.05 + 0.95 * 0.1
    held = {"t": 0, "bounded": 0}
    for _ in range(500):
        delays = np.where(random.random(10) < 0.05, 1.0, random.uniform(0.0, 0.2, 10))
        for name, of in (("t", mean_interval), ("bounded", bounded_mean_interval)):
            found = of(delays)
            held[name] += found.low <= truth <= found.high
    assert said(f"it holds the mean in {held['t'] / 5:.1f} % of 500 groups of ten runs.")
    assert said(f"there it holds the mean in {held['bounded'] / 5:.1f} %.")


def test_intervals_of_skills_are_not_shown():
    found = read_csv(ROOT / "resources" / "recorded" / "scores" / "skill_calibration.csv")
    found = found[found["interval"] > 0.5]
    most = {"log_loss": 0, "brier": 0}
    cells, above = dict(most), dict(most)
    for loss in most:
        own = found[found["loss"] == loss]
        cells[loss], above[loss] = len(own), int((own["excludes_low"] > 0.09).sum())
        assert above[loss] > 0  # otherwise its interval may be shown
    assert said(
        f"of {cells['log_loss']} such cells for log loss {above['log_loss']} have more, and "
        f"{above['brier']} of {cells['brier']} for Brier score."
    )
    is_sure = found["law"].isin(["frequent_90", "frequent_95"]) & (found["times"] == 10)
    turns = found["law"] == "turns_10"
    assert not (found[~is_sure & ~turns]["excludes_low"] > 0.09).any()
    sure, turning, others, fixed = (
        [f"{100 * rate:.1f}" for rate in part.groupby("loss")["excludes"].max()[[*most]]]
        for part in (
            found[is_sure],
            found[turns],
            found[~is_sure & ~turns],
            found[found["pair"] == "overrated"],
        )
    )
    assert said(
        "with 90 or 95 % of the labels in one class the interval excludes 0 in up to "
        f"{sure[0]} % by log loss and {sure[1]} % by Brier score."
    )
    assert said(f"with ten changes in a stream: up to {turning[0]} and {turning[1]} %.")
    assert said(f"Elsewhere it is at most {others[0]} and {others[1]} %,")
    assert said(f"and the other neither, {fixed[0]} and {fixed[1]} %: the rare large losses")
    number = found.groupby("instances")["streams"].unique()
    assert list(number.pop(number.index.max())) == [200]
    assert {*map(int, number.explode())} == {400}
    assert said("(`scores/skill_calibration_recorded`; 400 streams a cell, 200 of the longest).")


def test_intervals_of_a_coverage_are_not_shown():
    place = ROOT / "resources" / "recorded" / "intervals" / "interval_calibration.csv"
    found = read_csv(place)
    above = {rate: found[found[f"{rate}_low"] > 0.09] for rate in ("misses", "excludes")}
    # Otherwise the interval may be shown.
    assert all(len(cells) for cells in above.values())
    assert said(
        f"of {len(found)} cells {len(above['misses'])} have more for a coverage, and "
        f"{len(above['excludes'])} for a skill."
    )
    assert all(set(cells["law"]) == {"turns"} for cells in above.values())
    assert set(above["excludes"]["form"]) == {"unequal"}
    assert all((cells["interval"] < 0.5).all() for cells in above.values())
    misses, false = (above[rate][rate].max() for rate in above)
    assert said(
        f"There up to {100 * misses:.1f} % of the intervals of a coverage miss it, and up to "
        f"{100 * false:.1f} % of those of a skill exclude 0."
    )
    steady = found[found["law"] != "turns"]
    assert said(
        f"Everywhere else at most {100 * steady['misses'].max():.1f} % and "
        f"{100 * steady['excludes'].max():.1f} % do."
    )
    streams = sorted(set(found["streams"]), reverse=True)
    assert said(
        f"(`intervals/interval_calibration_recorded`; {streams[0]:,} streams a cell, "
        f"{streams[1]:,} of the longest)."
    )


def test_intervals_with_a_part_of_the_labels_are_not_shown():
    found = read_csv(ROOT / "resources" / "recorded" / "labels" / "verdict_calibration.csv")
    assert set(found["streams"]) == {400}
    # Without those where one is better for long, or always.
    found = found[found["law"].isin([name for name in NULLS if not name.startswith("turns")])]
    cells, above, most = ({} for _ in range(3))
    for name, own in found.groupby("validation"):
        cells[name], above[name] = len(own), int((own["excludes_low"] > 0.09).sum())
        most[name] = f"{100 * own['excludes'].max() + 1e-9:.1f}"
    assert said(
        f"With 10 % of the labels {above['partial:0.1']} of {cells['partial:0.1']} cells have "
        f"more, up to {most['partial:0.1']} %, and with 1 % {above['partial:0.01']} cells, up to "
        f"{most['partial:0.01']} %"
    )
    assert said(f"With all labels {above['prequential']} cells have,")
    assert said(f"up to {most['prequential']} %.")
    whole = found[found["validation"] == "prequential"]
    assert set(whole.loc[whole["excludes_low"] > 0.09, "law"]) == {"frequent_90"}
    balanced = found[(found["law"] == "independent") & (found["validation"] == "partial:0.01")]
    few, more = 100 * balanced.set_index("instances")["excludes"][[1000, 3000]]
    assert said(f"with 10 labels ({few:.1f} %) or 30 ({more:.1f} %).")


def test_the_region_where_nothing_is_given():
    assert said(
        f"By default the region is {100 * PART:g} % of the error of the better baseline: about a "
        "point for two classes as frequent, less where labels repeat or one class is rare."
    )
    as_frequent, repeat, rare = (
        region_of({"No-Change": repeated, "Majority": largest}, CLASSES).rope
        for repeated, largest in [(0.5, 0.5), (0.85, 0.5), (0.98, 0.99)]
    )
    assert as_frequent == 0.01
    assert max(repeat, rare) < as_frequent
