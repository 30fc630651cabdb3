"""How often verdicts about two learners are wrong, where it is known which one is better."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Annotated, Literal

from msgspec import Meta

from streameval.items.kind import Kind
from streameval.items.settings import Settings as AnySettings

Law = Literal[
    "forests",
    "independent",
    "dependent_50",
    "dependent_90",
    "dependent_98",
    "turns_3",
    "turns_10",
    "turns_30",
    "turns_100",
    "half_point",
    "three_points",
    "ten_points",
    "ten_points_90",
]
Validation = Literal["prequential", "bootstrap_validation", "cross_validation", "split_validation"]


class Settings(AnySettings, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """Settings of verdict_calibration."""

    laws: Annotated[
        tuple[Law, ...],
        Meta(
            description="How streams and learners are drawn.",
            extra_json_schema={"uniqueItems": True},
        ),
    ]
    validations: Annotated[
        tuple[Validation, ...],
        Meta(description="How learners are compared.", extra_json_schema={"uniqueItems": True}),
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
        return () if self.recorded else ("random_forest",)

    def words(self) -> Mapping[str, object]:
        """See `Settings`."""
        return {"origin": "Recorded; this run simulated nothing of it. " if self.recorded else ""}


COLUMNS = (
    *("law", "title", "validation", "instances", "streams", "interval"),
    *("excludes", "excludes_low", "excludes_high", "better", "better_low", "better_high"),
    *("equal", "by_other"),
)

KIND = Kind(
    name="verdict_calibration",
    settings=Settings,
    reads="nothing",
    trains=True,
    frames={"rates": COLUMNS},
    columns=COLUMNS,
    table_frame="rates",
    pictures=(
        "false",
        "right",
    ),
)
