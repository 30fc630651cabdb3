"""Errors of estimates of accuracy where labels are missing at the end."""

from __future__ import annotations

from streameval.kinds.kind import Kind
from streameval.kinds.settings import OfItems


class Settings(OfItems, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """Settings of censored_table."""


KIND = Kind(
    name="censored_table",
    settings=Settings,
    reads="item",
    of="censored_accuracy",
    columns=(
        *(
            "stream",
            "simulated",
            "law",
            "learner",
            "estimator",
            "runs",
            "arrived",
            "truth",
            "estimate",
        ),
        *("error", "low", "high"),
    ),
    title="Accuracy estimated without the labels that are missing",
    subject="estimates without missing labels",
    caption="Accuracy of first predictions over all instances, in per cent, and by how many points "
    "estimates from the labels that have arrived differ from it: means over runs, with half of the "
    "95 % interval. Last column: between what the accuracy lies whatever the missing labels are.",
)
