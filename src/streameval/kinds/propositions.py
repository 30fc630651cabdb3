"""Propositions 5 to 9 of Žliobaitė et al. (2015) by simulation."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Annotated

from msgspec import Meta

from streameval.items.kind import Kind
from streameval.items.settings import Settings as AnySettings


class Settings(AnySettings, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """Settings of propositions."""

    instances: Annotated[
        int, Meta(description="Length of each simulated stream.", ge=2000, le=10_000_000)
    ]
    seeds: Annotated[int, Meta(description="Simulated streams for each case.", ge=2, le=1000)]

    def learner_runs(self) -> int:
        """See `Settings`: of streams of a million instances."""
        return 1 + 300 * self.seeds * self.instances // 1_000_000

    def learners_run(self) -> Sequence[str]:
        """See `Settings`."""
        return ("no_change", "majority", "moving_majority", "naive_bayes")


_INTERVAL = ("mean", "low", "high", "seeds")
_JUDGED = ("quantity", "stated", "origin", *_INTERVAL, "verdict")
#: Columns of the frame of Table 2.
BASELINES = ("classes", "dependence", "shares", "persistence", "proposition", *_JUDGED)
CASES = ("proposition", "case", *_JUDGED)

KIND = Kind(
    name="propositions",
    settings=Settings,
    reads="nothing",
    trains=True,
    frames={
        "sweep": ("shares", "persistence", "quantity", *_INTERVAL),
        "memory": ("shares", "persistence", "window", "quantity", *_INTERVAL),
        "errors": (
            *("shares", "persistence", "condition", "error_a", "error_b", "expected"),
            *("quantity", *_INTERVAL),
        ),
        "baselines": BASELINES,
        "cases": CASES,
    },
    columns=CASES,
    table_frame="cases",
    pictures=(
        "baselines",
        "memory",
    ),
)
