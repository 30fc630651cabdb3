"""Error rates of verdicts and intervals in the recorded simulations of the study ``beyond``."""

from __future__ import annotations

import csv
import math
from collections.abc import Iterable, Iterator, Mapping
from typing import NamedTuple

from streameval.base.rounding import format_upper_bound, percentage, percentage_bound
from streameval.base.settings import locate
from streameval.base.values import enumeration
from streameval.evaluation.kappa_intervals import KAPPA, KAPPAS
from streameval.evaluation.roles import CLASSIFICATION_BASELINES, MAJORITY
from streameval.measures.registry import MEASURES

#: Table of the rates of false verdicts.
VERDICTS = "resources/recorded/beyond/verdict_calibration.csv"
#: Table of the rates of intervals that miss.
INTERVALS = "resources/recorded/beyond/interval_coverage.csv"
#: The same tables for streams with interleaved entities.
VERDICTS_OF_GROUPS = "resources/recorded/beyond/verdict_calibration_groups.csv"
INTERVALS_OF_GROUPS = "resources/recorded/beyond/interval_coverage_groups.csv"
#: An accuracy has an interval up to this proportion of the most frequent label.
MAX_CLASS_PROPORTION = 0.8
# A law is a distribution of simulated streams. Its name starts with one of these prefixes.
#: Prefix of laws whose better learner changes; the number of changes follows.
TURNS = "turns_"
#: Prefix of laws with a frequent class; its percentage follows.
FREQUENT = "frequent_"
#: Prefix of laws whose error rates move slowly; their autocorrelation as a percentage follows and,
#: with several entities, the number of entities.
SLOW = "slow_"
#: Prefix of laws with several entities; their number follows.
_ENTITIES = "entities_"
#: Prefixes of laws without changes and with equal classes.
_STEADY = ("forests", "independent", "dependent_", _ENTITIES)
#: Rate at which the interval of a difference excludes 0, by the number of entities, if each entity
#: favours one of the learners for good. The error rate of both learners is 25 %, plus a normal
#: effect of each entity with mean 0 and standard deviation 20 points. From 600 streams of 2,000
#: instances in random order.
LASTING_RATES = {2: 0.54, 5: 0.23, 20: 0.06}


class SlowLaw(NamedTuple):
    """A law of streams whose error rates move slowly."""

    autocorrelation: float  # from one instance to the next, of the same entity
    entities: int  # 0 without groups

    @classmethod
    def of(cls, law: str) -> SlowLaw:
        """The law of a name: ``slow_99`` or, with three entities, ``slow_99_3``."""
        percentage, *entities = map(int, law.removeprefix(SLOW).split("_"))
        return cls(percentage / 100, *entities or [0])

    @property
    def half_life(self) -> int:
        """Number of instances after which half of a deviation is left."""
        return round(math.log(0.5) / math.log(self.autocorrelation))


class FalseVerdicts(NamedTuple):
    """The largest proportions of streams with a verdict for one of two equal learners."""

    steady: float  # among all streams; without changes and with equal classes
    steady_intervals: float  # among the streams with an interval, otherwise as `steady`
    by_changes: Mapping[int, float]  # by the number of changes of the better learner in a stream
    by_class: Mapping[int, float]  # by the percentage of the frequent class
    slow: Mapping[SlowLaw, Mapping[int, float]]  # by law and number of instances


def _rows(table: str) -> Iterator[dict[str, str]]:
    with locate(table).open(encoding="utf-8", newline="") as file:
        yield from csv.DictReader(file)


def false_verdicts(validation: str, *, grouped: bool = False) -> FalseVerdicts:
    """Recorded rates of a validation scheme, the largest over lengths and laws."""
    steady = steady_intervals = 0.0
    by_law: dict[str, dict[int, float]] = {TURNS: {}, FREQUENT: {}}
    slow: dict[SlowLaw, dict[int, float]] = {}
    for row in _rows(VERDICTS_OF_GROUPS if grouped else VERDICTS):
        if row["validation"] != validation:
            continue
        law, rate, with_interval = row["law"], float(row["excludes"]), float(row["interval"])
        if law.startswith(_STEADY):
            steady = max(rate, steady)
            steady_intervals = max(rate / with_interval if with_interval else 0.0, steady_intervals)
        elif law.startswith(SLOW):
            slow.setdefault(SlowLaw.of(law), {})[int(row["instances"])] = rate
        for prefix, rates in by_law.items():
            if law.startswith(prefix):
                number = int(law.removeprefix(prefix))
                rates[number] = max(rate, rates.get(number, 0.0))
    return FalseVerdicts(steady, steady_intervals, by_law[TURNS], by_law[FREQUENT], slow)


