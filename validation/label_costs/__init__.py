"""Costly labels: accuracy of learners against the number of labels that they learn."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Annotated, Any

from msgspec import Meta

from streameval.evaluation.roles import CLASSIFICATION_BASELINES
from streameval.items.kind import ItemKind
from streameval.items.settings import (
    NON_EMPTY_UNIQUE,
    IgnoreLabelTimes,
    NonEmptyNames,
    Seed,
    StreamItemSettings,
    StudyCost,
)
from streameval.protocols.partial import Strategy

#: Maximum number of learners: a figure has a panel for each.
_MAX_LEARNERS = 4


class LabelBudgetSettings(
    StreamItemSettings, frozen=True, kw_only=True, forbid_unknown_fields=True
):
    """Accuracy of learners by the proportion of labels that they learn, and by query strategy."""

    ignore_label_times: IgnoreLabelTimes = False
    learners: Annotated[NonEmptyNames, Meta(description="Ids of learners, a panel for each.")]
    budgets: Annotated[
        tuple[Annotated[float, Meta(gt=0, le=1)], ...],
        NON_EMPTY_UNIQUE,
        Meta(description="Proportions of the labels that may be learnt."),
    ]
    strategies: Annotated[
        tuple[Strategy, ...],
        NON_EMPTY_UNIQUE,
        Meta(description="Which labels are learnt; see the protocol partial."),
    ]
    delay: Annotated[
        int, Meta(description="Instances that arrive before a label is known.", ge=0)
    ] = 0
    runs: Annotated[
        int,
        Meta(
            description="Number of runs, each with other seeds for all random draws.", ge=1, le=1000
        ),
    ] = 5
    seed: Annotated[Seed, Meta(description="Seed of all random draws.")] = 1

    def setting_faults(self, registry: Mapping[str, Any]) -> Iterator[str]:
        """See `Settings`."""
        if len(self.learners) > _MAX_LEARNERS:
            yield (
                f"learners: expected at most {_MAX_LEARNERS}, a panel for each, "
                f"found {len(self.learners)}"
            )

    def extra_learners(self) -> Sequence[str]:
        """See `Settings`: baselines that learn equally many labels."""
        return CLASSIFICATION_BASELINES

    def cost(self) -> StudyCost:
        """See `Settings`."""
        # A learner also runs with all labels. Both baselines run with each budget and all labels.
        points = len(self.budgets) * len(self.strategies) + 1
        return StudyCost(self.runs * (len(self.learners) * points + 2 * (len(self.budgets) + 1)))


#: Columns of the frame ``curves``, see `BudgetPoint`.
CURVES = (
    *("learner", "strategy", "budget", "labels", "proportion"),
    *("scored", "accuracy", "low", "high", "runs", "kappa_temporal"),
)

KINDS = (
    ItemKind(
        name="label_budget",
        study="label_budget",
        by_entity=True,
        settings=LabelBudgetSettings,
        reads="stream",
        trains="classifiers",
        frames={"curves": CURVES},
    ),
)
