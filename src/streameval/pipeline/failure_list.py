"""The list of learners that failed in a run, from the records of its jobs."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import NamedTuple

from streameval.base.errors import escape_controls
from streameval.pipeline.study_errors import WHOLE_STUDY, read_errors

#: Largest number of failures that are listed.
_MAX_LISTED = 50


class LearnerJob(NamedTuple):
    """The job that runs a learner: its output file and its log."""

    file: str
    log: str


class FailureRecord(NamedTuple):
    """A file that records errors of learners on a stream or variant, and the jobs of the learners.

    `evaluation` is a protocol, or an item whose study trains the learners. `jobs` are by the ids of
    learners; the job of the study itself has the key `WHOLE_STUDY`.
    """

    path: str
    stream: str
    evaluation: str
    jobs: Mapping[str, LearnerJob]


class Failure(NamedTuple):
    """Failure of a learner, or of the `WHOLE_STUDY`, on a stream or variant."""

    learner: str
    stream: str
    evaluation: str
    error: str
    job: LearnerJob


def failures_in(records: Iterable[FailureRecord], root: Path = Path()) -> list[Failure]:
    """Failures in the records below a folder; records whose file is missing are skipped."""
    return [
        Failure(learner, stream, evaluation, error, jobs[learner])
        for path, stream, evaluation, jobs in records
        if (root / path).is_file()
        for learner, error in read_errors(root / path).items()
        if learner in jobs
    ]


def headline(failures: list[Failure]) -> str:
    """A sentence with the number of failed runs of learners and of failed studies."""
    runs = sum(failure.learner != WHOLE_STUDY for failure in failures)
    numbers = [
        f"1 {name}" if number == 1 else f"{number:,} {names}"
        for number, name, names in (
            (runs, "run of a learner", "runs of learners"),
            (len(failures) - runs, "study", "studies"),
        )
        if number
    ]
    return f"{' and '.join(numbers)} failed; tables and captions say so."


def failure_lines(failures: list[Failure]) -> list[str]:
    """A line for each of the first `_MAX_LISTED` failures, and a line with the number of others."""
    lines = [escape_controls(f"  {_line(failure)}") for failure in failures[:_MAX_LISTED]]
    n_others = len(failures) - _MAX_LISTED
    return [*lines, f"  and {n_others:,} others"] if n_others > 0 else lines


def _line(failure: Failure) -> str:
    learner, stream, evaluation, error, job = failure
    # `WHOLE_STUDY` is "": the line starts with the evaluation.
    place = " on ".join(filter(None, [learner or evaluation, stream]))
    source = f"{place}, {evaluation}" if learner else place
    return f"{source}: {error.rstrip('.')} (log: {job.log})"
