"""A comparison in words and as plain numbers."""

from __future__ import annotations

import math
from textwrap import fill
from typing import TYPE_CHECKING, Any

from streameval.significance.registry import TESTS
from streameval.studies.other_tests import FurtherTest, not_shown
from streameval.studies.verdicts import BASELINES

if TYPE_CHECKING:
    from streameval.api.comparison import Comparison
    from streameval.studies.verdicts import Verdict

#: Width of a line, of the names in front of it, and of a number.
_LINE, _TITLE, _CELL = 100, 24, 18
#: Width of the title of a test.
_TEST = 36
#: What baselines are called.
_CALLED = {"no_change": "No-Change", "majority": "Majority"}


def lines(found: Comparison, *, more: bool) -> list[str]:
    """Return the lines of a comparison, the verdicts first."""
    told = [f"{pair.words}." for pair in found.pairs]
    told += ["", *_table(found), "", *_setup(found)]
    for pair in found.pairs:
        told += ["", *_about(found, pair)]
    told += ["", fill(found.plan.condition, _LINE)]
    return told + (_tests(found) if more else [])


def _table(found: Comparison) -> list[str]:
    """Return a row for each learner: accuracy, its spread, and what it has over the baselines."""
    width = max(_TITLE, *(len(name) + 2 for name in found.with_baselines))
    spread = "between folds" if found.plan.runs == 1 else "between runs"
    heads = ["accuracy", f"sd {spread}", *(f"over {_CALLED[name]}" for name in BASELINES)]
    rows = [f"{'':<{width}}" + "".join(f"{head:>{_CELL}}" for head in heads)]
    base = {name: found.accuracy(name)[0] for name in BASELINES}
    for name in found.with_baselines:
        mean, deviation = found.accuracy(name)
        cells = [f"{100 * mean:.2f} %", f"{100 * deviation:.2f}"]
        cells += ["" if name == other else f"{100 * (mean - base[other]):+.2f}" for other in base]
        rows.append(f"{name:<{width}}" + "".join(f"{cell:>{_CELL}}" for cell in cells).rstrip())
    return rows


def _setup(found: Comparison) -> list[str]:
    runs = "1 run" if found.plan.runs == 1 else f"{found.plan.runs} runs"
    several = len(found.pairs) > 1
    test = f"{TESTS[found.test].title}, fixed by the number of runs"
    test += "; p-values by Holm and intervals by Bonferroni for all pairs" if several else ""
    return [
        _entry("stream", f"{found.stream.name}, {len(found.stream):,} instances"),
        _entry("validation", f"{found.plan.protocol.title}, {runs}"),
        _entry("estimand", found.plan.estimand),
        _entry("test", test),
        _entry("rule", found.plan.rule),
    ]


def _about(found: Comparison, pair: Verdict) -> list[str]:
    """Return the numbers of a pair."""
    names = (pair.first, pair.second)
    time, size = found.over_time(*names), found.effective_size(*names)
    sizes = ", ".join(
        f"{_number(value)} with bandwidth {width:,}"
        for value, width in zip(size.sizes, size.bandwidths, strict=True)
    )
    return [
        _entry("A and B", f"{pair.first} and {pair.second}: {pair.verdict}"),
        _entry("difference A - B", f"{_points(pair.difference, pair.low, pair.high)}"),
        _entry("p-value", f"{pair.p_value:.2g}"),
        _entry(
            "confidence sequence",
            f"{_points(time.mean[-1], time.low[-1], time.high[-1])}; mean over time in these runs, "
            "with intervals that hold at all times at once",
        ),
        _entry("effective sample size", f"of {size.instances:,} instances: {sizes or 'not known'}"),
    ]


def _points(mean: float, low: float, high: float) -> str:
    return f"{100 * mean:+.2f} points, 95 % interval {100 * low:+.2f} to {100 * high:+.2f}"


def _number(value: float) -> str:
    return "undefined" if math.isnan(value) else f"{value:,.0f}"


def _entry(title: str, text: str) -> str:
    return fill(f"{title:<{_TITLE}}{text}", _LINE, subsequent_indent=" " * _TITLE)


