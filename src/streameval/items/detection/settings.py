"""Settings of kinds: drift detectors."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Annotated, Any

from msgspec import Meta

from streameval.errors import ConfigError
from streameval.items.kind import Kind
from streameval.items.settings import (
    Cost,
    IgnoreLabelTimes,
    OfStreams,
    Points,
    Seed,
    SomeNames,
    Window,
)

Detectors = Annotated[
    SomeNames, Meta(description="Drift detectors, such as adwin, ddm:min_instances=50, every:500.")
]
#: How often a learner without a detector costs what one with resets does, at most.
_RESETTING = 2


class OfDetectors(OfStreams, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """Settings of an item about a learner that is reset at the alarms of detectors."""

    ignore_label_times: IgnoreLabelTimes = False
    learners: Annotated[
        SomeNames, Meta(description="The learner that is reset, one.", max_length=1)
    ]
    detectors: Detectors
    seed: Annotated[Seed, Meta(description="Of all draws.")] = 1

    def objections(self, rows: Mapping[str, Any]) -> Iterator[str]:
        """See `Settings`."""
        from streameval.detectors.registry import parse

        for one in self.detectors:
            try:
                parse(one)
            except ConfigError as error:
                yield f"detectors: {error}"


class AlarmWorthSettings(OfDetectors, frozen=True, kw_only=True):
    """Accuracy of a learner with resets at the alarms of detectors, and at random."""

    runs: Annotated[
        int, Meta(description="Runs with random alarms for each detector.", ge=2, le=1000)
    ] = 10
    window: Window = 1000
    points: Points = 200

    def cost(self) -> Cost:
        """See `Settings`."""
        return Cost(_RESETTING * len(self.detectors) * (2 + self.runs))


#: Columns of the frames of `alarm_worth`; the first ones are those of its table.
_OVER = ("over_random", "over_never", "over_no_change")
WORTH = (
    *("detector", "alarms", "accuracy", "kappa_temporal", "at_random"),
    *(f"{one}{end}" for one in _OVER for end in ("", "_low", "_high", "_verdict")),
)

KINDS = (
    Kind(
        name="alarm_worth",
        settings=AlarmWorthSettings,
        reads="stream",
        trains="classifiers",
        frames={
            "worth": WORTH,
            "errors": ("instance", "name", "error"),
            "alarms": ("detector", "instance"),
        },
    ),
)
