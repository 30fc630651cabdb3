"""The main table of a paper: learners over streams and seeds, and their costs."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Annotated, Any, ClassVar, Literal, Self

from msgspec import Meta
from msgspec.structs import replace

from streameval.base.values import enumeration
from streameval.evaluation.regression_measures import SKILL_PREFIX, named_measure, phrase_of_measure
from streameval.evaluation.task import CLASSIFICATION_TASK, REGRESSION_TASK, TASKS
from streameval.items.kind import ItemKind
from streameval.items.settings import (
    NON_EMPTY_UNIQUE,
    NOT_RANKED,
    Count,
    ItemName,
    NonEmptyNames,
    PredictionItemSettings,
    PublishedFile,
    RankedPredictions,
    Settings,
)
from streameval.learners.tasks import BOTH, TaskName
from streameval.measures.registry import MEASURES
from streameval.measures.regression import is_error
from streameval.protocols.registry import parse

#: Columns of the frame of scores: a row for each measure of a run. `simulated` marks streams that
#: are generated to resemble a real one; `reason` says why there is no value.
SCORES = ("stream", "simulated", "learner", "seed", "measure", "value", "reason")
#: Columns of the verdicts on one stream.
STREAM_VERDICTS = (
    *("learner", "other", "difference", "low", "high"),
    *("p_value", "verdict", "reason"),
)
#: Columns of the frame of verdicts: a row for each pair of learners on a stream.
VERDICTS = ("stream", "simulated", *STREAM_VERDICTS)
#: Columns of the costs on one stream.
STREAM_COSTS = ("learner", "seed", "instances", "seconds", "model_bytes")
#: Columns of the frame of costs: a row for each run.
COSTS = ("stream", "simulated", *STREAM_COSTS)
#: Columns of the table: a row for each learner on each stream and each measure.
TABLE = (
    *("stream", "simulated", "learner", "measure", "mean", "sd", "seeds", "rank"),
    *("standing", "wins", "ties", "losses", "reason"),
    *("published", "difference", "agreement", "rule", "why", "source"),
)
#: Columns of the ranks over time: mean ranks over streams, by part.
PART_RANKS = ("part", "learner", "mean_rank", "streams")
#: Columns of the values and ranks of each stream; `PART_RANKS` has the means of these ranks.
PART_VALUES = ("stream", "simulated", "part", "learner", "value", "rank")
#: Standing of a learner on a stream: it has the best mean, cannot be distinguished from the best
#: learner, or is worse. A standing is empty if there is no verdict.
BEST, ALIKE, WORSE = "best", "alike", "worse"
#: Measures that rank the learners of a stream as accuracy does, so that verdicts about accuracy
#: hold for them. Both κ are 1 minus the ratio of the error rates of a learner and of a baseline,
#: which is the same for all learners.
RANKS_AS_ACCURACY = ("accuracy", "kappa_temporal", "kappa_m")
#: Reason why models of several folds have no verdict in classification.
_NO_VERDICT_ON_FOLDS = (
    "the models of all folds have the seed of the run, and all runs share the folds; error rates "
    "of such verdicts are not simulated"
)
#: Reason why models of several folds have no verdict in regression.
_NO_VERDICT_IN_REGRESSION = "verdicts in regression need prequential runs"


def verdicts_apply_to(measure: str) -> bool:
    """Whether verdicts about accuracy, or the mean absolute error, hold for a measure, too.

    They do if both measures rank the learners of a stream equally. A skill does: it is 1 minus the
    ratio of a learner's mean absolute error to the baseline's, which is the same for all learners.
    """
    return measure in (*RANKS_AS_ACCURACY, REGRESSION_TASK.measure) or measure.startswith(
        SKILL_PREFIX
    )


def no_verdict_reason(measure: str, protocol: str | Mapping[str, Any]) -> str:
    """Reason why learners have no verdict by a measure and a protocol; "" if they have one."""
    if not verdicts_apply_to(measure):
        if measure not in MEASURES:
            return "verdicts in regression are about the mean absolute error"
        return "error rates of its intervals are not simulated"
    parsed = parse(protocol)
    on_folds = _NO_VERDICT_ON_FOLDS if measure in MEASURES else _NO_VERDICT_IN_REGRESSION
    return on_folds if parsed.has_folds else parsed.no_interval_reason


class BenchmarkSettings(PredictionItemSettings, frozen=True, kw_only=True):
    """Measures of learners over streams, with the spread over seeds and verdicts."""

    measures: Annotated[
        NonEmptyNames | None,
        Meta(
            description="Names of measures, a block each; null: accuracy, or mean_absolute_error "
            "of numeric targets, which also have root_mean_squared_error, r_squared, "
            "skill_over_previous_target and skill_over_target_mean."
        ),
    ] = None
    baselines: Annotated[
        tuple[Literal["no_change", "majority", "previous_target", "target_mean"], ...] | None,
        Meta(
            description="Baselines beside the learners; null: no_change and majority, or "
            "previous_target and target_mean of numeric targets."
        ),
    ] = None
    seeds: Annotated[
        Count | None,
        Meta(
            description="Number of runs, with the seeds 1, 2, ..., of each learner that draws at "
            "random; null: the `seeds` of the study, or 1. The `seeds` of a learner's "
            "registry row takes precedence."
        ),
    ] = None
    rope: Annotated[
        Annotated[float, Meta(ge=0)] | None,
        Meta(
            description="Region of practical equivalence, in accuracy or in the unit of numeric "
            "targets; null: 2 % of the error of the better baseline on each stream."
        ),
    ] = None
    transposed: Annotated[
        bool, Meta(description="A row for each learner and a column for each stream.")
    ] = False
    percent: Annotated[
        bool, Meta(description="Multiply measures by 100, except errors of numeric targets.")
    ] = True
    digits: Annotated[
        Annotated[int, Meta(ge=0, le=10)] | None,
        Meta(
            description="Decimals of measures; null: 2, or for errors of numeric targets the "
            "number with which the largest error of a stream has four significant digits."
        ),
    ] = None
    ranks: Annotated[
        bool, Meta(description="Add mean ranks, wins, ties and losses after the streams.")
    ] = True
    title: Annotated[
        str, Meta(description=("Title of the table; by default made from its measures."))
    ] = ""
    caption: Annotated[str, Meta(description="Text that follows the title.")] = ""
    published: PublishedFile = ""

    def for_task(self, task: TaskName) -> Self:
        """See `Settings`."""
        measures = (TASKS[task].measure,) if self.measures is None else self.measures
        baselines = tuple(TASKS[task].baselines) if self.baselines is None else self.baselines
        return replace(self, measures=measures, baselines=baselines)

    @property
    def measures_or_default(self) -> tuple[str, ...]:
        """The measures that are set, or accuracy."""
        return (CLASSIFICATION_TASK.measure,) if self.measures is None else self.measures

    @property
    def learners_and_baselines(self) -> tuple[str, ...]:
        """The learners, then those baselines that are not among them."""
        baselines = CLASSIFICATION_TASK.baselines if self.baselines is None else self.baselines
        return tuple(dict.fromkeys((*self.learners, *baselines)))

    def evaluated_learners(self) -> Sequence[str]:
        """See `Settings`."""
        return self.learners_and_baselines

    def published_values(self) -> str:
        """See `Settings`."""
        return self.published

    def resources(self) -> Sequence[str]:
        """See `Settings`."""
        return [self.published] if self.published else []

    def setting_faults(self, registry: Mapping[str, Any]) -> Iterator[str]:
        """See `Settings`."""
        unsuitable = [name for name in self.measures_or_default if name in NOT_RANKED]
        if unsuitable:
            yield (
                "measures: expected measures that say which learner is better, found "
                f"{unsuitable[0]}. Choose another one."
            )
        is_classification = any(name in MEASURES for name in self.measures_or_default)
        if self.rope is not None and self.rope > 1 and is_classification:
            yield f"rope: expected a difference in accuracy, from 0 to 1, found {self.rope:g}"

    def caption_values(self) -> Mapping[str, object]:
        """See `Settings`."""
        names = [named_measure(measure).title for measure in self.measures_or_default]
        if self.measures_or_default[0] not in MEASURES:
            # Titles of classification measures may begin with a name, such as Cohen's kappa.
            names[1:] = [f"{title[0].lower()}{title[1:]}" for title in names[1:]]
        unit = " in %" if self.percent and not any(map(is_error, self.measures_or_default)) else ""
        title = self.title or f"{enumeration(names)} of learners over streams{unit}"
        full_title = f"{title.rstrip('.')}. {self.caption}" if self.caption else title
        return {
            "title": full_title.rstrip("."),
            "caption": self.caption,
            "measure_names": enumeration(names),
        }


class RanksOverTimeSettings(RankedPredictions, frozen=True, kw_only=True):
    """Mean rank of learners over streams, in consecutive parts of the streams."""

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

    def setting_faults(self, registry: Mapping[str, Any]) -> Iterator[str]:
        """See `Settings`."""
        yield from super().setting_faults(registry)
        if len(self.learners) < 2:
            yield (
                f"learners: expected at least two, found {len(self.learners)}. Name more of them, "
                "or leave the item out."
            )

    def caption_values(self) -> Mapping[str, object]:
        """See `Settings`."""
        return {"measure_name": phrase_of_measure(self.measure_or_default)}


class BenchmarkCostsSettings(Settings, frozen=True, kw_only=True):
    """Processor time and memory of the runs of a benchmark."""

    of: ItemName
    costs: Annotated[
        tuple[Literal["seconds", "memory"], ...],
        NON_EMPTY_UNIQUE,
        Meta(
            description="Blocks of the table: CPU seconds of a run, and size of the model at its "
            "end."
        ),
    ] = ("seconds", "memory")
    transposed: Annotated[
        bool, Meta(description="A row for each learner and a column for each stream.")
    ] = False
    #: True: the table shows CPU times, which differ between runs.
    times: ClassVar[bool] = True


KINDS = (
    ItemKind(
        name="benchmark",
        study="benchmark",
        by_entity=True,
        settings=BenchmarkSettings,
        reads="predictions",
        predicts=BOTH,
        joins=("streams", "folds"),
        frames={"table": TABLE, "scores": SCORES, "verdicts": VERDICTS, "costs": COSTS},
        columns=TABLE,
        times=("costs",),
        pictures=("ranks",),
    ),
    ItemKind(
        name="ranks_over_time",
        study="ranks_over_time",
        settings=RanksOverTimeSettings,
        reads="predictions",
        predicts=BOTH,
        joins=("streams",),
        frames={"ranks": PART_RANKS, "values": PART_VALUES},
        pictures=("ranks",),
    ),
    ItemKind(
        name="benchmark_costs",
        study="costs",
        settings=BenchmarkCostsSettings,
        reads="benchmark",
        columns=("stream", "simulated", "learner", "cost", "mean", "sd", "seeds"),
    ),
)
