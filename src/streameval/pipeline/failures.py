"""Learners that failed on a stream of a run: the record of their errors.

A learner fails on one stream by one protocol if it raises an error, when its module is imported or
while it runs. The job of that stream records the error in the file with the predictions of the
other learners; when the job runs again, it replaces the record. A process that is killed, or that
cannot write to the disk, leaves no record: its job fails.
"""

from __future__ import annotations

import errno
import os
import re
from collections.abc import Callable
from pathlib import Path
from typing import TypeVar

from streameval.base.errors import DamageError, StreamevalError, excerpt, shorten_message
from streameval.evaluation.roles import CLASSIFICATION_BASELINES, REGRESSION_BASELINES

T = TypeVar("T")

#: Errors of the operating system (disk full, quota, read-only, input or output), not of a learner.
_SYSTEM_ERRORS = (errno.ENOSPC, errno.EDQUOT, errno.EROFS, errno.EIO)
#: The address of an object in its `repr`, which differs from run to run.
_ADDRESS = re.compile(r" at 0x[0-9a-f]+")
#: Largest number of characters of a recorded error.
_MAX_CHARACTERS = 300


class Failures:
    """Errors of learners that run over a stream, by their ids.

    Parameters
    ----------
    report : callable
        Called with the id of a learner and its error, before the record is made.
    """

    def __init__(self, report: Callable[[str, Exception], object]) -> None:
        self._report = report
        self.errors: dict[str, str] = {}

    def add(self, learner: str, error: Exception) -> None:
        """Record an error; raise it if the learner is a baseline, or the run is at fault.

        If a baseline fails, the stream or the package is at fault, and no measure is defined.
        """
        is_baseline = learner in (*CLASSIFICATION_BASELINES, *REGRESSION_BASELINES)
        if is_baseline or is_fault_of_run(error):
            raise error
        self._report(learner, error)
        self.errors[learner] = learner_error(learner, error)

    def make_or_record(self, learner: str, make: Callable[[], T]) -> dict[str, T]:
        """A dict with the learner that `make` returns, by its id; empty if `make` fails."""
        try:
            return {learner: make()}
        except Exception as error:
            self.add(learner, error)
            return {}


def is_fault_of_run(error: Exception) -> bool:
    """Whether the disk or a damaged file is at fault, and not a learner."""
    is_of_system = isinstance(error, OSError) and error.errno in _SYSTEM_ERRORS
    return is_of_system or isinstance(error, DamageError)


def learner_error(learner: str, error: Exception) -> str:
    """The `error_line` of an error, without the id of the learner at its start."""
    return error_line(error).removeprefix(f"Learner {learner!r}: ")


def error_line(error: Exception) -> str:
    """An error in one line, the same in every run: without addresses and the working folder."""
    text = str(error) if isinstance(error, StreamevalError) else f"{type(error).__name__}: {error}"
    text = " ".join(text.replace(f"{Path.cwd()}{os.sep}", "").split())
    text = text.rstrip(" :")  # the type of an error without a message
    text = _ADDRESS.sub("", text)
    return excerpt(shorten_message(text), _MAX_CHARACTERS)
