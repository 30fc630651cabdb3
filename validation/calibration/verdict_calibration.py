"""Error rates of the verdicts of `compare` on fresh streams, and how often there is a verdict."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace
from typing import NamedTuple

import numpy as np
import pandas as pd

from calibration import VERDICT_COLUMNS, VerdictCalibrationSettings
from calibration.verdict_laws import DIFFERENT, LAWS, Law
from streameval.base.seeds import generator
from streameval.base.table_files import read_csv_table
from streameval.evaluation.error_simulation import proportion_interval
from streameval.evaluation.runs import Runs, join_runs, run_folds, seeded_runs
from streameval.evaluation.task import CLASSIFICATION_TASK
from streameval.evaluation.verdict_words import BEATS, EQUAL, LOSES_TO
from streameval.evaluation.verdicts import judge_pair, region_from_baselines
from streameval.items.inputs import ItemInput
from streameval.learners.baselines import with_classification_baselines
from streameval.protocols.folds import SCHEMES, RandomAllotment
from streameval.protocols.partial import Partial
from streameval.protocols.protocol import Protocol
from streameval.protocols.registry import parse
from streameval.significance.registry import TESTS
from streameval.significance.significance_test import LEVEL
from streameval.streams.stream import Stream

#: Number of folds of a validation.
FOLDS = 10
#: The model of a fold is scored on instances that it learns afterwards.
TESTED = "learnt"


class Statements(NamedTuple):
    """Whether each statement about the two learners is made on one stream."""

    interval: bool  # there is an interval of the difference
    excludes: bool  # a learner is better, without a region of practical equivalence
    better: bool  # a learner is better, with the region of `compare`
    equal: bool  # the learners are practically equal
    by_other: bool  # the other test rejects: the t-test over folds, or McNemar's test


def study(item_input: ItemInput[VerdictCalibrationSettings]) -> dict[str, pd.DataFrame]:
    """Simulate streams of each law and length, and count statements; or read the recorded table.

    If the learners are equal, `excludes` and `better` are false. If they differ by less than the
    region of practical equivalence, only `better` is false.
    """
    settings = item_input.settings
    if settings.recorded:
        return {"rates": read_csv_table(item_input.resource(settings.recorded))}
    rows = []
    for name in settings.laws:
        law = LAWS[name]
        for n, n_streams in zip(settings.instances, settings.repetitions, strict=True):
            by_validation: dict[str, list[Statements]] = {
                validation: [] for validation in settings.validations
            }
            for i in range(n_streams):
                stream = law.stream(n, generator("verdict calibration", name, n, i))
                for validation, runs in _runs(stream, law, settings.validations, (name, n, i)):
                    by_validation[validation].append(_statements(runs, name))
            for validation, statements in by_validation.items():
                rows.append((name, law.title, validation, n, n_streams, *_columns(statements)))
            item_input.announce(f"{law.title}, {n:,} instances")
    return {"rates": pd.DataFrame(rows, columns=list(VERDICT_COLUMNS))}


def _runs(
    stream: Stream, law: Law, validations: Sequence[str], key: tuple[str, int, int]
) -> Iterator[tuple[str, Runs]]:
    """Yield the runs of both learners by each validation."""

    def seeds(learner_index: int, run: int) -> tuple[str | int, ...]:
        return ("verdict calibration", *key, "learner", learner_index, "run", run)

    learners = with_classification_baselines(law.learners())
    for validation in validations:
        if validation not in SCHEMES:
            protocol = _in_order(validation, key)
            (tape,) = protocol.tapes(stream)
            predictions = seeded_runs(stream, tape, learners, seeds)
            is_scored = protocol.scored_rows(stream, tape)[tape.predict_rows]
            yield validation, join_runs(stream, tape, predictions, is_scored)
        else:
            allotment = RandomAllotment(("verdict calibration", *key, validation))
            folds = SCHEMES[validation](len(stream), FOLDS, allotment=allotment, tested=TESTED)
            scored_rows = parse(validation).scored_rows
            yield validation, run_folds(stream, [folds], learners, seeds, scored_rows)


def _in_order(validation: str, key: tuple[str, int, int]) -> Protocol:
    """A protocol without folds. The labels of a budget are drawn with a seed for each stream."""
    protocol = parse(validation)
    if isinstance(protocol, Partial):
        rng = generator("verdict calibration", *key, validation)
        return replace(protocol, seed=int(rng.integers(2**31)))
    return protocol


def _statements(runs: Runs, law: str) -> Statements:
    """The statements about one stream. If one learner is better, only correct statements count."""
    pair = ("first", "second")
    difference = runs.advantage(*pair)
    region = region_from_baselines(runs, CLASSIFICATION_TASK).rope
    without_region, with_region = (judge_pair(pair, difference, rope) for rope in (0.0, region))
    counted_verdicts = (BEATS,) if law in DIFFERENT else (BEATS, LOSES_TO)
    by_fold = runs.differences(*pair)
    if by_fold.shape[1] > 1:  # several folds
        p_value = TESTS["paired_t"](by_fold[0]).p_value
    else:
        counts = runs.counts(*pair)
        p_value = TESTS["mcnemar"](counts.only_first[0, 0], counts.only_second[0, 0]).p_value
    return Statements(
        interval=not np.isnan(without_region.low),
        excludes=without_region.verdict in counted_verdicts,
        better=with_region.verdict in counted_verdicts,
        equal=with_region.verdict == EQUAL,
        by_other=bool(p_value <= LEVEL),
    )


def _columns(statements: Sequence[Statements]) -> list[float]:
    """The columns of a row from `interval` on."""
    counts = {name: sum(getattr(s, name) for s in statements) for name in Statements._fields}
    n_streams = len(statements)
    return [
        counts["interval"] / n_streams,
        *proportion_interval(counts["excludes"], n_streams),
        *proportion_interval(counts["better"], n_streams),
        counts["equal"] / n_streams,
        counts["by_other"] / n_streams,
    ]
