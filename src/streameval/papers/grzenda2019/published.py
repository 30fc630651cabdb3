"""The tables of Grzenda et al. (2019), the look-up of our values, and thresholds of claims."""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np

from streameval.evaluation.roles import TARGET_MEAN
from streameval.report.published import PublishedTable, read_published
from streameval.report.results import Finding, Results
from streameval.settings import ROOT

# ---- thresholds: the meaning of the words of its claims in numbers, fixed before a run

#: "About 10": within so much of it, as a fraction.
ABOUT = 0.2
#: "Stable over time": from where a tenth of the labels has arrived, within this of the last value,
#: as a fraction of it.
STABLE = 0.2
SETTLED = 0.1
#: "Nearly the same curve": no bin's accuracy differs by more; "coarse": one does.
NEARLY = 0.01
#: "Not much variation": over all bins, the largest error of a learner less the smallest one, as a
#: fraction of the mean.
LITTLE = 0.1
#: Accuracies that are "similar" are so close; those that "largely differ", or are "substantially"
#: higher or lower, are farther apart.
APART = 0.02
#: "Almost linear": a straight line explains at least this fraction of the variance over bins.
LINEAR = 0.9
#: A clear trend, or a "close relation": a rank correlation of at least this.
TREND = 0.9
#: "Drop significantly": at some time the value is at most this fraction of its median.
DROP = 0.5

# ---- streams and learners

#: Our ids of what its tables call otherwise.
STREAMS: Mapping[str, str] = {
    "hyperplane": "hyperplane_delayed",
    "agrawal": "agrawal_delayed",
    "led": "led_delayed",
}
LEARNERS: Mapping[str, str] = {
    "majority_class": "majority",
    "adaptive_random_forest": "adaptive_random_forest_2017",
}
#: Those of its Table 2, with the predictions of MOA.
REGRESSORS: Mapping[str, str] = {
    name: f"{name}_moa" for name in ("orto", "fimt_dd", "amrules", "arf_reg")
}


def _labels() -> dict[str, int]:
    folder = ROOT / "resources" / "published" / "grzenda2019"
    columns = ["stream", "labelled_instances"]
    rows = [
        row
        for name in ("table1", "table2")
        for row in read_published(folder / f"{name}.csv", (*columns,))[columns].to_numpy()
    ]
    return {STREAMS.get(stream, stream): int(labels) for stream, labels in rows}


#: The numbers of labels after which the paper's evaluation stops, as its tables say.
LABELS: Mapping[str, int] = _labels()

# ---- tables

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
