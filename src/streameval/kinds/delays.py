"""Learners whose labels are delayed, with something in place of the previous label."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Annotated, Any

from msgspec import Meta

from streameval.errors import ConfigError
from streameval.evaluation.roles import COMPARATORS
from streameval.items.kind import Kind
from streameval.items.settings import IgnoreLabelTimes, Learners, OfStreams


class Settings(OfStreams, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """Settings of delays."""

    ignore_label_times: IgnoreLabelTimes = False
    learners: Learners
    delays: Annotated[
        tuple[Annotated[int, Meta(ge=0, le=2**31 - 1)], ...],
        Meta(
            description="Instances that arrive before a label is known; 0 means before the next "
            "prediction.",
            min_length=1,
            extra_json_schema={"uniqueItems": True},
        ),
    ]

    def learners_run(self) -> Sequence[str]:
        """See `Settings`."""
        return COMPARATORS

    def learner_runs(self) -> int:
        """See `Settings`."""
        return 4 * len(self.learners) * len(self.delays)

    def objections(self, rows: Mapping[str, Any]) -> Iterator[str]:
        """See `Settings`."""
        for name in self.learners:
            if name in COMPARATORS:
                yield f"the study always runs {name!r}. Leave it out of the item's `learners`."
            elif rows[name].wrapper:
                yield (
                    f"the learner {name!r} is in the wrapper {rows[name].wrapper!r}. Expected "
                    "learners without one, as the study puts them into its own: name the one "
                    "inside."
                )

    def check_learners(self, made: Mapping[str, Any]) -> None:
        """See `Settings`."""
        from streameval.studies.delays import OPTIONS

        for name in self.learners:
            try:
                for give in OPTIONS.values():
                    give(made[name])
            except ConfigError as error:
                raise ConfigError(f"the study cannot run {name!r}: {error}") from error


KIND = Kind(
    name="delays",
    settings=Settings,
    reads="stream",
    trains=True,
    frames={
        "delays": (
            *("delay", "learner", "option", "measure", "value", "reason"),
            *("gain", "low", "high"),
        )
    },
)
