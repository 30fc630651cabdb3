"""What continuous re-evaluation costs: predictions made and buffered, and those of each label."""

from __future__ import annotations

from typing import Annotated, Literal

import msgspec
from msgspec import Meta

from streameval.items.kind import Kind
from streameval.items.settings import Count, Names, OfStreams, Points, Window
from streameval.streams.delay_laws import DelayLaw

Delay = Annotated[int, Meta(ge=0, le=2**31 - 1)]


class Law(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """A law of label delays."""

    latency: Annotated[
        tuple[Annotated[float, Meta(ge=0, le=2**31 - 1)], ...],
        Meta(
            description="Mean time from an instance to its label, for all or for each class.",
            min_length=1,
        ),
    ]
    distribution: Annotated[
        Literal["fixed", "uniform", "geometric"],
        Meta(
            description="Of the time to the label: the mean rounded down; whole numbers from 0 to "
            "twice that; or geometric from 0."
        ),
    ] = "fixed"
    never: Annotated[
        tuple[Annotated[float, Meta(ge=0, le=1)], ...],
        Meta(
            description="Probability that a label never arrives, for all or for each class.",
            min_length=1,
        ),
    ] = (0.0,)
    seed: Annotated[int, Meta(description="Seed of the draws.", ge=0)] = 1

    def drawn(self) -> DelayLaw:
        """Return the law."""
        return DelayLaw(self.latency, self.distribution, self.never, self.seed)


class Reevaluated(OfStreams, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """Settings of items about re-evaluations."""

    label_first: Annotated[
        Names,
        Meta(
            description="The streams in which a label comes before an instance of the same time; "
            "in others it comes after it."
        ),
    ] = ()
    labels: Annotated[
        dict[str, Count],
        Meta(description="After how many labels evaluation stops, by stream; by default at all."),
    ] = msgspec.field(default_factory=dict)
    delay: Annotated[
        dict[str, Delay | Law],
        Meta(
            description="Time from each instance to its label, or a law of it, of streams without "
            "times; their instances arrive at 0, 1, 2, ..."
        ),
    ] = msgspec.field(default_factory=dict)


class Settings(Reevaluated, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """Settings of repredictions."""

    every: Annotated[
        tuple[Count, ...],
        Meta(
            description="Numbers of labels between two predictions of an instance (K).",
            min_length=1,
            extra_json_schema={"uniqueItems": True},
        ),
    ] = (10,)
    window: Window = 100
    points: Points = 500


KIND = Kind(
    name="repredictions",
    settings=Settings,
    reads="source",
    frames={"repredictions": ("labels", "every", "made", "buffered", "per_label")},
)
