"""The Bayesian signed-rank test with a region of practical equivalence."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import ArrayLike

from streameval.base.arrays import Floats
from streameval.base.errors import DataError
from streameval.base.seeds import generator
from streameval.significance.significance_test import SignificanceResult, SignificanceTest
from streameval.significance.t_over_folds import ROPE, as_differences

#: Weight of the pseudo-difference of 0 that is the prior; each stream has weight 1.
PRIOR_WEIGHT = 0.5
#: Number of draws of the weights of the streams. Calls with equally many streams use the same
#: draws.
DRAWS = 20_000
#: Tolerance for sums (relative) and probabilities (absolute) that are equal in exact arithmetic.
_ROUNDING = 1e-12


class StreamsRope(NamedTuple):
    """The difference A - B on each stream, and the region of practical equivalence (rope)."""

    differences: ArrayLike  # (streams,), differences of means over seeds
    rope: float = ROPE  # half width of the region, in the unit of the differences


def region_probabilities(weights: ArrayLike, differences: ArrayLike, rope: float) -> Floats:
    """Probabilities, in each draw, that the mean of two differences is below, in or above the rope.

    Parameters
    ----------
    weights : array_like of float, shape (draws, n)
        Probability of each difference; one row per draw.
    differences : array_like of float, shape (n,)
        Differences from which two are drawn, with replacement.
    rope : float
        Half width of the region, whose ends belong to it.

    Returns
    -------
    ndarray, shape (draws, 3)
    """
    probability, values = np.asarray(weights, np.float64), np.asarray(differences, np.float64)
    # Sums of two differences and twice the rope, instead of means and the rope.
    sums = values[:, None] + values
    bound = 2.0 * rope + _ROUNDING * (np.abs(values).max() + rope)
    below, above = (
        np.einsum("ij,ij->i", probability @ is_outside.astype(np.float64), probability)
        for is_outside in (sums < -bound, sums > bound)
    )
    return np.stack([below, np.maximum(0.0, 1.0 - below - above), above], axis=1)


def _test(evidence: StreamsRope) -> SignificanceResult:
    """Compute the mean difference and posterior probabilities; the p-value is NaN.

    In `details`, ``left`` is the probability that B is better, ``rope`` that both are practically
    equal, and ``right`` that A is better. Each draw of random weights of the streams counts for the
    region where the mean of two differences is most likely; tied regions share the draw. ``error``
    is the largest Monte Carlo standard error of the three probabilities.

    Raises
    ------
    DataError
        If the differences are not a list of at least one finite number, or the rope is negative.
    """
    differences = as_differences(evidence.differences, min_length=1, unit="streams")
    rope = float(evidence.rope)
    if differences.ndim > 1 or not np.isfinite(differences).all() or not rope >= 0:
        raise DataError(
            "Bayesian signed-rank test: expected a list of finite differences and a rope of at "
            f"least 0, found shape {differences.shape} with "
            f"{int((~np.isfinite(differences)).sum())} that are not finite, and {rope:g}. Leave "
            "out streams on which a measure is undefined."
        )
    n = len(differences)
    weights = generator("significance", "bayesian_signed_rank", n).dirichlet(
        [PRIOR_WEIGHT, *[1.0] * n], DRAWS
    )
    regions = region_probabilities(weights, [0.0, *differences], rope)
    is_likeliest = regions >= regions.max(axis=1, keepdims=True) - _ROUNDING
    probabilities = (is_likeliest / is_likeliest.sum(axis=1, keepdims=True)).mean(axis=0)
    details = dict(zip(("left", "rope", "right"), probabilities.tolist(), strict=True))
    error = float(np.sqrt(probabilities * (1 - probabilities) / DRAWS).max())
    return SignificanceResult(
        float(differences.mean()), np.nan, details={**details, "error": error}
    )


TEST = SignificanceTest(
    name="bayesian_signed_rank",
    title="Bayesian signed-rank test over streams",
    null="none: it returns the probability of each of three verdicts instead of a p-value",
    estimand="the region in which the mean difference on two random domains lies most often",
    assumptions=(
        "streams are independent of each other and each stands for a domain; the prior is a "
        f"difference of 0 with the weight {PRIOR_WEIGHT:g} of a stream"
    ),
    reference="Benavoli et al. (2014); Benavoli et al. (2017), Section 4.2",
    evidence=StreamsRope,
    function=_test,
)
