"""The list of learners that failed in a run, from the records of its jobs."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import NamedTuple

from streameval.base.errors import visible
from streameval.pipeline.study_errors import WHOLE_STUDY, read_errors

#: Number of failures that are listed.
_MOST = 50


class Maker(NamedTuple):
    """The job that runs a learner: a file that it makes, and its log."""

    file: str
    log: str


class FailureRecord(NamedTuple):
    """A file that records errors of learners on a stream or variant, and the jobs of the learners.

    `evaluation` is a protocol, or an item whose study trains them; `makers` are by learner id, and
    that of the study by `WHOLE_STUDY`.
    """

    path: str
    stream: str
    evaluation: str
    makers: Mapping[str, Maker]


class Failure(NamedTuple):
    """Failure of a learner, or of the `WHOLE_STUDY`, on a stream or variant: its error and job."""

    learner: str
    stream: str
    evaluation: str
    error: str
    maker: Maker


def failures_in(records: Iterable[FailureRecord], root: Path = Path()) -> list[Failure]:
    """Failures that records below a folder name; missing files have none."""
    return [
        Failure(learner, stream, evaluation, error, makers[learner])
        for path, stream, evaluation, makers in records
        if (root / path).is_file()
        for learner, error in read_errors(root / path).items()
        if learner in makers
    ]


def headline(failures: list[Failure]) -> str:
    """A sentence with the numbers of runs of learners and of studies that failed."""
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
    """A line for each failure, and one with the number of those beyond `_MOST`."""
    lines = [visible(f"  {_line(failure)}") for failure in failures[:_MOST]]
    return [*lines, *[f"  and {len(failures) - _MOST:,} others"] * (len(failures) > _MOST)]


def _line(failure: Failure) -> str:
    learner, stream, evaluation, error, maker = failure
    place = " on ".join(filter(None, [learner or evaluation, stream]))
    of = f"{place}, {evaluation}" if learner else place
    return f"{of}: {error.rstrip('.')} (log: {maker.log})"
