"""The main table of a paper: learners over streams and seeds, and what they cost."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Annotated, Any, ClassVar, Literal

from msgspec import Meta

from streameval.base.values import listed
from streameval.items.kind import Kind
from streameval.items.settings import (
    SOME,
    Count,
    ItemName,
    OfPredictions,
    PublishedFile,
    Settings,
    SomeNames,
)
from streameval.measures.registry import MEASURES, measure_words
from streameval.protocols.partial import no_interval
from streameval.protocols.registry import parse

#: Columns of the frames: a row for each run, each pair of learners, and each run's costs.
SCORES = ("stream", "simulated", "learner", "seed", "measure", "value", "reason")
VERDICTS = (
    *("stream", "simulated", "learner", "other"),
    *("difference", "low", "high", "p_value", "verdict", "reason"),
)
COSTS = ("stream", "simulated", "learner", "seed", "instances", "seconds", "model_bytes")
#: Columns of the table: a row for each learner on each stream, by measure.
TABLE = (
    *("stream", "simulated", "learner", "measure", "mean", "sd", "seeds", "rank"),
    *("standing", "wins", "ties", "losses", "reason"),
    *("published", "difference", "agreement", "rule", "why", "source"),
)
#: Columns of the ranks over time: means over streams, and the values of each stream behind them.
PART_RANKS = ("part", "learner", "mean_rank", "streams")
PART_VALUES = ("stream", "simulated", "part", "learner", "value", "rank")
#: How a learner stands on a stream: its mean is the greatest; it cannot be told from such a one;
#: it is worse. Empty where there is no verdict.
BEST, ALIKE, WORSE = "best", "alike", "worse"
#: Measures that rank the learners of a stream as accuracy does, so that its verdicts hold: each is
#: one less the ratio of two proportions of errors, and that of the baseline is the same for all.
AS_ACCURACY = ("accuracy", "kappa_temporal", "kappa_m")
#: Measures that say nothing of which learner is better.
_NOT_RANKED = ("chance_accuracy", "kappa_standard_error", "kappa_p_value")
#: Why models of several folds have no verdict.
_FOLDS = (
    "the models of all folds have the seed of the run, and all runs share the folds; error rates "
    "of such verdicts are not simulated"
)


def why_no_verdict(measure: str, protocol: str | Mapping[str, Any]) -> str:
    """Reason why learners have no verdict by a measure and a protocol; "" where they have one."""
    if measure not in AS_ACCURACY:
        return "error rates of its intervals are not simulated"
    parsed = parse(protocol)
    return _FOLDS if parsed.has_folds else no_interval(str(parsed))


class BenchmarkSettings(OfPredictions, frozen=True, kw_only=True):
    """Measures of learners over streams, with the spread over seeds and verdicts."""

    measures: Annotated[
        SomeNames, Meta(description="Names of measures; the greater the better. A block each.")
    ] = ("accuracy",)
    baselines: Annotated[
        tuple[Literal["no_change", "majority"], ...],
        Meta(description="Baselines beside the learners."),
    ] = ("no_change", "majority")
    seeds: Annotated[
        Count | None,
        Meta(
            description="Number of runs, with the seeds 1, 2, ..., of each learner that draws at "
            "random; null: the `seeds` of the study, or 1. The `seeds` of a learner's row comes "
            "first."
        ),
    ] = None
    rope: Annotated[
        Annotated[float, Meta(ge=0, le=1)] | None,
        Meta(
            description="Region of practical equivalence, in accuracy; null: 2 % of the error of "
            "the better baseline on each stream."
        ),
    ] = None
    turned: Annotated[
        bool, Meta(description="A row for each learner and a column for each stream.")
    ] = False
    percent: Annotated[bool, Meta(description="Measures times 100.")] = True
    digits: Annotated[
        Annotated[int, Meta(ge=0, le=10)], Meta(description="Decimals of measures.")
    ] = 2
    ranks: Annotated[
        bool, Meta(description="Whether mean ranks, wins, ties and losses follow.")
    ] = True
    title: Annotated[str, Meta(description="Title of the table, instead of one that says it.")] = ""
    caption: Annotated[str, Meta(description="Text behind the title.")] = ""
    published: PublishedFile = ""

    @property
    def compared(self) -> tuple[str, ...]:
        """The learners, then the baselines, each once."""
        return tuple(dict.fromkeys((*self.learners, *self.baselines)))

    def learners_read(self) -> Sequence[str]:
        """See `Settings`."""
        return self.compared

    def published_values(self) -> str:
        """See `Settings`."""
        return self.published

    def resources(self) -> Sequence[str]:
        """See `Settings`."""
        return [self.published] if self.published else []

    def objections(self, rows: Mapping[str, Any]) -> Iterator[str]:
        """See `Settings`."""
        wrong = [name for name in self.measures if name in _NOT_RANKED]
        if wrong:
            yield (
                f"measures: expected measures by which the greater is the better, found {wrong[0]}."
                " Choose another one."
            )

    def words(self) -> Mapping[str, object]:
        """See `Settings`."""
        names = [MEASURES[one].title for one in self.measures if one in MEASURES]
        unit = " in %" if self.percent else ""
        title = self.title or f"{listed(names)} of learners over streams{unit}"
        whole = f"{title.rstrip('.')}. {self.caption}" if self.caption else title
        return {"title": whole.rstrip("."), "caption": self.caption, "called": listed(names)}


class RanksOverTimeSettings(OfPredictions, frozen=True, kw_only=True):
    """Mean rank of learners over streams, in consecutive parts of the streams."""

    measure: Annotated[
        str, Meta(description="The measure by which learners are ranked; the greater the better.")
    ] = "accuracy"
    parts: Annotated[
        Annotated[int, Meta(ge=2, le=1000)],
        Meta(description="Number of parts of equal length into which each stream is cut."),
    ] = 20
    seeds: Annotated[
        Count | None,
        Meta(
            description="Number of runs, with the seeds 1, 2, ..., of each learner that draws at "
            "random; null: the `seeds` of the study, or 1."
        ),
    ] = None

    def objections(self, rows: Mapping[str, Any]) -> Iterator[str]:
        """See `Settings`."""
        if self.measure not in MEASURES or self.measure in _NOT_RANKED:
            yield (
                "measure: expected a measure by which the greater is the better, found "
                f"{self.measure}. Choose another one."
            )
        if len(self.learners) < 2:
            yield (
                f"learners: expected at least two, found {len(self.learners)}. Name more of them, "
                "or leave the item out."
            )

    def words(self) -> Mapping[str, object]:
        """See `Settings`."""
        return {"called": measure_words(self.measure)}


class BenchmarkCostsSettings(Settings, frozen=True, kw_only=True):
    """Processor time and memory of the runs of a benchmark."""

    of: ItemName
    costs: Annotated[
        tuple[Literal["seconds", "memory"], ...],
        SOME,
        Meta(description="CPU seconds of a run, and size of the model at its end. A block each."),
    ] = ("seconds", "memory")
    turned: Annotated[
        bool, Meta(description="A row for each learner and a column for each stream.")
    ] = False
    #: No two runs show the same times.
    times: ClassVar[bool] = True


KINDS = (
    Kind(
        name="benchmark",
        study="benchmark",
        by_entity=True,
        settings=BenchmarkSettings,
        reads="predictions",
        joins=("streams", "folds"),
        frames={"table": TABLE, "scores": SCORES, "verdicts": VERDICTS, "costs": COSTS},
        columns=TABLE,
        times=("costs",),
        pictures=("ranks",),
    ),
    Kind(
        name="ranks_over_time",
        study="ranks_over_time",
        settings=RanksOverTimeSettings,
        reads="predictions",
        joins=("streams",),
        frames={"ranks": PART_RANKS, "values": PART_VALUES},
        pictures=("ranks",),
    ),
    Kind(
        name="benchmark_costs",
        study="costs",
        settings=BenchmarkCostsSettings,
        reads="benchmark",
        columns=("stream", "simulated", "learner", "cost", "mean", "sd", "seeds"),
    ),
)
