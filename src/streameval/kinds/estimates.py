"""Measures at the end of a stream by several estimators."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Annotated

from msgspec import Meta

from streameval.items.kind import Kind
from streameval.items.settings import Measures, OfPredictions, SomeNames, Window

FRAME = ("variant", "learner", "estimator", "measure", "value", "reason")

_SHUFFLED = " In random order (shuffled), repeating the previous label gains nothing."


class Settings(OfPredictions, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """Settings of estimates."""

    measures: Measures
    window: Window = 1000
    variants: Annotated[
        SomeNames,
        Meta(description="Orders of the instances: original, shuffled:SEED, temporal:SEED."),
    ] = ("original",)

    def words(self) -> Mapping[str, object]:
        """See `Settings`."""
        shuffled = any(name.startswith("shuffled") for name in self.variants)
        return {"shuffled": _SHUFFLED if shuffled else ""}


KIND = Kind(
    name="estimates",
    settings=Settings,
    reads="predictions",
    frames={"estimates": FRAME},
)
