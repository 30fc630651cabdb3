"""Kappa with its standard error and significance test."""

from __future__ import annotations

from streameval.items.kind import Kind
from streameval.items.settings import OfPredictions


class Settings(OfPredictions, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """Settings of kappa_significance."""


KIND = Kind(
    name="kappa_significance",
    settings=Settings,
    reads="predictions",
    columns=(
        *("stream", "simulated", "learner"),
        *("kappa", "kappa_standard_error", "kappa_z", "kappa_p_value"),
    ),
)
