"""Precision, recall and F1 of each class, as ``evaluate --by-class`` prints them."""

from __future__ import annotations

import argparse
from collections.abc import Iterator, Sequence
from textwrap import wrap
from typing import TYPE_CHECKING, Any

from streameval.cli.in_pieces import is_whole
from streameval.cli.numbers import shown
from streameval.errors import ConfigError
from streameval.evaluation.task import CLASSES
from streameval.values import defined

if TYPE_CHECKING:
    from streameval.api.pieces_evaluation import PiecesResult
    from streameval.api.result import Result

_MEASURES, _WIDTH = ("precision", "recall", "f1"), 100
#: The most classes of a confusion matrix that is printed.
_MOST = 10
#: A class with less than this proportion of the labels is rare: measures over all hide it.
RARE = 0.05
_LEGEND = "A row is a true class, a column a predicted class."


def add_option(parser: argparse.ArgumentParser) -> None:
    """Add the option that asks for measures by class."""
    parser.add_argument(
        "--by-class",
        action="store_true",
        help="also print precision, recall and F1 of each class, and the confusion matrix: what "
        "an accuracy hides where a class is rare; with delayed labels of the predictions on "
        "arrival",
    )


def check_option(options: argparse.Namespace, of_regressors: bool) -> None:
    """Refuse classes of regressors."""
    if options.by_class and of_regressors:
        raise ConfigError(
            "--by-class: expected learners that predict classes, found some that predict numbers. "
            "Leave it out."
        )


def _class_rows(result: Result | PiecesResult, learner: str) -> list[dict[str, Any]]:
    """Return the rows of `Result.by_class` of a learner, without loading pandas."""
    from streameval.evaluation.tallies import class_measures  # loads numba

    return class_measures(result.tally(learner), result.stream.schema.classes or ())


def _confusion(result: Result | PiecesResult, learner: str) -> list[list[int]] | None:
    """Return the confusion matrix with a last column of no prediction; None if it was not kept."""
    if not is_whole(result):
        return None
    from streameval.evaluation.tallies import confusion_counts

    counts: list[list[int]] = confusion_counts(result.table, learner).tolist()
    return counts


def as_json(result: Result | PiecesResult, learner: str) -> dict[str, Any]:
    """Return the measures of each class, and the confusion matrix where it is known."""
    rows = _class_rows(result, learner)
    for one in rows:
        one |= {key: defined(one[key]) for key in _MEASURES}
    found: dict[str, Any] = {"by_class": rows}
    if (matrix := _confusion(result, learner)) is not None:
        found["confusion"] = matrix
    return found


def lines(result: Result | PiecesResult, learners: Sequence[str]) -> list[str]:
    """Return the lines about each class, of some of the learners."""
    return [line for name in learners for line in ("", *_of_one(result, name))]


def hint(result: Result | PiecesResult, learners: Sequence[str]) -> list[str]:
    """Return a sentence on the rarest class that occurs, if it is rare; or none."""
    if result.task is not CLASSES:
        return []
    occurring = [one for one in _class_rows(result, learners[0]) if one["instances"]]
    if len(occurring) < 2:
        return []
    rarest = min(occurring, key=lambda one: int(one["instances"]))
    part = rarest["instances"] / sum(one["instances"] for one in occurring)
    if part >= RARE:
        return []
    text = f"{part:.1%}" if part >= 0.001 else "less than 0.1%"
    sentence = (
        f"The class {rarest['class']!r} has {text.replace('%', ' %')} of the labels, which an "
        "accuracy hides: --by-class shows how well each class is predicted."
    )
    return wrap(sentence, _WIDTH, subsequent_indent="  ")


def _of_one(result: Result | PiecesResult, learner: str) -> Iterator[str]:
    rows = _class_rows(result, learner)
    first = max(5, *(len(str(one["class"])) for one in rows)) + 2
    on_arrival = "" if result.delays is None else ", on arrival"
    yield f"{learner} by class{on_arrival}"
    heads = ("instances", "predicted", "precision", "recall", "F1")
    yield f"{'class':<{first}}" + "".join(f"{head:>11}" for head in heads)
    for one in rows:
        counts = "".join(f"{one[key]:>11,}" for key in ("instances", "predicted"))
        values = "".join(f"{shown(key, one[key]):>11}" for key in _MEASURES)
        yield f"{one['class']:<{first}}{counts}{values}"
    matrix = _confusion(result, learner)
    if matrix is None:
        yield "No confusion matrix is kept of a stream in pieces; use fewer instances (--rows)."
        return
    classes = [str(one["class"]) for one in rows]
    if len(classes) > _MOST:
        yield f"The confusion matrix of {len(classes)} classes is in --json and Result.confusion."
        return
    heads_of_cells = [*classes, "none"] if any(row[-1] for row in matrix) else classes
    widths = [max(9, len(head)) + 2 for head in heads_of_cells]
    yield ""
    yield " " * first + "".join(
        f"{head:>{width}}" for head, width in zip(heads_of_cells, widths, strict=True)
    )
    for name, row in zip(classes, matrix, strict=True):
        cells = zip(row, widths, strict=False)
        yield f"{name:<{first}}" + "".join(f"{cell:>{width},}" for cell, width in cells)
    yield _LEGEND
