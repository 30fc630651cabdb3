"""Error rates of tests, from runs with a known truth."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Annotated, ClassVar, Literal

from msgspec import Meta

from streameval.base.schema import UNIQUE_ITEMS
from streameval.items.kind import ItemKind
from streameval.items.recorded import RecordName, RecordSettings
from streameval.items.settings import (
    NON_EMPTY_UNIQUE,
    IgnoreLabelTimes,
    ItemName,
    NonEmptyNames,
    PartitionedItemSettings,
    Seed,
    Settings,
    StudyCost,
    TestLevel,
)

#: Memory in bytes that a run needs for each row, reading and alternative: counts, differences and
#: flags, with copies.
_BYTES_PER_ROW = 64
Scheme = Literal["cross_validation", "split_validation", "bootstrap_validation"]
#: Which predictions of a model count; see `type_errors_runs.READINGS`.
Reading = Literal["held_out", "learnt"]
Probability = Annotated[float, Meta(gt=0, le=1)]


class TypeErrorsSettings(PartitionedItemSettings, frozen=True, kw_only=True):
    """Type I error and power of tests on folds."""

    ignore_label_times: IgnoreLabelTimes = False
    learners: Annotated[
        NonEmptyNames,
        Meta(
            description="Two learners, or one learner, which is compared with itself with other "
            "seeds.",
            max_length=2,
        ),
    ]
    schemes: Annotated[
        tuple[Scheme, ...], NON_EMPTY_UNIQUE, Meta(description="Assignment of instances to folds.")
    ] = ("cross_validation", "split_validation", "bootstrap_validation")
    folds: Annotated[int, Meta(description="Models of each learner in a run.", ge=2, le=100)] = 10
    noise: Annotated[
        tuple[Probability, ...],
        Meta(
            description="Probabilities that a prediction of the second learner is replaced by "
            "another label.",
            extra_json_schema=UNIQUE_ITEMS,
        ),
    ] = ()
    drift_noise: Annotated[
        tuple[Probability, ...],
        Meta(
            description="Like `noise`, but only in the first tenth of the second, third and fourth "
            "quarter of the stream, so that learners differ only during drifts.",
            extra_json_schema=UNIQUE_ITEMS,
        ),
    ] = ()
    fold_seeds: Annotated[
        Literal["own", "shared"],
        Meta(description="Whether each fold's model has its own seed, or all share one."),
    ] = "own"
    bins: Annotated[
        int,
        Meta(
            description="Number of bins of time in which differences are averaged.",
            ge=10,
            le=100_000,
        ),
    ] = 250
    level: TestLevel = 0.05
    seed: Annotated[Seed, Meta(description="Seed of all random draws.")] = 1

    def cost(self) -> StudyCost:
        """See `Settings`."""
        runs = 2 * self.folds * len(self.schemes) * min(self.runs, self.runs_per_job)
        n_alternatives = 2 + len(self.noise) + len(self.drift_noise)  # with "same" and "swapped"
        n_readings = 2
        return StudyCost(runs, row_bytes=n_readings * n_alternatives * _BYTES_PER_ROW)

    def caption_values(self) -> Mapping[str, object]:
        """See `Settings`."""
        return {"longest": f"{self.instances[-1]:,}"}


#: Columns that identify a case of the study.
CASE_COLUMNS = ("scheme", "reading", "alternative", "instances")
#: Columns for the fields of `streameval.evaluation.folds.Counts`, in the order of the fields.
COUNT_COLUMNS = ("tested", "right", "only_first", "only_second")
#: Columns of the frames of a part of the runs.
PARTS = {
    "counts": (*CASE_COLUMNS, "run", "fold", *COUNT_COLUMNS),
    "series": ("scheme", "reading", "alternative", "run", "bin", "difference"),
    "anytime": ("scheme", "reading", "alternative", "run", "p_value"),
    "costs": ("scheme", "run", "seconds"),
}


class _Rejections(Settings, frozen=True, kw_only=True):
    """Selection from a study of type errors."""

    tests: Annotated[
        NonEmptyNames,
        Meta(description="Names of tests, as in the column `test` of the study's frame `rates`."),
    ]
    alternatives: Annotated[
        NonEmptyNames, Meta(description="Comparisons: same, swapped, noise 0.05, drift 0.1, ...")
    ]
    readings: Annotated[
        tuple[Reading, ...],
        NON_EMPTY_UNIQUE,
        Meta(
            description="Which predictions of a fold's model count: those for instances that it "
            "does not learn, or those for instances that it learns afterwards."
        ),
    ] = ("held_out", "learnt")
    by_stream: Annotated[
        bool,
        Meta(
            description="Whether the table has rows for each stream, besides the averages over "
            "the streams."
        ),
    ] = False

    def caption_values(self) -> Mapping[str, object]:
        """See `Settings`."""
        return {"scope": "of each stream" if self.by_stream else "averaged over the streams"}


class RejectionsSettings(_Rejections, frozen=True, kw_only=True):
    """Rejection rates of tests in a study of type errors, over all streams or by stream."""

    of: ItemName


#: Columns of the table of rejections.
REJECTIONS = (
    *("stream", "simulated", "test", "reading", "scheme", "alternative"),
    *("instances", "streams", "runs", "value", "low", "high", "gap"),
)


class RecordedRejectionsSettings(RecordSettings, _Rejections, frozen=True, kw_only=True):
    """Rejection rates of tests, from the record of a long run."""

    recorded: RecordName
    read_frames: ClassVar[tuple[str, ...]] = ("rates", "gaps")

    def caption_values(self) -> Mapping[str, object]:
        """See `Settings`."""
        return {**super().caption_values(), **self.record_caption_values()}


KINDS = (
    ItemKind(
        name="type_errors",
        study="type_errors",
        settings=TypeErrorsSettings,
        reads="source",
        trains="classifiers",
        parts=PARTS,
        frames={
            "rates": (
                *(*CASE_COLUMNS, "test", "runs", "rejected"),
                *("value", "low", "high", "adjusted", "simulated"),
            ),
            "gaps": (*CASE_COLUMNS, "accuracy", "gap", "printed_gap"),
            "seconds": ("scheme", "runs", "seconds"),
        },
        times=("costs", "seconds"),
    ),
    ItemKind(
        name="rejections",
        study="show",
        settings=RejectionsSettings,
        reads="type_errors",
        columns=REJECTIONS,
    ),
    ItemKind(
        name="recorded_rejections",
        study="show",
        settings=RecordedRejectionsSettings,
        reads="nothing",
        columns=REJECTIONS,
    ),
)
