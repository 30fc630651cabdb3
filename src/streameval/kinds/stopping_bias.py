"""The bias of an accuracy that counts only labels which have arrived."""

from __future__ import annotations

from streameval.kinds.kind import Kind
from streameval.kinds.settings import OfItems
from streameval.significance.stream_mean import LEAST_EFFECTIVE, SECTIONS


class Settings(OfItems, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """Settings of stopping_bias."""


KIND = Kind(
    name="stopping_bias",
    settings=Settings,
    reads="item",
    of="label_waiting",
    columns=(
        *("stream", "simulated", "learner", "labels", "begun", "pending", "arrived_accuracy"),
        *("pending_accuracy", "accuracy", "bias", "window", "stops", "mean_pending", "window_bias"),
        *("low", "high"),
    ),
    title="The bias of stopping",
    subject="bias of stopping",
    caption="Accuracy of first predictions over labels that have arrived when evaluation stops, "
    "over those that are pending, and over all instances that have begun; the bias is the first "
    "minus the last. Last columns: the same bias over a window of the latest instances, the mean "
    "over stopping times, with a 95 % interval that respects dependence "
    f"({SECTIONS} sections of time), where stops are worth at least "
    f"{LEAST_EFFECTIVE} independent ones.",
)
