"""Comparisons of learners over the streams of a benchmark: with a control, and by mean ranks."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Annotated, Any, Self

from msgspec import Meta
from msgspec.structs import replace

from streameval.base.errors import listing
from streameval.evaluation.control_columns import DIFFERENCE_COLUMNS, MIN_STREAMS, OTHER_COLUMNS
from streameval.evaluation.regression_measures import named_measure, phrase_of_measure
from streameval.evaluation.task import CLASSIFICATION_TASK
from streameval.items.benchmark import BenchmarkSettings
from streameval.items.kind import ItemKind
from streameval.items.performance import RANKS
from streameval.items.settings import ALL, ItemName, Names, Settings, TestLevel
from streameval.measures.regression import is_error
from streameval.significance.t_over_folds import ROPE

Positive = Annotated[float, Meta(gt=0)]
BenchmarkMeasure = Annotated[
    str | None, Meta(description="A measure of the benchmark; null: its first measure.")
]
LearnersOrAll = Annotated[
    Names | None, Meta(description="Ids of the learners; null: all of the benchmark.")
]
#: Columns of the mean ranks; `reason` says why a learner is left out.
MEAN_RANKS = (*RANKS, "reason")


def _benchmark_faults(
    benchmark: Settings, measure: str, learners: Sequence[str], learner_settings: str
) -> Iterator[str]:
    """Yield errors if the benchmark lacks the measure, a learner, or enough streams.

    `learner_settings` names the settings with the learners, as text for the errors.
    """
    if not isinstance(benchmark, BenchmarkSettings):
        return
    if measure not in benchmark.measures_or_default:
        yield (
            "measure: expected one of the benchmark, "
            f"{listing(benchmark.measures_or_default)}, found {measure}. "
            "Name another one, or add it to the measures of the benchmark."
        )
    available = benchmark.learners_and_baselines
    for name in learners:
        if name not in available:
            yield (
                f"{learner_settings}: expected learners of the benchmark, {listing(available)}, "
                f"found {name}. Name another one, or add it to the learners of the benchmark."
            )
    if benchmark.streams != (ALL,) and len(benchmark.streams) < MIN_STREAMS:
        yield (
            f"of: expected a benchmark of at least {MIN_STREAMS} streams, found "
            f"{listing(benchmark.streams) or 'none'}. Add some, or leave the item out."
        )


class _BenchmarkMeasureSettings(Settings, frozen=True, kw_only=True):
    """Settings of an item about one measure of a benchmark."""

    of: ItemName
    measure: BenchmarkMeasure = None

    def for_sources(self, source_settings: Sequence[Settings]) -> Self:
        """See `Settings`."""
        benchmarks = (each for each in source_settings if isinstance(each, BenchmarkSettings))
        first = next((benchmark.measures_or_default[0] for benchmark in benchmarks), None)
        return replace(self, measure=self.measure or first)

    @property
    def measure_or_default(self) -> str:
        """The measure that is set, or accuracy."""
        return self.measure or CLASSIFICATION_TASK.measure


class ControlTestSettings(_BenchmarkMeasureSettings, frozen=True, kw_only=True):
    """Comparison of a control with all other learners of a benchmark, by tests over streams."""

    control: Annotated[
        str, Meta(description="Id of the learner that is compared with all other learners.")
    ]
    others: LearnersOrAll = None
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
            description="The difference to detect; the table has the power of the tests for it and "
            "the number of streams that they need. null: the rope."
        ),
    ] = None

    def setting_faults(self, registry: Mapping[str, Any]) -> Iterator[str]:
        """See `Settings`."""
        if self.others is not None and self.control in self.others:
            yield (
                f"others: expected learners other than the control, found {self.control}. Leave "
                "it out."
            )

    @property
    def rope_or_default(self) -> float:
        """Half width of the region of practical equivalence: the rope that is set, or `ROPE`."""
        return ROPE if self.rope is None else self.rope

    def source_faults(self, source_settings: Settings) -> Iterator[str]:
        """See `Settings`."""
        learners = (self.control, *(self.others or ()))
        yield from _benchmark_faults(
            source_settings, self.measure_or_default, learners, "control and others"
        )
        if is_error(self.measure_or_default) and self.rope is None:
            yield (
                "rope: expected a size in the unit of the targets, which "
                f"{self.measure_or_default} has, found none. Set it, 0 for no region, or name a "
                "measure without a unit, such as skill_over_target_mean."
            )

    def caption_values(self) -> Mapping[str, object]:
        """See `Settings`."""
        return {
            "measure_title": _title(self.measure_or_default),
            "measure_name": phrase_of_measure(self.measure_or_default),
            "region": f"±{self.rope_or_default:g}",
        }


class MeanRanksSettings(_BenchmarkMeasureSettings, frozen=True, kw_only=True):
    """Mean ranks of the learners of a benchmark, and which of them differ (Demšar, 2006)."""

    ranked: LearnersOrAll = None
    level: TestLevel = 0.05

    def source_faults(self, source_settings: Settings) -> Iterator[str]:
        """See `Settings`."""
        yield from _benchmark_faults(
            source_settings, self.measure_or_default, self.ranked or (), "ranked"
        )

    def caption_values(self) -> Mapping[str, object]:
        """See `Settings`."""
        return {"measure_title": _title(self.measure_or_default)}


def _title(measure: str) -> str:
    return str(named_measure(measure).title)


KINDS = (
    ItemKind(
        name="control_test",
        study="control_test",
        settings=ControlTestSettings,
        reads="benchmark",
        frames={"others": OTHER_COLUMNS, "differences": DIFFERENCE_COLUMNS},
        columns=OTHER_COLUMNS,
        pictures=("differences",),
    ),
    ItemKind(
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
