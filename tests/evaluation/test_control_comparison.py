"""A control against other learners over streams: comparisons, exclusions and texts."""

from __future__ import annotations

import math

import numpy as np
import pandas as pd
import pytest
from naive import significance as naive
from significance.test_friedman import DEMSAR

from streameval.base.errors import ConfigError, DataError
from streameval.base.settings import ROOT
from streameval.evaluation import control_view as shown
from streameval.evaluation.control_columns import DIFFERENCE_COLUMNS, OTHER_COLUMNS
from streameval.evaluation.control_comparison import compare_with_control
from streameval.significance.registry import TESTS
from streameval.significance.streams_needed import streams_needed, wilcoxon_power

RECORD = ROOT / "resources" / "recorded" / "beyond" / "over_streams.csv"
LEARNERS = ("c45", "m", "cf", "both")


def long(values, learners=LEARNERS, seed=1):
    """Long table of scores with a row for each stream and a column for each learner."""
    rows = [
        (f"s{i}", False, name, seed, float(value), "")
        for i, row in enumerate(values)
        for name, value in zip(learners, row, strict=True)
    ]
    columns = ["stream", "simulated", "learner", "seed", "value", "reason"]
    return pd.DataFrame(rows, columns=columns)


def test_demsar_s_data():
    comparison = compare_with_control(long(DEMSAR), "both", rope=0.01)
    assert tuple(comparison.others.columns) == OTHER_COLUMNS
    assert tuple(comparison.differences.columns) == DIFFERENCE_COLUMNS
    rows = comparison.others.set_index("learner")
    assert rows.index.tolist() == ["c45", "m", "cf"]
    scores = np.array(DEMSAR)
    differences = np.round(scores[:, 3:] - scores[:, :3], 12).T
    raw = [naive.signed_ranks(values.tolist())[2] for values in differences]
    assert rows["wilcoxon_p"].tolist() == pytest.approx(naive.holm(raw))
    # The sign test: binomtest of scipy 1.17.1, see test_over_streams.py of the tests themselves.
    signs = naive.holm([0.0224609375, 1.0, 0.266845703125])
    assert rows["sign_p"].tolist() == pytest.approx(signs)
    assert rows["difference"].tolist() == pytest.approx(differences.mean(axis=1))
    for name, values in zip(rows.index, differences, strict=True):
        row, chances = rows.loc[name], TESTS["bayesian_signed_rank"](values, 0.01).details
        counts = [(values > 0).sum(), (values == 0).sum(), (values < 0).sum()]
        assert row[["wins", "ties", "losses"]].tolist() == counts
        assert row[["better", "equal", "worse"]].tolist() == [
            chances[key] for key in ("right", "rope", "left")
        ]
        assert row["power"] == wilcoxon_power(values, 0.01, 14, 0.05 / 3)
        assert row["streams_needed"] == streams_needed(values, 0.01, 0.05 / 3)
    assert rows["verdict"].tolist() == ["beats", "cannot be told from", "cannot be told from"]
    swapped = compare_with_control(long(DEMSAR), "c45", rope=0.01).others.set_index("learner")
    assert swapped["difference"]["both"] == pytest.approx(-rows["difference"]["c45"])
    assert swapped["verdict"]["both"] == "loses to"


def test_practically_equal_comes_before_better():
    tiny = np.outer(np.linspace(1, 2, 8), [1, 1]) + np.outer(np.linspace(0.001, 0.002, 8), [1, 0])
    table = long(tiny, ("a", "b"))
    for rope, verdict in ((0.01, "practically equal"), (0.0001, "beats")):
        assert compare_with_control(table, "a", rope=rope).others["verdict"].tolist() == [verdict]


def test_seeds_are_averaged_and_their_part_of_the_variance_is_said():
    rng = np.random.default_rng(1)
    base = np.repeat(rng.normal(0.7, 0.1, (100, 1)), 2, axis=1)
    of_streams = rng.normal(0, 0.02, (100, 1)) * [0, 1]
    seeds = [base + of_streams + rng.normal(0, 0.01, (100, 2)) for _ in range(5)]
    table = pd.concat([long(values, ("a", "b"), seed) for seed, values in enumerate(seeds)])
    row = compare_with_control(table, "a", rope=0.0).others.iloc[0]
    mean = np.mean(seeds, axis=0)
    assert row["difference"] == pytest.approx((mean[:, 0] - mean[:, 1]).mean())
    # The seeds' variance of a difference is 2 · 0.01² / 5, that of streams 0.02².
    expected = 4e-5 / (4e-5 + 4e-4)
    assert row["seeds_part"] == pytest.approx(expected, abs=0.025)
    single_run = table[(table["learner"] == "b") | (table["seed"] == 0)]  # a draws nothing
    part = compare_with_control(single_run, "a", rope=0.0).others["seeds_part"].iloc[0]
    # Then the single run of a adds 0.01² that counts as of streams.
    assert part == pytest.approx(2e-5 / (2e-5 + 4e-4 + 1e-4), abs=0.02)
    one_seed = compare_with_control(table[table["seed"] == 0], "a", rope=0.0).others
    assert math.isnan(one_seed["seeds_part"].iloc[0])


