"""How often verdicts were false in the recorded simulation, for the text of a comparison."""

from __future__ import annotations

import csv
from collections.abc import Mapping
from typing import NamedTuple

from streameval.settings import locate

#: The table of the item ``beyond/verdict_calibration_recorded``.
RECORD = "resources/recorded/beyond/verdict_calibration.csv"
#: How the laws are called in which who is better changes, before the number of changes, and those
#: in which one class is frequent, before its percentage.
TURNS, FREQUENT = "turns_", "frequent_"
#: Laws in which neither is so.
_STEADY = ("forests", "independent", "dependent_")


class FalseVerdicts(NamedTuple):
    """The largest proportions of streams with a verdict for one of two equal learners.

    Parameters
    ----------
    steady : float
        Where who is better does not change, and classes are equally frequent.
    of_intervals : float
        The same of the streams that have an interval.
    by_turns : mapping of int to float
        Where it does, by the number of changes in a stream.
    by_class : mapping of int to float
        With one frequent class, by its percentage.
    """

    steady: float
    of_intervals: float
    by_turns: Mapping[int, float]
    by_class: Mapping[int, float]


def false_verdicts(validation: str) -> FalseVerdicts:
    """Return what the record says of a validation, the largest over lengths and laws."""
    steady = of_intervals = 0.0
    by_law: dict[str, dict[int, float]] = {TURNS: {}, FREQUENT: {}}
    with locate(RECORD).open(encoding="utf-8", newline="") as file:
        for row in csv.DictReader(file):
            if row["validation"] != validation:
                continue
            law, rate, found = row["law"], float(row["excludes"]), float(row["interval"])
            if law.startswith(_STEADY):
                steady = max(rate, steady)
                of_intervals = max(rate / found if found else 0.0, of_intervals)
            for start, known in by_law.items():
                if law.startswith(start):
                    number = int(law.removeprefix(start))
                    known[number] = max(rate, known.get(number, 0.0))
    return FalseVerdicts(steady, of_intervals, by_law[TURNS], by_law[FREQUENT])


def limits_in_words(validation: str) -> str:
    """Return how often verdicts are false, for the text of a comparison."""
    said = false_verdicts(validation)
    text = (
        "In simulated streams of 300 to 100,000 instances, with learners that are equal, the "
        f"interval excludes 0 in at most {100 * said.steady:.0f} % of the streams, and in up to "
        f"{100 * said.of_intervals:.0f} % of those with an interval where most are too short for "
        "one. Changes of who is better that a stream does not show are in no interval: with "
        f"{_numbers(said.by_turns)} changes it excludes 0 in up to {_percent(said.by_turns)}"
    )
    if max(said.by_class.values()) > said.steady:
        text += (
            ". Nor is what models happen to learn from a stream and keep: with "
            f"{_numbers(said.by_class)} % of the labels in one class, equal learners that are "
            f"simple are told apart in up to {_percent(said.by_class)}"
        )
    return f"{text} (beyond/verdict_calibration_recorded)."


def _numbers(rates: Mapping[int, float]) -> str:
    *first, last = sorted(rates)
    return f"{', '.join(map(str, first))} and {last}"


def _percent(rates: Mapping[int, float]) -> str:
    *first, last = [f"{100 * rates[number]:.0f}" for number in sorted(rates)]
    return f"{', '.join(first)} and {last} %"
