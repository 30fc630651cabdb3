"""Tables 2 to 4 of Bifet et al. (2015): rates of rejection beside ours."""

from __future__ import annotations

from decimal import Decimal
from types import SimpleNamespace

import numpy as np
import pandas as pd
import pytest
from helpers.rejections import Frames, rates, results
from helpers.scorecards import FOLDER, row_of
from scipy.stats import binom

from streameval.papers.bifet2015.published import STREAM_LENGTHS, TABLES
from streameval.report.number_verdicts import TWO_SAMPLES, agrees
from streameval.report.results import Finding, Results
from streameval.report.scorecard import scorecard
from streameval.significance.intervals import wilson_interval

#: The paper's tables; claims about all streams take most of the time of its scorecard.
NUMBERS = SimpleNamespace(id="bifet2015", tables=TABLES, claims={})


def card_of(ours: Frames) -> pd.DataFrame:
    return scorecard([NUMBERS], FOLDER, Results(ours))


def verdict(ours: Frames, item: str, key: str) -> tuple[str, str]:
    row = row_of(card_of(ours), f"bifet2015/{item}", key)
    assert (row["rule"] == TWO_SAMPLES) is not row["verdict"].startswith("not run")
    return row["verdict"], row["reason"]


def test_all_288_rates_are_found_and_times_are_not():
    tables = {
        name: rates({**STREAM_LENGTHS, "all": 45_312}) for name in ("table2", "table3", "table4")
    }
    card = card_of(results(**tables))
    card = card[card["item"].isin(tables)]
    judged_rows = card[card["rule"] == TWO_SAMPLES]
    assert judged_rows["item"].value_counts().to_dict() == {
        "table3": 117,
        "table4": 117,
        "table2": 54,
    }
    assert set(judged_rows["verdict"]) == {"within sampling error", "differs"}
    times = card[card["key"].str.startswith("seconds")]
    assert set(times["verdict"]) == {"not run"}
    assert times["reason"].str.startswith("times of the authors' machine").all()
    assert len(times) == 18


def test_a_rate_is_compared_as_two_samples():
    """Table 3 prints 0.64 for covtype, cv, no noise; Wilson's interval of 32 of 50: 0.501, 0.759.

    Ours has no width here, so half a hundredth beyond these ends decides.
    """
    low, high = wilson_interval(32, 50)
    for edge, inside in ((low - 0.005, 1e-9), (high + 0.005, -1e-9)):
        for value, expected in (
            (edge + inside, "within sampling error"),
            (edge - inside, "differs"),
        ):
            ours: Frames = {"bifet2015/table3": rates({"covtype": 581_012}, value, 0.0)}
            decided, reason = verdict(ours, "table3", "covtype/0/cv")
            assert decided == expected
            assert reason.startswith(f"ours is {value:.4f}, from {value:.4f} to {value:.4f}")


def test_a_true_null_hypothesis_differs_in_five_per_cent_of_the_cases():
    """Exact: both rates are of 50 runs with one probability; the printed one is rounded."""
    counts = np.arange(51)
    printed = [Decimal(int(2 * count)).scaleb(-2) for count in counts]
    wilson = [wilson_interval(float(count), 50) for count in counts]
    findings = [Finding(count / 50, interval=wilson[count], n_runs=50) for count in counts]
    differs = np.array([[not agrees(theirs, ours) for theirs in printed] for ours in findings])
    sizes = []
    for probability in np.linspace(0.01, 0.99, 99):
        mass = binom.pmf(counts, 50, probability)
        sizes.append(float(mass @ differs @ mass))
    assert max(sizes) < 0.052  # at 0.41; no interval of discrete counts is exactly at 5 %
    assert np.mean(sizes) > 0.03  # and it can differ: at 0.8 against 0.3 nearly always
    mass, other = binom.pmf(counts, 50, 0.8), binom.pmf(counts, 50, 0.3)
    assert float(mass @ differs @ other) > 0.99


@pytest.mark.parametrize(
    ("value", "expected"),
    [
        (0.35, "within sampling error, at a lower scale"),
        (0.9, "differs, at a lower scale"),
    ],
)
def test_shorter_runs_are_a_lower_scale_in_the_verdict(value, expected):
    ours: Frames = {"bifet2015/table3": rates({"sea_50": 5000}, value)}
    decided, reason = verdict(ours, "table3", "sea_50/0/cv")
    assert decided == expected
    assert reason.endswith("runs of 5,000 instances, in the paper 1,000,000")


def test_each_cell_is_looked_up_under_its_own_names():
    wanted = {
        ("table2", "sign/non-prequential/0.1/split"): (*("sign_printed", "held_out"), "noise 0.1"),
        ("table2", "sign/prequential/0.05/split"): (*("sign_printed", "learnt"), "noise 0.05"),
        ("table3", "rbf_0_0/0.05/split"): ("mcnemar", "held_out", "noise 0.05", "rbf_0_0"),
        ("table4", "rbf_0_0/0/split"): ("wilcoxon", "learnt", "same", "rbf_0_0"),
    }
    for (item, key), cell in wanted.items():
        changed = {(*cell, "split_validation"): 0.123}
        table = rates({"rbf_0_0": 1_000_000, "all": 45_312}, changed=changed)
        card = card_of(results(**{item: table}))
        assert row_of(card, f"bifet2015/{item}", key)["ours"] == 0.123
        assert (card["ours"] == 0.123).sum() == 1


def test_an_average_over_other_streams_is_at_a_lower_scale():
    key = "mcnemar/prequential/0/cv"  # 0.80
    table = rates({"all": 45_312}, 0.9).assign(low=0.88, high=0.92)
    assert verdict(results(table2=table), "table2", key)[0] == "differs"
    short = STREAM_LENGTHS | {"hyp_10_0.0001": 999_999}
    decided, reason = verdict(results(short, table2=table), "table2", key)
    assert decided == "differs, at a lower scale"
    assert "hyp_10_0.0001: runs of 999,999 instances, in the paper 1,000,000" in reason
    some = {name: n for name, n in STREAM_LENGTHS.items() if name != "poker"}
    decided, reason = verdict(results(some, table2=table), "table2", key)
    assert decided == "differs, at a lower scale"
    assert "poker" in reason
    fewer = table.assign(streams=5, low=0.7, high=0.9)
    decided, reason = verdict(results(table2=fewer), "table2", key)
    assert decided == "within sampling error, at a lower scale"
    assert "an average over 5 streams, in the paper 13, here of at least 45,312 instances" in reason


def test_without_a_rate_there_is_no_verdict():
    key = "elec2/0/cv"
    simulated = rates({"elec2": 45_312}).assign(simulated=True)
    assert verdict({"bifet2015/table3": simulated}, "table3", key)[0] == "not run"
    other = rates({"elec2": 45_312})
    decided, reason = verdict(
        {"bifet2015/table3": other[other["alternative"] != "same"]}, "table3", key
    )
    assert decided == "not run"
    for fact in ("bifet2015/table3", "elec2 mcnemar held_out cross_validation same"):
        assert fact in reason
    decided, reason = verdict({}, "table2", "sign/prequential/0/cv")
    assert decided == "not run"
    assert "no bifet2015/table2" in reason