def test_what_has_no_value_is_left_out_with_its_reason():
    table = long(np.random.default_rng(2).random((8, 4)))
    for stream, name, why in (("s3", "m", "one class"), ("s5", "both", "too slow")):
        at = (table["stream"] == stream) & (table["learner"] == name)
        table.loc[at, ["value", "reason"]] = (math.nan, why)
    gone = table[~((table["stream"] == "s0") & (table["learner"] == "cf"))]
    comparison = compare_with_control(gone, "both")
    rows = comparison.others.set_index("learner")
    assert rows.loc["c45", "streams"] == 7  # all but s5
    for name, stream, why in (("m", "s3", "one class"), ("cf", "s0", "it did not run")):
        assert rows.loc[name, "reason"] == f"no value on 1 of 7 streams ({stream}: {why})"
        assert math.isnan(rows.loc[name, "wilcoxon_p"])
        assert rows.loc[name, "verdict"] == ""
    # The others are not adjusted for those that are left out.
    alone = compare_with_control(gone[gone["learner"].isin(["c45", "both"])], "both").others
    assert rows.loc["c45", "wilcoxon_p"] == alone["wilcoxon_p"].iloc[0]
    about = shown.ControlSubject(
        "both", rope=0.01, level=0.05, difference=None, titles={"m": "C4.5+m"}
    )
    notes = shown.control_table(comparison.others, about).notes
    assert "C4.5+m is left out: no value on 1 of 7 streams (s3: one class)." in notes
    assert "Streams on which both has no value are left out (s5: too slow)." in notes


def test_too_few_streams_are_said():
    others = compare_with_control(long(np.outer(range(5), [1, 2, 3, 4])[1:] / 10.0), "both").others
    assert set(others["verdict"]) == {"cannot be told from"}
    expected = "with 4 streams no test can reject at 5 % after the correction for 3 learners"
    assert all(reason.startswith(expected) for reason in others["reason"])
    assert others["low"].isna().all()
    seven = compare_with_control(long(np.outer(range(1, 9), [1, 2, 3, 4]) / 10.0), "both").others
    assert (seven["reason"] == "").all()
    assert (seven["verdict"] == "beats").all()


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"control": "knn"}, "control: .*knn"),
        ({"rope": -0.1}, "rope: expected a number of at least 0, found -0.1"),
        ({"level": 1.0}, "level: expected a number between 0 and 1, found 1.0"),
        ({"difference": 0.0}, "difference: expected more than 0, found 0.0"),
    ],
)
def test_wrong_settings_are_refused(change, message):
    with pytest.raises(ConfigError, match=message):
        compare_with_control(long(DEMSAR), **{"control": "both", **change})


def test_too_little_evidence_is_refused():
    with pytest.raises(DataError, match=r"at least 3 streams .*found streams .* 3 other"):
        compare_with_control(long(DEMSAR[:2]), "both")
    with pytest.raises(DataError, match="0 other learners"):
        compare_with_control(long([[1.0]] * 5, ("a",)), "a")


# ---- what is said


def test_rates_that_are_said_are_those_of_the_record():
    record = pd.read_csv(RECORD)
    by_generators = record["law"].str.startswith("two streams")
    # Differences of a control and others are symmetric, whatever the law of scores.
    of_controls = record["decision"].isin(["holm", "interval"]) & (record["learners"] > 2)
    assert record.loc[of_controls & ~by_generators, "false"].max() == shown.FALSE_RATE
    assert record.loc[of_controls & by_generators, "false"].max() == shown.FALSE_RATE_OF_GENERATORS
    sure = record["decision"].isin(["better", "practically equal"])
    assert record.loc[sure, "false"].max() == shown.FALSE_RATE_OF_PROBABILITY
    # The rule: an interval or p-value is shown if no cell of independent streams, whose differences
    # are symmetric, has a lower end of its rate above 9 %.
    others = ~by_generators & ~sure & ~((record["law"] == "skewed") & (record["learners"] == 2))
    assert record.loc[others, "low"].max() < 0.09
    assert set(record["decision"]) == {
        *("streams_wilcoxon", "streams_sign", "interval", "holm", "friedman", "nemenyi"),
        *("better", "practically equal"),
    }


def test_the_table_has_a_row_for_each_learner():
    comparison = compare_with_control(long(DEMSAR), "both")
    about = shown.ControlSubject(
        "both", rope=0.01, level=0.05, difference=None, titles={"c45": "C4.5"}
    )
    table = shown.control_table(comparison.others, about)
    heads, first = table.cells[0], table.cells[1]
    cells = dict(zip(heads, first, strict=True))
    assert cells["Learner"] == "C4.5"
    assert cells["Wins, ties, losses"] == "11, 1, 2"
    assert cells["Verdict"] == "beats"
    assert cells["p-value: Wilcoxon"] == "0.0374"  # 3 · 0.01245
    assert "for all 3 learners together (Bonferroni, Holm)" in table.notes[0]
    sentences = shown.control_sentences(comparison.others, about)
    assert sentences == ["both beats C4.5.", "both cannot be told from m and cf."]
    assert len(shown.control_json(comparison, about)["differences"]) == 3 * 14


def test_more_streams_than_can_be_simulated_are_said():
    values = np.random.default_rng(3).normal(0, 1, (8, 2))
    comparison = compare_with_control(long(values, ("a", "b")), "a", rope=0.0)
    about = shown.ControlSubject("a", rope=0.0, level=0.05, difference=None, titles={})
    table = shown.control_table(comparison.others, about)
    assert dict(zip(*table.cells, strict=True))["Streams needed"] == "–"
    assert not any("Power" in note for note in table.notes)
    comparison = compare_with_control(long(values, ("a", "b")), "a", difference=0.001)
    table = shown.control_table(comparison.others, about._replace(difference=0.001))
    assert dict(zip(*table.cells, strict=True))["Streams needed"] == "> 1,000"
