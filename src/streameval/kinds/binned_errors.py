"""Errors of regressors under re-evaluation, by bin of the time from an instance to its label."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Annotated, Literal

import msgspec
from msgspec import Meta

from streameval.evaluation.roles import BASELINES
from streameval.items.kind import Kind
from streameval.items.settings import Count, Learners
from streameval.kinds.binned_measures import ENDS, Bins, Every, Rule
from streameval.kinds.repredictions import Reevaluated

Measure = Literal["mean_absolute_error", "root_mean_squared_error", "r_squared"]


class Settings(Reevaluated, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """Settings of binned_errors."""

    learners: Learners
    every: Every = 10
    bins: Bins = 50
    rule: Rule = "paper"
    measures: Annotated[
        tuple[Measure, ...],
        Meta(
            description="Measures that are drawn.",
            min_length=1,
            extra_json_schema={"uniqueItems": True},
        ),
    ] = ("mean_absolute_error",)
    seeds: Annotated[
        dict[str, Count],
        Meta(
            description="With how many seeds, 1, 2, ..., a learner runs, by learner; measures are "
            "then means over them. By default with seed 1 only."
        ),
    ] = msgspec.field(default_factory=dict)

    def learners_run(self) -> Sequence[str]:
        """See `Settings`."""
        return BASELINES

    def learner_runs(self) -> int:
        """See `Settings`: every instance is predicted several times."""
        return 5 * sum(self.seeds.get(name, 1) for name in self.learners)


KIND = Kind(
    name="binned_errors",
    settings=Settings,
    reads="source",
    trains=True,
    is_of_regressors=True,
    frames={
        "bins": (
            *("learner", "bin", "mean_absolute_error", *ENDS),
            *("root_mean_squared_error", "r_squared"),
            *("skill_over_previous_target", "skill_over_target_mean"),
            *("predictions", "calculated", "missing"),
            *("seeds", "seeds_low", "seeds_high"),
        ),
        "contrasts": ("learner", "reference", "other", "bin", "difference", *ENDS, "behind"),
        "skills": ("learner", "baseline", "bin", "skill", "low", "high", "reason"),
        "size": ("instances", "labels", "pending", "attributes", "simulated", "target"),
    },
)
