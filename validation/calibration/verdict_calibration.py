"""Error rates of the verdicts of `compare` on fresh streams, and how often there is a verdict."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace
from typing import NamedTuple

import numpy as np
import pandas as pd

from calibration import VERDICTS, VerdictCalibrationSettings
from calibration.verdict_laws import APART, LAWS, Law
from streameval.base.seeds import generator
from streameval.base.table_files import read_csv_table
from streameval.evaluation.error_simulation import proportion_interval
from streameval.evaluation.runs import Runs, join_runs, run_folds, seeded_runs
from streameval.evaluation.task import CLASSIFICATION_TASK
from streameval.evaluation.verdict_words import EQUAL, FIRST, SECOND
from streameval.evaluation.verdicts import judge_pair, region_among
from streameval.items.inputs import ItemInput
from streameval.learners.baselines import with_comparators
from streameval.protocols.folds import SCHEMES, RandomAllotment
from streameval.protocols.partial import Partial
from streameval.protocols.protocol import Protocol
from streameval.protocols.registry import parse
from streameval.significance.registry import TESTS
from streameval.significance.significance_test import LEVEL
from streameval.streams.stream import Stream

#: Models of each learner in a validation, and the instances that they are tested on.
FOLDS, READING = 10, "learnt"


class Said(NamedTuple):
    """Statements about one stream."""

    interval: bool  # whether there is one
    excludes: bool  # whether the verdict is for one learner, with a region of 0
    better: bool  # the same with the region of `compare`; of the better one, where there is one
    equal: bool  # whether they are practically equal
    by_other: bool  # what was said before: the t-test over folds, and McNemar's over instances


def study(item_input: ItemInput[VerdictCalibrationSettings]) -> dict[str, pd.DataFrame]:
    """Simulate streams of each law and length, and count the statements about them; or as recorded.

    They are false where the learners are equal; inside the region of equivalence, `better` is.
    """
    chosen = item_input.settings
    if chosen.recorded:
        return {"rates": read_csv_table(item_input.resource(chosen.recorded))}
    rows = []
    for name in chosen.laws:
        law = LAWS[name]
        for n, number in zip(chosen.instances, chosen.repetitions, strict=True):
            said: dict[str, list[Said]] = {validation: [] for validation in chosen.validations}
            for stream in range(number):
                draws = generator("verdict calibration", name, n, stream)
                errors = law.stream(n, draws)
                for validation, known in _runs(errors, law, chosen.validations, (name, n, stream)):
                    said[validation].append(_said(known, name))
            for validation, verdicts in said.items():
                rows.append((name, law.title, validation, n, number, *_counted(verdicts)))
            item_input.announce(f"{law.title}, {n:,} instances")
    return {"rates": pd.DataFrame(rows, columns=list(VERDICTS))}


def _runs(
    stream: Stream, law: Law, validations: Sequence[str], key: tuple[str, int, int]
) -> Iterator[tuple[str, Runs]]:
    """Yield the runs of both learners by each validation."""

    def seeds(place: int, run: int) -> tuple[str | int, ...]:
        return ("verdict calibration", *key, "learner", place, "run", run)

    learners = with_comparators(law.learners())
    for validation in validations:
        if validation not in SCHEMES:
            protocol = _in_order(validation, key)
            (tape,) = protocol.tapes(stream)
            done = seeded_runs(stream, tape, learners, seeds)
            kept = protocol.scored_rows(stream, tape)[tape.predict_rows]
            yield validation, join_runs(stream, tape, done, kept)
        else:
            allotment = RandomAllotment(("verdict calibration", *key, validation))
            folds = SCHEMES[validation](len(stream), FOLDS, allotment=allotment, tested=READING)
            rows = parse(validation).scored_rows
            yield validation, run_folds(stream, [folds], learners, seeds, rows)


def _in_order(validation: str, key: tuple[str, int, int]) -> Protocol:
    """A protocol without folds; labels of a budget are drawn anew for each stream."""
    protocol = parse(validation)
    if isinstance(protocol, Partial):
        draws = generator("verdict calibration", *key, validation)
        return replace(protocol, seed=int(draws.integers(2**31)))
    return protocol


def _said(known: Runs, law: str) -> Said:
    """The statements about one stream; of laws with a better learner, those for it."""
    pair = ("first", "second")
    apart, region = known.apart(*pair), region_among(known, CLASSIFICATION_TASK).rope
    narrow, usual = (judge_pair(pair, apart, rope) for rope in (0.0, region))
    wanted = (FIRST,) if law in APART else (FIRST, SECOND)
    gaps = known.differences(*pair)
    if gaps.shape[1] > 1:
        earlier = TESTS["paired_t"](gaps[0]).p_value
    else:
        counts = known.counts(*pair)
        earlier = TESTS["mcnemar"](counts.only_first[0, 0], counts.only_second[0, 0]).p_value
    return Said(
        not np.isnan(narrow.low),
        narrow.verdict in wanted,
        usual.verdict in wanted,
        usual.verdict == EQUAL,
        bool(earlier <= LEVEL),
    )


def _counted(verdicts: Sequence[Said]) -> list[float]:
    """The columns of a row from `interval` on."""
    hits = {name: sum(getattr(verdict, name) for verdict in verdicts) for name in Said._fields}
    number = len(verdicts)
    return [
        hits["interval"] / number,
        *proportion_interval(hits["excludes"], number),
        *proportion_interval(hits["better"], number),
        hits["equal"] / number,
        hits["by_other"] / number,
    ]
