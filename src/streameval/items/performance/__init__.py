"""Measures of learners over a stream: curves, estimates and tables."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping, Sequence
from math import ceil
from typing import Annotated, Any, Literal

from msgspec import Meta

from streameval.evaluation.roles import CLASSIFICATION_BASELINES, MAJORITY, WRAPPER_SUFFIXES
from streameval.items.kind import ItemKind
from streameval.items.settings import (
    NON_EMPTY_UNIQUE,
    Count,
    ItemName,
    LearnerItemSettings,
    Measures,
    Names,
    NonEmptyNames,
    Points,
    PredictionItemSettings,
    PublishedFile,
    RankedPredictions,
    Seed,
    Settings,
    StudyCost,
    TestLevel,
    Window,
    Windows,
)
from streameval.learners.tasks import BOTH

#: Sentence of a caption if No-Change is drawn.
_BELOW_NO_CHANGE = (
    " Where a learner's curve is below that of No-Change, repeating the previous label is better."
)
#: Sentence of a caption if κ_m compares with another learner than Majority.
_KAPPA_M = " κ_m compares with the learner {}, over the same window."


#: Columns of the numbers of windows in which a measure is below and above 0; see `count_signs`.
SIGN_COUNTS = (
    *("learner", "measure", "windows", "defined", "below", "above"),
    *("first_below", "last_below", "least", "greatest", "least_beside"),
)


class MeasuresSettings(PredictionItemSettings, frozen=True, kw_only=True):
    """Measures of learners over a sliding window."""

    measures: Measures
    window: Window = 1000
    points: Points = 500
    majority: Annotated[str, Meta(description="The learner that κ_m compares with.")] = MAJORITY
    all_windows: Annotated[
        bool,
        Meta(
            description="Whether the frame `windows` counts all windows in which a measure is "
            "below and above 0; otherwise it is empty."
        ),
    ] = False

    def evaluated_learners(self) -> Sequence[str]:
        """See `Settings`."""
        return tuple(dict.fromkeys((*self.learners, self.majority)))

    def caption_values(self) -> Mapping[str, object]:
        """See `Settings`."""
        return {
            "below_no_change": _BELOW_NO_CHANGE if "no_change" in self.learners else "",
            "kappa_m": "" if self.majority == MAJORITY else _KAPPA_M.format(self.majority),
        }


#: Confidence parameter of ADWIN, MOA's default.
DELTA = 0.002
#: Columns of the estimates over time, for the kinds windows and holdout.
ESTIMATE_CURVES = ("learner", "estimator", "instance", "accuracy")
#: Columns of the mean distances of estimates to a reference.
DISTANCES = ("learner", "estimator", "instances", "distance", "low", "high")
#: Columns of the differences between the distances of two estimates.
DISTANCE_DIFFERENCES = ("learner", "estimator", "other", "instances", "difference", "low", "high")


class WindowsSettings(PredictionItemSettings, frozen=True, kw_only=True):
    """Accuracy by ADWIN and over sliding windows of several lengths."""

    windows: Windows = (100, 1000, 10_000)
    points: Points = 1000

    def caption_values(self) -> Mapping[str, object]:
        """See `Settings`."""
        return {"delta": DELTA}


#: Names of estimators. `WINDOW` is followed by the length of the window.
ADWIN, HOLD_OUT, WINDOW = "adwin", "hold_out", "window_"
#: Columns of the distances to a hold-out.
HOLDOUT_DISTANCES = (*DISTANCES, "tests", "floor")


class HoldoutSettings(LearnerItemSettings, frozen=True, kw_only=True):
    """Estimates of accuracy against fresh instances of the current concept."""

    instances: Annotated[
        Count | None, Meta(description="Length of each stream; null: its length in the registry.")
    ] = None
    tests: Annotated[
        Annotated[int, Meta(ge=8, le=100_000)],
        Meta(description="Number of tests of a learner, at equal distances."),
    ] = 200
    fresh: Annotated[
        Annotated[int, Meta(ge=2, le=1_000_000)],
        Meta(description=("Number of fresh instances in each test.")),
    ] = 1000
    windows: Windows = (100, 1000, 10_000)
    seed: Annotated[Seed, Meta(description="Seed of the fresh instances and of learners.")] = 1

    def cost(self) -> StudyCost:
        """See `Settings`; predicting a million fresh instances counts as one run."""
        return StudyCost(len(self.learners) * (1 + ceil(self.tests * self.fresh / 1_000_000)))

    def rows(self, rows: int) -> int:
        """See `Settings`."""
        return self.instances or rows

    def caption_values(self) -> Mapping[str, object]:
        """See `Settings`."""
        return {"delta": DELTA}


class HoldoutDistancesSettings(Settings, frozen=True, kw_only=True):
    """Distances of estimates of accuracy to the accuracy on fresh instances, by stream."""

    of: ItemName


#: Columns of the measures at the end of one variant of a stream.
VARIANT_ESTIMATES = ("learner", "estimator", "measure", "value", "reason")
#: Columns of the measures at the end of a stream.
ESTIMATES = ("variant", *VARIANT_ESTIMATES)

#: Sentence of a caption about streams in random order.
_SHUFFLED = " Shuffled: instances in random order, so that their labels are independent."


class EstimatesSettings(PredictionItemSettings, frozen=True, kw_only=True):
    """Measures at the end of a stream by several estimators."""

    measures: Measures
    window: Window = 1000
    variants: Annotated[
        NonEmptyNames,
        Meta(description="Orders of the instances: original, shuffled:SEED, temporal:SEED."),
    ] = ("original",)

    def caption_values(self) -> Mapping[str, object]:
        """See `Settings`."""
        shuffled = any(name.startswith("shuffled") for name in self.variants)
        return {"shuffled": _SHUFFLED if shuffled else ""}


class WrappedSettings(PredictionItemSettings, frozen=True, kw_only=True):
    """Accuracy of learners without a wrapper and in two wrappers."""

    measures: Annotated[
        tuple[Literal["accuracy"], ...],
        NON_EMPTY_UNIQUE,
        Meta(description="Accuracy; other measures are not drawn."),
    ] = ("accuracy",)
    window: Window = 1000

    def evaluated_learners(self) -> Sequence[str]:
        """See `Settings`."""
        wrapped = [f"{name}{suffix}" for name in self.learners for suffix in WRAPPER_SUFFIXES]
        return [*CLASSIFICATION_BASELINES, *wrapped]


class OverallMeasuresSettings(PredictionItemSettings, frozen=True, kw_only=True):
    """Measures of learners over the whole of each stream."""

    measures: Annotated[NonEmptyNames, Meta(description="Names of measures, a column each.")] = (
        *("accuracy", "kappa", "kappa_temporal", "kappa_m", "kappa_combined"),
        *("harmonic_mean", "mcc", "macro_f1"),
    )
    published: PublishedFile = ""

    def published_values(self) -> str:
        """See `Settings`."""
        return self.published

    def resources(self) -> Sequence[str]:
        """See `Settings`."""
        return [self.published] if self.published else []


class KappaSignificanceSettings(PredictionItemSettings, frozen=True, kw_only=True):
    """Kappa with its standard error and significance test."""


#: Smallest number of streams, and of learners, for ranks.
MIN_RANKED = 3
#: Columns of the mean ranks.
RANKS = (
    *("learner", "mean_rank", "mean", "streams", "simulated"),
    *("statistic", "p_value", "critical_difference", "alike"),
)
#: Columns of the values and ranks on each stream.
SCORES = ("stream", "simulated", "learner", "value", "rank")


def ranking_size_error(streams: Collection[str], learners: Collection[str]) -> str:
    """The error if there are too few streams or learners to rank; "" if there are enough."""
    if min(len(streams), len(learners)) >= MIN_RANKED:
        return ""
    names = ", ".join(streams) or "none"
    return (
        f"expected at least {MIN_RANKED} streams and {MIN_RANKED} learners, found "
        f"{len(streams)} streams ({names}) and {len(learners)} learners. Name more of them, or "
        "leave the item out."
    )


#: Factor of the critical difference that allows for rounding errors of mean ranks.
ROUNDING_FACTOR = 1 - 1e-12
#: Largest number of learners that fit into the diagram of Demšar (2006). The table has cells with
#: the names of so many learners at most.
MAX_IN_DIAGRAM = 15


class CriticalDifferenceSettings(RankedPredictions, frozen=True, kw_only=True):
    """Mean ranks of learners over streams, and which of them differ (Demšar, 2006)."""

    streams: Annotated[
        Names,
        Meta(
            description="Ids of at least three streams, or all. Each should come from a different "
            "domain."
        ),
    ]
    level: TestLevel = 0.05

    def setting_faults(self, registry: Mapping[str, Any]) -> Iterator[str]:
        """See `Settings`."""
        yield from super().setting_faults(registry)
        # The number of all streams of a run is not known here; assume that there are enough.
        streams = [""] * MIN_RANKED if self.streams == ("all",) else self.streams
        fault = ranking_size_error(streams, self.learners)
        if fault:
            yield fault


KINDS = (
    ItemKind(
        name="measures",
        study="measures",
        marks_drifts=True,
        by_entity=True,
        settings=MeasuresSettings,
        reads="predictions",
        frames={
            "curves": ("instance", "learner", "measure", "value", "reason"),
            "windows": SIGN_COUNTS,
        },
    ),
    ItemKind(
        name="windows",
        study="windows",
        marks_drifts=True,
        by_entity=True,
        settings=WindowsSettings,
        reads="predictions",
        frames={
            "following": ESTIMATE_CURVES,
            "distances": DISTANCES,
            "closer": DISTANCE_DIFFERENCES,
        },
    ),
    ItemKind(
        name="holdout",
        study="holdout",
        marks_drifts=True,
        settings=HoldoutSettings,
        reads="generator",
        trains="classifiers",
        frames={
            "following": ESTIMATE_CURVES,
            "distances": HOLDOUT_DISTANCES,
            "closer": DISTANCE_DIFFERENCES,
        },
    ),
    ItemKind(
        name="holdout_distances",
        study="show",
        settings=HoldoutDistancesSettings,
        reads="holdout",
        columns=("stream", *HOLDOUT_DISTANCES),
    ),
    ItemKind(
        name="estimates",
        study="estimates",
        settings=EstimatesSettings,
        reads="predictions",
        frames={"estimates": ESTIMATES},
    ),
    ItemKind(
        name="wrapped",
        study="estimates",
        by_entity=True,
        settings=WrappedSettings,
        reads="predictions",
        frames={"estimates": ESTIMATES},
    ),
    ItemKind(
        name="overall_measures",
        study="show",
        by_entity=True,
        settings=OverallMeasuresSettings,
        reads="predictions",
        joins=("folds",),
        columns=("stream", "simulated", "learner"),
    ),
    ItemKind(
        name="kappa_significance",
        study="show",
        settings=KappaSignificanceSettings,
        reads="predictions",
        columns=(
            *("stream", "simulated", "learner"),
            *("kappa", "kappa_standard_error", "kappa_z", "kappa_p_value"),
        ),
    ),
    ItemKind(
        name="critical_difference",
        study="critical_difference",
        settings=CriticalDifferenceSettings,
        reads="predictions",
        predicts=BOTH,
        joins=("streams", "folds"),
        frames={"ranks": RANKS, "scores": SCORES},
        columns=RANKS,
        pictures=("ranks",),
    ),
)
