"""Propositions about the baselines of streams, by simulation."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Annotated

from msgspec import Meta

from streameval.items.kind import ItemKind
from streameval.items.settings import ItemName, Settings, StudyCost


class PropositionsSettings(Settings, frozen=True, kw_only=True):
    """Propositions 5 to 9 of Žliobaitė et al. (2015) by simulation."""

    instances: Annotated[
        int, Meta(description="Length of each simulated stream.", ge=2000, le=10_000_000)
    ]
    seeds: Annotated[int, Meta(description="Simulated streams for each case.", ge=2, le=1000)]

    def cost(self) -> StudyCost:
        """See `Settings`; here the unit is a run over a million instances."""
        return StudyCost(1 + 300 * self.seeds * self.instances // 1_000_000)

    def extra_learners(self) -> Sequence[str]:
        """See `Settings`."""
        return ("no_change", "majority", "moving_majority", "naive_bayes")


#: Columns of a mean over seeds with its interval.
_INTERVAL = ("mean", "low", "high", "seeds")
#: Columns of a statement with its verdict.
_STATEMENT = ("quantity", "stated", "origin", *_INTERVAL, "verdict")
#: Columns of the frame of Table 2; ``shares`` are the class proportions, ``persistence`` is P(T).
BASELINE_CASES = ("classes", "dependence", "shares", "persistence", "proposition", *_STATEMENT)
#: Columns of the frame of all statements; a case names the labels that a statement is about.
CASES = ("proposition", "case", *_STATEMENT)


class PropositionBaselinesSettings(Settings, frozen=True, kw_only=True):
    """The better baseline, by balance of the classes and dependence of labels."""

    of: ItemName


KINDS = (
    ItemKind(
        name="propositions",
        study="propositions",
        settings=PropositionsSettings,
        reads="nothing",
        trains="classifiers",
        frames={
            "sweep": ("shares", "persistence", "quantity", *_INTERVAL),
            "memory": ("shares", "persistence", "window", "quantity", *_INTERVAL),
            "errors": (
                *("shares", "persistence", "condition", "error_a", "error_b", "expected"),
                *("quantity", *_INTERVAL),
            ),
            "baselines": BASELINE_CASES,
            "cases": CASES,
        },
        columns=CASES,
        pictures=(
            "baselines",
            "memory",
        ),
    ),
    ItemKind(
        name="proposition_baselines",
        study="show",
        settings=PropositionBaselinesSettings,
        reads="propositions",
        columns=BASELINE_CASES,
    ),
)
