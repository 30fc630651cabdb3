"""How often intervals of single measures miss: what is counted, and what was recorded."""

from __future__ import annotations

import numpy as np
import pytest
from helpers.drawn import assert_no_text_collides, drawing, legend_names

from streameval.evaluation.levels import KAPPAS, kappa_interval
from streameval.evaluation.measuring import measured
from streameval.evaluation.predictions import PredictionTable
from streameval.evaluation.running import run_learners
from streameval.evaluation.simulated_errors import proportion_interval
from streameval.items import kinds
from streameval.items.error_rates.draw_error_rates import (
    draw_interval_coverage as _draw_interval_coverage,
)
from streameval.items.error_rates.interval_coverage import study
from streameval.items.error_rates.settings import COVERAGE, IntervalCoverageSettings
from streameval.items.error_rates.tables import layout_interval_coverage as layout
from streameval.items.error_rates.verdict_laws import LAWS
from streameval.items.inputs import ItemInput
from streameval.items.subject import Subject
from streameval.learners.ensembles.bagging import RandomForest
from streameval.protocols.prequential import prequential
from streameval.seeds import generator
from streameval.significance.stream_mean import stream_mean

interval_coverage = drawing(_draw_interval_coverage, "coverage")


def coverage(laws, streams):
    """Return the frame of streams by their length."""
    settings = IntervalCoverageSettings(
        laws=laws, instances=tuple(streams), repetitions=tuple(streams.values())
    )
    return study(ItemInput(settings=settings))["coverage"]


@pytest.fixture(scope="module")
def small():
    return coverage(("dependent_50", "forests"), {300: 8})


def test_counts_are_those_of_a_literal_simulation(small):
    law, n, number = "dependent_50", 300, 8
    tables = []
    for stream in range(number):
        drawn = LAWS[law].stream(n, generator("interval coverage", law, n, stream))
        learner = LAWS[law].learners()["first"]
        tables.append(run_learners(drawn, prequential(n), {"learner": learner})[0])
    found = small[small["law"] == law].set_index(["learner", "measure"])
    assert len(found) == 3 * 4
    for learner in ("learner", "no_change", "majority"):
        accuracies = np.array([(one.predicted[learner] == one.true).mean() for one in tables])
        missed = intervals = 0
        for place, one in enumerate(tables):
            level = stream_mean(one.predicted[learner] == one.true)
            expected = np.delete(accuracies, place).mean()
            intervals += not level.reason
            missed += not level.reason and not level.low <= expected <= level.high
        row = found.loc[(learner, "accuracy")]
        rates = tuple(row[["missed", "missed_low", "missed_high"]])
        assert rates == tuple(proportion_interval(missed, intervals))
        assert row["interval"] == intervals / number
        assert row["expected"] == pytest.approx(accuracies.mean(), abs=1e-6)
        error = accuracies.std(ddof=1) / np.sqrt(number)
        assert row["error"] == pytest.approx(error, abs=1e-6)
    joined = {
        name: np.concatenate([one.predicted[name] for one in tables])
        for name in ("learner", "no_change", "majority")
    }
    whole = PredictionTable(np.concatenate([one.true for one in tables]), joined, 2)
    values = {one.measure: one.value for one in measured(whole, ["learner"], KAPPAS)}
    for measure in KAPPAS:
        wide = [kappa_interval(one, "learner", measure) for one in tables]
        widths = [one.high - one.low for one in wide if not one.reason]
        row = found.loc[("learner", measure)]
        assert row["width"] == pytest.approx(np.median(widths), abs=1e-6)
        assert row["interval"] == len(widths) / number
        assert row["expected"] == pytest.approx(values[measure], abs=1e-6)
