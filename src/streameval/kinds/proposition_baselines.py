"""Which baseline is better, by balance and dependence of the classes."""

from __future__ import annotations

from typing import Annotated

from msgspec import Meta

from streameval.items.kind import Kind
from streameval.items.settings import Settings as AnySettings
from streameval.kinds.propositions import BASELINES


class Settings(AnySettings, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """Settings of proposition_baselines."""

    of: Annotated[
        str,
        Meta(description="The item of kind propositions, or STUDY/ITEM of another study."),
    ]


KIND = Kind(
    name="proposition_baselines",
    settings=Settings,
    reads="item",
    of="propositions",
    columns=BASELINES,
)
