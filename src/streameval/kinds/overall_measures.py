"""Measures of learners over the whole of each stream."""

from __future__ import annotations

from typing import Annotated

from msgspec import Meta

from streameval.items.kind import Kind
from streameval.items.settings import OfPredictions, SomeNames


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
)
