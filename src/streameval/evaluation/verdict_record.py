"""How often verdicts were false in the recorded simulation, for the text of a comparison."""

from __future__ import annotations

import csv
from collections.abc import Mapping
from typing import NamedTuple

from streameval.settings import locate

#: The table of the item ``beyond/verdict_calibration_recorded``.
RECORD = "resources/recorded/beyond/verdict_calibration.csv"
#: How the laws are called in which who is better changes, before the number of changes.
TURNS = "turns_"


class FalseVerdicts(NamedTuple):
    """The largest proportions of streams with a verdict for one of two equal learners.

    Parameters
    ----------
    steady : float
        Where who is better does not change.
    by_turns : mapping of int to float
        Where it does, by the number of changes in a stream.
    """

    steady: float
    by_turns: Mapping[int, float]


def false_verdicts(validation: str) -> FalseVerdicts:
    """Return what the record says of a validation, the largest over lengths and laws."""
    steady, by_turns = 0.0, dict[int, float]()
    with locate(RECORD).open(encoding="utf-8", newline="") as file:
        for row in csv.DictReader(file):
            if row["validation"] != validation:
                continue
            law, rate = row["law"], float(row["excludes"])
            if law.startswith(TURNS):
                turns = int(law.removeprefix(TURNS))
                by_turns[turns] = max(rate, by_turns.get(turns, 0.0))
            elif law == "forests" or law == "independent" or law.startswith("dependent_"):
                steady = max(rate, steady)
    return FalseVerdicts(steady, by_turns)
