"""How often tests on folds find a difference where there is none, and where there is one."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Annotated, Any, Literal

import msgspec
from msgspec import Meta

from streameval.items.kind import Kind
from streameval.items.settings import Count, IgnoreLabelTimes, OfStreams, Seed, SomeNames

_ONCE = {"uniqueItems": True}
#: What a run keeps of a row for a reading and an alternative, twice over: some counts, differences
#: and whether they count.
_BYTES = 64
Scheme = Literal["cross_validation", "split_validation", "bootstrap_validation"]
Level = Annotated[float, Meta(gt=0, le=1)]


class Settings(OfStreams, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """Settings of type_errors."""

    ignore_label_times: IgnoreLabelTimes = False
    learners: Annotated[
        SomeNames,
        Meta(
            description="One learner, which is compared with itself with other seeds, or two.",
            max_length=2,
        ),
    ]
    schemes: Annotated[
        tuple[Scheme, ...],
        Meta(description="How instances come to folds.", min_length=1, extra_json_schema=_ONCE),
    ] = ("cross_validation", "split_validation", "bootstrap_validation")
    folds: Annotated[int, Meta(description="Models of each learner in a run.", ge=2, le=100)] = 10
    instances: Annotated[
        tuple[Count, ...],
        Meta(
            description="After how many instances tests are made, in increasing order; the last is "
            "the length of a run. Longer than the stream counts as its length.",
            min_length=1,
            extra_json_schema=_ONCE,
        ),
    ]
    runs: Annotated[int, Meta(description="Runs of each scheme.", ge=2, le=100_000)]
    runs_per_job: Annotated[Count, Meta(description="Runs that one job does.")] = 50
    noise: Annotated[
        tuple[Level, ...],
        Meta(
            description="Probabilities that a prediction of the second learner is replaced.",
            extra_json_schema=_ONCE,
        ),
    ] = ()
    drift_noise: Annotated[
        tuple[Level, ...],
        Meta(
            description="The same, but only in the tenth of a quarter of the stream that follows "
            "each of the first three quarters: a difference that exists during drifts only.",
            extra_json_schema=_ONCE,
        ),
    ] = ()
    noise_filter: Annotated[
        Literal["other_labels", "all_labels", "own_labels"],
        Meta(
            description="What predictions are replaced by: one of the other labels, any label, or "
            "the learner's own predictions in random order."
        ),
    ] = "other_labels"
    fold_seeds: Annotated[
        Literal["own", "shared"],
        Meta(description="Whether each fold's model has its own seed or the learner's."),
    ] = "own"
    draws: Annotated[
        Literal["anew", "kept"],
        Meta(
            description="Whether each run draws a generated stream anew, or all runs have the same "
            "instances. Real streams are always kept."
        ),
    ] = "anew"
    scaled_drift: Annotated[
        bool,
        Meta(
            description="Whether drifts of a generated stream come at the same shares of a shorter "
            "run as of the stream in the registry."
        ),
    ] = True
    block: Annotated[
        Count,
        Meta(description="Consecutive instances whose predictions are swapped together, or not."),
    ] = 1
    bins: Annotated[
        int,
        Meta(description="Bins of time in which differences are kept.", ge=10, le=100_000),
    ] = 250
    level: Annotated[float, Meta(description="Level of significance of the tests.", gt=0, lt=1)] = (
        0.05
    )
    seed: Annotated[Seed, Meta(description="Of all draws.")] = 1

    def rows(self, rows: int) -> int:
        """See `Settings`."""
        return min(rows, self.instances[-1])

    def row_bytes(self) -> int:
        """See `Settings`."""
        alternatives = 2 + len(self.noise) + len(self.drift_noise)
        return 2 * alternatives * _BYTES  # of two readings

    def parts(self) -> int:
        """See `Settings`."""
        return -(-self.runs // self.runs_per_job)

    def runs_of(self, part: int) -> range:
        """See `Settings`."""
        return range(part * self.runs_per_job, min((part + 1) * self.runs_per_job, self.runs))

    def probe(self, instances: int) -> Settings:
        """See `Settings`."""
        return msgspec.structs.replace(self, instances=(instances,), runs_per_job=1)

    def learner_runs(self) -> int:
        """See `Settings`."""
        return 2 * self.folds * len(self.schemes) * min(self.runs, self.runs_per_job)

    def objections(self, rows: Mapping[str, Any]) -> Iterator[str]:
        """See `Settings`."""
        if list(self.instances) != sorted(self.instances):
            yield f"instances: expected numbers in increasing order, found {list(self.instances)}"

    def words(self) -> Mapping[str, object]:
        """See `Settings`."""
        return {"longest": f"{self.instances[-1]:,}", "percent": f"{100 * self.level:g}"}


_CELL = ("scheme", "reading", "alternative", "instances")

KIND = Kind(
    name="type_errors",
    settings=Settings,
    reads="source",
    trains=True,
    parts={
        "counts": (*_CELL, "run", "fold", "tested", "right", "only_first", "only_second"),
        "series": ("scheme", "reading", "alternative", "run", "bin", "difference"),
        "anytime": ("scheme", "reading", "alternative", "run", "p_value"),
        "costs": ("scheme", "run", "seconds"),
    },
    frames={
        "rates": (
            *(*_CELL, "test", "runs", "rejected"),
            *("value", "low", "high", "adjusted", "simulated"),
        ),
        "gaps": (*_CELL, "accuracy", "gap", "printed_gap"),
        "seconds": ("scheme", "runs", "seconds"),
    },
    times=("costs", "seconds"),
)
