"""Propositions 5 to 9 of Žliobaitė et al. (2015) by simulation."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Annotated

from msgspec import Meta

from streameval.kinds.kind import Kind
from streameval.kinds.settings import Settings as AnySettings


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
    evaluation="test-then-train (prequential)",
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
    pictures={
        "baselines": "baselines and kappas by persistence, simulated",
        "memory": "shorter memory, and dependent errors, simulated",
    },
    title="Propositions 5 to 9 by simulation",
    subject="all cases",
    caption="Every case: the stated sign, the result over {seeds} simulated streams of {instances} "
    "labels, and a verdict.",
    picture_captions={
        "baselines": "Simulated streams of three kinds of class proportions against P(T), the "
        "chance that a label repeats: the accuracies of Majority, Persistent, Random and of Naive "
        "Bayes, and κ, κ_per and κ⁺ of Naive Bayes. Bands are 95 % "
        "intervals over seeds.",
        "memory": "Left and middle: accuracy of Majority when it remembers the last n labels only "
        "(Proposition 9); with n = 1 it is Persistent. Of equally frequent classes it predicts the "
        "first, here the more frequent one. Right: how an error of a fixed "
        "rule depends on the previous one, under the conditions of Proposition 8; lines are exact, "
        "points simulated, with 95 % intervals over seeds.",
    },
)
