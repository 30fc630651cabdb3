"""Inputs of studies, without a pipeline."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace
from pathlib import Path
from typing import Any, NamedTuple

import pandas as pd

from helpers.all_kinds import all_kinds
from streameval.base.settings import ROOT
from streameval.base.table_files import write_csv
from streameval.evaluation.predictions import write_predictions
from streameval.evaluation.run import run_learners
from streameval.items.inputs import ItemInput, StreamInput, silent
from streameval.items.kind import function_of
from streameval.learners.learner import Learner
from streameval.learners.registry import load_learners
from streameval.protocols.registry import parse
from streameval.streams.registry import SMOOTHING, find_spec, load_registry


class Row(NamedTuple):
    """A row of the registry that returns the same learner each time."""

    learner: Learner

    def make(self, smoothing: float = SMOOTHING) -> Learner:
        return self.learner


def stream_input_of(kind, stream, models=(), *, smoothing=SMOOTHING, announce=silent, **item):
    """Input of an item's study for a stream; settings are not checked."""
    stream_input = StreamInput(
        settings=all_kinds()[kind].settings(streams=(stream.name,), **item),
        learner_specs={name: Row(learner) for name, learner in dict(models).items()},
        name=stream.name,
        smoothing=smoothing,
        announce=announce,
    )
    stream_input.__dict__["stream"] = stream
    return stream_input


def table_of(kind, rows=(), **item):
    """The table of an item that reads no streams; settings are not checked."""
    settings = all_kinds()[kind].settings(**item)
    files = {name: str(ROOT / name) for name in settings.resources()}
    about = {"settings": settings, "columns": all_kinds()[kind].columns, "files": files}
    return function_of(all_kinds()[kind], "study")({}, ItemInput(learner_specs=dict(rows), **about))


def stream_input_for(kind, stream, item):
    """Input of an item's study for a stream, or for the id of a generated one."""
    is_read = not isinstance(stream, str)
    name = stream.name if is_read else stream
    rows = load_learners(ROOT / "config" / "learners.yaml")
    stream_input = StreamInput(
        settings=all_kinds()[kind].settings_from({"streams": [name], **item}),
        learner_specs={learner: rows[learner] for learner in item.get("learners", ())},
        name=name,
        spec=None if is_read else find_spec(load_registry(), name),
    )
    if is_read:
        stream_input.__dict__["stream"] = stream
    return stream_input


def written_run(stream, learners: Iterable[str], stem: Path, **failed: str) -> dict[str, Any]:
    """The files of a run of learners and baselines, as a stream's input names them.

    Learners that failed have their errors.
    """
    rows = load_learners(ROOT / "config" / "learners.yaml")
    models = {name: rows[name].make() for name in (*learners, "no_change", "majority")}
    table, costs = run_learners(stream, parse("prequential"), models)
    write_predictions(replace(table, failed=failed), f"{stem}.parquet")
    write_csv(pd.DataFrame(costs), f"{stem}.csv")
    return {
        "prediction_files": {"original": f"{stem}.parquet"},
        "cost_files": {"1": f"{stem}.csv"},
    }
