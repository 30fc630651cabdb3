"""Learners whose labels are delayed, with something in place of the previous label."""

from __future__ import annotations

from typing import Annotated

from msgspec import Meta

from streameval.kinds.kind import Kind
from streameval.kinds.settings import Learners, OfStreams


class Settings(OfStreams, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """Settings of delays."""

    learners: Learners
    delays: Annotated[
        tuple[Annotated[int, Meta(ge=0, le=2**31 - 1)], ...],
        Meta(
            description="Instances that arrive before a label is known; 0 means before the next "
            "prediction.",
            min_length=1,
            extra_json_schema={"uniqueItems": True},
        ),
    ]


KIND = Kind(
    name="delays",
    settings=Settings,
    reads="stream",
    trains=True,
    frames={
        "delays": (
            *("delay", "learner", "option", "measure", "value", "reason"),
            *("gain", "low", "high"),
        )
    },
    subject="accuracy by label delay",
    caption="accuracy against the label delay, for learners that get no previous label, the latest "
    "known label, their own previous prediction, or both. With a delay of 0 a label is known "
    "before the next prediction. Vertical lines are 95 % intervals of the gain over the instances "
    "of this stream, which respect dependence.",
)
