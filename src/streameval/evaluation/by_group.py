"""Measures and differences for each entity of a stream with groups."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from streameval.base.arrays import Floats
from streameval.base.errors import ConfigError, excerpt
from streameval.evaluation.predictions import PredictionTable
from streameval.evaluation.task import Task
from streameval.streams.groups import Groups

#: Prefix of the column of a difference from a baseline.
OVER = "over_"
#: The column of the coverage of prediction intervals.
COVERAGE = "interval_coverage"


def require_groups(groups: Groups | None) -> Groups:
    """Groups; refuse a stream without them."""
    if groups is None:
        raise ConfigError(
            "by_group: expected a stream with groups, found none. Name the column of its entities, "
            "such as machines: --group COLUMN, in Python stream.grouped(COLUMN)."
        )
    return groups


def means_by_group(groups: Groups, values: NDArray[Any]) -> Floats:
    """Mean of the known values of each entity, (entities,); NaN without a known value."""
    known = ~np.isnan(values)
    code, size = groups.code[known], len(groups.names)
    with np.errstate(invalid="ignore"):
        means: Floats = np.bincount(code, values[known], size) / np.bincount(code, minlength=size)
    return means


def rows_by_group(
    table: PredictionTable, learners: Sequence[str], baselines: Sequence[str]
) -> list[dict[str, Any]]:
    """A row for each learner and entity that has a label.

    Columns are learner, entity, n, the measure of the task, and the difference from each baseline:
    positive if the learner is better, NaN for a baseline and itself. If the table has prediction
    intervals, their coverage comes next, NaN for a learner without intervals.
    """
    groups, task = require_groups(table.groups), table.task
    losses = {name: table.losses(name) * 1.0 for name in dict.fromkeys([*learners, *baselines])}
    rows = list[dict[str, Any]]()
    for name in learners:
        means = means_by_group(groups, losses[name])
        columns = {task.measure: 1.0 - means if task.is_counted else means}
        for base in baselines:
            apart = losses[base] - losses[name]
            columns[OVER + base] = means_by_group(groups, apart if base != name else apart * np.nan)
        if table.intervals:
            columns[COVERAGE] = means_by_group(groups, _covered(table, name))
        rows += entity_rows(groups, columns, table.row, learner=name)
    return rows


def _covered(table: PredictionTable, learner: str) -> Floats:
    """1 where a target lies within the interval of a learner, else 0; NaN without an interval."""
    if learner not in table.intervals:
        return np.full(len(table), np.nan)
    low, high, _ = table.intervals[learner]
    inside = (low <= table.true) & (table.true <= high)
    covered: Floats = np.where(np.isnan(low) | np.isnan(table.true), np.nan, inside)
    return covered


def entity_rows(
    groups: Groups,
    columns: Mapping[str, Floats],
    instance: NDArray[Any] | None = None,
    **about: str,
) -> list[dict[str, Any]]:
    """A row for each entity with an instance; `columns` have a value for each entity.

    `instance` has the instance of each prediction. An instance that several folds predict counts
    once.
    """
    code = groups.code
    if instance is not None:
        code = code[np.unique(instance, return_index=True)[1]]
    n = np.bincount(code, minlength=len(groups.names)).tolist()
    return [
        {
            **about,
            "entity": name,
            "n": n[place],
            **{key: float(values[place]) for key, values in columns.items()},
        }
        for place, name in enumerate(groups.names)
        if n[place]
    ]


def group_line(groups: Groups, task: Task) -> str:
    """Sentences on groups that precede all numbers."""
    name, baselines = excerpt(groups.column), " and ".join(task.baselines.values())
    return (
        f"Instances are of {len(groups.names):,} entities, by {name!r}: the baselines {baselines} "
        f"are those of the same {name!r}, and intervals respect that its instances depend on each "
        f"other. {entities_note(groups)}"
    )


def entities_note(groups: Groups) -> str:
    """Sentence on the entities to which an interval applies."""
    n = len(groups.names)
    these = "this entity" if n == 1 else f"these {n:,} entities"
    return f"Intervals are about further instances of {these}, not about other entities."
