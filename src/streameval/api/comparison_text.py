"""A comparison in words, with how often verdicts were false in the recorded simulation."""

from __future__ import annotations

import csv
import math
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import replace
from textwrap import fill
from typing import NamedTuple

from streameval.api.compared import Compared
from streameval.errors import some
from streameval.evaluation.delays import median_wait
from streameval.evaluation.further_tests import FurtherTest
from streameval.evaluation.tuned import called
from streameval.evaluation.tuned import sentences as tuning_sentences
from streameval.evaluation.verdict_words import VERBS
from streameval.evaluation.verdicts import Verdict, all_draw
from streameval.protocols.registry import DEFAULT
from streameval.settings import locate
from streameval.significance.stream_mean import LEAST_EFFECTIVE, SECTIONS, StreamMean
from streameval.values import duration_text

#: Width of a line, and of the names in front of it.
_LINE, _TITLE = 100, 24
#: How many bins are shown, and the width of a difference with its interval.
_BINS, _BY = 12, 42
#: Width of the title of a test.
_TEST = 36
#: The table of the item ``beyond/verdict_calibration_recorded``.
RECORD = "resources/recorded/beyond/verdict_calibration.csv"
#: The page about the exceptions.
LIMITS = "docs/findings.md#verdicts-that-hold"
#: Starts of the names of laws whose better learner changes, before the number of changes, and of
#: those with a frequent class, before its percentage.
TURNS, FREQUENT = "turns_", "frequent_"
#: Starts of the names of all other laws.
_STEADY = ("forests", "independent", "dependent_")


def lines(found: Compared, *, more: bool) -> list[str]:
    """Return the lines of a comparison, the verdicts first."""
    told = [line for one in sentences(found) for line in fill(one, _LINE).splitlines()]
    told += ["", *_table(found), "", *_setup(found)]
    for pair in found.pairs:
        told += ["", *_about(found, pair)]
    for verdicts in found.by_bin.values():
        told += ["", *_by_bin(found, verdicts)]
    told += ["", _limits_in_short(found)]
    return told + (_tests(found) if more else [])


def setting(found: Compared) -> str:
    """Return the stream, the validation and the meaning of the brackets, in a line."""
    several = len(found.pairs) > 1
    told = [f"{found.stream.name}, {_instances(found)}", _validation(found)]
    told.append(
        "in brackets 95 % intervals"
        + f", those of verdicts for all {len(found.pairs)} pairs at once" * several
    )
    return f"{'; '.join(told)}."


def sentences(found: Compared) -> list[str]:
    """Return a verdict for each pair, contrary prequential runs, and verdicts by bin."""
    return [sentence(found, pair) for pair in found.pairs]


def sentence(found: Compared, pair: Verdict) -> str:
    """Return what `sentences` has of a pair."""
    by_bin = found.by_bin.get((pair.first, pair.second))
    more = f" {bins_sentence(by_bin)}" if by_bin else ""
    first, second = (called(found.tuned, name) for name in (pair.first, pair.second))
    told = replace(pair, first=first, second=second)
    return f"{told.words}.{_contrary(found, pair)}{more}"


def _contrary(found: Compared, pair: Verdict) -> str:
    """Return that the prequential runs point the other way, where they do."""
    own = plain_of(found, pair)
    if own is pair or own.difference * pair.difference >= 0.0:
        return ""
    return f" Prequential runs, which learn from all instances, show the opposite: {own.words}."


def plain_of(found: Compared, pair: Verdict) -> Verdict:
    """Return the verdict about the prequential runs of the same pair."""
    return found.plain[found.pairs.index(pair)]


def _table(found: Compared) -> list[str]:
    """Return the lines of the table of learners."""
    table = cells(found)
    first, *widths = (max(map(len, column)) for column in zip(*table, strict=True))
    return [
        f"{name:<{first}}{''.join(f'{cell:>{width + 2}}' for cell, width in row)}".rstrip()
        for name, row in ((name, zip(row, widths, strict=True)) for name, *row in table)
    ]


def cells(found: Compared) -> list[list[str]]:
    """Return the table of learners: values, their spread, and differences from the baselines.

    Its first row has the heads of columns, its first column the names of the learners.
    """
    task = found.plan.task
    spread = spread_of(found)
    heads = ["", task.head, *([spread] if spread else [])]
    heads += [f"over {called}" for called in task.baselines.values()]
    table = [heads]
    for name in found.with_baselines:
        mean, deviation = found.accuracy(name)
        row = [name, task.value(mean)]
        row += [task.spread(deviation)] if spread else []
        row += [
            "" if name == base else over_text(found, found.over(name, base))
            for base in task.baselines
        ]
        table.append(row)
    return table


def spread_of(found: Compared) -> str:
    """Return the sources of variation between accuracies."""
    if found.runs > 1:
        return "sd between runs"
    return "sd between folds" if found.plan.protocol.has_folds else ""


