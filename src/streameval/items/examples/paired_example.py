"""Two classifiers compared by tests over folds (Bifet et al. 2015, Table 1)."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

import numpy as np
import pandas as pd
import scipy

from streameval.items.examples.settings import PairedExampleSettings
from streameval.items.inputs import ItemInput, StreamInput
from streameval.items.subject import Subject
from streameval.report.tables import Layout, number_text
from streameval.significance.registry import TESTS
from streameval.table_files import read_csv

#: Decimals of the differences: more than any paper prints, and few enough for ties to be equal.
_DECIMALS = 9


def study(
    given: Mapping[str, StreamInput[Any]], item: ItemInput[PairedExampleSettings]
) -> pd.DataFrame:
    """Return the table; see `paired_example`."""
    return paired_example(read_csv(item.resource(item.settings.published)), item.settings.tests)


def paired_example(published: pd.DataFrame, tests: Sequence[str]) -> pd.DataFrame:
    """Return accuracies, differences and ranks of each fold, and the results of tests.

    Parameters
    ----------
    published : pandas.DataFrame
        Columns fold, classifier_a and classifier_b: accuracies in per cent.
    tests : sequence of str
        Names of tests whose evidence are differences in folds.

    Returns
    -------
    pandas.DataFrame
        Columns of (a fold, or a test), quantity and value. Quantities of a fold are classifier_a,
        classifier_b, difference (A - B, points), and rank, of the size of the difference: 1 is the
        smallest. Those of a test are statistic, p_value, and its details, with 12 digits; truth is
        1 or 0.
    """
    a, b = (published[name].to_numpy(np.float64) for name in ("classifier_a", "classifier_b"))
    differences = np.round(a - b, _DECIMALS)
    folds = {
        "classifier_a": a,
        "classifier_b": b,
        "difference": differences,
        "rank": scipy.stats.rankdata(np.abs(differences)),
    }
    rows = [
        (str(fold), quantity, float(values[place]))
        for place, fold in enumerate(published["fold"])
        for quantity, values in folds.items()
    ]
    rows += [row for name in tests for row in _rows_of(name, differences)]
    return pd.DataFrame(rows, columns=["of", "quantity", "value"])


def _rows_of(name: str, differences: np.ndarray) -> Iterator[tuple[str, str, float]]:
    found = TESTS[name](differences)
    values = {"statistic": found.statistic, "p_value": found.p_value, **found.details}
    for quantity, value in values.items():
        # The last digits of scipy's functions differ between its versions.
        yield name, quantity, float(f"{float(value):.12g}")


_FOLDS = {
    "classifier_a": "Classifier A (%)",
    "classifier_b": "Classifier B (%)",
    "difference": "Difference",
    "rank": "Rank",
}


def layout(table: pd.DataFrame, subject: Subject) -> Layout:
    """Lay out the table of an item."""
    return paired_example_layout(table)


def paired_example_layout(table: pd.DataFrame) -> Layout:
    """Lay out accuracies by fold, and a note for each test.

    Parameters
    ----------
    table : pandas.DataFrame
        See `streameval.items.examples.paired_example.paired_example`.
    """
    is_test = table["of"].isin(list(TESTS))
    folds = table[~is_test]
    cells = {"Fold": folds["of"].drop_duplicates().to_list()}
    for quantity, header in _FOLDS.items():
        values = folds.loc[folds["quantity"] == quantity, "value"]
        cells[header] = [_text(value, 2 if quantity != "rank" else 1) for value in values]
    notes = []
    for name, rows in table[is_test].groupby("of", sort=False):
        found = [
            f"{_in_words(quantity)} {_result(quantity, value)}"
            for quantity, value in zip(rows["quantity"], rows["value"], strict=True)
        ]
        notes.append(f"{TESTS[str(name)].title}: {', '.join(found)}.")
    return Layout(pd.DataFrame(cells, dtype=object), "rrrrr", tuple(notes))


def _result(quantity: str, value: float) -> str:
    return number_text(bool(value)) if quantity.startswith("rejected") else _text(value)


def _in_words(quantity: str) -> str:
    return "p-value" if quantity == "p_value" else quantity.replace("_", " ")


def _text(value: float, decimals: int = 4) -> str:
    """Return a number; whole ones without decimals, unless they are percentages."""
    whole = decimals != 2 and float(value).is_integer()
    return number_text(int(value) if whole else float(value), decimals)
