"""Weights of bins, fixed before a run."""

from __future__ import annotations

from collections.abc import Sequence


def bin_weights(given: float | Sequence[float], bins: int) -> list[float]:
    """Return the weights of the bins 0, ..., B + 1.

    Parameters
    ----------
    given : float or sequence of float
        The weights; or a number λ for λ^(b/B) in the bins b = 0, ..., B and 0 in the last one, by
        which the prediction just before the label does not count.
    bins : int
        B; without bins (0) λ leaves only the first prediction.

    References
    ----------
    Grzenda, Gomes, Bifet (2019), Delayed labelling evaluation for data streams, on weighted binned
    performance; their program of 2020, IntermediateMeasures, on λ.
    """
    if isinstance(given, int | float):
        return [float(given) ** (b / max(bins, 1)) for b in range(bins + 1)] + [0.0]
    return [float(weight) for weight in given]


def fault(given: float | Sequence[float], bins: int) -> str:
    """Return what is wrong with weights, in words; "" if nothing is."""
    if isinstance(given, int | float):
        return "" if 0 < given < float("inf") else f"expected a number above 0, found {given}"
    if len(given) != bins + 2:
        return f"expected {bins + 2} weights, for the bins from 0 to {bins + 1}, found {len(given)}"
    wrong = [weight for weight in given if not 0 <= weight < float("inf")]
    if wrong:
        return f"expected weights of at least 0, found {wrong[0]}"
    return "" if sum(given) > 0 else "expected a weight above 0, found none"
