"""Size and power of tests over the streams of a study of type errors."""

from __future__ import annotations

import numpy as np
import pandas as pd

from streameval.significance.intervals import Interval, mean_of_proportions
from streameval.significance.registry import TESTS
from streameval.studies.decisions import DECISIONS
from streameval.studies.fold_runs import SAME, SWAPPED
from streameval.studies.given import OfItem

TOO_OFTEN, TOO_RARELY, AT_LEVEL = "too often", "too rarely", "at its level"


def study(given: OfItem) -> dict[str, pd.DataFrame]:
    """Return the frames of a figure: ``choice``, see `choice`, and ``seconds``."""
    settings = given.settings
    parts = [frame.assign(stream=name) for name, frame in given.frames_of_streams("rates").items()]
    rates = pd.concat(parts, ignore_index=True)
    here = (rates["scheme"] == settings.scheme) & (rates["reading"] == settings.reading)
    longest = rates.groupby("stream", sort=False)["instances"].max()
    spent = [
        frame[frame["scheme"] == settings.scheme].assign(stream=name, instances=longest[name])
        for name, frame in given.frames_of_streams("seconds").items()
    ]
    columns = ["stream", "runs", "seconds", "instances"]
    return {
        "choice": choice(rates[here], settings.level),
        "seconds": pd.concat(spent, ignore_index=True)[columns],
    }


def choice(rates: pd.DataFrame, level: float) -> pd.DataFrame:
    """Return how often each test errs and what it notices, over streams.

    Parameters
    ----------
    rates : pandas.DataFrame
        Columns stream, alternative, instances, test, runs, value, adjusted: of one scheme and
        reading.
    level : float
        Level of the tests.

    Returns
    -------
    pandas.DataFrame
        Columns test, estimand, alternative, instances, streams, runs, size (proportion rejected of
        the same learner with other seeds) with its interval over streams, power (proportion
        rejected at equal size) with its own, verdict on the size.
    """
    rows = []
    for test in (name for name in DECISIONS if name in set(rates["test"])):
        of_test = rates[rates["test"] == test]
        estimand = TESTS[DECISIONS[test].test].estimand
        for length in sorted(of_test["instances"].unique()):
            cells = of_test[of_test["instances"] == length]
            null = cells[cells["alternative"] == SAME]
            size = _over_streams(null["value"], null)
            for name, cell in cells.groupby("alternative", sort=False):
                if name in (SAME, SWAPPED):
                    continue
                power = _over_streams(cell["adjusted"], cell)
                counted = (len(cell), int(cell["runs"].sum()))
                where = (test, estimand, name, length, *counted)
                rows.append((*where, *size, *power, _verdict(size, level)))
    columns = ["test", "estimand", "alternative", "instances", "streams", "runs"]
    columns += ["size", "size_low", "size_high", "power", "power_low", "power_high", "verdict"]
    return pd.DataFrame(rows, columns=columns)


def _over_streams(values: pd.Series, cells: pd.DataFrame) -> Interval:
    """Return the mean over streams; of one, its value with the moved interval of its rate."""
    found = float(values.iloc[0])
    value, low, high = cells[["value", "low", "high"]].iloc[0]
    low, high = np.clip([low + found - value, high + found - value], 0.0, 1.0)
    return mean_of_proportions(values, Interval(found, float(low), float(high)))


def _verdict(size: Interval, level: float) -> str:
    if size.low > level:
        return TOO_OFTEN
    return TOO_RARELY if size.high < level else AT_LEVEL
