"""Learners over the streams of a benchmark: a control against all others, and mean ranks."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Annotated, Any, Self

from msgspec import Meta
from msgspec.structs import replace

from streameval.base.errors import some
from streameval.evaluation.control_columns import DIFFERENCES, LEAST_STREAMS, OTHERS
from streameval.evaluation.number_measures import named_measure, words_of_measure
from streameval.evaluation.task import CLASSES
from streameval.items.benchmark import BenchmarkSettings
from streameval.items.kind import Kind
from streameval.items.performance import RANKS
from streameval.items.settings import ALL, ItemName, Names, Settings, TestLevel
from streameval.measures.regression import is_error
from streameval.significance.t_over_folds import ROPE

Positive = Annotated[float, Meta(gt=0)]
BenchmarkMeasure = Annotated[
    str | None, Meta(description="A measure of the benchmark; null: its first one.")
]
Chosen = Annotated[
    Names | None, Meta(description="Ids of the learners; null: all of the benchmark.")
]
#: Columns of the mean ranks; `reason` says why a learner is left out.
MEAN_RANKS = (*RANKS, "reason")


def _lacking(of: Settings, measure: str, learners: Sequence[str], what: str) -> Iterator[str]:
    """Yield an error for each item that the benchmark lacks: measure, learner or streams.

    `what` are the settings that name the learners.
    """
    if not isinstance(of, BenchmarkSettings):
        return
    if measure not in of.measured:
        yield (
            f"measure: expected one of the benchmark, {some(of.measured)}, found {measure}. "
            "Name another one, or add it to the measures of the benchmark."
        )
    for name in learners:
        if name not in of.compared:
            yield (
                f"{what}: expected learners of the benchmark, {some(of.compared)}, found {name}. "
                "Name another one, or add it to the learners of the benchmark."
            )
    if of.streams != (ALL,) and len(of.streams) < LEAST_STREAMS:
        yield (
            f"of: expected a benchmark of at least {LEAST_STREAMS} streams, found "
            f"{some(of.streams) or 'none'}. Add some, or leave the item out."
        )


class _OfBenchmark(Settings, frozen=True, kw_only=True):
    """Settings of an item about a measure of a benchmark."""

    of: ItemName
    measure: BenchmarkMeasure = None

    def for_items(self, source_settings: Sequence[Settings]) -> Self:
        """See `Settings`."""
        benchmarks = (each for each in source_settings if isinstance(each, BenchmarkSettings))
        first = next((benchmark.measured[0] for benchmark in benchmarks), None)
        return replace(self, measure=self.measure or first)

    @property
    def measured(self) -> str:
        """The measure."""
        return self.measure or CLASSES.measure


class ControlTestSettings(_OfBenchmark, frozen=True, kw_only=True):
    """A control against each other learner of a benchmark, by tests over its streams."""

    control: Annotated[str, Meta(description="Id of the learner that is compared with each other.")]
    others: Chosen = None
    rope: Annotated[
        Annotated[float, Meta(ge=0)] | None,
        Meta(
            description=f"Differences up to this size are practically none; null: {ROPE:g}. Errors "
            "of numeric targets have a unit, and need a value, perhaps 0."
        ),
    ] = None
    level: TestLevel = 0.05
    difference: Annotated[
        Positive | None,
        Meta(
            description="The difference to see, for the power and the number of streams that it "
            "takes; null: the rope."
        ),
    ] = None

    def objections(self, rows: Mapping[str, Any]) -> Iterator[str]:
        """See `Settings`."""
        if self.others is not None and self.control in self.others:
            yield (
                f"others: expected learners other than the control, found {self.control}. Leave "
                "it out."
            )

    @property
    def region(self) -> float:
        """The size of differences that are practically none."""
        return ROPE if self.rope is None else self.rope

    def objections_about(self, source_settings: Settings) -> Iterator[str]:
        """See `Settings`."""
        learners = (self.control, *(self.others or ()))
        yield from _lacking(source_settings, self.measured, learners, "control and others")
        if is_error(self.measured) and self.rope is None:
            yield (
                f"rope: expected a size in the unit of the targets, as {self.measured} has one, "
                "found none. Set it, 0 for no region, or name a measure without a unit, such as "
                "skill_over_target_mean."
            )

    def caption_values(self) -> Mapping[str, object]:
        """See `Settings`."""
        return {
            "measured": _title(self.measured),
            "by": words_of_measure(self.measured),
            "within": f"±{self.region:g}",
        }


class MeanRanksSettings(_OfBenchmark, frozen=True, kw_only=True):
    """Mean ranks of the learners of a benchmark, and which of them differ (Demšar, 2006)."""

    ranked: Chosen = None
    level: TestLevel = 0.05

    def objections_about(self, source_settings: Settings) -> Iterator[str]:
        """See `Settings`."""
        yield from _lacking(source_settings, self.measured, self.ranked or (), "ranked")

    def caption_values(self) -> Mapping[str, object]:
        """See `Settings`."""
        return {"measured": _title(self.measured)}


def _title(measure: str) -> str:
    return str(named_measure(measure).title)


KINDS = (
    Kind(
        name="control_test",
        study="control_test",
        settings=ControlTestSettings,
        reads="benchmark",
        frames={"others": OTHERS, "differences": DIFFERENCES},
        columns=OTHERS,
        pictures=("differences",),
    ),
    Kind(
        name="mean_ranks",
        study="mean_ranks",
        settings=MeanRanksSettings,
        reads="benchmark",
        frames={
            "ranks": MEAN_RANKS,
            "scores": ("stream", "simulated", "learner", "value", "rank"),
        },
        columns=MEAN_RANKS,
        pictures=("ranks",),
    ),
)
