"""Continuous re-evaluation of instances with pending labels: by bin, and its cost."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Annotated, Any, ClassVar, Literal

import msgspec
from msgspec import Meta

from streameval.base.params import Whole
from streameval.base.schema import UNIQUE_ITEMS
from streameval.evaluation.over_bins import weights_error
from streameval.evaluation.roles import CLASSIFICATION_BASELINES, REGRESSION_BASELINES
from streameval.items.kind import ItemKind
from streameval.items.settings import (
    NON_EMPTY_UNIQUE,
    REEVALUATION_RUNS,
    Count,
    DerivedItemSettings,
    Names,
    Points,
    PublishedFile,
    ReevaluationItemSettings,
    RepredictionItemSettings,
    StudyCost,
    Window,
)

BinMeasure = Literal[
    "accuracy", "kappa", "kappa_temporal", "kappa_m", "kappa_temporal_delayed", "kappa_m_delayed"
]
Rule = Annotated[
    Literal["published", "paper"],
    Meta(
        description="Which predictions count in a bin. In the paper, each prediction counts until "
        "the next one replaces it; in the published program, a single prediction counts for the "
        "whole bin. The paper counts a missing prediction as wrong; the program replaces it by the "
        "first class. The program also scores instances that arrive before the first label."
    ),
]
BinCount = Annotated[
    int, Meta(description="Number of bins between the first and the last prediction (B).", ge=0)
]


class _BinnedSettings(RepredictionItemSettings, frozen=True, kw_only=True):
    """Measures by bin of the time from an instance to its label."""

    bins: BinCount = 50
    rule: Rule = "paper"


class BinnedMeasuresSettings(_BinnedSettings, frozen=True, kw_only=True):
    """Measures of a re-evaluation, by bin of the time from an instance to its label."""

    measures: Annotated[
        tuple[BinMeasure, ...],
        NON_EMPTY_UNIQUE,
        Meta(
            description="Measures to draw. For measures that end in _delayed, the comparator has "
            "the same delays and the same bin."
        ),
    ] = ("accuracy",)
    stages: Annotated[
        tuple[Whole, ...],
        Meta(
            description="Bins whose accuracy is also drawn over time.",
            extra_json_schema=UNIQUE_ITEMS,
        ),
    ] = (0, 25, 45, 51)  # of the default 50 bins: first, middle, late and last
    points: Points = 500
    weights: Annotated[
        dict[str, float | tuple[float, ...]],
        Meta(
            description="Weights of the bins 0 to B + 1, by name, for weighted performance Ψ: "
            "B + 2 numbers, or a number λ for the weights λ^(b/B) in the bins 0 to B and 0 in bin "
            "B + 1."
        ),
    ] = msgspec.field(default_factory=dict)

    def extra_learners(self) -> Sequence[str]:
        """See `Settings`."""
        return CLASSIFICATION_BASELINES

    def setting_faults(self, registry: Mapping[str, Any]) -> Iterator[str]:
        """See `Settings`."""
        last = self.bins + 1
        if any(stage > last for stage in self.stages):
            yield f"stages: expected bins from 0 to {last}, found {list(self.stages)}"
        for name, weights in self.weights.items():
            fault = weights_error(weights, self.bins, name)
            if fault:
                yield f"weights, {name}: {fault}"

    def caption_values(self) -> Mapping[str, object]:
        """See `Settings`."""
        over_time = " Below: accuracy in single bins over all labels so far."
        return {"over_time": over_time if self.stages else ""}


#: Columns of two intervals: for a single bin, and for all bins together (a band).
_INTERVAL_AND_BAND = ("low", "high", "band_low", "band_high")
_ErrorMeasure = Literal["mean_absolute_error", "root_mean_squared_error", "r_squared"]


class BinnedErrorsSettings(_BinnedSettings, frozen=True, kw_only=True):
    """Errors of regressors under re-evaluation, by bin of the time to the label."""

    measures: Annotated[
        tuple[_ErrorMeasure, ...], NON_EMPTY_UNIQUE, Meta(description="Measures that are drawn.")
    ] = ("mean_absolute_error",)
    seeds: Annotated[
        dict[str, Count],
        Meta(
            description="Number of runs with the seeds 1, 2, ..., by learner; measures are means "
            "over the runs. Default: one run."
        ),
    ] = msgspec.field(default_factory=dict)

    def extra_learners(self) -> Sequence[str]:
        """See `Settings`."""
        return REGRESSION_BASELINES

    def cost(self) -> StudyCost:
        """See `Settings`: every instance is predicted several times, with each seed."""
        return StudyCost(REEVALUATION_RUNS * sum(self.seeds.get(name, 1) for name in self.learners))


class BinNumbersSettings(RepredictionItemSettings, frozen=True, kw_only=True):
    """Accuracy by bin for several numbers of bins, on one axis."""

    numbers: Annotated[
        tuple[Count, ...], NON_EMPTY_UNIQUE, Meta(description="Numbers of bins (B).")
    ] = (
        5,
        10,
        20,
        50,
        100,
    )
    rule: Rule = "paper"


class BinRulesSettings(DerivedItemSettings, frozen=True, kw_only=True):
    """Difference in accuracy between the two rules for predictions in a bin."""


ShownBins = Annotated[
    tuple[Whole, ...],
    Meta(
        description="Bins to show, besides the first and the last.",
        extra_json_schema=UNIQUE_ITEMS,
    ),
]


class BinnedTableSettings(DerivedItemSettings, frozen=True, kw_only=True):
    """Accuracies of a re-evaluation in some bins, over the streams of several items."""

    bins: ShownBins = (45,)
    weights: Annotated[
        Names,
        Meta(
            description="Names of weights that each of the items has in its `weights`, or maximum. "
            "For each, a row below the bins has the weighted performance, or the accuracy of the "
            "best bin."
        ),
    ] = ()
    published: PublishedFile = ""
    has_bins: ClassVar[bool] = True

    def published_values(self) -> str:
        """See `Settings`."""
        return self.published

    def resources(self) -> Sequence[str]:
        """See `Settings`."""
        return [self.published] if self.published else []


#: Columns of the table of accuracies.
_ACCURACY_COLUMNS = (
    *("stream", "simulated", "labels", "attributes", "bin", "which", "learner"),
    *("accuracy_percent", "low", "high"),
)


class BinnedErrorTableSettings(DerivedItemSettings, frozen=True, kw_only=True):
    """Absolute errors of regressors under re-evaluation in some bins."""

    bins: ShownBins = (45,)


#: Columns of the table of errors.
_ERROR_COLUMNS = (
    *("stream", "simulated", "labels", "attributes", "bin", "which", "learner"),
    *("mean_absolute_error", "low", "high", "seeds", "seeds_low", "seeds_high"),
    *("skill_over_previous_target", "skill_over_target_mean"),
)
#: Columns of the numbers of predictions that re-evaluation adds.
REPREDICTION_COUNTS = ("labels", "every", "made", "buffered", "per_label")


class RepredictionsSettings(ReevaluationItemSettings, frozen=True, kw_only=True):
    """Cost of continuous re-evaluation: numbers of additional predictions."""

    every: Annotated[
        tuple[Count, ...],
        NON_EMPTY_UNIQUE,
        Meta(description="Numbers of labels between two predictions of an instance (K)."),
    ] = (10,)
    window: Window = 100
    points: Points = 500


KINDS = (
    ItemKind(
        name="binned_measures",
        study="binned_measures",
        settings=BinnedMeasuresSettings,
        reads="source",
        trains="classifiers",
        frames={
            "bins": (
                *(
                    "learner",
                    "bin",
                    "accuracy",
                    *_INTERVAL_AND_BAND,
                    "kappa",
                    "kappa_temporal",
                    "kappa_m",
                ),
                *("kappa_temporal_delayed", "kappa_m_delayed", "predictions", "calculated"),
            ),
            "contrasts": (
                "learner",
                "reference",
                "other",
                "bin",
                "difference",
                *_INTERVAL_AND_BAND,
                "behind",
            ),
            "stages": ("labels", "learner", "bin", "correct"),
            "pairs": ("learner", "bin", "other", "other_bin", "difference", "low", "high"),
            "rules": (
                *("learner", "bin", "predictions", "differing", "accuracy", "other_accuracy"),
            ),
            "skills": ("learner", "bin", "reference", "value", "low", "high"),
            "weighted": ("weights", "measure", "learner", "value", "low", "high"),
            "size": ("instances", "labels", "pending", "attributes", "simulated"),
        },
    ),
    ItemKind(
        name="binned_errors",
        study="binned_errors",
        settings=BinnedErrorsSettings,
        reads="source",
        trains="regressors",
        frames={
            "bins": (
                *("learner", "bin", "mean_absolute_error", *_INTERVAL_AND_BAND),
                *("root_mean_squared_error", "r_squared"),
                *("skill_over_previous_target", "skill_over_target_mean"),
                *("predictions", "calculated", "missing"),
                *("seeds", "seeds_low", "seeds_high"),
            ),
            "contrasts": (
                "learner",
                "reference",
                "other",
                "bin",
                "difference",
                *_INTERVAL_AND_BAND,
                "behind",
            ),
            "skills": ("learner", "baseline", "bin", "skill", "low", "high", "reason"),
            "size": ("instances", "labels", "pending", "attributes", "simulated", "target"),
        },
    ),
    ItemKind(
        name="bin_numbers",
        study="bin_numbers",
        settings=BinNumbersSettings,
        reads="source",
        trains="classifiers",
        frames={"bin_numbers": ("learner", "bins", "bin", "accuracy", "predictions")},
    ),
    ItemKind(
        name="bin_rules",
        study="show",
        settings=BinRulesSettings,
        reads="binned_measures",
        columns=(
            *("stream", "simulated", "labels", "learner", "bin", "differing_percent"),
            *("published_percent", "paper_percent", "difference"),
        ),
    ),
    ItemKind(
        name="binned_table",
        study="show",
        settings=BinnedTableSettings,
        reads="binned_measures",
        columns=_ACCURACY_COLUMNS,
    ),
    ItemKind(
        name="binned_error_table",
        study="show",
        settings=BinnedErrorTableSettings,
        reads="binned_errors",
        columns=_ERROR_COLUMNS,
    ),
    ItemKind(
        name="repredictions",
        study="repredictions",
        settings=RepredictionsSettings,
        reads="source",
        frames={"repredictions": REPREDICTION_COUNTS},
    ),
)
