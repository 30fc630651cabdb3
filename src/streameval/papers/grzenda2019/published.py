"""The tables of Grzenda et al. (2019)."""

from __future__ import annotations

from streameval.report.published import PublishedTable

_BIN = ("stream", "bin", "learner")
_SIZE = ("labelled_instances", "attributes")
_COUNTED = ("*/labelled_instances", "*/attributes")

TABLES = (
    PublishedTable(
        "table1", _BIN, values=("accuracy_percent",), per_stream=_SIZE, of_labels=_COUNTED
    ),
    PublishedTable(
        "table2", _BIN, values=("mean_absolute_error",), per_stream=_SIZE, of_labels=_COUNTED
    ),
)
