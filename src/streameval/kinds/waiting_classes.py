"""The classes of labels that have arrived and that are pending, and how long they take."""

from __future__ import annotations

from streameval.kinds.kind import Kind
from streameval.kinds.settings import OfItems


class Settings(OfItems, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """Settings of waiting_classes."""


KIND = Kind(
    name="waiting_classes",
    settings=Settings,
    reads="item",
    of="label_waiting",
    columns=(
        *("stream", "simulated", "labels", "pending_labels", "class", "arrived", "pending"),
        *("arrived_fraction", "pending_fraction", "low", "median", "high", "unit"),
    ),
    title="Classes of labels that have arrived and that are pending",
    subject="classes of pending labels",
    caption="Classes of the labels that have arrived and of those that are pending when evaluation "
    "stops, and the quartiles of the time from an instance to its label, over all labels of "
    "the stream.",
)
