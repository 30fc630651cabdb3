"""Types and base classes of the settings of items."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Annotated, Any, ClassVar, NamedTuple, Self

import msgspec
from msgspec import Meta

from streameval.base.schema import UNIQUE_ITEMS
from streameval.evaluation.task import CLASSIFICATION_TASK, TASKS
from streameval.learners.tasks import TaskName
from streameval.streams.delay_laws import DelayLaw

_INT32 = 2**31 - 1

#: Constraint of a list: not empty, without duplicates.
NON_EMPTY_UNIQUE = Meta(min_length=1, extra_json_schema=UNIQUE_ITEMS)
Names = Annotated[tuple[str, ...], Meta(extra_json_schema=UNIQUE_ITEMS)]
NonEmptyNames = Annotated[tuple[str, ...], NON_EMPTY_UNIQUE]
Count = Annotated[int, Meta(ge=1, le=_INT32)]
Seed = Annotated[int, Meta(ge=0)]
Seeds = Annotated[tuple[Seed, ...], NON_EMPTY_UNIQUE]

Streams = Annotated[
    Names,
    Meta(
        description=(
            "Ids of streams, or all: every stream of the run. With none, the item is left out."
        )
    ),
]
Learners = Annotated[Names, Meta(description="Ids of learners, in the order of the legend.")]
Measures = Annotated[
    NonEmptyNames, Meta(description="Names of measures, such as accuracy and kappa_temporal.")
]
Window = Annotated[Count, Meta(description="Length of the sliding window, in predictions.")]
Points = Annotated[
    Count, Meta(description="Largest number of positions at which the window is measured.")
]
Windows = Annotated[
    tuple[Count, ...],
    NON_EMPTY_UNIQUE,
    Meta(
        description="Lengths of the sliding windows, in predictions, each shorter than the stream."
    ),
]
ProtocolSetting = Annotated[
    str | dict[str, Any],
    Meta(description="Evaluation protocol: which instances are predicted and learnt, and when."),
]

TestLevel = Annotated[float, Meta(description="Level of significance of the tests.", gt=0, lt=1)]
ItemName = Annotated[
    str, Meta(description="The item whose data are shown, or STUDY/ITEM of another study.")
]
IgnoreLabelTimes = Annotated[
    bool,
    Meta(
        description="Treat each label as known before the next instance, even if the stream "
        "gives a later arrival; without this, such a stream is refused."
    ),
]

#: Stands for every stream of a run.
ALL = "all"


#: The setting `published` of kinds that show published values beside their own.
PublishedFile = Annotated[
    str,
    Meta(
        description="A CSV file of published values, from the folder of the study's file: columns "
        "stream, learner, measure, value and source, and perhaps digits, seeds and bin."
    ),
]


class StudyCost(NamedTuple):
    """Cost of the study of a stream, for the time and memory that a job requests."""

    runs: int  # number of runs of a learner over the stream
    lags: int = 0  # largest number of lagged labels that learners get as inputs
    lagged_inputs: bool = False  # whether learners get as many lagged inputs, too
    row_bytes: int = 0  # memory of the study for each row, besides the memory of the stream


class Settings(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """Settings of an item besides its kind."""

    #: Whether each value of the item is for one bin of the time to the label.
    has_bins: ClassVar[bool] = False
    #: Settings besides `streams` that hold names of streams, in a list or as keys of a mapping.
    stream_name_settings: ClassVar[tuple[str, ...]] = ()

    def for_task(self, task: TaskName) -> Self:
        """The settings with the defaults that depend on the task of the item's learners."""
        return self

    def evaluated_learners(self) -> Sequence[str]:
        """The learners whose predictions the item needs."""
        return ()

    def extra_learners(self) -> Sequence[str]:
        """The learners, such as baselines, that the study runs besides those in the settings."""
        return ()

    def cost(self) -> StudyCost:
        """The cost of the study; by default a run of each learner."""
        return StudyCost(max(len(getattr(self, "learners", ())), 1))

    def rows(self, rows: int) -> int:
        """Number of instances that the study uses if the stream has `rows` rows."""
        return rows

    def setting_faults(self, registry: Mapping[str, Any]) -> Iterator[str]:
        """Yield messages about faults of the settings; `registry` has a row for each learner."""
        yield from ()

    def for_sources(self, source_settings: Sequence[Settings]) -> Self:
        """The settings with the defaults that depend on the source items.

        Source items are the items whose data this item shows.
        """
        return self

    def source_faults(self, source_settings: Settings) -> Iterator[str]:
        """Yield messages about settings that do not fit the settings of a source item."""
        yield from ()

    def check_learners(self, learners: Mapping[str, Any]) -> None:
        """Raise ConfigError if the study cannot run one of the learners."""

    def resources(self) -> Sequence[str]:
        """The files of the project that the item needs."""
        return ()

    def published_values(self) -> str:
        """The file of published values that the item compares with its own; "" for none."""
        return ""

    def caption_values(self) -> Mapping[str, object]:
        """Values that captions quote in braces, besides the settings, by name."""
        return {}


