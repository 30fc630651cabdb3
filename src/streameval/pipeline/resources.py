"""Memory and time that a job asks of a cluster, by the size of its stream.

The factors are at least twice those of the largest jobs that were measured (runs of learners,
seconds of one core with kernels compiled already, peak memory of the process; last, that of a job
that has to compile its kernels, as on a processor of another kind than the one that compiled them):

==============================  =========  ==========  =======  =====  =======  =====  =========
job                                  rows  attributes  classes   runs  seconds     MB  compiling
==============================  =========  ==========  =======  =====  =======  =====  =========
evaluate, electricity              45,312           8        2     18        1    311        634
evaluate, covertype, simulated     50,000          54        7     18        6    472
lags, covertype, simulated         50,000          54        7     50       13    551
evaluate, random RBF            1,000,000          10       10     18       45    687
evaluate, KDD Cup 1999            494,021          41       23     18       35  1,337
type errors, random RBF             5,000          10        5  6,000       37    354        558
==============================  =========  ==========  =======  =====  =======  =====  =========

A job that is ended for asking too little is submitted again where the profile says ``retries``,
and asks for twice as much each time.
"""

from __future__ import annotations

from collections.abc import Mapping
from math import ceil
from typing import Any, NamedTuple

#: Python, the packages, and the compiler with what it has compiled; and what trees keep.
_BASE_MB = 1600
#: A stream as it is read, as it is kept, with further inputs; and what trees keep of it.
_COPIES = 12
#: To compile the kernels and to wait for a slow file system.
_BASE_MINUTES = 15
#: Of one learner, for each of a row's inputs and classes.
_SECONDS_PER_VALUE = 2.5e-7
#: Apart from inputs and classes, a row costs as much as so many of them.
_VALUES_PER_ROW = 10
#: The slowest ensembles of River and scikit-learn predict and learn a few hundred rows a second.
_FOREIGN_SECONDS_PER_ROW = 0.005


class Size(NamedTuple):
    """The size of a stream.

    Attributes
    ----------
    rows, attributes, classes : int
        How many; lagged labels and inputs that a study adds count as attributes.
    """

    rows: int
    attributes: int
    classes: int

    def lagged(self, lags: int, inputs: bool = False) -> Size:
        """Return the size with lagged labels, and lagged inputs too if so wanted."""
        added = lags * (1 + inputs * self.attributes)
        return self._replace(attributes=self.attributes + added)


#: What is assumed of a stream whose entry in the registry does not say it.
UNKNOWN = Size(rows=1_000_000, attributes=50, classes=20)


def size_of(spec: Mapping[str, Any]) -> Size:
    """Return the size of a stream by its entry in the registry.

    Parameters
    ----------
    spec : mapping
        The entry; it may lack rows, columns or classes.
    """
    return Size(
        rows=spec.get("rows") or UNKNOWN.rows,
        attributes=spec.get("columns") or UNKNOWN.attributes,
        classes=spec.get("classes") or UNKNOWN.classes,
    )


def memory_mb(size: Size, learners: int = 1, attempt: int = 1, row_bytes: int = 0) -> int:
    """Return the megabytes to ask for, to run learners over a stream one after the other.

    Parameters
    ----------
    size : Size
        Of the stream, with all that the learners get.
    learners : int
        How many; the predictions of all of them are kept until the end.
    attempt : int
        1 for the first submission of a job.
    row_bytes : int
        What else is kept of a row.
    """
    table = _COPIES * 8 * size.rows * size.attributes
    scores = 3 * 4 * size.rows * size.classes
    predictions = 2 * 2 * size.rows * learners
    rest = row_bytes * size.rows
    return attempts(_BASE_MB + (table + scores + predictions + rest) / 1e6, attempt)


def runtime_minutes(size: Size, learners: int = 1, foreign: int = 0, attempt: int = 1) -> int:
    """Return the minutes to ask for, to run learners over a stream one after the other.

    Parameters
    ----------
    size : Size
        Of the stream, with all that the learners get.
    learners : int
        How many runs: a study of six settings runs each of its learners six times.
    foreign : int
        How many runs of them are of other tools' learners or of classes in plain Python.
    attempt : int
        1 for the first submission of a job.
    """
    values = size.attributes + size.classes + _VALUES_PER_ROW
    seconds = size.rows * (
        learners * values * _SECONDS_PER_VALUE + foreign * _FOREIGN_SECONDS_PER_ROW
    )
    return attempts(_BASE_MINUTES + seconds / 60, attempt)


def attempts(amount: float, attempt: int) -> int:
    """Return an amount rounded up, and doubled for each attempt that has failed."""
    return ceil(amount) << (attempt - 1)
