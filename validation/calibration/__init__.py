"""Error rates of verdicts and intervals, on simulated streams with known true values."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Annotated, ClassVar, Literal

from msgspec import Meta

from streameval.base.schema import UNIQUE_ITEMS
from streameval.items.kind import ItemKind
from streameval.items.settings import (
    Settings,
)

#: A law says how a stream is simulated; `calibration.verdict_laws` defines each name. Under these
#: laws, learners of two inputs have the same expected accuracy. A number is a percentage
#: (dependence, most frequent class) or, for ``turns``, how often the better learner changes.
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
#: Protocols whose verdicts are calibrated; ``partial`` has the proportion of labels that are known.
ComparedProtocol = Literal[
    "prequential",
    "bootstrap_validation",
    "cross_validation",
    "split_validation",
    "partial:0.1",
    "partial:0.01",
]


class LawSettings(Settings, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """Settings of an item that simulates streams of known laws, or shows a recorded simulation."""

    laws: Annotated[
        tuple[LawName, ...],
        Meta(description="Laws of the streams and learners.", extra_json_schema=UNIQUE_ITEMS),
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
        str,
        Meta(description="Table in resources/recorded that is shown instead of a simulation."),
    ] = ""
    #: Name of the learner that the simulation runs.
    simulated_learner: ClassVar[str]

    def __post_init__(self) -> None:
        if len(self.repetitions) != len(self.instances):
            raise ValueError(
                f"expected a number of repetitions for each of {len(self.instances)} lengths, "
                f"found {len(self.repetitions)}"
            )

    def resources(self) -> Sequence[str]:
        """See `Settings`."""
        return [self.recorded] if self.recorded else []

    def extra_learners(self) -> Sequence[str]:
        """See `Settings`."""
        return () if self.recorded else (self.simulated_learner,)

    def caption_values(self) -> Mapping[str, object]:
        """See `Settings`."""
        return {"origin": "Recorded, not simulated in this run. " if self.recorded else ""}


class VerdictCalibrationSettings(LawSettings, frozen=True, kw_only=True):
    """Error rates of verdicts about two learners whose true difference is known."""

    validations: Annotated[
        tuple[ComparedProtocol, ...],
        Meta(
            description="Protocols by which learners are compared.", extra_json_schema=UNIQUE_ITEMS
        ),
    ]
    simulated_learner: ClassVar[str] = "random_forest"


#: Columns of `verdict_calibration`.
VERDICT_COLUMNS = (
    *("law", "title", "validation", "instances", "streams", "interval"),
    *("excludes", "excludes_low", "excludes_high", "better", "better_low", "better_high"),
    *("equal", "by_other"),
)


class IntervalCoverageSettings(LawSettings, frozen=True, kw_only=True):
    """How often intervals of single measures miss their expected values."""

    simulated_learner: ClassVar[str] = "random_forest"


#: Columns of `interval_coverage`.
COVERAGE_COLUMNS = (
    *("law", "title", "learner", "measure", "runs", "instances", "streams"),
    *("expected", "error", "width", "interval", "missed", "missed_low", "missed_high"),
)


KINDS = (
    ItemKind(
        name="verdict_calibration",
        study="verdict_calibration",
        settings=VerdictCalibrationSettings,
        reads="nothing",
        trains="classifiers",
        frames={"rates": VERDICT_COLUMNS},
        columns=VERDICT_COLUMNS,
        pictures=(
            "false",
            "right",
        ),
    ),
    ItemKind(
        name="interval_coverage",
        study="interval_coverage",
        settings=IntervalCoverageSettings,
        reads="nothing",
        trains="classifiers",
        frames={"coverage": COVERAGE_COLUMNS},
        columns=COVERAGE_COLUMNS,
        pictures=("missed",),
    ),
)