def _tests(found: Comparison) -> list[str]:
    """Return what the other tests say of each pair, by what they are about; then who is silent."""
    head = "Other tests, which do not change the verdict, by what they are about."
    head += " Their p-values are not adjusted for the number of pairs." * (len(found.pairs) > 1)
    head += " Tests over folds and instances read the first run." * (found.plan.runs > 1)
    told, tests = ["", fill(head, _LINE)], found.other_tests()
    for pair in found.pairs:
        names = (pair.first, pair.second)
        told += ["", _entry("A and B", " and ".join(names))]
        of_pair = [one for one in tests if one[:2] == names]
        for estimand in dict.fromkeys(one.estimand for one in of_pair):
            told += ["", fill(f"{estimand[0].upper()}{estimand[1:]}:", _LINE)]
            told += [_said(one) for one in of_pair if one.estimand == estimand]
    silent = "; ".join(
        f"{TESTS[name].title} ({why})" for name, why in not_shown(found.plan.runs).items()
    )
    return [*told, "", fill(f"Not shown: {silent}.", _LINE)]


def _said(one: FurtherTest) -> str:
    if not math.isnan(one.practically_equal):
        said = (
            f"A better {100 * one.first_better:.1f} %, practically equal "
            f"{100 * one.practically_equal:.1f} %, B better {100 * one.second_better:.1f} %"
        )
    else:
        said = "undefined" if math.isnan(one.p_value) else f"p-value {one.p_value:.2g}"
    return f"  {one.test:<{_TEST}}{said}"


def plain(found: Comparison, *, more: bool) -> dict[str, Any]:
    """Return the object that JSON shows."""
    plan = found.plan
    of_folds = {name: found.accuracies(name).tolist() for name in found.learners}
    about = {
        "stream": found.stream.name,
        "n": len(found.stream),
        "validation": str(plan.protocol),
        "assignment": plan.assignment,
        "runs": plan.runs,
        "learners": {name: _learner(found, name) for name in found.learners},
        "baselines": {name: found.accuracy(name)[0] for name in BASELINES},
        "folds": {name: rows[0] if plan.runs == 1 else rows for name, rows in of_folds.items()},
        "test": found.test,
        "estimand": found.plan.estimand,
        "rule": plan.rule,
        "rope": plan.rope,
        "condition": plan.condition,
        "seconds": sum(found.seconds.values()),
    }
    pairs = [_pair(found, pair) for pair in found.pairs]
    about |= {"pairs": pairs} if len(pairs) > 1 else pairs[0]
    if more:
        about["tests"] = [_finite(one._asdict()) for one in found.other_tests()]
        about["tests_not_shown"] = not_shown(found.plan.runs)
    return about


def _learner(found: Comparison, name: str) -> dict[str, Any]:
    mean, deviation = found.accuracy(name)
    over = {f"over_{other}": mean - found.accuracy(other)[0] for other in BASELINES}
    seconds = found.seconds[name]
    return _finite({"accuracy": mean, "deviation": deviation, **over, "seconds": seconds})


def _pair(found: Comparison, pair: Verdict) -> dict[str, Any]:
    names = (pair.first, pair.second)
    time, size = found.over_time(*names), found.effective_size(*names)
    return {
        "first": pair.first,
        "second": pair.second,
        "difference": pair.difference,
        "interval": [pair.low, pair.high],
        "p_value": pair.p_value,
        "test": pair.test,
        "estimand": found.plan.estimand,
        "verdict": pair.verdict,
        "confidence_sequence": {
            "instances": size.instances,
            "mean": float(time.mean[-1]),
            "interval": [float(time.low[-1]), float(time.high[-1])],
        },
        "effective_size": [
            _finite({"bandwidth": width, "size": value})
            for width, value in zip(size.bandwidths, size.sizes, strict=True)
        ],
    }


def _finite(values: dict[str, Any]) -> dict[str, Any]:
    """Return the same with None for what is not defined, which JSON has no number for."""
    return {
        name: None if isinstance(value, float) and not math.isfinite(value) else value
        for name, value in values.items()
    }
