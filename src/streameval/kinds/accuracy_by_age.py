"""Accuracy by the time since an instance has arrived, with the number at risk."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Annotated, Literal

from msgspec import Meta

from streameval.kinds.kind import Kind
from streameval.kinds.label_waiting import Unit
from streameval.kinds.repredictions import Reevaluated
from streameval.kinds.settings import Count, Learners
from streameval.significance.stream_mean import LEAST_EFFECTIVE

#: What an age counts, in captions.
_CLOCKS = {
    "time": "the time",
    "labels": "the number of labels that have arrived",
    "instances": "the number of instances that have arrived",
}


class Settings(Reevaluated, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """Settings of accuracy_by_age."""

    learners: Learners
    every: Annotated[
        Count, Meta(description="Number of labels between two predictions of an instance (K).")
    ] = 10
    clock: Annotated[
        Literal["time", "labels", "instances"],
        Meta(description="What ages count, from when an instance arrives."),
    ] = "time"
    unit: Unit = ""
    ages: Annotated[Count, Meta(description="Largest number of ages, at equal distances.")] = 60
    least: Annotated[
        Count, Meta(description="Ages go as far as so many instances are still at risk.")
    ] = 100

    def learner_runs(self) -> int:
        """See `Settings`: every instance is predicted several times."""
        return 5 * len(self.learners)

    def words(self) -> Mapping[str, object]:
        """See `Settings`."""
        return {"since": _CLOCKS[self.clock], "effective": LEAST_EFFECTIVE}


KIND = Kind(
    name="accuracy_by_age",
    settings=Settings,
    reads="source",
    trains=True,
    evaluation="continuous re-evaluation every {every} labels",
    frames={
        "ages": (
            *("learner", "age", "at_risk", "pending", "accuracy", "low", "high"),
            *("gain", "gain_low", "gain_high", "overall", "overall_low", "overall_high", "unit"),
        )
    },
    subject="accuracy by age, with the number at risk",
    caption="accuracy of the predictions in force at an age, {since} since an instance has "
    "arrived, with a prediction after every {every} labels. Unlike the length of a bin, it is "
    "known when predicting. At risk are instances whose labels are still to come at that age; as "
    "they become fewer they are also others. Top: accuracy over those at risk. Middle: by how much "
    "it differs from that of their own first predictions. Bottom: accuracy over all instances, "
    "with the last prediction from the label on. Below the axis: how many are at risk, and how "
    "many more whose labels have not arrived when evaluation stops, which no line counts. The CSV "
    "has 95 % intervals that respect dependence; there are none where labels are worth fewer than "
    "{effective} independent ones.",
)
