"""Measures of learners over a stream: curves, estimates and tables."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping, Sequence
from math import ceil
from typing import Annotated, Any, Literal

from msgspec import Meta

from streameval.evaluation.roles import COMPARATORS, MAJORITY, WRAPPER_SUFFIXES
from streameval.items.kind import Kind
from streameval.items.settings import (
    DISTINCT,
    Count,
    ItemName,
    LearnerItemSettings,
    Measures,
    Names,
    Points,
    PredictionItemSettings,
    PublishedFile,
    RankedPredictions,
    Seed,
    Settings,
    SomeNames,
    StudyCost,
    TestLevel,
    Window,
    Windows,
)
from streameval.learners.tasks import BOTH

_BELOW = (
    " Where a learner's curve is below that of No-Change, repeating the previous label is better."
)
_KAPPA_M = " κ_m compares with the learner {}, over the same window."


#: Columns of the counts of windows.
SIGNS = (
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
            description="Whether the frame `windows` counts signs over all windows, and not only "
            "over those that are drawn."
        ),
    ] = False

    def learners_read(self) -> Sequence[str]:
        """See `Settings`."""
        return tuple(dict.fromkeys((*self.learners, self.majority)))

    def caption_values(self) -> Mapping[str, object]:
        """See `Settings`."""
        return {
            "below_no_change": _BELOW if "no_change" in self.learners else "",
            "kappa_m": "" if self.majority == MAJORITY else _KAPPA_M.format(self.majority),
        }


#: Confidence parameter of ADWIN, that of MOA.
DELTA = 0.002
#: Columns of the frames, of the kind holdout too.
FOLLOWING = ("learner", "estimator", "instance", "accuracy")
DISTANCES = ("learner", "estimator", "instances", "distance", "low", "high")
CLOSER = ("learner", "estimator", "other", "instances", "difference", "low", "high")


class WindowsSettings(PredictionItemSettings, frozen=True, kw_only=True):
    """Accuracy by ADWIN and over sliding windows of several lengths."""

    windows: Windows = (100, 1000, 10_000)
    points: Points = 1000

    def caption_values(self) -> Mapping[str, object]:
        """See `Settings`."""
        return {"delta": DELTA}


#: Estimators by name; that of a window has its length behind.
ADWIN, HOLD_OUT, WINDOW = "adwin", "hold_out", "window_"
HOLDOUT_DISTANCES = (*DISTANCES, "tests", "floor")


class HoldoutSettings(LearnerItemSettings, frozen=True, kw_only=True):
    """Estimates of accuracy against fresh instances of the current concept."""

    instances: Annotated[
        Count | None, Meta(description="Length of each stream; null: that of the registry.")
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
        """See `Settings`: fresh instances take as long as a stream of a million."""
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


ESTIMATES = ("variant", "learner", "estimator", "measure", "value", "reason")

_SHUFFLED = " Shuffled: instances in random order, so that their labels are independent."


class EstimatesSettings(PredictionItemSettings, frozen=True, kw_only=True):
    """Measures at the end of a stream by several estimators."""

    measures: Measures
    window: Window = 1000
    variants: Annotated[
        SomeNames,
        Meta(description="Orders of the instances: original, shuffled:SEED, temporal:SEED."),
    ] = ("original",)

    def caption_values(self) -> Mapping[str, object]:
        """See `Settings`."""
        shuffled = any(name.startswith("shuffled") for name in self.variants)
        return {"shuffled": _SHUFFLED if shuffled else ""}


class WrappedSettings(PredictionItemSettings, frozen=True, kw_only=True):
    """Accuracy of learners alone and in both wrappers."""

    measures: Annotated[
        tuple[Literal["accuracy"], ...],
        DISTINCT,
        Meta(description="Accuracy; other measures are not drawn."),
    ] = ("accuracy",)
    window: Window = 1000

    def learners_read(self) -> Sequence[str]:
        """See `Settings`."""
        wrapped = [f"{name}{end}" for name in self.learners for end in WRAPPER_SUFFIXES]
        return [*COMPARATORS, *wrapped]


class OverallMeasuresSettings(PredictionItemSettings, frozen=True, kw_only=True):
    """Measures of learners over the whole of each stream."""

    measures: Annotated[SomeNames, Meta(description="Names of measures, a column each.")] = (
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


#: Fewer streams or learners are refused.
LEAST_RANKED = 3
#: Columns of the mean ranks.
RANKS = (
    *("learner", "mean_rank", "mean", "streams", "simulated"),
    *("statistic", "p_value", "critical_difference", "alike"),
)
#: Columns of the values and ranks on each stream.
SCORES = ("stream", "simulated", "learner", "value", "rank")


def too_few(streams: Collection[str], learners: Collection[str]) -> str:
    """The error if there are too few streams or learners; "" if there are enough."""
    if min(len(streams), len(learners)) >= LEAST_RANKED:
        return ""
    names = ", ".join(streams) or "none"
    return (
        f"expected at least {LEAST_RANKED} streams and {LEAST_RANKED} learners, found "
        f"{len(streams)} streams ({names}) and {len(learners)} learners. Name more of them, or "
        "leave the item out."
    )


#: More learners do not fit into the diagram of Demšar (2006), nor their names into a cell.
MOST_JOINED = 15


class CriticalDifferenceSettings(RankedPredictions, frozen=True, kw_only=True):
    """Mean ranks of learners over streams, and which of them differ (Demšar, 2006)."""

    streams: Annotated[
        Names,
        Meta(
            description="Ids of at least three streams, or all. Each should stand for a domain of "
            "its own."
        ),
    ]
    level: TestLevel = 0.05

    def objections(self, rows: Mapping[str, Any]) -> Iterator[str]:
        """See `Settings`."""
        yield from super().objections(rows)
        is_open = self.streams == ("all",)
        objection = too_few([""] * LEAST_RANKED if is_open else self.streams, self.learners)
        if objection:
            yield objection


KINDS = (
    Kind(
        name="measures",
        study="measures",
        marks_drifts=True,
        by_entity=True,
        settings=MeasuresSettings,
        reads="predictions",
        frames={
            "curves": ("instance", "learner", "measure", "value", "reason"),
            "windows": SIGNS,
        },
    ),
    Kind(
        name="windows",
        study="windows",
        marks_drifts=True,
        by_entity=True,
        settings=WindowsSettings,
        reads="predictions",
        frames={"following": FOLLOWING, "distances": DISTANCES, "closer": CLOSER},
    ),
    Kind(
        name="holdout",
        study="holdout",
        marks_drifts=True,
        settings=HoldoutSettings,
        reads="generator",
        trains="classifiers",
        frames={"following": FOLLOWING, "distances": HOLDOUT_DISTANCES, "closer": CLOSER},
    ),
    Kind(
        name="holdout_distances",
        study="show",
        settings=HoldoutDistancesSettings,
        reads="holdout",
        columns=("stream", *HOLDOUT_DISTANCES),
    ),
    Kind(
        name="estimates",
        study="estimates",
        settings=EstimatesSettings,
        reads="predictions",
        frames={"estimates": ESTIMATES},
    ),
    Kind(
        name="wrapped",
        study="estimates",
        by_entity=True,
        settings=WrappedSettings,
        reads="predictions",
        frames={"estimates": ESTIMATES},
    ),
    Kind(
        name="overall_measures",
        study="show",
        by_entity=True,
        settings=OverallMeasuresSettings,
        reads="predictions",
        joins=("folds",),
        columns=("stream", "simulated", "learner"),
    ),
    Kind(
        name="kappa_significance",
        study="show",
        settings=KappaSignificanceSettings,
        reads="predictions",
        columns=(
            *("stream", "simulated", "learner"),
            *("kappa", "kappa_standard_error", "kappa_z", "kappa_p_value"),
        ),
    ),
    Kind(
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
