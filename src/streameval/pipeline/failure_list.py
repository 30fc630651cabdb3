"""The list of learners that failed in a run, from the records of its jobs."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import NamedTuple

from streameval.base.errors import visible
from streameval.evaluation.predictions import read_failed

#: Number of failures that are listed.
_MOST = 50


class Maker(NamedTuple):
    """The job that runs a learner: a file that it makes, and its log."""

    file: str
    log: str


class FailureRecord(NamedTuple):
    """A file that records errors of learners on a stream or variant, and the jobs of the learners.

    `evaluation` says how they are evaluated, such as ``prequential``; `makers` are by learner id.
    """

    path: str
    stream: str
    evaluation: str
    makers: Mapping[str, Maker]


class Failure(NamedTuple):
    """A learner, by its id, that failed on a stream or variant; its error and its job."""

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
        for learner, error in read_failed(root / path).items()
        if learner in makers
    ]


def headline(failures: list[Failure]) -> str:
    """A sentence with the number of failures."""
    number = "1 run of a learner" if len(failures) == 1 else f"{len(failures):,} runs of learners"
    return f"{number} failed; tables and captions say so."


def failure_lines(failures: list[Failure]) -> list[str]:
    """A line for each failure, and one with the number of those beyond `_MOST`."""
    lines = [
        visible(
            f"  {one.learner} on {one.stream}, {one.evaluation}: {one.error.rstrip('.')} "
            f"(log: {one.maker.log})"
        )
        for one in failures[:_MOST]
    ]
    return [*lines, *[f"  and {len(failures) - _MOST:,} others"] * (len(failures) > _MOST)]
