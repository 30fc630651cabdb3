"""The entries of registries that a job uses, and the earlier predictions that are still valid.

A registry names a module in each entry. A job depends only on the modules of the entries that it
uses. All learners run over a stream in one job. The file of costs has a key for each learner: a
digest of all that determines its predictions, and of the predictions. A learner whose key is
unchanged does not run again. The files of predictions and of costs are written one after the other,
so a killed job may leave predictions of one run and costs of another. Their keys then differ.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd

from streameval.base.errors import DataError
from streameval.base.sources import source_digest
from streameval.base.table_files import read_csv_table
from streameval.evaluation.predictions import POSITION_COLUMNS, PredictionTable, read_predictions
from streameval.evaluation.run import Cost
from streameval.learners import registry as learner_registry
from streameval.learners.registry import LearnerSpec
from streameval.learners.wrappers import registry as wrapper_registry
from streameval.streams import generators, registry
from streameval.streams.registry import READERS, FileSpec, GeneratorSpec, StreamSpec

#: The modules of the entries that a job uses, by the module of their registry.
Entries = dict[str, list[str]]


def entries(learners: Iterable[LearnerSpec] = (), streams: Iterable[StreamSpec] = ()) -> Entries:
    """The entries for jobs that make learners, and read raw files or generate streams."""
    learners, streams = list(learners), list(streams)
    return {
        learner_registry.__name__: _unique(spec.modules() for spec in learners),
        wrapper_registry.__name__: _unique(spec.wrapper_modules() for spec in learners),
        registry.__name__: _unique(
            [spec.bundled.module if spec.bundled else READERS.module(spec.reader)]
            for spec in streams
            if isinstance(spec, FileSpec)
        ),
        generators.__name__: _unique(
            _generators(spec) for spec in streams if isinstance(spec, GeneratorSpec)
        ),
    }


def _generators(spec: GeneratorSpec) -> list[str]:
    """The modules of the generators that a stream is made of."""
    modules = list[str]()
    waiting: list[Mapping[str, Any]] = [{"generator": spec.generator, **spec.parameters}]
    while waiting:
        part = waiting.pop()
        modules.append(generators.GENERATORS.module(part["generator"]))
        # A generator among the parameters is a mapping.
        waiting += [value for value in part.values() if isinstance(value, Mapping)]
    return modules


def _unique(groups: Iterable[Iterable[str]]) -> list[str]:
    return sorted({name for names in groups for name in names})


#: The column of keys in the file of costs.
KEY = "key"


def learner_keys(
    rows: Mapping[str, Mapping[str, Any]], script: Path, files: Iterable[str], *context: str
) -> dict[str, str]:
    """The key of each learner: a digest of its recipe, sources and code, `script` and `files`.

    `context` has the other causes of predictions, such as the digest of the stream and the
    protocol.
    """
    shared = hashlib.sha256(json.dumps(context).encode())
    for file in sorted(files):
        shared.update(Path(file).read_bytes())
    keys_by_learner = {}
    for name, row in rows.items():
        sha, spec = shared.copy(), LearnerSpec(**row)
        sha.update(json.dumps(row, sort_keys=True).encode())
        code = spec.code()
        sha.update(source_digest(script, entries=entries([spec]), code=code).encode())
        for path in code:  # the digest of sources covers only the imports of users' files
            sha.update(path.read_bytes())
        keys_by_learner[name] = sha.hexdigest()
    return keys_by_learner


@dataclass(frozen=True)
class EarlierPredictions:
    """Predictions of an earlier run that are still valid, with the costs and keys of learners."""

    table: PredictionTable | None = None
    costs: pd.DataFrame = field(default_factory=pd.DataFrame)

    @property
    def learners(self) -> tuple[str, ...]:
        """The learners that do not run again."""
        return () if self.table is None else tuple(self.table.predicted)

    def with_slow_learners(self, other: EarlierPredictions) -> EarlierPredictions:
        """Add the predictions of learners that ran over the same tape in a job of their own."""
        if self.table is None or other.table is None:
            return self if other.table is None else other
        table = _join(self.table, other.table, [*self.table.predicted, *other.table.predicted])
        # Both may have the same learners, such as baselines.
        costs = pd.concat([self.costs, other.costs]).drop_duplicates("learner", keep="last")
        return EarlierPredictions(table, costs)

    def with_new_results(
        self,
        table: PredictionTable,
        costs: Iterable[Cost],
        keys: Mapping[str, str],
        failed: Mapping[str, str],
    ) -> tuple[PredictionTable, pd.DataFrame]:
        """Earlier predictions and costs, joined with results of the learners that ran now.

        `keys` has the keys of all learners, in the order of the result. Baselines may have run
        again; their earlier costs are kept. `failed` has the errors of learners without
        predictions. Those learners have no costs and no key, so they run again whenever the job
        runs.
        """
        new_costs = pd.DataFrame(costs).drop(columns="labels")  # not in the file
        columns = [*new_costs, KEY]
        new_costs[KEY] = new_costs["learner"].map(_file_keys(table, keys))
        table = replace(table, failed={name: failed[name] for name in keys if name in failed})
        if self.table is not None:
            table = _join(self.table, table, keys)
            new_costs = pd.concat([self.costs, new_costs]).drop_duplicates("learner")
        ran = table.without_failed(keys)
        return table, new_costs.set_index("learner").loc[ran].reset_index()[columns]


def valid_predictions(predictions: str, costs: str, keys: Mapping[str, str]) -> EarlierPredictions:
    """The predictions of an earlier run whose keys are unchanged.

    The files may be missing, damaged, or without keys. `keys` has the current `learner_keys`.
    """
    try:
        table, cost_table = read_predictions(predictions), read_csv_table(costs)
    except DataError:
        return EarlierPredictions()
    if KEY not in cost_table:
        return EarlierPredictions()
    cost_table = cost_table[cost_table["learner"].map(_file_keys(table, keys)) == cost_table[KEY]]
    if cost_table.empty:
        return EarlierPredictions()
    return EarlierPredictions(
        replace(table, predicted={name: table.predicted[name] for name in cost_table["learner"]}),
        cost_table,
    )


def _file_keys(table: PredictionTable, keys: Mapping[str, str]) -> dict[str, str]:
    """Keys for the file of costs: digests of the learners' keys and of their predictions."""
    shared = hashlib.sha256()
    for values in (table.true, *table.position_columns().values()):
        shared.update(np.ascontiguousarray(values).data)
    file_keys = {}
    for name in table.predicted.keys() & keys.keys():
        sha = shared.copy()
        sha.update(np.ascontiguousarray(table.predicted[name]).data)
        sha.update(keys[name].encode())
        file_keys[name] = sha.hexdigest()
    return file_keys


def _join(old: PredictionTable, new: PredictionTable, order: Iterable[str]) -> PredictionTable:
    """The predictions of two runs over the same tape, joined; `order` is the order of learners."""
    # In regression, NaN stands for a missing target.
    are_equal = [np.array_equal(old.true, new.true, equal_nan=not new.n_classes)]
    are_equal += [
        np.array_equal(getattr(old, name), getattr(new, name)) for name in POSITION_COLUMNS
    ]
    if not all(are_equal):
        raise DataError(
            f"Predictions for {new.stream}: those of an earlier run are for other instances. "
            "Delete the file and run again."
        )
    predicted = {**old.predicted, **new.predicted}
    return replace(new, predicted={name: predicted[name] for name in order if name in predicted})
