"""Errors of regressors under re-evaluation, by bin of the time from an instance to its label."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Annotated, Literal

import msgspec
from msgspec import Meta

from streameval.kinds.binned_measures import ENDS, Bins, Every, Rule
from streameval.kinds.kind import Kind
from streameval.kinds.repredictions import Reevaluated
from streameval.kinds.settings import Count, Learners
from streameval.significance.simultaneous import LEAST_JUDGED, SKEWED
from streameval.significance.stream_mean import LEAST_EFFECTIVE
from streameval.studies.roles import BASELINES

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

    def words(self) -> Mapping[str, object]:
        """See `Settings`."""
        return {"effective": LEAST_EFFECTIVE, "judged": LEAST_JUDGED, "skewed": SKEWED}


KIND = Kind(
    name="binned_errors",
    settings=Settings,
    reads="source",
    trains=True,
    evaluation="continuous re-evaluation every {every} labels",
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
    subject="errors by bin of the time to the label",
    caption="{measures} of the predictions that count in each bin of the time from an instance to "
    "its label, if there is one after every {every} labels of others. Bin 0 is the first "
    "prediction, the last bin the one just before the label is learnt. Of a learner with several "
    "seeds it is the mean over them. Skill: one less the ratio of the mean absolute error to that "
    "of a baseline under the same delay, in the same bin; 0 is as good as the baseline. The "
    "previous target is the latest one that is known at the prediction. Bars, at some of the bins, "
    "are 95 % intervals for a single bin. Below: the mean absolute error minus the smallest one of "
    "the other learners in the bin. Its bars are intervals of this difference at 95 % for all bins "
    "and pairs of learners together, and are missing where labels are worth fewer than {judged} "
    "independent ones, or than {skewed} times the square of the skewness of differences; they "
    "respect dependence, and seeds have no part in them. Squares: bins in which the learner may "
    "have the smallest absolute error: the difference is not surely above 0 by this interval. "
    "Squares are left out where they exclude no learner. The CSV has intervals of the errors "
    "themselves.",
)
