"""Proportions of the largest classes, and the accuracies of the two baselines."""

from __future__ import annotations

from collections.abc import Sequence

from streameval.items.kind import Kind
from streameval.items.settings import OfStreams


class Settings(OfStreams, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """Settings of class_characteristics."""

    def learners_read(self) -> Sequence[str]:
        """See `Settings`."""
        return ["no_change"]


KIND = Kind(
    name="class_characteristics",
    settings=Settings,
    reads="predictions",
    columns=("stream", "simulated", "measure", "value"),
)
