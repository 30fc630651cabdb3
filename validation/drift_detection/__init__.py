"""Drift detectors: the drifts that they detect, and the effect of resets at their alarms."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Annotated, Any, ClassVar

from msgspec import Meta

from calibration import LawSettings
from streameval.base.errors import ConfigError
from streameval.base.params import StrictProportion
from streameval.items.kind import ItemKind
from streameval.items.settings import (
    NON_EMPTY_UNIQUE,
    Count,
    DerivedItemSettings,
    IgnoreLabelTimes,
    NonEmptyNames,
    Points,
    Seed,
    StreamItemSettings,
    StudyCost,
    Window,
)

Detectors = Annotated[
    NonEmptyNames,
    Meta(description="Drift detectors, such as adwin, ddm:min_instances=50, every:500."),
]
#: Upper bound on the cost of a learner with resets, in units of the learner without resets.
_RESETTING_COST = 2


class DetectorSettings(StreamItemSettings, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """Settings of an item about a learner that is reset at the alarms of detectors."""

    ignore_label_times: IgnoreLabelTimes = False
    learners: Annotated[
        NonEmptyNames, Meta(description="The learner that is reset; a single one.", max_length=1)
    ]
    detectors: Detectors
    seed: Annotated[Seed, Meta(description="Seed of all random draws.")] = 1

    def setting_faults(self, registry: Mapping[str, Any]) -> Iterator[str]:
        """See `Settings`."""
        from streameval.detectors.registry import parse

        for detector in self.detectors:
            try:
                parse(detector)
            except ConfigError as error:
                yield f"detectors: {error}"


class AlarmWorthSettings(DetectorSettings, frozen=True, kw_only=True):
    """Accuracy of a learner with resets at alarms, and at alarms with gaps in random order."""

    runs: Annotated[
        int, Meta(description="Runs with the gaps between alarms in random order.", ge=2, le=1000)
    ] = 10
    window: Window = 1000
    points: Points = 200

    def cost(self) -> StudyCost:
        """See `Settings`."""
        # A learner runs twice, with two seeds, to see whether it is random. The control is random.
        runs_per_detector = 2 + self.runs
        return StudyCost(_RESETTING_COST * len(self.detectors) * runs_per_detector)


class DetectionSettings(DetectorSettings, frozen=True, kw_only=True):
    """Detection of known drifts from the errors of a learner, and false alarms."""

    instances: Annotated[
        Count, Meta(description="Length of each run; a shorter stream is used as a whole.")
    ]
    runs: Annotated[
        int, Meta(description="Number of runs, each on a freshly drawn stream.", ge=2, le=10_000)
    ] = 20
    tolerance: Annotated[
        Count,
        Meta(
            description="Number of instances after the end of a drift in which an alarm detects it."
        ),
    ] = 1000
    drifts: Annotated[
        Count,
        Meta(
            description="Number of sudden drifts that are injected, at equal distances, into "
            "streams without known drifts."
        ),
    ] = 3

    def rows(self, rows: int) -> int:
        """See `Settings`."""
        return min(rows, self.instances)

    def cost(self) -> StudyCost:
        """See `Settings`."""
        from streameval.streams.drifts import CHANGES

        n_streams = 1 + len(CHANGES)  # without drift, and with each type of change
        return StudyCost(_RESETTING_COST * len(self.detectors) * self.runs * n_streams)


class DetectorChoiceSettings(DerivedItemSettings, frozen=True, kw_only=True):
    """F1 of detectors whose parameters are chosen on other streams."""


class AlarmCalibrationSettings(LawSettings, frozen=True, kw_only=True):
    """How often resets at uninformed alarms appear to change accuracy."""

    rates: Annotated[
        tuple[StrictProportion, ...],
        NON_EMPTY_UNIQUE,
        Meta(description="Mean numbers of alarms per instance."),
    ]
    simulated_learner: ClassVar[str] = "naive_bayes"


#: Columns of `alarm_calibration`. ``null`` is a key of `alarm_calibration.NULLS`.
CALIBRATION = (
    *("law", "title", "instances", "rate", "null", "alarms", "streams"),
    *("interval", "excludes", "excludes_low", "excludes_high"),
)
#: Accuracy with resets at alarms, minus the accuracy with the gaps in random order, without resets,
#: and of No-Change.
_DIFFERENCES = ("over_shuffled", "over_never", "over_no_change")
#: Columns of the frame ``worth`` of `alarm_worth`.
WORTH = (
    *("detector", "alarms", "accuracy", "kappa_temporal", "shuffled"),
    *(f"{name}{end}" for name in _DIFFERENCES for end in ("", "_low", "_high", "_verdict")),
)

#: Measures of a run: the keys of `measures.DETECTION_MEASURES`. They are repeated here, so that the
#: settings can be read without importing the measures.
_MEASURES = (
    *("episode_recall", "episode_precision", "episode_f1", "mean_delay", "normalised_delay"),
    *("false_alarm_rate", "time_between_false_alarms"),
)
#: Columns of `detector_choice`. ``usual`` is F1 with the first parameters of the item's list;
#: ``best`` is the highest F1 on the stream itself, and ``hindsight`` names its detector.
CHOICE = (
    *("detector", "stream", "simulated", "change", "chosen"),
    *("f1", "low", "high", "usual", "best", "hindsight"),
)

KINDS = (
    ItemKind(
        name="detection",
        study="detection",
        settings=DetectionSettings,
        reads="source",
        trains="classifiers",
        frames={
            "runs": ("change", "detector", "run", "instances", "alarms", "accuracy", *_MEASURES),
            "summary": ("change", "detector", "measure", "mean", "low", "high", "reason"),
            "size": ("instances", "simulated"),
        },
    ),
    ItemKind(
        name="detector_choice",
        study="show",
        settings=DetectorChoiceSettings,
        reads="detection",
        columns=CHOICE,
    ),
    ItemKind(
        name="alarm_worth",
        study="alarm_worth",
        marks_drifts=True,
        by_entity=True,
        settings=AlarmWorthSettings,
        reads="stream",
        trains="classifiers",
        frames={
            "worth": WORTH,
            "errors": ("instance", "name", "error"),
            "alarms": ("detector", "instance"),
        },
    ),
    ItemKind(
        name="alarm_calibration",
        study="alarm_calibration",
        settings=AlarmCalibrationSettings,
        reads="nothing",
        columns=CALIBRATION,
    ),
)
