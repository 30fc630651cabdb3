"""Learners over the streams of a benchmark: a control against all others, and mean ranks."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Annotated, Any

from msgspec import Meta

from streameval.base.errors import some
from streameval.evaluation.control_columns import DIFFERENCES, LEAST_STREAMS, OTHERS
from streameval.items.benchmark import BenchmarkSettings
from streameval.items.kind import Kind
from streameval.items.performance import RANKS
from streameval.items.settings import ALL, ItemName, Names, Settings, TestLevel
from streameval.measures.registry import MEASURES, measure_words
from streameval.significance.t_over_folds import ROPE

Positive = Annotated[float, Meta(gt=0)]
BenchmarkMeasure = Annotated[
    str, Meta(description="A measure of the benchmark; the greater the better.")
]
Chosen = Annotated[
    Names | None, Meta(description="Ids of the learners; null: all of the benchmark.")
]
#: Columns of the mean ranks; `reason` says why a learner is left out.
MEAN_RANKS = (*RANKS, "reason")


def _lacking(of: Settings, measure: str, learners: Sequence[str], what: str) -> Iterator[str]:
    """Yield what the benchmark lacks: the measure, a learner, or streams.

    `what` are the settings that name the learners.
    """
    if not isinstance(of, BenchmarkSettings):
        return
    if measure not in of.measures:
        yield (
            f"measure: expected one of the benchmark, {some(of.measures)}, found {measure}. "
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


class ControlTestSettings(Settings, frozen=True, kw_only=True):
    """A control against each other learner of a benchmark, by tests over its streams."""

    of: ItemName
    control: Annotated[str, Meta(description="Id of the learner that is compared with each other.")]
    measure: BenchmarkMeasure = "accuracy"
    others: Chosen = None
    rope: Annotated[
        Annotated[float, Meta(ge=0)],
        Meta(description="Differences up to this size are practically none."),
    ] = ROPE
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

    def objections_about(self, of: Settings) -> Iterator[str]:
        """See `Settings`."""
        learners = (self.control, *(self.others or ()))
        yield from _lacking(of, self.measure, learners, "control and others")

    def words(self) -> Mapping[str, object]:
        """See `Settings`."""
        return {
            "measured": _title(self.measure),
            "by": measure_words(self.measure) if self.measure in MEASURES else self.measure,
            "within": f"±{self.rope:g}",
        }


class MeanRanksSettings(Settings, frozen=True, kw_only=True):
    """Mean ranks of the learners of a benchmark, and which of them differ (Demšar, 2006)."""

    of: ItemName
    measure: BenchmarkMeasure = "accuracy"
    ranked: Chosen = None
    level: TestLevel = 0.05

    def objections_about(self, of: Settings) -> Iterator[str]:
        """See `Settings`."""
        yield from _lacking(of, self.measure, self.ranked or (), "ranked")

    def words(self) -> Mapping[str, object]:
        """See `Settings`."""
        return {"measured": _title(self.measure)}


def _title(measure: str) -> str:
    return MEASURES[measure].title if measure in MEASURES else measure


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
