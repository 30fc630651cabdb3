"""The list of learners that failed in a run."""

from __future__ import annotations

from dataclasses import replace

import pytest

from streameval.evaluation.predictions import write_predictions
from streameval.evaluation.run import run_learners
from streameval.pipeline.failure_list import (
    Failure,
    FailureRecord,
    LearnerJob,
    failure_lines,
    failures_in,
    headline,
)
from streameval.protocols.registry import parse
from streameval.streams.generators import generate_instances

MAKER = LearnerJob("results/predictions/abc.parquet", "logs/abc.log")


@pytest.fixture
def folder(tmp_path):
    """A folder with predictions in which one learner failed."""
    table, _ = run_learners(generate_instances("sea", 50), parse("prequential"), {})
    failed = {"bad": "Error: no", "removed": "Error: no longer in the study"}
    write_predictions(replace(table, failed=failed), tmp_path / "abc.parquet")
    return tmp_path


def test_failures_are_those_of_the_files_that_are_there(folder):
    records = [
        FailureRecord("abc.parquet", "abc", "prequential", {"bad": MAKER, "good": MAKER}),
        FailureRecord("abd.parquet", "abd", "prequential", {"bad": MAKER}),
    ]
    failure = Failure("bad", "abc", "prequential", "Error: no", MAKER)
    assert failures_in(records, folder) == [failure]
    assert not failures_in(records, folder / "elsewhere")


def test_a_line_names_learner_stream_evaluation_error_and_log():
    failure = Failure("bad", "abc", "prequential, seed 2", "Error: \x1bno.", MAKER)
    assert failure_lines([failure]) == [
        r"  bad on abc, prequential, seed 2: Error: \x1bno (log: logs/abc.log)"
    ]
    assert headline([failure]).startswith("1 run of a learner failed;")
    assert headline([failure] * 2).startswith("2 runs of learners failed;")


def test_a_long_list_ends_with_the_number_of_the_others():
    lines = failure_lines([Failure("bad", "abc", "prequential", "Error", MAKER)] * 53)
    assert len(lines) == 51
    assert lines[-1] == "  and 3 others"
