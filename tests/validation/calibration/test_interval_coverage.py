"""Miss rates of intervals of single measures, simulated and recorded."""

from __future__ import annotations

import numpy as np
import pytest
from helpers.drawn import drawing
from helpers.shown_tables import cells_of

from calibration import IntervalCoverageSettings
from calibration.interval_coverage import study
from calibration.show import (
    draw_interval_coverage as _draw_interval_coverage,
)
from calibration.show import layout_interval_coverage as layout
from calibration.verdict_laws import LAWS
from streameval.base.rounding import percentage_bound
from streameval.base.seeds import generator
from streameval.base.settings import ROOT
from streameval.base.table_files import read_csv_table
from streameval.drawing.subject import Subject
from streameval.evaluation.coverage import INTERVALS as RECORD
from streameval.evaluation.coverage import (
    MAX_CLASS_PROPORTION,
    coverage_sentences,
    interval_miss_rates,
)
from streameval.evaluation.error_simulation import proportion_interval
from streameval.evaluation.kappa_intervals import KAPPAS, kappa_interval
from streameval.evaluation.measurements import measure_predictions
from streameval.evaluation.predictions import PredictionTable
from streameval.evaluation.roles import CLASSIFICATION_BASELINES
from streameval.evaluation.run import run_learners
from streameval.evaluation.runs import RUNS
from streameval.items.inputs import ItemInput
from streameval.protocols.prequential import prequential
from streameval.significance.series import error_runs
from streameval.significance.stream_mean import Sample, stream_mean

interval_coverage = drawing(_draw_interval_coverage, "coverage")

RECORDED = ROOT / RECORD
#: The greatest proportion of misses by the rule, which its lower end may not exceed.
MOST = 0.09


@pytest.fixture(scope="module")
def record():
    return read_csv_table(RECORDED)


def coverage(laws, streams):
    """Frame of streams by their length."""
    settings = IntervalCoverageSettings(
        laws=laws, instances=tuple(streams), repetitions=tuple(streams.values())
    )
    return study(ItemInput(settings=settings))["coverage"]


@pytest.fixture(scope="module")
def small():
    return coverage(("dependent_50", "forests"), {300: 8})


def tables_of(law, n, number):
    """Predictions on each stream of a cell."""
    for stream in range(number):
        sample = LAWS[law].stream(n, generator("interval coverage", law, n, stream))
        learner = LAWS[law].learners()["first"]
        yield run_learners(sample, prequential(n), {"learner": learner})[0]


def assert_accuracies(tables, learner, row):
    """Compare the row of an accuracy with a literal count."""
    number = len(tables)
    accuracies = np.array([(table.predicted[learner] == table.true).mean() for table in tables])
    missed = intervals = 0
    for place, table in enumerate(tables):
        right = table.predicted[learner] == table.true
        level = stream_mean(Sample(right, run_lengths=error_runs(right)), with_p_value=False)
        expected = np.delete(accuracies, place).mean()
        intervals += not level.reason
        missed += not level.reason and not level.low <= expected <= level.high
    rates = tuple(row[["missed", "missed_low", "missed_high"]])
    assert rates == tuple(proportion_interval(missed, intervals))
    assert row["interval"] == intervals / number
    assert row["expected"] == pytest.approx(accuracies.mean(), abs=1e-6)
    error = accuracies.std(ddof=1) / np.sqrt(number)
    assert row["error"] == pytest.approx(error, abs=1e-6)


def test_counts_are_those_of_a_literal_simulation(small):
    law, number = "dependent_50", 8
    tables = list(tables_of(law, 300, number))
    rows = small[small["law"] == law].set_index(["learner", "measure"])
    assert len(rows) == 3 * 4
    for learner in ("learner", "no_change", "majority"):
        assert_accuracies(tables, learner, rows.loc[(learner, "accuracy")])
    joined = {
        name: np.concatenate([table.predicted[name] for table in tables])
        for name in ("learner", "no_change", "majority")
    }
    whole = PredictionTable(np.concatenate([table.true for table in tables]), joined, 2)
    values = {row.measure: row.value for row in measure_predictions(whole, ["learner"], KAPPAS)}
    for measure in KAPPAS:
        wide = [kappa_interval(table, "learner", measure) for table in tables]
        widths = [interval.high - interval.low for interval in wide if not interval.reason]
        row = rows.loc[("learner", measure)]
        assert row["width"] == pytest.approx(np.median(widths), abs=1e-6)
        assert row["interval"] == len(widths) / number
        assert row["expected"] == pytest.approx(values[measure], abs=1e-6)


def test_learners_that_draw_have_intervals_over_runs(small):
    forests = small[small["law"] == "forests"]
    of_runs = forests[forests["runs"] > 1]
    assert set(of_runs["runs"]) == {RUNS}
    assert of_runs["learner"].tolist() == ["learner"] * 3
    assert of_runs["measure"].tolist() == ["accuracy", "kappa_temporal", "kappa_m"]
    # Over runs the interval also holds the chance of seeds, but that of a mean of several.
    single_run = forests[(forests["runs"] == 1) & (forests["learner"] == "learner")]
    assert (of_runs["error"].to_numpy() < single_run.iloc[[0, 2, 3]]["error"].to_numpy()).all()


