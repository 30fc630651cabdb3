"""Errors of estimates of accuracy where labels are missing at the end."""

from __future__ import annotations

from streameval.items.kind import Kind
from streameval.items.settings import OfItems


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
)