def over_text(found: Compared, over: StreamMean) -> str:
    """Return a difference from a baseline, without its unit."""
    return found.plan.task.interval(over.mean, over.low, over.high, unit=False)


def _setup(found: Compared) -> list[str]:
    several = len(found.pairs) > 1
    adjusted = f", for all {len(found.pairs)} pairs at once (Bonferroni)" if several else ""
    columns = " and ".join(f"over {called}" for called in found.plan.task.baselines.values())
    alone = f"; in the columns {columns} 95 % for each difference alone"
    return [
        _entry("stream", f"{found.stream.name}, {_instances(found)}{_waiting(found)}"),
        _entry("validation", _validation(found)),
        *(
            _entry("" if number else "tuned", one)
            for number, one in enumerate(tuning_sentences(found.tuned, found.pretrain))
        ),
        _entry("difference A - B", estimand(found)),
        _entry("interval", f"95 %{adjusted}, of the instances{_chances(found)}{alone}"),
        _entry("verdict", found.plan.rule),
    ]


def _instances(found: Compared) -> str:
    """Return how many instances there are, and how many of them are scored."""
    n = len(found.stream)
    behind = f", judged on the last {n - found.pretrain:,}" if found.pretrain else ""
    return f"{n:,} instances{behind}"


def _waiting(found: Compared) -> str:
    """Return when labels arrive, how many have not, and what comes before them."""
    wait = median_wait(found.stream)
    given = found.stream if found.asked is None else found.asked.stream
    later = f"; in the median labels arrive {duration_text(wait)} later" if wait else ""
    text = given.unlabelled_text
    open_ = f"; {text}, neither scored nor learnt" if text else ""
    first = found.before_first_label
    before = f"; {first:,} came before the first label, not scored" if first else ""
    return later + open_ + before


def _validation(found: Compared) -> str:
    title = found.plan.title
    if found.plan.protocol.has_folds:
        return f"{title}, {'1 run' if found.runs == 1 else f'{found.runs} runs'}"
    if found.runs == 1:
        if found.draws:
            return f"{title}; one run, though {all_draw(found.draws)}"
        return f"{title}; no learner draws at random, so that each runs once"
    return f"{title}; {found.runs} runs of {some(found.draws) or 'each learner'}"


def estimand(found: Compared) -> str:
    """Return the subject of the verdict in words."""
    what = f"{found.plan.task.about}, on streams that go on as this one does"
    if found.plan.protocol.has_folds:
        what += f", of models that learn from about {100 * found.learnt:.0f} % of the instances"
    return what


def _chances(found: Compared) -> str:
    """Return the sources of chance in the interval besides the instances."""
    has_folds = found.plan.protocol.has_folds
    if found.plan.one_seed or (found.draws and found.runs == 1 and not has_folds):
        return f"{' and the folds' * has_folds}, not of the seeds of {some(found.draws)}"
    if has_folds:
        return ", the folds and the seeds" if found.draws else " and the folds"
    return " and the seeds" if found.draws else ""


def limits(found: Compared) -> str:
    """Return how often such verdicts are false, by the recorded simulation, in words."""
    if not found.plan.task.is_counted:
        return (
            "Intervals do not cover changes of the better learner that this stream does not show."
        )
    return limits_in_words(found.plan.protocol.name if found.plan.protocol.has_folds else DEFAULT)


def _limits_in_short(found: Compared) -> str:
    """Return `limits` in a line, and where the exceptions are."""
    if not found.plan.task.is_counted:
        return limits(found)
    validation = found.plan.protocol.name if found.plan.protocol.has_folds else DEFAULT
    most = 100.0 * false_verdicts(validation).steady
    return f"Verdicts are false in at most {most:.0f} % of simulations; where not: {LIMITS}"


def _about(found: Compared, pair: Verdict) -> list[str]:
    """Return the numbers of a pair."""
    names = (pair.first, pair.second)
    time = found.over_time(*names)
    p_value = "" if math.isnan(pair.p_value) else f", p = {pair.p_value:.2g}"
    told = [
        _entry("A and B", f"{pair.first} and {pair.second}: {pair.verdict}"),
        _entry("difference A - B", f"{pair.by}{p_value}"),
    ]
    if found.plan.protocol.has_folds:
        own = plain_of(found, pair)
        told.append(_entry("in prequential runs", f"{own.by}: {own.verdict}"))
    return [
        *told,
        _entry("effective instances", _effective(pair, len(time.mean))),
        _entry(
            "over the stream",
            f"A is ahead in {pair.ahead} and B in {pair.behind} of {SECTIONS} sections",
        ),
        *_sequence(found, names),
    ]


def _effective(pair: Verdict, n: int) -> str:
    """Return how many independent instances differences are worth, and what follows."""
    told = f"{pair.effective:,.0f} of {n:,}"
    if pair.effective < LEAST_EFFECTIVE:
        return f"{told} (an interval needs {LEAST_EFFECTIVE})"
    if 2 * pair.effective > n or math.isnan(pair.low):
        return told
    return f"{told} (errors depend on each other, so intervals are wide)"


