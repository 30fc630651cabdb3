"""What studies are given, without a pipeline."""

from __future__ import annotations

from typing import NamedTuple

from helpers.all_kinds import all_kinds
from streameval.base.settings import ROOT
from streameval.items.inputs import ItemInput, StreamInput, silent
from streameval.items.kind import function_of
from streameval.learners.learner import Learner
from streameval.learners.registry import load_learners
from streameval.streams.registry import SMOOTHING, find_spec, load_registry


class Row(NamedTuple):
    """A row of the registry with a learner that is made already."""

    learner: Learner

    def make(self, smoothing: float = SMOOTHING) -> Learner:
        return self.learner


def given_of(kind, stream, made=(), *, smoothing=SMOOTHING, announce=silent, **item):
    """What the study of an item is given for a stream; settings are not checked."""
    given = StreamInput(
        settings=all_kinds()[kind].settings(streams=(stream.name,), **item),
        rows={name: Row(learner) for name, learner in dict(made).items()},
        name=stream.name,
        smoothing=smoothing,
        announce=announce,
    )
    given.__dict__["stream"] = stream
    return given


def table_of(kind, rows=(), **item):
    """The table of an item that reads no streams; settings are not checked."""
    settings = all_kinds()[kind].settings(**item)
    files = {name: str(ROOT / name) for name in settings.resources()}
    about = {"settings": settings, "columns": all_kinds()[kind].columns, "files": files}
    return function_of(all_kinds()[kind], "study")({}, ItemInput(rows=dict(rows), **about))


def given_for(kind, stream, item):
    """What the study of an item is given for a generated stream, by id, or a read one."""
    is_read = not isinstance(stream, str)
    name = stream.name if is_read else stream
    rows = load_learners(ROOT / "config" / "learners.yaml")
    given = StreamInput(
        settings=all_kinds()[kind].settings_from({"streams": [name], **item}),
        rows={learner: rows[learner] for learner in item.get("learners", ())},
        name=name,
        spec=None if is_read else find_spec(load_registry(), name),
    )
    if is_read:
        given.__dict__["stream"] = stream
    return given
