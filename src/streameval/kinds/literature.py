"""Accuracies that papers report for a stream, and No-Change measured here."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Annotated

from msgspec import Meta

from streameval.items.kind import Kind
from streameval.items.settings import OfStreams


class Settings(OfStreams, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """Settings of literature."""

    published: Annotated[str, Meta(description="The file with the accuracies.")]
    member: Annotated[
        str, Meta(description="Its column that holds 1 in the rows that belong to the table.")
    ]

    def learners_read(self) -> Sequence[str]:
        """See `Settings`."""
        return ["no_change"]

    def resources(self) -> Sequence[str]:
        """See `Settings`."""
        return [self.published]


KIND = Kind(
    name="literature",
    settings=Settings,
    reads="predictions",
    columns=(
        *("algorithm", "accuracy_percent", "reference", "tested_on_subset"),
        *("measured", "above_no_change"),
    ),
)
