"""Which measures of single learners pages show with an interval, and what was measured of these.

By the rule of `streameval.items.error_rates.interval_coverage` and its record:

- accuracy, κ_t and κ_m over several runs, which cover the seeds of learners that draw; accuracy
  only where at most `MOST_FREQUENT` of the labels are in one class;
- κ only of learners that do not draw: it is of one run;
- all measures of the baselines, but for κ of Majority.
"""

from __future__ import annotations

import csv
from collections.abc import Iterable, Mapping
from typing import NamedTuple

import numpy as np

from streameval.api.compared import Compared
from streameval.api.comparison_text import FREQUENT, TURNS
from streameval.api.result import Result
from streameval.evaluation.levels import KAPPA, KAPPA_M, KAPPA_TEMPORAL, KAPPAS
from streameval.evaluation.roles import COMPARATORS, MAJORITY, NO_CHANGE
from streameval.measures.registry import MEASURES
from streameval.pages.page import listed
from streameval.settings import locate
from streameval.significance.intervals import Interval
from streameval.significance.stream_mean import StreamMean

#: The table of the item ``beyond/interval_coverage_recorded``.
RECORD = "resources/recorded/beyond/interval_coverage.csv"
#: The greatest proportion of the most frequent label with which an accuracy has an interval.
MOST_FREQUENT = 0.8
#: Why there is none.
SKEWED = f"more than {100 * MOST_FREQUENT:.0f} % of the labels are in one class"
ONE_RUN = "one run does not cover other seeds"
_BASELINES = {KAPPA_TEMPORAL: NO_CHANGE, KAPPA_M: MAJORITY}


def shown_levels(compared: Compared) -> dict[str, StreamMean]:
    """Return the accuracy, or mean absolute error, of each learner over its runs."""
    return {
        name: _shown(compared, name, compared.level(name), compared.runs)
        for name in compared.with_baselines
    }


def shown_of_one_run(compared: Compared, name: str, level: StreamMean) -> StreamMean:
    """Return the accuracy, or mean absolute error, of a learner in a single run."""
    return _shown(compared, name, level, 1)


def _shown(compared: Compared, name: str, level: StreamMean, runs: int) -> StreamMean:
    """Return a level without its interval where the rule leaves it out."""
    if not compared.plan.task.is_counted or name in COMPARATORS or level.reason:
        return level
    reason = ""
    if name in compared.draws and runs == 1:
        reason = ONE_RUN
    labels = compared.stream.with_labels().y
    if np.bincount(labels).max() > MOST_FREQUENT * len(labels):
        reason = SKEWED
    nan = float("nan")
    return level._replace(low=nan, high=nan, p_value=nan, reason=reason) if reason else level


def shown_kappas(result: Result, compared: Compared) -> dict[str, dict[str, Interval]]:
    """Return `KAPPAS` of each learner with the ends of their intervals, NaN where there is none.

    κ is of one run, and the others are over all runs.
    """
    of_one_run = result.measures(KAPPA)[KAPPA]
    found = {}
    for name in compared.with_baselines:
        one_seed = name in compared.draws
        values = {}
        for measure in KAPPAS:
            baseline = _BASELINES.get(measure)
            value = low = high = float("nan")
            if baseline is None:
                value = float(of_one_run[name])
                if not one_seed and name != MAJORITY:
                    _, low, high, *_ = result.level(name, measure)
            else:
                value, low, high, _ = compared.skill(name, baseline)
                if one_seed and compared.runs == 1:
                    low = high = float("nan")
            values[measure] = Interval(value, low, high)
        found[name] = values
    return found


class Misses(NamedTuple):
    """The largest proportions of the shown intervals that miss, by the record.

    Parameters
    ----------
    usual : mapping of str to float
        By measure, without lasting changes, where most streams have an interval.
    short : float
        Of any measure, where most streams are too short for one.
    by_class : mapping of int to float
        Of an accuracy, by the percentage of the most frequent label, where it is not shown.
    by_turns : mapping of int to float
        Of any measure, by the number of lasting changes in a stream.
    kappa_of_majority : float
        Of κ for Majority, which is not shown.
    """

    usual: Mapping[str, float]
    short: float
    by_class: Mapping[int, float]
    by_turns: Mapping[int, float]
    kappa_of_majority: float


def misses() -> Misses:
    """Return the recorded rates of learners, the largest over lengths and laws."""
    usual, short, of_majority = dict.fromkeys(("accuracy", *KAPPAS), 0.0), 0.0, 0.0
    by_class, by_turns = dict[int, float](), dict[int, float]()
    with locate(RECORD).open(encoding="utf-8", newline="") as file:
        rows = [row for row in csv.DictReader(file) if row["missed"]]
    for row in rows:
        law, measure, rate = row["law"], row["measure"], float(row["missed"])
        is_short, changes = float(row["interval"]) <= 0.5, law.startswith(TURNS)
        percent = int(law.removeprefix(FREQUENT)) if law.startswith(FREQUENT) else 0
        if row["learner"] in COMPARATORS:
            if (row["learner"], measure) == (MAJORITY, KAPPA) and not (is_short or changes):
                of_majority = max(rate, of_majority)
        elif changes:
            number = int(law.removeprefix(TURNS))
            by_turns[number] = max(rate, by_turns.get(number, 0.0))
        elif law == "forests" and row["runs"] == "1":
            continue  # nothing of one run is shown
        elif is_short:
            short = max(rate, short)
        elif measure == "accuracy" and percent > 100 * MOST_FREQUENT:
            by_class[percent] = max(rate, by_class.get(percent, 0.0))
        else:
            usual[measure] = max(rate, usual[measure])
    return Misses(usual, short, by_class, by_turns, of_majority)


def coverage_in_words() -> str:
    """Return how often the intervals of single learners miss, for a page."""
    found = misses()
    accuracy, *kappas = _percent(found.usual.values())
    usual = [
        f"{rate} of {MEASURES[name].symbol}" for name, rate in zip(KAPPAS, kappas, strict=True)
    ]
    (short,), (of_majority,) = _percent([found.short]), _percent([found.kappa_of_majority])
    by_class, by_turns = (
        (listed(map(str, rates)), listed(_percent(rates.values())))
        for rates in (found.by_class, found.by_turns)
    )
    return (
        f"In simulated streams of 300 to 100,000 instances, at most {accuracy} of the intervals of "
        f"an accuracy miss its expected value, and at most {listed(usual)}. Where most streams are "
        f"too short for an interval, up to {short} of the few that are there miss. There is none "
        f"of an accuracy with more than {100 * MOST_FREQUENT:.0f} % of the labels in one class "
        f"(with {by_class[0]} % up to {by_class[1]} miss), and none of κ of Majority (up to "
        f"{of_majority} miss). No interval covers lasting changes that a stream does not show: "
        f"with {by_turns[0]} of them up to {by_turns[1]} miss."
    )


def _percent(rates: Iterable[float]) -> list[str]:
    return [f"{100 * rate:.1f} %" for rate in rates]
