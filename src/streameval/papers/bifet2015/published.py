"""The tables of Bifet et al. (2015), and how ours are found."""

from __future__ import annotations

from fractions import Fraction

import numpy as np
import pandas as pd

from streameval.items.examples.confusion_example import ALL
from streameval.papers.bifet2015.cells import value_of
from streameval.papers.bifet2015.streams import LENGTHS, RATES, RUNS, fewer_streams, shorter
from streameval.report.names import READING_TITLES, SCHEME_TITLES
from streameval.report.published import Find, PublishedTable
from streameval.report.results import Finding, Results
from streameval.report.tables import number_text

_FOLDS = ("stream", "p_noise", "validation")
#: Our names of what the tables call otherwise.
_READINGS = {title: name for name, title in READING_TITLES.items()}
_SCHEMES = {title: name for name, title in SCHEME_TITLES.items()}
_TESTS = {"mcnemar": "mcnemar", "sign": "sign_printed", "wilcoxon": "wilcoxon"}
#: What the rows of Table 2 hold that are no rates.
_SECONDS = "seconds"
_OTHER_MACHINE = "times of the authors' machine, which those of another one cannot reproduce"

#: Names in the paper's Table 5 of what our table calls otherwise: measure and class.
_OURS = {
    "p_c": ("chance_accuracy", ALL),
    "accuracy_class_plus": ("recall", "plus"),
    "accuracy_class_minus": ("recall", "minus"),
}


def _paired(results: Results, item: str, key: str) -> Finding:
    """Look up the key ``fold/quantity`` or ``test/quantity`` in our table of the folds."""
    of, _, quantity = key.partition("/")
    return value_of(results, "bifet2015/table1", of=of, quantity=quantity)


def _confusion(results: Results, item: str, key: str) -> Finding:
    """Look up a measure, in per cent, in our table of the confusion matrix."""
    measure, of = _OURS.get(key, (key, ALL))
    found = value_of(results, item, measure=measure, **{"class": of})
    if found.reason:
        return found
    return Finding(100 * found.value, exact=100 * Fraction(repr(found.value)))


def _average_rate(results: Results, item: str, key: str) -> Finding:
    """Look up the key ``test/mode/p_noise/validation`` in our table of averages."""
    test, mode, noise, validation = key.split("/")
    if test == _SECONDS:
        return Finding(np.nan, _OTHER_MACHINE)
    row, lacking = _rate(results, item, "all", _TESTS[test], _READINGS[mode], noise, validation)
    if row is None:
        return Finding(np.nan, lacking)
    scale = fewer_streams(results, int(row["streams"]))
    if scale:
        scale += f", here of at least {number_text(int(row['instances']))} instances each"
    ends = (float(row["low"]), float(row["high"]))
    return Finding(float(row["value"]), "", ends, scale, runs=RUNS * len(LENGTHS))


def _rate_of_stream(test: str, reading: str) -> Find:
    """Return how the keys ``stream/p_noise/validation`` of a table of one test are looked up."""

    def find(results: Results, item: str, key: str) -> Finding:
        stream, noise, validation = key.split("/")
        row, lacking = _rate(results, item, stream, test, reading, noise, validation)
        if row is None:
            return Finding(np.nan, lacking)
        scale = shorter(stream, int(row["instances"]))
        ends = (float(row["low"]), float(row["high"]))
        return Finding(float(row["value"]), "", ends, scale, runs=RUNS)

    return find


def _rate(
    results: Results, item: str, stream: str, test: str, reading: str, noise: str, validation: str
) -> tuple[pd.Series | None, str]:
    """Return the row of a rate, or why there is none."""
    frame = results.frame(item, RATES)
    where = {
        "stream": stream,
        "test": test,
        "reading": reading,
        "scheme": _SCHEMES[validation],
        "alternative": "same" if float(noise) == 0 else f"noise {float(noise):g}",
    }
    if frame is None or stream not in {*frame["stream"]}:
        average = f"this run has no {item}, or only with simulated streams"
        return None, average if stream == "all" else results.absence(item, stream)
    rows = frame[(frame[list(where)] == pd.Series(where)).all(axis=1)]
    if len(rows) != 1:
        return None, f"{item} of this run does not have {' '.join(where.values())}"
    return rows.iloc[0], ""


_RATE = ("rejection_fraction",)
_PRINTED = "it is computed from the accuracies that the paper prints, and not from a run"

TABLES = (
    PublishedTable(
        "table1",
        ("fold",),
        _paired,
        ("classifier_a", "classifier_b", "difference", "rank"),
        by_construction={"*": _PRINTED},
        of_labels=("*",),
    ),
    PublishedTable(
        "table1_tests",
        ("test", "quantity"),
        _paired,
        by_construction={"*": _PRINTED},
        of_labels=("*",),
    ),
    PublishedTable("table2", ("test", "mode", "p_noise", "validation"), _average_rate),
    PublishedTable("table3", _FOLDS, _rate_of_stream("mcnemar", "held_out"), _RATE),
    PublishedTable("table4", _FOLDS, _rate_of_stream("wilcoxon", "learnt"), _RATE),
    PublishedTable(
        "table5",
        ("measure",),
        _confusion,
        ("value_percent",),
        by_construction={
            "*": (
                "it is computed from the confusion matrix that the paper prints, and not from a run"
            )
        },
    ),
)
