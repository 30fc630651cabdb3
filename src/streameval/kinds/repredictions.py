"""What continuous re-evaluation costs: predictions made and buffered, and those of each label."""

from __future__ import annotations

from typing import Annotated

import msgspec
from msgspec import Meta

from streameval.kinds.kind import Kind
from streameval.kinds.settings import Count, Names, OfStreams, Points, Window

Delay = Annotated[int, Meta(ge=0, le=2**31 - 1)]


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
        dict[str, Delay],
        Meta(
            description="Time from each instance to its label, of streams without times; their "
            "instances arrive at 0, 1, 2, ..."
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
    subject="additional predictions of a re-evaluation",
    caption="additional predictions, those between the first and the last one of an instance, if "
    "there is one after every {every} labels (K). Top: how many are made over the last {window} "
    "labels. Middle: how many are kept for instances whose labels have not arrived. Bottom: their "
    "number for each instance whose label has arrived, on average since the beginning.",
)
