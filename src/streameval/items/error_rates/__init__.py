"""Error rates of tests, from runs with a known truth."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Annotated, ClassVar, Literal

from msgspec import Meta

from streameval.base.schema import ONCE
from streameval.items.kind import Kind
from streameval.items.recorded import RecordName, RecordSettings
from streameval.items.settings import (
    DISTINCT,
    IgnoreLabelTimes,
    ItemName,
    PartedItemSettings,
    Seed,
    Settings,
    SomeNames,
    StudyCost,
    TestLevel,
)

#: What a run keeps of a row for a reading and an alternative, twice over: some counts, differences
#: and whether they count.
_BYTES = 64
Scheme = Literal["cross_validation", "split_validation", "bootstrap_validation"]
Reading = Literal["held_out", "learnt"]
Level = Annotated[float, Meta(gt=0, le=1)]


class TypeErrorsSettings(PartedItemSettings, frozen=True, kw_only=True):
    """Type I error and power of tests on folds."""

    ignore_label_times: IgnoreLabelTimes = False
    learners: Annotated[
        SomeNames,
        Meta(
            description="One learner, which is compared with itself with other seeds, or two.",
            max_length=2,
        ),
    ]
    schemes: Annotated[
        tuple[Scheme, ...], DISTINCT, Meta(description="Assignment of instances to folds.")
    ] = ("cross_validation", "split_validation", "bootstrap_validation")
    folds: Annotated[int, Meta(description="Models of each learner in a run.", ge=2, le=100)] = 10
    noise: Annotated[
        tuple[Level, ...],
        Meta(
            description="Probabilities that a prediction of the second learner is replaced by one "
            "of the other labels.",
            extra_json_schema=ONCE,
        ),
    ] = ()
    drift_noise: Annotated[
        tuple[Level, ...],
        Meta(
            description="The same, but only in the first tenth of the second, third and fourth "
            "quarter of the stream: a difference during drifts only.",
            extra_json_schema=ONCE,
        ),
    ] = ()
    fold_seeds: Annotated[
        Literal["own", "shared"],
        Meta(description="Whether each fold's model has its own seed or the learner's."),
    ] = "own"
    bins: Annotated[
        int,
        Meta(description="Bins of time in which differences are kept.", ge=10, le=100_000),
    ] = 250
    level: TestLevel = 0.05
    seed: Annotated[Seed, Meta(description="Seed of all random draws.")] = 1

    def cost(self) -> StudyCost:
        """See `Settings`."""
        runs = 2 * self.folds * len(self.schemes) * min(self.runs, self.runs_per_job)
        alternatives = 2 + len(self.noise) + len(self.drift_noise)
        return StudyCost(runs, row_bytes=2 * alternatives * _BYTES)  # of two readings

    def caption_values(self) -> Mapping[str, object]:
        """See `Settings`."""
        return {"longest": f"{self.instances[-1]:,}"}


_CELL = ("scheme", "reading", "alternative", "instances")
#: Columns of the frames of a part.
PARTS = {
    "counts": (*_CELL, "run", "fold", "tested", "right", "only_first", "only_second"),
    "series": ("scheme", "reading", "alternative", "run", "bin", "difference"),
    "anytime": ("scheme", "reading", "alternative", "run", "p_value"),
    "costs": ("scheme", "run", "seconds"),
}


class _Rejections(Settings, frozen=True, kw_only=True):
    """Selection from a study of type errors."""

    tests: Annotated[SomeNames, Meta(description="Names of tests, as in its frame of rates.")]
    alternatives: Annotated[
        SomeNames, Meta(description="What is tested: same, swapped, noise 0.05, drift 0.1, ...")
    ]
    readings: Annotated[
        tuple[Reading, ...],
        DISTINCT,
        Meta(
            description="Which instances of a fold count: those that its model does not learn, or "
            "those that it learns, before it does."
        ),
    ] = ("held_out", "learnt")
    by_stream: Annotated[
        bool, Meta(description="Whether there is a row for each stream, or only their average.")
    ] = False

    def caption_values(self) -> Mapping[str, object]:
        """See `Settings`."""
        return {"what": "of each stream" if self.by_stream else "averaged over the streams"}


class RejectionsSettings(_Rejections, frozen=True, kw_only=True):
    """Rejection rates of tests in a study of type errors, over all streams or by stream."""

    of: ItemName


REJECTIONS = (
    *("stream", "simulated", "test", "reading", "scheme", "alternative"),
    *("instances", "streams", "runs", "value", "low", "high", "gap"),
)


class RecordedRejectionsSettings(RecordSettings, _Rejections, frozen=True, kw_only=True):
    """Rejection rates of tests, as recorded of a long run."""

    recorded: RecordName
    read_frames: ClassVar[tuple[str, ...]] = ("rates", "gaps")

    def caption_values(self) -> Mapping[str, object]:
        """See `Settings`."""
        return {**super().caption_values(), **self.record_caption_values()}


KINDS = (
    Kind(
        name="type_errors",
        study="type_errors",
        settings=TypeErrorsSettings,
        reads="source",
        trains="classifiers",
        parts=PARTS,
        frames={
            "rates": (
                *(*_CELL, "test", "runs", "rejected"),
                *("value", "low", "high", "adjusted", "simulated"),
            ),
            "gaps": (*_CELL, "accuracy", "gap", "printed_gap"),
            "seconds": ("scheme", "runs", "seconds"),
        },
        times=("costs", "seconds"),
    ),
    Kind(
        name="rejections",
        study="show",
        settings=RejectionsSettings,
        reads="type_errors",
        columns=REJECTIONS,
    ),
    Kind(
        name="recorded_rejections",
        study="show",
        settings=RecordedRejectionsSettings,
        reads="nothing",
        columns=REJECTIONS,
    ),
)