def false_verdict_sentences(validation: str, *, grouped: bool = False) -> str:
    """Sentences on the rate of false verdicts, for the text of a comparison."""
    rates = false_verdicts(validation, grouped=grouped)
    if grouped:
        return (
            f"In simulated streams {_simulated_streams(VERDICTS_OF_GROUPS)}, with learners that "
            f"are equal, the interval excludes 0 in at most {percentage_bound(rates.steady)} of "
            f"the streams, and in up to {percentage_bound(rates.steady_intervals)} of the streams "
            f"with an interval. {_slow_sentence(rates.slow)}. {_lasting_sentences()}"
        )
    text = (
        "In simulated streams of 300 to 100,000 instances, with learners that are equal, the "
        f"interval excludes 0 in at most {percentage_bound(rates.steady, 0)} of the streams, and "
        f"in up to {percentage_bound(rates.steady_intervals, 0)} of the streams with an interval "
        "if most are too short for an interval. Intervals do not cover changes of the better "
        f"learner that a stream does not show: with {_numbers(rates.by_changes)} changes they "
        f"exclude 0 in up to {_rates(rates.by_changes)}"
    )
    if max(rates.by_class.values()) > rates.steady:
        text += (
            ". Nor do they cover lasting differences between models by chance: with "
            f"{_numbers(rates.by_class)} % of the labels in one class, simple learners that are "
            f"equal are told apart in up to {_rates(rates.by_class)}"
        )
    return f"{text}. {_slow_sentence(rates.slow)}."


def _slow_sentence(slow: Mapping[SlowLaw, Mapping[int, float]]) -> str:
    """Sentence without a full stop on the rate of false exclusions under slow error rates."""
    law, lengths = next(iter(slow)), sorted(next(iter(slow.values())))
    cases = [
        f"in {_rates(rates)}" + (f" with {law.entities} entities" if law.entities else "")
        for law, rates in slow.items()
    ]
    return (
        f"In streams of {enumeration(f'{n:,}' for n in lengths)} instances whose error rates move "
        f"slowly, so that half of a deviation is left after {law.half_life} instances"
        f"{' of an entity' if law.entities else ''}, it excludes 0 {enumeration(cases)}"
    )


def _lasting_sentences() -> str:
    """Sentences on the rate at which intervals exclude 0 if learners differ lastingly by entity."""
    rates = enumeration(
        f"{percentage(rate, 0)} with {number}" for number, rate in LASTING_RATES.items()
    )
    return (
        "The interval is about these entities. If each learner is lastingly better in some of "
        f"them, and neither over all entities like them, it excludes 0 in {rates} entities."
    )


def _simulated_streams(table: str) -> str:
    """Lengths and the numbers of entities that were simulated, in words."""
    rows = [row for row in _rows(table) if row["law"].startswith(_ENTITIES)]
    lengths = sorted({int(row["instances"]) for row in rows})
    entities = sorted({int(row["law"].split("_")[1]) for row in rows})
    return (
        f"of {lengths[0]:,} to {lengths[-1]:,} instances of {entities[0]} to {entities[-1]} "
        "interleaved entities"
    )


def _numbers(rates: Mapping[int, float]) -> str:
    return enumeration(map(str, sorted(rates)))


def _rates(rates: Mapping[int, float]) -> str:
    texts = [format_upper_bound(rates[number], ".0f", 100) for number in sorted(rates)]
    return f"{enumeration(texts)} %"


