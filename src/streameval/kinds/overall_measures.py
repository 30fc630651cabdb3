"""Measures of learners over the whole of each stream."""

from __future__ import annotations

from typing import Annotated

from msgspec import Meta

from streameval.kinds.kind import Kind
from streameval.kinds.settings import OfPredictions, SomeNames


class Settings(OfPredictions, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """Settings of overall_measures."""

    measures: Annotated[SomeNames, Meta(description="Names of measures, a column each.")] = (
        *("accuracy", "kappa", "kappa_temporal", "kappa_m", "kappa_combined"),
        *("harmonic_mean", "mcc", "f1"),
    )


KIND = Kind(
    name="overall_measures",
    settings=Settings,
    reads="predictions",
    joins_folds=True,
    columns=("stream", "simulated", "learner"),
    title="Measures over the whole of each stream",
    subject="measures over whole streams",
    caption="Learners over the whole of each stream. κ compares with chance, κ_t with repeating "
    "the last label (No-Change), κ_m with always predicting the most frequent label so far "
    "(Majority), κ⁺ combines κ and κ_t. Zero is as good as what it is compared with. Empty where a "
    "measure is not defined; results/measures.csv says why.",
)
