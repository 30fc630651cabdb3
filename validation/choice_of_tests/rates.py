"""Size and power of tests over the streams of a study of type errors."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import pandas as pd

from choice_of_tests import CHOICE_COLUMNS, TestChoiceSettings
from streameval.evaluation.decisions import DECISIONS
from streameval.evaluation.folds import SAME_LEARNER, SWAPPED_PREDICTIONS
from streameval.items.inputs import ItemInput
from streameval.significance.intervals import Interval, mean_of_rates
from streameval.significance.registry import TESTS

#: Verdicts on the size of a test, as in tables.
TOO_OFTEN, TOO_RARELY, AT_LEVEL = "too often", "too rarely", "at its level"


def study(item_input: ItemInput[TestChoiceSettings]) -> dict[str, pd.DataFrame]:
    """The frames of a figure: ``choice``, see `choice_table`, and ``seconds``."""
    rates, seconds = (item_input.frames_of_streams(name) for name in ("rates", "seconds"))
    return frames(rates, seconds, item_input.settings)


def frames(
    rates: Mapping[str, pd.DataFrame], seconds: Mapping[str, pd.DataFrame], settings: Any
) -> dict[str, pd.DataFrame]:
    """The frames of a figure from the frames of each stream; see `study`."""
    longest = {name: frame["instances"].max() for name, frame in rates.items()}
    run_times = [
        frame[frame["scheme"] == settings.scheme].assign(stream=name, instances=longest[name])
        for name, frame in seconds.items()
    ]
    max_length = max(longest.values())
    parts = []
    for name, frame in rates.items():
        # The full length of a shorter stream counts as the greatest length.
        instances = frame["instances"].replace(longest[name], max_length)
        parts.append(frame.assign(stream=name, instances=instances))
    table = pd.concat(parts, ignore_index=True)
    is_chosen = (table["scheme"] == settings.scheme) & (table["reading"] == settings.reading)
    columns = ["stream", "runs", "seconds", "instances"]
    return {
        "choice": choice_table(table[is_chosen], settings.level),
        "seconds": pd.concat(run_times, ignore_index=True)[columns],
    }


def choice_table(rates: pd.DataFrame, level: float) -> pd.DataFrame:
    """Mean size and power of each test over streams, for one scheme and reading.

    Power is measured at the level that gives the nominal size (column ``adjusted``). Intervals are
    over the runs of these streams, and do not cover other streams.
    """
    rows = []
    for test in (name for name in DECISIONS if name in set(rates["test"])):
        test_rates = rates[rates["test"] == test]
        estimand = TESTS[DECISIONS[test].test].estimand
        for length in sorted(test_rates["instances"].unique()):
            cells = test_rates[test_rates["instances"] == length]
            null = cells[cells["alternative"] == SAME_LEARNER]
            size = mean_of_rates(null["value"], null["runs"])
            for name, cell in cells.groupby("alternative", sort=False):
                if name in (SAME_LEARNER, SWAPPED_PREDICTIONS):  # only differences have power
                    continue
                power = mean_of_rates(cell["adjusted"], cell["runs"])
                key = (test, estimand, name, length, len(cell), int(cell["runs"].sum()))
                rows.append((*key, *size, *power, _verdict(size, level)))
    return pd.DataFrame(rows, columns=list(CHOICE_COLUMNS))


def _verdict(size: Interval, level: float) -> str:
    if size.low > level:
        return TOO_OFTEN
    return TOO_RARELY if size.high < level else AT_LEVEL
