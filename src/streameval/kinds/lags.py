"""Learners that are given more and more lagged labels."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Annotated

import msgspec
from msgspec import Meta

from streameval.evaluation.roles import NO_CHANGE
from streameval.items.kind import Kind
from streameval.items.settings import IgnoreLabelTimes, Learners, Measures, OfStreams

_Lags = Annotated[
    tuple[Annotated[int, Meta(ge=0, le=1000)], ...],
    Meta(min_length=1, extra_json_schema={"uniqueItems": True}),
]


class Lags(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """How many lagged labels a learner is given in which way."""

    labels: Annotated[_Lags | None, Meta(description="As inputs.")] = None
    labels_and_inputs: Annotated[
        _Lags | None, Meta(description="As inputs, with the inputs of as many instances.")
    ] = None
    correction: Annotated[
        _Lags | None, Meta(description="For the Temporal Correction of the scores.")
    ] = None


class Settings(OfStreams, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """Settings of lags."""

    ignore_label_times: IgnoreLabelTimes = False
    learners: Learners
    measures: Measures
    lags: Annotated[
        Lags,
        Meta(
            description="How many lagged labels are given in which way; 0 is the learner alone.",
            extra_json_schema={"minProperties": 1},
        ),
    ]
    times: Annotated[
        bool,
        Meta(description="Show times and sizes too; no two runs draw the same picture then."),
    ] = False

    def learners_run(self) -> Sequence[str]:
        """See `Settings`: gains are over No-Change."""
        return (NO_CHANGE,)

    def learner_runs(self) -> int:
        """See `Settings`."""
        given = (self.lags.labels, self.lags.labels_and_inputs, self.lags.correction)
        return len(self.learners) * sum(len(lags) for lags in given if lags)

    def lagged(self) -> tuple[int, bool]:
        """See `Settings`."""
        with_inputs = max(self.lags.labels_and_inputs or (0,))
        return max(with_inputs, *(self.lags.labels or (0,))), with_inputs > 0

    def shows_times(self) -> bool:
        """See `Settings`."""
        return self.times


KIND = Kind(
    name="lags",
    settings=Settings,
    reads="stream",
    trains=True,
    frames={
        "lags": ("learner", "kind", "lags", "measure", "value", "reason"),
        "costs": ("learner", "kind", "lags", "instances", "seconds", "model_bytes"),
    },
    times=("costs",),
)