def test_baselines_are_not_compared_with_themselves(small):
    itself = [("no_change", "kappa_temporal"), ("majority", "kappa_m")]
    none = small.set_index(["learner", "measure"]).loc[itself]
    assert (none["interval"] == 0).all()
    assert none[["missed", "width"]].isna().all(axis=None)


def test_the_table_has_each_rate_with_its_interval(record):
    cells = cells_of(layout(record, Subject(settings=None)))
    assert len(cells) == len(record)
    assert (cells["missed"].str.contains(" to ") == record["missed"].notna()).all()
    assert cells["Measure"].str.contains("5 runs").sum() == 15


def steady(record):
    """Cells that the rule judges."""
    has_changes = record["law"].str.startswith("turns_")
    return record[~has_changes & (record["interval"] > 0.5)]


def broken(cells):
    """Laws that break the rule."""
    return set(cells.loc[cells["missed_low"] > MOST, "law"])


def test_the_rule_by_the_record(record):
    """The rule for the intervals that pages show follows from the record."""
    judged = steady(record)
    of_learner = judged[judged["learner"] == "learner"]
    one_run = of_learner[of_learner["runs"] == 1]
    for measure in ("accuracy", *KAPPAS):
        assert "forests" in broken(one_run[one_run["measure"] == measure])
    # Over several runs where a learner draws, else over one.
    over_runs = of_learner[(of_learner["law"] != "forests") | (of_learner["runs"] > 1)]
    for measure in KAPPAS:
        assert not broken(over_runs[over_runs["measure"] == measure])
    skewed = broken(over_runs[over_runs["measure"] == "accuracy"])
    assert skewed == {"frequent_90", "frequent_95"}
    frequent = {
        law.first_class_proportion for name, law in LAWS.items() if name.startswith("frequent_")
    }
    least = min(LAWS[law].first_class_proportion for law in skewed)
    assert max(share for share in frequent if share < least) == MAX_CLASS_PROPORTION
    baselines = judged[judged["learner"] != "learner"]
    breaks = baselines[baselines["missed_low"] > MOST]
    assert set(zip(breaks["learner"], breaks["measure"], strict=True)) == {("majority", "kappa")}


def test_the_text_of_a_page_says_what_the_record_says(record):
    judged = steady(record)
    rows = judged[(judged["learner"] == "learner")]
    rows = rows[(rows["law"] != "forests") | (rows["runs"] > 1)]
    skewed = rows["law"].isin(["frequent_90", "frequent_95"]) & (rows["measure"] == "accuracy")
    usual, rates = rows[~skewed].groupby("measure")["missed"].max(), interval_miss_rates()
    assert rates.by_measure == {name: usual[name] for name in ("accuracy", *KAPPAS)}
    changing = record[(record["learner"] == "learner") & record["law"].str.startswith("turns_")]
    by_law = changing.groupby("law")["missed"].max()
    assert rates.by_changes == {n: by_law[f"turns_{n}"] for n in (3, 10, 30, 100)}
    by_class = rows[skewed].groupby("law")["missed"].max()
    assert rates.by_class == {n: by_class[f"frequent_{n}"] for n in (90, 95)}
    short = record[(record["learner"] == "learner") & (record["interval"] <= 0.5)]
    assert rates.short == short[~short["law"].str.startswith("turns_")]["missed"].max()
    majority = judged[(judged["learner"] == "majority") & (judged["measure"] == "kappa")]
    assert rates.kappa_of_majority == majority["missed"].max()
    text = coverage_sentences()
    lengths = record["instances"].unique()
    assert f"of {lengths.min()} to {lengths.max():,} instances" in text
    for rate in (*rates.by_measure.values(), *rates.by_changes.values(), *rates.by_class.values()):
        assert percentage_bound(rate) in text
    is_frequent = record["law"].isin(["frequent_90", "frequent_95"])
    of_baselines = record[is_frequent & record["learner"].isin(CLASSIFICATION_BASELINES)]
    of_baselines = of_baselines[of_baselines["measure"] == "accuracy"]["missed"].max()
    assert rates.of_baselines == of_baselines
    assert f"have an interval (at most {percentage_bound(of_baselines)} miss)" in text


def test_a_part_of_the_record_is_what_this_code_simulates(record):
    cell = record[(record["law"] == "dependent_90") & (record["instances"] == 300)]
    rows = cell[cell["measure"] == "accuracy"].set_index("learner")
    tables = list(tables_of("dependent_90", 300, int(rows["streams"].iloc[0])))
    for learner in ("learner", "no_change"):
        assert_accuracies(tables, learner, rows.loc[learner])
