"""Weights of the bins of a re-evaluation: what they are, and what is wrong with some."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np

from streameval.base.errors import ConfigError, excerpt
from streameval.evaluation.roles import BEST_BINS

#: Weights by name: a number for each bin, or λ; see `bin_weights`.
Weights = Mapping[str, float | Sequence[float]]
_INF = float("inf")


def bin_weights(given: float | Sequence[float], bins: int) -> list[float]:
    """Return the weights of the bins 0, ..., B + 1.

    A number λ stands for λ^(b/B) in the bins b = 0, ..., B and 0 in the last one, just before the
    label. Grzenda, Gomes, Bifet (2019), Delayed labelling evaluation for data streams; their
    program of 2020, IntermediateMeasures, on λ.
    """
    if isinstance(given, int | float):
        return [float(given) ** (b / max(bins, 1)) for b in range(bins + 1)] + [0.0]
    return [float(weight) for weight in given]


def fault_of_weights(given: float | Sequence[float], bins: int, name: str = "") -> str:
    """Return the fault of weights, or of their name, in words; an empty text if there is none."""
    if name in BEST_BINS:
        return f"expected a name of your own, found {name!r}, which stands for the best bin"
    if isinstance(given, int | float):
        return "" if 0 < given * (bins + 1) < _INF else f"expected a number above 0, found {given}"
    if len(given) != bins + 2:
        return f"expected {bins + 2} weights, for the bins from 0 to {bins + 1}, found {len(given)}"
    wrong = [weight for weight in given if not 0 <= weight < _INF]
    if wrong:
        return f"expected weights of at least 0, found {wrong[0]}"
    if sum(given) == _INF:
        return "expected weights with a finite sum, found larger ones"
    return "" if sum(given) > 0 else "expected a weight above 0, found none"


def weights_of(given: Any, bins: int) -> dict[str, float | Sequence[float]]:
    """Return the weights of bins by name, checked; see `streameval.Result.over_bins`.

    Raises ConfigError if they are not weights of so many bins, or a name is not a text.
    """
    if not isinstance(given, Mapping):
        raise ConfigError(
            "weights: expected a mapping of names to weights, such as {'early': 0.5}, found "
            f"{type(given).__name__} {excerpt(repr(given), 60)}."
        )
    found = dict[str, float | Sequence[float]]()
    for name, value in given.items():
        try:
            numbers = np.asarray(value, dtype=np.float64)
            of_numbers = np.asarray(value).dtype.kind in "iuf" and numbers.ndim <= 1
        except (TypeError, ValueError, OverflowError):
            of_numbers = False
        if not isinstance(name, str) or not of_numbers:
            raise ConfigError(
                "weights: expected a number, or one for each bin, by a name, found "
                f"{excerpt(repr({name: value}), 60)}."
            )
        found[name] = numbers.tolist()
        if wrong := fault_of_weights(found[name], bins, name):
            raise ConfigError(f"weights, {excerpt(name)}: {wrong}.")
    return found
