"""How often the intervals of accuracy, κ, κ_t and κ_m miss on fresh streams.

An interval misses if it does not contain the expected value: the measure at the mean counts of all
other streams of the law and length. This value has an error itself, which tends to increase the
rates.

**The rule, fixed before the run**: a measure has intervals if the lower end of the exact 95 %
interval of the proportion of misses is at most 9 %, the largest rate that `compare` quotes. This
must hold in each cell, a law and a length, in which most streams have an interval, for all laws
without lasting change (forests, independent, dependent, frequent). The learner and each baseline
are judged separately. If only laws with a frequent class violate the rule, intervals are shown up
to a limit on the proportion of the most frequent label: the largest proportion up to which all
these laws satisfy the rule, or 50 % if none does.

**Interleaved rows of several entities** are judged by the same rule. Their laws were also fixed
before their run.

**Changes after the first run**: forests violated the rule, as the interval of a single run does not
cover other seeds. So randomised learners have no interval of a single run. κ_t and κ_m over several
runs were added, and judged by the same rule.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import NamedTuple

import numpy as np
import pandas as pd

from calibration import COVERAGE_COLUMNS, IntervalCoverageSettings
from calibration.verdict_laws import LAWS, Law
from streameval.base.arrays import Floats
from streameval.base.seeds import generator
from streameval.base.table_files import read_csv_table
from streameval.evaluation.error_simulation import proportion_interval
from streameval.evaluation.kappa_intervals import (
    KAPPA_M,
    KAPPA_TEMPORAL,
    KAPPAS,
    kappa_interval,
)
from streameval.evaluation.predictions import PredictionTable
from streameval.evaluation.roles import CLASSIFICATION_BASELINES, MAJORITY, NO_CHANGE
from streameval.evaluation.runs import RUNS, SeededRuns, join_runs, seeded_runs
from streameval.items.inputs import ItemInput
from streameval.learners.baselines import with_classification_baselines
from streameval.learners.predictions import Predictions
from streameval.measures.counting import add_counts, tallies_from_counts, zero_counts
from streameval.measures.registry import MEASURES
from streameval.protocols.prequential import prequential
from streameval.streams.stream import Stream

#: Name of the law's learner; the other learners are baselines.
LEARNER = "learner"
#: Decimals of numbers. Further decimals depend on the order of additions, and so on the machine.
_DIGITS = 6


class MeasureKey(NamedTuple):
    """Key of an interval: a measure of a learner, over one run or over several."""

    learner: str
    measure: str
    runs: int


class MeasureInterval(NamedTuple):
    """The interval of a measure on one stream, and the counts that the measure is computed from."""

    low: float
    high: float
    counts: Floats


def study(item_input: ItemInput[IntervalCoverageSettings]) -> dict[str, pd.DataFrame]:
    """Simulate streams of each law and length, and count the misses; or read the recorded table.

    The standard error of the expected value is computed by the jackknife over streams.
    """
    settings = item_input.settings
    if settings.recorded:
        return {"coverage": read_csv_table(item_input.resource(settings.recorded))}
    rows = []
    for name in settings.laws:
        law = LAWS[name]
        for n, n_streams in zip(settings.instances, settings.repetitions, strict=True):
            by_stream = [_intervals(law, n, (name, n, stream)) for stream in range(n_streams)]
            for key in by_stream[0]:
                intervals = [by_key[key] for by_key in by_stream]
                columns = _coverage(key.measure, intervals)
                rows.append((name, law.title, *key, n, n_streams, *columns))
            item_input.announce(f"{law.title}, {n:,} instances")
    return {"coverage": pd.DataFrame(rows, columns=list(COVERAGE_COLUMNS))}


def _intervals(law: Law, n: int, key: tuple[str, int, int]) -> Mapping[MeasureKey, MeasureInterval]:
    """The intervals of all measures on one stream."""
    stream = law.stream(n, generator("interval coverage", *key))
    learners = with_classification_baselines({LEARNER: law.learners()["first"]})
    runs = RUNS if law.forests else 1

    def seeds(learner_index: int, run: int) -> tuple[str | int, ...]:
        return ("interval coverage", *key, "learner", learner_index, "run", run)

    tape = prequential(n)
    predictions = seeded_runs(stream, tape, learners, seeds, runs)
    predicted = {name: results[0].label for name, results in predictions.by_learner.items()}
    table = PredictionTable(stream.y, predicted, stream.n_classes, groups=stream.groups)
    intervals = {}
    for name in learners:
        counts = _counts(stream, predictions, name, 1)
        estimate = table.estimate(name)
        intervals[MeasureKey(name, "accuracy", 1)] = MeasureInterval(
            estimate.low, estimate.high, counts
        )
        for measure in KAPPAS:
            skill = kappa_interval(table, name, measure)
            intervals[MeasureKey(name, measure, 1)] = MeasureInterval(skill.low, skill.high, counts)
    if runs > 1:
        is_scored = np.ones(n, bool)
        joined = join_runs(stream, tape, predictions, is_scored)
        counts = _counts(stream, predictions, LEARNER, runs)
        estimate = joined.estimate(LEARNER, is_random=True)
        intervals[MeasureKey(LEARNER, "accuracy", runs)] = MeasureInterval(
            estimate.low, estimate.high, counts
        )
        for measure, baseline in ((KAPPA_TEMPORAL, NO_CHANGE), (KAPPA_M, MAJORITY)):
            skill = joined.skill(LEARNER, baseline, is_random=True)
            intervals[MeasureKey(LEARNER, measure, runs)] = MeasureInterval(
                skill.low, skill.high, counts
            )
    return intervals


def _counts(
    stream: Stream, predictions: SeededRuns[Predictions], learner: str, runs: int
) -> Floats:
    """The sum of the counts of a learner over its first runs."""
    counts = zero_counts(stream.n_classes)
    baselines = {name: predictions.by_learner[name][0].label for name in CLASSIFICATION_BASELINES}
    for run in predictions.by_learner[learner][:runs]:
        add_counts(
            counts,
            stream.y,
            run.label,
            stream.n_classes,
            no_change=baselines[NO_CHANGE],
            majority=baselines[MAJORITY],
        )
    return counts


def _coverage(measure: str, intervals: Sequence[MeasureInterval]) -> list[float]:
    """The columns of a row from `expected` on."""
    low, high = (
        np.array([getattr(interval, end) for interval in intervals]) for end in ("low", "high")
    )
    counts, n_streams = np.stack([interval.counts for interval in intervals]), len(intervals)
    total = counts.sum(axis=0)
    n_classes = (counts.shape[1] - 4) // 3  # `zero_counts` has 3 counts per class and 4 others
    value = MEASURES[measure].value
    # The expected value for each stream, from all other streams.
    expected = value(tallies_from_counts(total - counts, n_classes))
    variance = (n_streams - 1) * float(np.mean((expected - expected.mean()) ** 2))
    has_interval = ~np.isnan(low)
    is_missed = has_interval & ((expected < low) | (expected > high))
    n_intervals = int(np.count_nonzero(has_interval))
    numbers = (
        float(value(tallies_from_counts(total, n_classes))),
        np.sqrt(variance),
        float(np.median((high - low)[has_interval])) if n_intervals else np.nan,
    )
    rate = proportion_interval(int(is_missed.sum()), n_intervals) if n_intervals else (np.nan,) * 3
    return [*(round(value, _DIGITS) for value in numbers), n_intervals / n_streams, *rate]
