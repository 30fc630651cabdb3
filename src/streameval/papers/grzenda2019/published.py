"""The tables of Grzenda et al. (2019), and how ours are found."""

from __future__ import annotations

from streameval.papers.grzenda2019.streams import LEARNERS, STREAMS
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
        first = {"which": "0", "learner": "no_change"}
        return results.find(item, stream, _COLUMNS[rest], **first)
    bin_name, _, learner = rest.partition("/")
    where = {"which": bin_name, "learner": LEARNERS.get(learner, learner)}
    return results.find(item, stream, "accuracy_percent", **where)


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
        "table2", _BIN, values=("mean_absolute_error",), per_stream=_SIZE, of_labels=_COUNTED
    ),
)
