"""What studies are given, without a pipeline."""

from __future__ import annotations

from streameval.items import kinds
from streameval.items.inputs import StreamInput
from streameval.learners.registry import load_learners
from streameval.settings import ROOT
from streameval.streams.registry import find_spec, load_registry


def given_for(kind, stream, item):
    """What the study of an item is given for a generated stream, by id, or a read one."""
    is_read = not isinstance(stream, str)
    name = stream.name if is_read else stream
    rows = load_learners(ROOT / "config" / "learners.yaml")
    given = StreamInput(
        settings=kinds()[kind].settings_from({"streams": [name], **item}),
        rows={learner: rows[learner] for learner in item.get("learners", ())},
        name=name,
        spec=None if is_read else find_spec(load_registry(), name),
    )
    if is_read:
        given.__dict__["stream"] = stream
    return given
