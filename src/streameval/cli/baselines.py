"""Comparison with baselines, and rows of tables, as ``evaluate`` prints them."""

from __future__ import annotations

import math
from collections.abc import Collection, Mapping, Sequence
from dataclasses import asdict
from textwrap import wrap
from typing import TYPE_CHECKING, Any

from streameval.cli.in_pieces import is_whole
from streameval.cli.numbers import row_lines
from streameval.evaluation.differences import skill
from streameval.evaluation.task import CLASSES
from streameval.evaluation.verdict_words import error_sentence, sentences, summary
from streameval.values import defined

if TYPE_CHECKING:
    from streameval.api.pieces_evaluation import PiecesResult
    from streameval.api.result import Result
    from streameval.evaluation.differences import Difference
    from streameval.evaluation.persistence import Within

_FOLDS = "`streameval compare` has intervals over folds."
_WIDTH = 100


def summary_of(result: Result | PiecesResult, asked: int) -> str:
    """Return a sentence on the best of the first so many learners, and what it beats."""
    task, learners = result.task, result.learners[:asked]
    names = {name: task.called(name) for name in task.baselines_of(result.learners)}
    found = result.to_dict(task.measure)
    values = {name: _number(found[name][task.measure]) for name in learners}
    told = summary(values, result.over_baselines(), result.rope, task, names)
    return _when(result) + told


def verdicts(
    result: Result | PiecesResult, learners: Sequence[str], *, explained: bool = True
) -> list[str]:
    """Return sentences on these learners and baselines, and their meaning, in lines."""
    found, told = result.over_baselines(), list[str]()
    for name in learners:
        told += [_when(result) + one for one in _on_one(result, name, found[name])]
    if (within := within_of(result)) is not None:
        told.append(within.sentence)
    if any(not one.reason for name in learners for one in found[name].values()):
        brackets = f"In brackets: 95 % intervals of the difference in {result.task.name}."
        told += [brackets] * explained
    elif result.has_folds and result.task is CLASSES:
        told.append(_FOLDS)
    return [line for one in told for line in filled(one)]


def _on_one(
    result: Result | PiecesResult, learner: str, over: Mapping[str, Difference]
) -> list[str]:
    from streameval.evaluation.tuned import called

    name, task = called(result.tuned, learner), result.task
    if task is CLASSES:
        return sentences(name, over, result.rope)
    return [error_sentence(name, task.called(base), one, result.rope) for base, one in over.items()]


def _when(result: Result | PiecesResult) -> str:
    return "" if result.delays is None else "On arrival, "


def _number(value: float | None) -> float:
    return math.nan if value is None else value


def filled(sentence: str) -> list[str]:
    """Return a sentence in lines."""
    return wrap(sentence, _WIDTH, subsequent_indent="  ")


def within_of(result: Result | PiecesResult) -> Within | None:
    """Return the column within which labels repeat; of a stream in pieces, None."""
    from streameval.evaluation.persistence import within_columns
    from streameval.streams.stream import Stream

    return within_columns(result.stream) if isinstance(result.stream, Stream) else None


def within_as_json(result: Result | PiecesResult) -> dict[str, Any]:
    """Return the column within which labels repeat, under a name; nothing if there is none."""
    within = within_of(result)
    return {} if within is None else {"within": asdict(within)}


def differences_as_json(found: Mapping[str, Difference]) -> dict[str, dict[str, Any]]:
    """Return the differences of a learner, by baseline; undefined is None."""
    return {
        name: {key: defined(value) for key, value in one._asdict().items()}
        for name, one in found.items()
    }


def missing_rows(result: Result | PiecesResult) -> dict[str, list[str]]:
    """Return the row of a table about instances without a prediction, if there are any; or none."""
    missing = [result.missing(name) for name in result.learners]
    return {"of these not predicted": [f"{n:,}" for n in missing]} if any(missing) else {}


def cost_rows(found: Collection[Mapping[str, Any]]) -> dict[str, list[str]]:
    """Return the rows of a table about costs, from the values of each learner."""
    rows: dict[str, list[str]] = {"instances per second": [], "model, bytes": []}
    for values in found:
        rate = values["seconds"] and values["instances"] / values["seconds"]
        for cells, number in zip(rows.values(), (rate, values["model_bytes"]), strict=True):
            cells.append(f"{number:,.0f}" if number else "not known")
    if any("fits" in values for values in found):
        rows["fits"] = [f"{values['fits']:,}" if "fits" in values else "–" for values in found]
    return rows


def label_rows(found: Collection[Mapping[str, Any]]) -> dict[str, list[str]]:
    """Return the row of a table about a label budget, from the values of each learner; or none."""
    bought = [(values.get("labels"), values["instances"]) for values in found]
    if all(labels is None for labels, _ in bought):
        return {}
    return {
        "labels learnt": [f"{labels or 0:,}" for labels, _ in bought],
        "of these instances": [
            f"{(labels or 0) / n:.2%}".replace("%", " %") for labels, n in bought
        ],
    }


def print_rows(rows: Mapping[str, Sequence[str]], learners: Sequence[str], first: int) -> None:
    """Print rows with a title and a cell for each learner."""
    print("\n".join(row_lines(rows, learners, first)))


def skills_as_json(result: Result | PiecesResult) -> dict[str, dict[str, dict[str, Any]]]:
    """Return the skill of each learner over each baseline, with its interval; undefined is None."""
    if not is_whole(result):
        return {}
    keys = ("skill", "low", "high", "reason")
    return {
        name: {
            base: dict(zip(keys, map(defined, skill(result.table, name, base)), strict=True))
            for base in result.baselines
        }
        for name in result.learners
    }