def _sequence(found: Compared, names: tuple[str, str]) -> list[str]:
    """Return the line about the confidence sequence after the last instance, if there is one."""
    if not found.plan.task.is_counted:
        return []
    time = found.over_time(*names)
    shown = found.plan.task.interval(time.mean[-1], time.low[-1], time.high[-1])
    several = f", for all {len(found.pairs)} pairs" if len(found.pairs) > 1 else ""
    return [_entry("confidence sequence", f"{shown}, of these runs, at all times at once{several}")]


def _by_bin(found: Compared, verdicts: Sequence[Verdict]) -> list[str]:
    """Return a line for each bin of a pair, or for some of them."""
    last, pair = len(verdicts) - 1, verdicts[0]
    several = f"the {last + 1} bins" if len(found.pairs) == 1 else "all bins of all pairs"
    head = (
        f"{pair.first} and {pair.second}, by bin of the time to the label; 95 % intervals hold for "
        f"{several} at once. Bin 0: predictions on arrival. Bin {last}: predictions just before "
        "the label is learnt."
    )
    told = fill(head, _LINE).splitlines()
    shown = sorted({round(last * i / (_BINS - 1)) for i in range(_BINS)})
    for b in shown:
        one = verdicts[b]
        told.append(f"{b:>4}  {one.by:<{_BY}}{one.verdict}")
    if len(shown) <= last:
        told.append(f"{len(shown)} of {last + 1} bins are shown. --json gives all of them.")
    return told


def bins_sentence(verdicts: Sequence[Verdict]) -> str:
    """Return in how many bins which verdict holds, in words."""
    first, counts = verdicts[0], Counter(one.verdict for one in verdicts)
    parts = [f"{VERBS[verdict][0]} it in {number}" for verdict, number in counts.items()]
    parts[0] = parts[0].replace(" it ", f" {first.second} ")
    return f"By bin of the time to the label, {first.first} {', '.join(parts)} of {len(verdicts)}."


def _entry(title: str, text: str) -> str:
    return fill(f"{title:<{_TITLE}}{text}", _LINE, subsequent_indent=" " * _TITLE)


def _tests(found: Compared) -> list[str]:
    """Return the results of the other tests by their subject, then the tests that do not apply."""
    head = "Other tests, which do not change the verdict, by their subject."
    head += " Their p-values are not adjusted for the number of pairs." * (len(found.pairs) > 1)
    head += " Tests over folds and instances read the first run." * (found.runs > 1)
    told, tests = ["", fill(head, _LINE)], found.further_tests()
    for pair in found.pairs:
        names = (pair.first, pair.second)
        told += ["", _entry("A and B", " and ".join(names))]
        of_pair = [one for one in tests if one[:2] == names]
        for about in dict.fromkeys(one.estimand for one in of_pair):
            told += ["", fill(f"{about[0].upper()}{about[1:]}:", _LINE)]
            told += [_said(one) for one in of_pair if one.estimand == about]
    told += ["", "Tests that do not apply here:"]
    silent = found.tests_not_shown()
    return told + [
        fill(f"  {title:<{_TEST}}{why}", _LINE, subsequent_indent=" " * (_TEST + 2))
        for title, why in silent.items()
    ]


def _said(one: FurtherTest) -> str:
    if not math.isnan(one.practically_equal):
        said = (
            f"A better {100 * one.first_better:.1f} %, practically equal "
            f"{100 * one.practically_equal:.1f} %, B better {100 * one.second_better:.1f} %"
        )
    else:
        said = "undefined" if math.isnan(one.p_value) else f"p-value {one.p_value:.2g}"
    return f"  {one.test:<{_TEST}}{said}"


class FalseVerdicts(NamedTuple):
    """The largest proportions of streams with a verdict for one of two equal learners.

    Parameters
    ----------
    steady : float
        Where the better learner does not change, and classes are equally frequent.
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
    """Return the recorded rates of a validation, the largest over lengths and laws."""
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
        "one. Intervals do not cover changes of the better learner that a stream does not show: "
        f"with {_numbers(said.by_turns)} changes they exclude 0 in up to {_percent(said.by_turns)}"
    )
    if max(said.by_class.values()) > said.steady:
        text += (
            ". Nor do they cover lasting differences between models by chance: with "
            f"{_numbers(said.by_class)} % of the labels in one class, simple learners that are "
            f"equal are told apart in up to {_percent(said.by_class)}"
        )
    return f"{text} (beyond/verdict_calibration_recorded)."


def _numbers(rates: Mapping[int, float]) -> str:
    *first, last = sorted(rates)
    return f"{', '.join(map(str, first))} and {last}"


def _percent(rates: Mapping[int, float]) -> str:
    *first, last = [f"{100 * rates[number]:.0f}" for number in sorted(rates)]
    return f"{', '.join(first)} and {last} %"
