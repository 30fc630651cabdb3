"""Prediction intervals of regressors, as ``evaluate`` prints them."""

from __future__ import annotations

import argparse
from collections.abc import Iterator
from textwrap import wrap
from typing import TYPE_CHECKING, Any

from streameval.cli.in_pieces import is_whole
from streameval.cli.numbers import row_lines, shown, titles
from streameval.errors import ConfigError
from streameval.learners.wrappers.registry import REGRESSOR_WRAPPERS
from streameval.values import defined

if TYPE_CHECKING:
    from streameval.api.pieces_evaluation import PiecesResult
    from streameval.api.result import Result

_TITLE, _WIDTH = 34, 100
_NOTE = (
    "Skill: one less the ratio of the mean interval scores; 1 is best, 0 as good as the baseline "
    "with the same kind of intervals. These measures have no intervals of their own."
)

_INFINITE = " A single infinite interval makes a mean width, and a mean score, infinite."


def add_option(command: argparse.ArgumentParser) -> None:
    """Add the option on prediction intervals."""
    command.add_argument(
        "--intervals",
        metavar="C[:GAMMA[:WINDOW[:INFINITE]]]",
        help="measure prediction intervals of this nominal coverage, such as 0.9, of learners that "
        "predict numbers; those that give none get adaptive conformal ones, whose step, by default "
        "0.005, window, by default 500 errors, and form (1: infinite where theory says so) may "
        "follow",
    )


def asked(options: argparse.Namespace, of_regressors: bool) -> str | None:
    """Return the intervals that are asked for; refuse them for classifiers, and twice."""
    if options.intervals is None:
        return None
    if not of_regressors:
        raise ConfigError(
            "--intervals: expected learners that predict numbers, found classifiers. Choose "
            "regressors, such as fimt_dd, or leave it out."
        )
    if options.wrapper is not None:
        names = " or ".join(REGRESSOR_WRAPPERS)
        raise ConfigError(
            f"--intervals: expected no --wrapper beside it, found {options.wrapper!r}. Each of "
            f"the two gives intervals ({names}); leave one out."
        )
    text: str = options.intervals
    return text


def lines(result: Result | PiecesResult) -> Iterator[str]:
    """Yield a table of measures of prediction intervals, if there are any; see `as_json`."""
    if not is_whole(result) or not result.table.intervals:
        return
    found, coverage = result.intervals(), result.table.coverage
    level = "" if coverage is None else f", nominal coverage {coverage:g}"
    arrival = "" if result.delays is None else ", on arrival"
    rows: dict[str, list[str]] = {f"Prediction intervals{level}{arrival}": [*found.index]}
    rows["intervals"] = [f"{count:,}" for count in found["intervals"]]
    for name, title in titles(result.learners, found.index).items():
        if name in found:
            rows[title] = [shown(name, value) for value in found[name]]
    yield ""
    yield from row_lines(rows, found.index, max(_TITLE, *(len(title) + 1 for title in rows)))
    note = _NOTE + (_INFINITE if found["infinite_intervals"].any() else "")
    yield from wrap(note, _WIDTH)


def as_json(result: Result | PiecesResult, learner: str) -> dict[str, Any]:
    """Return the measures of the intervals of a regressor by name; undefined is None."""
    if not is_whole(result) or learner not in result.table.intervals:
        return {}
    row = result.intervals().loc[[learner]].to_dict("records")[0]
    return {"intervals": {str(name): defined(value) for name, value in row.items()}}
