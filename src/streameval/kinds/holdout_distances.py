"""How far estimates of accuracy are from that on fresh instances, by stream."""

from __future__ import annotations

from typing import Annotated

from msgspec import Meta

from streameval.items.kind import Kind
from streameval.items.settings import Settings as AnySettings
from streameval.kinds.holdout import DISTANCES


class Settings(AnySettings, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """Settings of holdout_distances."""

    of: Annotated[
        str, Meta(description="The item of kind holdout, or STUDY/ITEM of another study.")
    ]


KIND = Kind(
    name="holdout_distances",
    settings=Settings,
    reads="item",
    of="holdout",
    columns=("stream", *DISTANCES),
)