class StreamItemSettings(Settings, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """Settings of an item about streams."""

    streams: Streams


class LearnerItemSettings(
    StreamItemSettings, frozen=True, kw_only=True, forbid_unknown_fields=True
):
    """Settings of an item whose study runs learners, without label delay."""

    ignore_label_times: IgnoreLabelTimes = False
    learners: Learners


class PartitionedItemSettings(
    StreamItemSettings, frozen=True, kw_only=True, forbid_unknown_fields=True
):
    """Settings of an item whose study of a stream takes hours and is computed in parts."""

    instances: Annotated[
        tuple[Count, ...],
        NON_EMPTY_UNIQUE,
        Meta(
            description="Numbers of instances after which tests are made, in increasing order; the "
            "last is the length of a run. A number above the length of the stream stands for its "
            "length."
        ),
    ]
    runs: Annotated[int, Meta(description="Number of runs of each scheme.", ge=2, le=100_000)]
    runs_per_job: Annotated[Count, Meta(description="Number of runs in one job.")] = 50

    def rows(self, rows: int) -> int:
        """See `Settings`."""
        return min(rows, self.instances[-1])

    def parts(self) -> int:
        """The number of parts of the study of a stream."""
        return -(-self.runs // self.runs_per_job)  # rounded up

    def runs_of(self, part: int) -> range:
        """The numbers of the runs of a part."""
        return range(part * self.runs_per_job, min((part + 1) * self.runs_per_job, self.runs))

    def setting_faults(self, registry: Mapping[str, Any]) -> Iterator[str]:
        """See `Settings`."""
        if list(self.instances) != sorted(self.instances):
            yield f"instances: expected numbers in increasing order, found {list(self.instances)}"


class PredictionItemSettings(
    StreamItemSettings, frozen=True, kw_only=True, forbid_unknown_fields=True
):
    """Settings of an item about learners' predictions for streams."""

    learners: Learners
    protocol: ProtocolSetting = "prequential"
    ignore_label_times: IgnoreLabelTimes = False

    def evaluated_learners(self) -> Sequence[str]:
        """See `Settings`."""
        return self.learners


#: Measures that do not say which learner is better.
NOT_RANKED = ("chance_accuracy", "kappa_standard_error", "kappa_p_value")


class RankedPredictions(
    PredictionItemSettings, frozen=True, kw_only=True, forbid_unknown_fields=True
):
    """Settings of an item that ranks learners by a measure of their predictions."""

    measure: Annotated[
        str | None,
        Meta(
            description="The measure by which learners are ranked; null: accuracy, or "
            "mean_absolute_error of numeric targets."
        ),
    ] = None

    def for_task(self, task: TaskName) -> Self:
        """See `Settings`."""
        return msgspec.structs.replace(self, measure=self.measure or TASKS[task].measure)

    @property
    def measure_or_default(self) -> str:
        """The measure that is set, or accuracy."""
        return self.measure or CLASSIFICATION_TASK.measure

    def setting_faults(self, registry: Mapping[str, Any]) -> Iterator[str]:
        """See `Settings`."""
        if self.measure_or_default in NOT_RANKED:
            yield (
                "measure: expected a measure that says which learner is better, found "
                f"{self.measure_or_default}. Choose another one."
            )


class DerivedItemSettings(Settings, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """Settings of an item about other items."""

    of: Annotated[
        NonEmptyNames,
        Meta(description="Items, or STUDY/ITEM of another study, each about other streams."),
    ]


Delay = Annotated[int, Meta(ge=0, le=_INT32)]
Every = Annotated[
    Count, Meta(description="Number of labels between two predictions of an instance (K).")
]


class ReevaluationItemSettings(
    StreamItemSettings, frozen=True, kw_only=True, forbid_unknown_fields=True
):
    """Settings of items about re-evaluations."""

    stream_name_settings: ClassVar[tuple[str, ...]] = ("label_first", "labels", "delay")

    label_first: Annotated[
        Names,
        Meta(
            description="Streams in which a label precedes an instance of the same time; in "
            "other streams it follows."
        ),
    ] = ()
    labels: Annotated[
        dict[str, Count],
        Meta(
            description=(
                "Number of labels after which evaluation stops, by stream; default: all labels."
            )
        ),
    ] = msgspec.field(default_factory=dict)
    delay: Annotated[
        dict[str, Delay | DelayLaw],
        Meta(
            description="Time from each instance to its label, or its distribution, for streams "
            "without times; their instances arrive at 0, 1, 2, ..."
        ),
    ] = msgspec.field(default_factory=dict)


#: Estimated cost of a re-evaluation with repeated predictions, in prequential runs.
REEVALUATION_RUNS = 5


class RepredictionItemSettings(
    ReevaluationItemSettings, frozen=True, kw_only=True, forbid_unknown_fields=True
):
    """Settings of items about learners that predict an instance again until its label arrives."""

    learners: Learners
    every: Every = 10

    def cost(self) -> StudyCost:
        """See `Settings`; repeated predictions take about as long as five runs."""
        return StudyCost(REEVALUATION_RUNS * len(self.learners))
