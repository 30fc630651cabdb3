"""Algorithm 1 of Žliobaitė et al. (2015): κ, κ_t and κ⁺ from 3k + 1 moving averages.

It is implemented exactly as published, to reproduce the paper. For other purposes use
`streameval.measures.tallies_over_time.fading_tallies`: tallies with fading weights, from which all
measures can be computed. Peculiarities of the algorithm:

* P(i|i) is updated only when the true class is i, whereas P(i) and P_h(i) are updated at each
  instance. So for a rare class, P(i|i) lags far behind a change.
* Therefore the sum of P(i) P(i|i) only approximates the faded accuracy of No-Change. The κ_t of
  No-Change is near 0, but not exactly 0.
* The first instance is compared with "class 1", the class of code 0, so the first estimate
  depends on how classes are coded.
* p, the accuracy, starts at 0 and the other estimates at 1/k, and nothing corrects this later. For
  about 3/λ instances p is too small, and so is κ: then the start still weighs e⁻³ = 5 %.
* The parameter λ is the smoothing weight, the weight of the newest instance; the paper writes α.
  The fading factor α of Gama et al. (2013) and of MOA is 1 - λ, the weight that is kept.

References
----------
Žliobaitė, Bifet, Read, Pfahringer, Holmes (2015), Evaluation methods and decision theory for
classification of streaming data with temporal dependence, §4.6 (Algorithm 1 is printed in the
preprint), Eq. 7, 9, 10, 13, 14.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import ArrayLike

from streameval.base.arrays import Codes, Floats, Integers
from streameval.base.errors import ConfigError
from streameval.compiled.kernels import kernel
from streameval.measures.counting import checked_positions, checked_predictions
from streameval.measures.tally import ratio, total


class SmoothedEstimates(NamedTuple):
    """The moving averages of Algorithm 1 at `s` sample positions, and kappas computed from them.

    The paper's Random and Persistent classifiers are called chance and No-Change elsewhere.

    Parameters
    ----------
    p : ndarray of float64, shape (s,)
        Accuracy of the classifier.
    prior : ndarray of float64, shape (s, k)
        P(i), frequency of each true class.
    predicted_prior : ndarray of float64, shape (s, k)
        P_h(i), frequency of each predicted class.
    persistence : ndarray of float64, shape (s, k)
        P(i|i), probability that a class follows itself.
    """

    p: Floats
    prior: Floats
    predicted_prior: Floats
    persistence: Floats

    @property
    def p_random(self) -> Floats:
        """Accuracy of the Random classifier: the sum of P(i) P_h(i), Eq. 9."""
        return total(self.prior * self.predicted_prior)

    @property
    def p_persistent(self) -> Floats:
        """Accuracy of the Persistent classifier: the sum of P(i) P(i|i), Eq. 7."""
        return total(self.prior * self.persistence)

    @property
    def kappa(self) -> Floats:
        """κ, Eq. 10; NaN where `p_random` is 1."""
        return ratio(self.p - self.p_random, 1 - self.p_random)

    @property
    def kappa_temporal(self) -> Floats:
        """κ_t, Eq. 13, which calls it κ_per; NaN where `p_persistent` is 1."""
        return ratio(self.p - self.p_persistent, 1 - self.p_persistent)

    @property
    def kappa_combined(self) -> Floats:
        """κ⁺, Eq. 14; NaN where κ or κ_t is NaN."""
        product: Floats = np.maximum(self.kappa, 0) * np.maximum(self.kappa_temporal, 0)
        return np.sqrt(product)


@kernel
def _run_algorithm_1(
    true: Codes, predicted: Codes, smoothing: float, positions: Integers, out: SmoothedEstimates
) -> None:
    """Fill `out` at the sample positions; the last row is scratch space for running estimates."""
    p, prior, predicted_prior, persistence = out
    fading, n_classes = 1.0 - smoothing, prior.shape[1]
    previous, s = 0, 0  # the first instance is compared with class 0
    for t in range(positions[-1] if len(positions) else 0):
        y, label = true[t], predicted[t]
        p[-1] *= fading
        if label == y:
            p[-1] += smoothing
        for i in range(n_classes):
            prior[-1, i] *= fading
            predicted_prior[-1, i] *= fading
        prior[-1, y] += smoothing
        if label < n_classes:  # n_classes stands for a missing prediction
            predicted_prior[-1, label] += smoothing
        persistence[-1, y] *= fading
        if y == previous:
            persistence[-1, y] += smoothing
        previous = y
        if t + 1 == positions[s]:
            p[s] = p[-1]
            for i in range(n_classes):
                prior[s, i], predicted_prior[s, i] = prior[-1, i], predicted_prior[-1, i]
                persistence[s, i] = persistence[-1, i]
            s += 1


def smoothed_kappas(
    true: ArrayLike, predicted: ArrayLike, n_classes: int, *, smoothing: float, positions: ArrayLike
) -> SmoothedEstimates:
    """Kappas with smoothed class priors and persistence: Algorithm 1 of Žliobaitė et al. (2015).

    Parameters
    ----------
    true : array-like of int, shape (n,)
        True class codes in order.
    predicted : array-like of int, shape (n,)
        Predicted class codes; a missing prediction, -1, is wrong and has no class.
    n_classes : int
        Declared number of classes, k.
    smoothing : float
        Smoothing weight λ, the weight of the newest instance, 0 < λ < 1 (α in the paper). The
        paper recommends 0.01 for two balanced classes, and less for more or rarer classes.
    positions : array-like of int, shape (s,)
        Sample positions: numbers of predictions so far, increasing, within 1..n.

    Returns
    -------
    SmoothedEstimates
        The estimates at the sample positions.

    Raises
    ------
    ConfigError
        If `smoothing` is out of range.
    DataError
        If labels or positions are out of range.
    """
    if not 0 < smoothing < 1:
        raise ConfigError(
            f"Algorithm 1: expected a smoothing weight between 0 and 1, found {smoothing}. It is "
            "the weight of the newest instance, for instance 0.01."
        )
    y, labels = checked_predictions(true, predicted, n_classes)
    positions = checked_positions(positions, len(y))
    n_rows = len(positions) + 1  # the last row is scratch space
    uniform = np.full((n_rows, n_classes), 1 / n_classes)
    out = SmoothedEstimates(np.zeros(n_rows), uniform, uniform.copy(), uniform.copy())
    _run_algorithm_1(y, labels, float(smoothing), positions, out)
    return SmoothedEstimates(*(estimate[:-1] for estimate in out))
