"""Comparison with baselines, as ``evaluate`` prints it, and measures of regressors."""

from __future__ import annotations

import argparse
import json
import math
from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import asdict
from textwrap import wrap
from typing import TYPE_CHECKING, Any

from streameval.api.delays import of_stream
from streameval.cli import intervals
from streameval.cli.numbers import row_lines, shown, titles
from streameval.cli.tuning import tuned_as_json
from streameval.evaluation.task import CLASSES, NUMBERS
from streameval.evaluation.verdict_words import error_sentence, sentences, summary
from streameval.values import defined

if TYPE_CHECKING:
    from streameval.api.pieces_evaluation import PiecesResult
    from streameval.api.regression import RegressionResult
    from streameval.api.result import Result
    from streameval.evaluation.differences import Difference
    from streameval.evaluation.number_measures import NumberTable
    from streameval.evaluation.persistence import Within

_INTERVALS = "In brackets: 95 % intervals of the difference in accuracy."
_FOLDS = "`streameval compare` has intervals over folds."
WHY_UNDEFINED = "R² is undefined: all targets are equal, or too large to be squared."
_TITLE, _WIDTH = 34, 100


def summary_of(result: Result | PiecesResult | RegressionResult, asked: int) -> str:
    """Return a sentence on the best of the first so many learners, and what it beats."""
    from streameval.api.regression import RegressionResult

    learners = result.learners[:asked]
    if isinstance(result, RegressionResult):
        measure, task, names = "mean_absolute_error", NUMBERS, _called(result)
        over = _over(result, learners)
    else:
        measure, task, names = "accuracy", CLASSES, dict(CLASSES.baselines)
        over = result.over_baselines()
    found = result.to_dict(measure)
    values = {name: math.nan if (one := found[name][measure]) is None else one for name in learners}
    when = "" if result.delays is None else "On arrival, "
    return when + summary(values, over, result.rope, task, names)


def verdicts(
    result: Result | PiecesResult | RegressionResult,
    learners: Sequence[str],
    *,
    explained: bool = True,
) -> list[str]:
    """Return sentences on learners and baselines; of these classifiers, and their meaning."""
    from streameval.api.regression import RegressionResult
    from streameval.evaluation.tuned import called

    if isinstance(result, RegressionResult):
        return [*_error_verdicts(result)]
    found = result.over_baselines()
    when = "" if result.delays is None else "On arrival, "
    told = [
        when + sentence
        for name in learners
        for sentence in sentences(called(result.tuned, name), found[name], result.rope)
    ]
    if (within := within_of(result)) is not None:
        told.append(within.sentence)
    if any(not one.reason for name in learners for one in found[name].values()):
        told += [_INTERVALS] * explained
    elif result.has_folds:
        told.append(_FOLDS)
    return [line for one in told for line in filled(one)]


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


def print_measures(result: RegressionResult, options: argparse.Namespace) -> None:
    """Print measures over all predictions: a column for each learner and baseline."""
    found = result.to_dict(*titles(result.learners))
    if options.json:
        how = tuned_as_json(result.tuned, result.pretrain)
        if before := result.before_first_label:
            how["before_first_label"] = before
        told = summary_of(result, len(options.learner))
        about = {**of_stream(result.stream), "summary": told, **how}
        print(json.dumps({**about, "learners": _as_json(result, found)}))
        return
    instances = len(result.stream) - max(result.pretrain, result.before_first_label)
    rows = {"": result.learners, "instances": [f"{instances:,}"] * len(found)}
    rows |= missing_rows(result) | label_rows(found.values())
    for name, title in titles(result.learners).items():
        rows[title] = [shown(name, values[name]) for values in found.values()]
    rows |= cost_rows(found.values())
    print_rows(rows, result.learners, max(_TITLE, *(len(title) + 1 for title in rows)))
    if any(values["r_squared"] is None for values in found.values()):
        print(WHY_UNDEFINED)
    print("\n".join(["", *verdicts(result, result.learners), *intervals.lines(result)]))


def missing_rows(result: Result | RegressionResult | PiecesResult) -> dict[str, list[str]]:
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


def _as_json(
    result: RegressionResult, found: dict[str, dict[str, Any]]
) -> dict[str, dict[str, Any]]:
    for learner, values in found.items():
        del values["instances"]
        values["not_predicted"] = result.missing(learner)
        values["skills"] = skills_of(result, learner)
        if found_intervals := intervals.as_json(result, learner):
            values["intervals"] = found_intervals
    return found


def skills_of(result: RegressionResult, learner: str) -> dict[str, dict[str, Any]]:
    """Return the skill of a regressor over each baseline, with its interval; undefined is None."""
    from streameval.evaluation.number_measures import baselines_of, skill

    table = _on_arrival(result)
    found = {name: skill(table, learner, name) for name in baselines_of(table.predicted)}
    return {
        name: dict(zip(("skill", "low", "high", "reason"), map(defined, one), strict=True))
        for name, one in found.items()
    }


def _on_arrival(result: RegressionResult) -> NumberTable:
    return result.numbers if result.delays is None else result.on_arrival()


def _called(result: RegressionResult) -> dict[str, str]:
    """Return what sentences call the baselines of regressors, by name."""
    from streameval.evaluation.number_measures import baselines_of, called

    return {name: called(name) for name in baselines_of(result.learners)}


def _over(result: RegressionResult, learners: Sequence[str]) -> dict[str, dict[str, Difference]]:
    """Return by how much regressors err less than each baseline; see `Result.over_baselines`."""
    from streameval.evaluation.number_measures import error_difference

    numbers, baselines = _on_arrival(result), _called(result)
    return {
        name: {one: error_difference(numbers, name, one) for one in baselines if one != name}
        for name in learners
    }


def _error_verdicts(result: RegressionResult) -> Iterator[str]:
    """Yield a sentence on each regressor and baseline, in lines."""
    from streameval.evaluation.tuned import called

    baselines, when = _called(result), "" if result.delays is None else "On arrival, "
    learners = [name for name in result.learners if name not in baselines]
    for learner, over in _over(result, learners).items():
        for baseline, found in over.items():
            name = called(result.tuned, learner)
            sentence = when + error_sentence(name, baselines[baseline], found, result.rope)
            yield from filled(sentence)
