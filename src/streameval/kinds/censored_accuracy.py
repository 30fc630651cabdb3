"""Accuracy where labels are missing at the end, with and without weights, against the truth."""

from __future__ import annotations

from typing import Annotated

from msgspec import Meta

from streameval.items.kind import Kind
from streameval.items.settings import Count, Learners, OfStreams
from streameval.kinds.repredictions import Law


class Settings(OfStreams, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """Settings of censored_accuracy."""

    learners: Learners
    laws: Annotated[
        dict[str, Law],
        Meta(description="Laws of label delays, by name.", min_length=1),
    ]
    instances: Annotated[
        Count,
        Meta(
            description="Length of each run: evaluation stops when the last instance arrives. "
            "Drifts come at the same parts of it."
        ),
    ] = 4000
    runs: Annotated[
        int, Meta(description="Runs, each with its own instances and delays.", ge=2, le=2**31 - 1)
    ] = 20

    def learner_runs(self) -> int:
        """See `Settings`."""
        return self.runs * len(self.laws) * len(self.learners)

    def rows(self, rows: int) -> int:
        """See `Settings`."""
        return self.instances


KIND = Kind(
    name="censored_accuracy",
    settings=Settings,
    reads="generator",
    trains=True,
    frames={
        "censored": ("law", "learner", "estimator", "run", "arrived", "truth", "estimate"),
        "size": ("instances", "simulated"),
    },
)
