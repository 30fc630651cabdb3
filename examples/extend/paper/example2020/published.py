"""The table of Example and Sample (2020), and the thresholds of its claims."""

from __future__ import annotations

from streameval.report.published import PublishedTable
from streameval.report.results import Finding, Results

#: "Better": by at least this.
MIN_GAIN = 0.01


def _accuracy(results: Results, item: str, key: str) -> Finding:
    """Our accuracy for the key ``stream/learner`` of the table."""
    stream, _, learner = key.partition("/")
    return results.find("measures", stream, learner=learner, measure="accuracy")


TABLES = (PublishedTable("table1", ("stream", "learner"), _accuracy, ("accuracy",)),)
