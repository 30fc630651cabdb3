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
OVER_PREFIX = "over_"
#: The column of the coverage of prediction intervals.
COVERAGE = "interval_coverage"


def require_groups(groups: Groups | None) -> Groups:
    """The groups of a stream; raises ConfigError for a stream without groups."""
    if groups is None:
        raise ConfigError(
            "by_group: expected a stream with groups, found none. Name the column of its entities, "
            "such as machines: --group COLUMN, in Python stream.grouped(COLUMN)."
        )
    return groups


def means_by_group(groups: Groups, values: NDArray[Any]) -> Floats:
    """Mean of the values of each entity without NaN, (entities,); NaN without a value."""
    has_value = ~np.isnan(values)
    entity, n = groups.code[has_value], len(groups.names)
    with np.errstate(invalid="ignore"):
        means: Floats = np.bincount(entity, values[has_value], n) / np.bincount(entity, minlength=n)
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
    names = dict.fromkeys([*learners, *baselines])
    losses = {name: table.losses(name).astype(np.float64) for name in names}
    rows = list[dict[str, Any]]()
    for name in learners:
        means = means_by_group(groups, losses[name])
        columns = {task.measure: 1.0 - means if task.is_classification else means}
        for base in baselines:
            differences = losses[base] - losses[name]
            if base == name:
                differences = np.full_like(differences, np.nan)
            columns[OVER_PREFIX + base] = means_by_group(groups, differences)
        if table.intervals:
            columns[COVERAGE] = means_by_group(groups, _covered(table, name))
        rows += entity_rows(groups, columns, table.row, learner=name)
    return rows


def _covered(table: PredictionTable, learner: str) -> Floats:
    """1 where a target lies within the interval of a learner, else 0; NaN without an interval."""
    if learner not in table.intervals:
        return np.full(len(table), np.nan)
    low, high, _ = table.intervals[learner]
    is_inside = (low <= table.true) & (table.true <= high)
    covered: Floats = np.where(np.isnan(low) | np.isnan(table.true), np.nan, is_inside)
    return covered


def entity_rows(
    groups: Groups,
    columns: Mapping[str, Floats],
    instance: NDArray[Any] | None = None,
    **constants: str,
) -> list[dict[str, Any]]:
    """A row for each entity that has instances; `columns` have a value for each entity.

    `instance` has the number of the instance of each prediction. Instances that several folds
    predict are counted once. `constants` are columns with the same value in all rows.
    """
    entity = groups.code
    if instance is not None:
        entity = entity[np.unique(instance, return_index=True)[1]]
    n = np.bincount(entity, minlength=len(groups.names)).tolist()
    return [
        {
            **constants,
            "entity": name,
            "n": n[i],
            **{key: float(values[i]) for key, values in columns.items()},
        }
        for i, name in enumerate(groups.names)
        if n[i]
    ]


def group_line(groups: Groups, task: Task) -> str:
    """Sentences on the entities of a stream, shown before any numbers."""
    name, baselines = excerpt(groups.column), " and ".join(task.baselines.values())
    return (
        f"Instances belong to {len(groups.names):,} entities, by {name!r}. The baselines "
        f"{baselines} use labels of the same {name!r}, and intervals account for the dependence "
        f"between its instances. {entities_note(groups)}"
    )


def entities_note(groups: Groups) -> str:
    """Sentence on the entities to which an interval applies."""
    n = len(groups.names)
    entities = "this entity" if n == 1 else f"these {n:,} entities"
    return f"Intervals are about further instances of {entities}, not about other entities."
