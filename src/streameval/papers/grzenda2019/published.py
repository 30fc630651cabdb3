"""The tables of Grzenda et al. (2019), and how ours are found."""

from __future__ import annotations

import numpy as np

from streameval.evaluation.roles import TARGET_MEAN
from streameval.papers.grzenda2019.streams import LEARNERS, REGRESSORS, STREAMS
from streameval.report.published import PublishedTable
from streameval.report.results import Finding, Results

_BIN = ("stream", "bin", "learner")
_SIZE = ("labelled_instances", "attributes")
_COUNTED = ("*/labelled_instances", "*/attributes")
#: The columns of our table for the numbers that are given once for each stream.
_COLUMNS = {"labelled_instances": "labels", "attributes": "attributes"}


def _accuracy(results: Results, item: str, key: str) -> Finding:
    """Look up the key ``stream/bin/learner``, or ``stream/`` and a size, in our table."""
    name, _, rest = key.partition("/")
    stream = STREAMS.get(name, name)
    if rest in _COLUMNS:
        return _size_of(results, item, stream, rest, "no_change")
    bin_name, _, learner = rest.partition("/")
    where = {"which": bin_name, "learner": LEARNERS.get(learner, learner)}
    return results.find(item, stream, "accuracy_percent", **where).of_counts(100)


def _error(results: Results, item: str, key: str) -> Finding:
    """Look up the key ``stream/bin/learner``, or ``stream/`` and a size, in our table."""
    stream, _, rest = key.partition("/")
    if rest in _COLUMNS:
        return _size_of(results, item, stream, rest, TARGET_MEAN)
    bin_name, _, learner = rest.partition("/")
    where = {"which": bin_name, "learner": REGRESSORS.get(learner, learner)}
    found, low, high = (
        results.find(item, stream, column, **where)
        for column in ("mean_absolute_error", "seeds_low", "seeds_high")
    )
    if found.reason or np.isnan(low.value):
        return found
    return found._replace(interval=(low.value, high.value))


def _size_of(results: Results, item: str, stream: str, size: str, learner: str) -> Finding:
    return results.find(item, stream, _COLUMNS[size], which="0", learner=learner)


TABLES = (
    PublishedTable(
        "table1",
        _BIN,
        _accuracy,
        values=("accuracy_percent",),
        per_stream=_SIZE,
        of_labels=(*_COUNTED, "*/no_change", "*/majority_class"),
    ),
    PublishedTable(
        "table2",
        _BIN,
        _error,
        values=("mean_absolute_error",),
        per_stream=_SIZE,
        of_labels=(*_COUNTED, "*/target_mean"),
    ),
)
