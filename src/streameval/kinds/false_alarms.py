"""The accuracy of Naive Bayes that resets at random."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Annotated

from msgspec import Meta

from streameval.items.kind import Kind
from streameval.items.settings import IgnoreLabelTimes, OfStreams, Seeds


class Settings(OfStreams, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """Settings of false_alarms."""

    ignore_label_times: IgnoreLabelTimes = False
    probabilities: Annotated[
        tuple[Annotated[float, Meta(gt=0, le=1)], ...],
        Meta(
            description="Probabilities of a false alarm at an instance.",
            min_length=1,
            extra_json_schema={"uniqueItems": True},
        ),
    ]
    seeds: Annotated[Seeds, Meta(description="Each gives its own alarms and permutations.")]

    def learners_run(self) -> Sequence[str]:
        """See `Settings`."""
        return ("no_change", "naive_bayes", "ddm_nb", "ddm_random")

    def learner_runs(self) -> int:
        """See `Settings`."""
        return 3 * len(self.seeds) * (len(self.probabilities) + 3)

    def words(self) -> Mapping[str, object]:
        """See `Settings`."""
        return {"seeds": len(self.seeds)}


KIND = Kind(
    name="false_alarms",
    settings=Settings,
    reads="stream",
    trains=True,
    frames={"false_alarms": ("variant", "seed", "learner", "probability", "accuracy")},
)
