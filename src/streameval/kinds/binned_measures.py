"""Measures of a re-evaluation, by bin of the time from an instance to its label."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Annotated, Any, Literal

import msgspec
from msgspec import Meta

from streameval.evaluation.roles import COMPARATORS
from streameval.evaluation.weighted_bins import fault
from streameval.items.kind import Kind
from streameval.items.settings import Count, Learners, Points
from streameval.kinds.repredictions import Reevaluated

Measure = Literal[
    "accuracy", "kappa", "kappa_temporal", "kappa_m", "kappa_temporal_delayed", "kappa_m_delayed"
]
Bin = Annotated[int, Meta(ge=0)]
Rule = Annotated[
    Literal["published", "paper"],
    Meta(
        description="Which prediction counts in a bin where some are made: by the paper each as "
        "long as it is in force, by the published program a single one for the whole bin. The "
        "program takes a missing prediction for the first class; by the paper's rule it is wrong."
    ),
]
Every = Annotated[
    Count, Meta(description="Number of labels between two predictions of an instance (K).")
]
Bins = Annotated[
    int, Meta(description="Number of bins between the first and the last prediction (B).", ge=0)
]


class Settings(Reevaluated, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """Settings of binned_measures."""

    learners: Learners
    every: Every = 10
    bins: Bins = 50
    rule: Rule = "paper"
    measures: Annotated[
        tuple[Measure, ...],
        Meta(
            description="Measures that are drawn; of those that end in _delayed, the comparator "
            "has the same delays and the same bin.",
            min_length=1,
            extra_json_schema={"uniqueItems": True},
        ),
    ] = ("accuracy",)
    stages: Annotated[
        tuple[Bin, ...],
        Meta(
            description="Bins whose accuracy is also drawn over time.",
            extra_json_schema={"uniqueItems": True},
        ),
    ] = (0, 25, 45, 51)
    points: Points = 500
    weights: Annotated[
        dict[str, float | tuple[float, ...]],
        Meta(
            description="Weights of the bins from 0 to B + 1, by name, for weighted performance "
            "Ψ: B + 2 numbers, or one, λ, for λ^(b/B) in the bins from 0 to B and 0 in the last."
        ),
    ] = msgspec.field(default_factory=dict)

    def learners_run(self) -> Sequence[str]:
        """See `Settings`."""
        return COMPARATORS

    def learner_runs(self) -> int:
        """See `Settings`: every instance is predicted several times."""
        return 5 * len(self.learners)

    def objections(self, rows: Mapping[str, Any]) -> Iterator[str]:
        """See `Settings`."""
        last = self.bins + 1
        if any(stage > last for stage in self.stages):
            yield f"stages: expected bins from 0 to {last}, found {list(self.stages)}"
        for name, given in self.weights.items():
            wrong = fault(given, self.bins)
            if wrong:
                yield f"weights, {name}: {wrong}"


#: Intervals of one bin, and bands of all bins together.
ENDS = ("low", "high", "band_low", "band_high")

KIND = Kind(
    name="binned_measures",
    settings=Settings,
    reads="source",
    trains=True,
    frames={
        "bins": (
            *("learner", "bin", "accuracy", *ENDS, "kappa", "kappa_temporal", "kappa_m"),
            *("kappa_temporal_delayed", "kappa_m_delayed", "predictions", "calculated"),
        ),
        "contrasts": ("learner", "reference", "other", "bin", "difference", *ENDS, "behind"),
        "stages": ("labels", "learner", "bin", "correct"),
        "rules": (*("learner", "bin", "predictions", "differing", "accuracy", "other_accuracy"),),
        "skills": ("learner", "bin", "reference", "value", "low", "high"),
        "weighted": ("weights", "measure", "learner", "value", "low", "high"),
        "size": ("instances", "labels", "pending", "attributes", "simulated"),
    },
)
