"""The accuracy of learners alone and in both wrappers."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Annotated, Literal

from msgspec import Meta

from streameval.evaluation.roles import COMPARATORS, WRAPPER_SUFFIXES
from streameval.items.kind import Kind
from streameval.items.settings import OfPredictions, Window
from streameval.kinds.estimates import FRAME


class Settings(OfPredictions, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """Settings of wrapped."""

    measures: Annotated[
        tuple[Literal["accuracy"], ...],
        Meta(
            description="Accuracy; other measures are not drawn.",
            min_length=1,
            extra_json_schema={"uniqueItems": True},
        ),
    ] = ("accuracy",)
    window: Window = 1000

    def learners_read(self) -> Sequence[str]:
        """See `Settings`."""
        wrapped = [f"{name}{end}" for name in self.learners for end in WRAPPER_SUFFIXES]
        return [*COMPARATORS, *wrapped]


KIND = Kind(
    name="wrapped",
    settings=Settings,
    reads="predictions",
    study="estimates",
    frames={"estimates": FRAME},
)