class MissRates(NamedTuple):
    """The largest recorded proportions of intervals that miss the expected value.

    Reports omit the intervals of `by_class` and `kappa_of_majority`, because they miss too often.
    """

    by_measure: Mapping[str, float]  # without lasting changes, frequent labels and short streams
    short: float  # for lengths at which most streams are too short for an interval
    by_class: Mapping[int, float]  # of an accuracy, by the percentage of a frequent label
    by_changes: Mapping[int, float]  # by the number of lasting changes
    kappa_of_majority: float  # of κ of the baseline Majority
    of_baselines: float  # of accuracies of the baselines with a frequent label


def interval_miss_rates(*, grouped: bool = False) -> MissRates:
    """Recorded rates of learners, the largest over lengths and laws."""
    by_measure, short = dict.fromkeys(("accuracy", *KAPPAS), 0.0), 0.0
    of_majority = of_baselines = 0.0
    by_class, by_changes = dict[int, float](), dict[int, float]()
    for row in _rows(INTERVALS_OF_GROUPS if grouped else INTERVALS):
        if not row["missed"] or row["law"].startswith(SLOW):
            continue
        law, measure, rate = row["law"], row["measure"], float(row["missed"])
        # Most of the streams have no interval.
        is_short, changes = float(row["interval"]) <= 0.5, law.startswith(TURNS)
        percent = int(law.removeprefix(FREQUENT)) if law.startswith(FREQUENT) else 0
        is_skewed = measure == "accuracy" and percent > 100 * MAX_CLASS_PROPORTION
        if row["learner"] in CLASSIFICATION_BASELINES:
            if is_skewed:
                of_baselines = max(rate, of_baselines)
            if (row["learner"], measure) == (MAJORITY, KAPPA) and not (is_short or changes):
                of_majority = max(rate, of_majority)
        elif changes:
            number = int(law.removeprefix(TURNS))
            by_changes[number] = max(rate, by_changes.get(number, 0.0))
        elif law == "forests" and row["runs"] == "1":
            continue  # reports show no interval of one run of a random learner
        elif is_short:
            short = max(rate, short)
        elif is_skewed:
            by_class[percent] = max(rate, by_class.get(percent, 0.0))
        else:
            by_measure[measure] = max(rate, by_measure[measure])
    return MissRates(by_measure, short, by_class, by_changes, of_majority, of_baselines)


def coverage_sentences(*, grouped: bool = False) -> str:
    """Sentences on the miss rates of the intervals of single learners, for a page."""
    recorded = interval_miss_rates(grouped=grouped)
    accuracy, *kappas = _percent(recorded.by_measure.values())
    kappa_rates = enumeration(
        f"{rate} of {MEASURES[name].symbol}" for name, rate in zip(KAPPAS, kappas, strict=True)
    )
    if grouped:
        return (
            f"In simulated streams {_simulated_streams(INTERVALS_OF_GROUPS)}, at most {accuracy} "
            "of the intervals of an accuracy miss its expected value, and at most "
            f"{kappa_rates} (beyond/interval_coverage_groups)."
        )
    short = percentage_bound(recorded.short)
    of_majority = percentage_bound(recorded.kappa_of_majority)
    by_class, by_changes = (
        (enumeration(map(str, rates)), enumeration(_percent(rates.values())))
        for rates in (recorded.by_class, recorded.by_changes)
    )
    return (
        f"In simulated streams of 300 to 100,000 instances, at most {accuracy} of the intervals of "
        f"an accuracy miss its expected value, and at most {kappa_rates}. If most streams are too "
        f"short for an interval, up to {short} of the few intervals miss. With more than "
        f"{100 * MAX_CLASS_PROPORTION:g} % of the labels in one class, the accuracies of No-Change "
        f"and Majority have an interval (at most {percentage_bound(recorded.of_baselines)} miss), "
        f"but the accuracy of another learner has no interval (with {by_class[0]} % up to "
        f"{by_class[1]} would miss). κ of Majority has no interval (up to {of_majority} would "
        "miss). Intervals do not cover lasting changes that a stream does not show: with "
        f"{by_changes[0]} changes up to {by_changes[1]} miss."
    )


def _percent(rates: Iterable[float]) -> list[str]:
    return [percentage_bound(rate) for rate in rates]
