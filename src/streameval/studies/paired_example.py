"""Two classifiers compared by tests over folds (Bifet et al. 2015, Table 1)."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

import numpy as np
import pandas as pd
import scipy

from streameval.csv_tables import read_csv
from streameval.items.given import Given, OfItem
from streameval.significance.registry import TESTS

#: Decimals of the differences: more than any paper prints, and few enough for ties to be equal.
_DECIMALS = 9


def study(given: Mapping[str, Given], item: OfItem) -> pd.DataFrame:
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
