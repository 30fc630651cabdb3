"""Error rates of tests and verdicts, from runs with a known truth."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Annotated, ClassVar, Literal

from msgspec import Meta

from streameval.base.schema import ONCE
from streameval.items.kind import Kind
from streameval.items.recorded import OfRecord, RecordName
from streameval.items.settings import (
    SOME,
    IgnoreLabelTimes,
    InParts,
    ItemName,
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


class TypeErrorsSettings(InParts, frozen=True, kw_only=True):
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
        tuple[Scheme, ...], SOME, Meta(description="Assignment of instances to folds.")
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
            description="The same, but only in the tenth of a quarter of the stream that follows "
            "each of the first three quarters: a difference that exists during drifts only.",
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
    seed: Annotated[Seed, Meta(description="Of all draws.")] = 1

    def cost(self) -> StudyCost:
        """See `Settings`."""
        runs = 2 * self.folds * len(self.schemes) * min(self.runs, self.runs_per_job)
        alternatives = 2 + len(self.noise) + len(self.drift_noise)
        return StudyCost(runs, row_bytes=2 * alternatives * _BYTES)  # of two readings

    def words(self) -> Mapping[str, object]:
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
        SOME,
        Meta(
            description="Which instances of a fold count: those that its model does not learn, or "
            "those that it learns, before it does."
        ),
    ] = ("held_out", "learnt")
    by_stream: Annotated[
        bool, Meta(description="Whether there is a row for each stream, or only their average.")
    ] = False

    def words(self) -> Mapping[str, object]:
        """See `Settings`."""
        return {"what": "of each stream" if self.by_stream else "averaged over the streams"}


class RejectionsSettings(_Rejections, frozen=True, kw_only=True):
    """Rejection rates of tests in a study of type errors, over all streams or by stream."""

    of: ItemName


REJECTIONS = (
    *("stream", "simulated", "test", "reading", "scheme", "alternative"),
    *("instances", "streams", "runs", "value", "low", "high", "gap"),
)


class _Choice(Settings, frozen=True, kw_only=True):
    """Selection from a study of type errors."""

    times: ClassVar[bool] = True

    scheme: Annotated[Scheme, Meta(description="Assignment of instances to folds.")] = (
        "bootstrap_validation"
    )
    reading: Annotated[
        Reading, Meta(description="Which instances of a fold count, see rejections.")
    ] = "learnt"
    level: TestLevel = 0.05


class TestChoiceSettings(_Choice, frozen=True, kw_only=True):
    """Type I error and power of each test, by the length of the stream."""

    of: ItemName


CHOICE = (
    *("test", "estimand", "alternative", "instances", "streams", "runs"),
    *("size", "size_low", "size_high", "power", "power_low", "power_high", "verdict"),
)

_CHOICE_FRAMES = {"choice": CHOICE, "seconds": ("stream", "runs", "seconds", "instances")}


class RecordedChoiceSettings(OfRecord, _Choice, frozen=True, kw_only=True):
    """Type I error and power of each test, as recorded of a long run."""

    recorded: RecordName
    read_frames: ClassVar[tuple[str, ...]] = ("rates", "seconds")

    def words(self) -> Mapping[str, object]:
        """See `Settings`."""
        return self.words_of_record()


class RecordedRejectionsSettings(OfRecord, _Rejections, frozen=True, kw_only=True):
    """Rejection rates of tests, as recorded of a long run."""

    recorded: RecordName
    read_frames: ClassVar[tuple[str, ...]] = ("rates", "gaps")

    def words(self) -> Mapping[str, object]:
        """See `Settings`."""
        return {**super().words(), **self.words_of_record()}


#: Laws of streams of two inputs that are equally good in the population.
SkillLaw = Literal[
    "independent",
    "dependent_50",
    "dependent_90",
    "dependent_98",
    "frequent_80",
    "frequent_90",
    "frequent_95",
    "turns_3",
    "turns_10",
    "turns_30",
    "turns_100",
]
LawName = Literal[
    "forests",
    SkillLaw,
    "half_point",
    "three_points",
    "ten_points",
    "ten_points_90",
    "ten_points_entities",
    "frequent_60",
    "frequent_70",
    "entities_1",
    "entities_3",
    "entities_20",
    "entities_100",
    "entities_20_98",
    "entities_20_rounds",
    "entities_20_bursts",
    "entities_20_blocks",
    "entities_20_unequal",
    "entities_20_shared",
    "slow_99",
    "slow_99_3",
    "slow_99_20",
]
Validation = Literal[
    "prequential",
    "bootstrap_validation",
    "cross_validation",
    "split_validation",
    "partial:0.1",
    "partial:0.01",
]


class OfLaws(Settings, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """Settings of an item that simulates streams of known laws, or shows what was recorded."""

    laws: Annotated[
        tuple[LawName, ...],
        Meta(description="How streams and learners are drawn.", extra_json_schema=ONCE),
    ]
    instances: Annotated[
        tuple[Annotated[int, Meta(ge=60, le=1_000_000)], ...],
        Meta(description="Lengths of the streams.", min_length=1),
    ]
    repetitions: Annotated[
        tuple[Annotated[int, Meta(ge=1, le=100_000)], ...],
        Meta(description="Number of streams of each law and length.", min_length=1),
    ]
    recorded: Annotated[
        str, Meta(description="A table in resources/recorded to show instead of a simulation.")
    ] = ""
    #: The learner that the simulation runs.
    runs: ClassVar[str]

    def __post_init__(self) -> None:
        if len(self.repetitions) != len(self.instances):
            raise ValueError(
                f"expected a number of repetitions for each of {len(self.instances)} lengths, "
                f"found {len(self.repetitions)}"
            )

    def resources(self) -> Sequence[str]:
        """See `Settings`."""
        return [self.recorded] if self.recorded else []

    def learners_run(self) -> Sequence[str]:
        """See `Settings`."""
        return () if self.recorded else (self.runs,)

    def words(self) -> Mapping[str, object]:
        """See `Settings`."""
        return {"origin": "Recorded; this run simulated nothing of it. " if self.recorded else ""}


class VerdictCalibrationSettings(OfLaws, frozen=True, kw_only=True):
    """Error rates of verdicts about two learners whose true difference is known."""

    validations: Annotated[
        tuple[Validation, ...],
        Meta(description="How learners are compared.", extra_json_schema=ONCE),
    ]
    runs: ClassVar[str] = "random_forest"


VERDICTS = (
    *("law", "title", "validation", "instances", "streams", "interval"),
    *("excludes", "excludes_low", "excludes_high", "better", "better_low", "better_high"),
    *("equal", "by_other"),
)


class IntervalCoverageSettings(OfLaws, frozen=True, kw_only=True):
    """How often intervals of single measures miss their expected values."""

    runs: ClassVar[str] = "random_forest"


COVERAGE = (
    *("law", "title", "learner", "measure", "runs", "instances", "streams"),
    *("expected", "error", "width", "interval", "missed", "missed_low", "missed_high"),
)


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
        name="test_choice",
        study="test_choice",
        settings=TestChoiceSettings,
        reads="type_errors",
        frames=_CHOICE_FRAMES,
        times=("seconds",),
        columns=CHOICE,
        pictures=("choice",),
    ),
    Kind(
        name="recorded_choice",
        study="test_choice",
        settings=RecordedChoiceSettings,
        reads="nothing",
        frames=_CHOICE_FRAMES,
        columns=CHOICE,
        pictures=("choice",),
    ),
    Kind(
        name="recorded_rejections",
        study="show",
        settings=RecordedRejectionsSettings,
        reads="nothing",
        columns=REJECTIONS,
    ),
    Kind(
        name="verdict_calibration",
        study="verdict_calibration",
        settings=VerdictCalibrationSettings,
        reads="nothing",
        trains="classifiers",
        frames={"rates": VERDICTS},
        columns=VERDICTS,
        pictures=(
            "false",
            "right",
        ),
    ),
    Kind(
        name="interval_coverage",
        study="interval_coverage",
        settings=IntervalCoverageSettings,
        reads="nothing",
        trains="classifiers",
        frames={"coverage": COVERAGE},
        columns=COVERAGE,
        pictures=("missed",),
    ),
)
