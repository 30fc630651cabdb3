"""Labels of a Markov chain with rotating Gaussian classes: a stand-in for real streams.

The stream shows without a download that a good classifier may be less accurate than repeating the
previous label, if equal labels come in runs and the concept drifts. The chain is stationary and
reversible, with given class proportions and P(T), the probability that a label is repeated (as
written by Žliobaitė et al., 2015). Classes have unit variance around means that rotate together. So
they are equally separable at any time, but an old model becomes outdated.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from statistics import NormalDist
from typing import Annotated

import numpy as np
from msgspec import Meta
from numpy.typing import ArrayLike

from streameval.base.arrays import Codes, Floats, Integers
from streameval.base.errors import ConfigError
from streameval.base.params import NotNegative, Proportion, Seed, Whole
from streameval.base.seeds import generator
from streameval.compiled.kernels import allocating_kernel
from streameval.streams.drifts import Drift
from streameval.streams.generators.generator import Draw, Generator
from streameval.streams.stream import Attribute, Schema, Stream

#: Function that turns noise into inputs in place, given the noise, the classes and the times.
_NoiseToInputs = Callable[[Floats, Codes, Integers], None]


def class_proportions(priors: ArrayLike) -> Floats:
    """Proportions of two or more classes, shape (k,), with sum one."""
    message = (
        "Generator markov: parameter priors must list the proportions of two or more classes, all "
        f"positive and finite, found {priors!r}. Leave out classes that never occur."
    )
    try:
        weights = np.asarray(priors, dtype=np.float64)
    except (TypeError, ValueError) as error:
        raise ConfigError(message) from error
    is_list = weights.ndim == 1 and len(weights) >= 2
    if not is_list or not (np.isfinite(weights) & (weights > 0.0)).all():
        raise ConfigError(message)
    proportions: Floats = weights / weights.sum()
    return proportions


def _least_persistent_joint(proportions: Floats) -> Floats:
    """Joint distribution, shape (k, k), of consecutive labels that are equal as rarely as possible.

    Classes are arcs on a circle of circumference one, and the next label is at the opposite point.
    Only a class with more than half of the circle is opposite to itself.
    """
    end = np.cumsum(proportions)
    start = end - proportions
    joint = np.zeros((len(proportions), len(proportions)))
    for turn in (-0.5, 0.5):
        low = np.maximum(start[:, None], start[None, :] + turn)
        high = np.minimum(end[:, None], end[None, :] + turn)
        joint += np.maximum(high - low, 0.0)
    joint *= (proportions / joint.sum(axis=1))[:, None]  # corrects rounding errors
    return joint


def transition_matrix(priors: ArrayLike, persistence: float) -> Floats:
    """Transition matrix of a chain with these class proportions and this P(T).

    Rows are the previous label, columns the next label.

    Independent labels have a P(T) of ``sum(p**2)``. For a larger P(T) the chain repeats the label
    with some probability, for a smaller one it moves to an opposite class; otherwise it draws from
    the priors. P(T) must lie strictly between ``max(0, 2 * max(p) - 1)`` and 1.
    """
    proportions = class_proportions(priors)
    lowest = max(0.0, 2.0 * float(proportions.max()) - 1.0)
    if not lowest < persistence < 1.0:
        raise ConfigError(
            f"Generator markov: parameter persistence must lie strictly between {lowest:.6g} (the "
            f"minimum for a majority proportion of {proportions.max():.6g}) and 1, found "
            f"{persistence!r}."
        )
    independent = float((proportions**2).sum())
    if persistence >= independent:
        limit, limit_persistence = np.eye(len(proportions)), 1.0
    else:
        limit = _least_persistent_joint(proportions) / proportions[:, None]
        limit_persistence = float((proportions * np.diag(limit)).sum())
    # The chain mixes independent labels with this limit; rounding may give a weight above one.
    weight = min((persistence - independent) / (limit_persistence - independent), 1.0)
    matrix: Floats = weight * limit + (1.0 - weight) * proportions[None, :]
    return matrix


def stationary_distribution(transition: Floats) -> Floats:
    """Stationary distribution, shape (k,), of an irreducible chain.

    The algorithm needs no subtraction and no LAPACK, whose operations depend on the processor:
    Grassmann, Taksar, Heyman (1985), Regenerative analysis and steady state distributions for
    Markov chains, Operations Research 33(5), 1107-1116.
    """
    k, reduced = len(transition), np.array(transition, dtype=np.float64)
    for i in range(k - 1, 0, -1):
        reduced[:i, i] /= reduced[i, :i].sum()
        reduced[:i, :i] += reduced[:i, i, None] * reduced[i, :i]
    proportions = np.ones(k)
    for i in range(1, k):
        proportions[i] = (proportions[:i] * reduced[:i, i]).sum()
    distribution: Floats = proportions / proportions.sum()
    return distribution


def persistence(transition: Floats) -> float:
    """P(T), the stationary proportion of labels that equal the previous label."""
    return float((stationary_distribution(transition) * np.diag(transition)).sum())


@allocating_kernel
def _draw_labels(uniform: Floats, cumulative: Floats, previous: int, y: Codes) -> None:
    """Draw labels; row `previous` of `cumulative` has the probabilities of the first label."""
    last = cumulative.shape[1] - 1
    for t in range(len(y)):
        label = 0
        while label < last and uniform[t] >= cumulative[previous, label]:
            label += 1
        y[t] = label
        previous = label


@allocating_kernel
def _add_rotating_means(
    X: Floats, y: Codes, times: Integers, mean: Floats, half_step: float, rotation: Floats, now: int
) -> None:
    """Add class means to noise; `rotation` (cosine, sine) at time `now` is updated."""
    # Trigonometric functions differ between machines in the last digit. The half-angle formulas
    # need only the tangent of half a step, and `half_step`, a small angle, approximates it.
    step_cosine = (1.0 - half_step * half_step) / (1.0 + half_step * half_step)
    step_sine = 2.0 * half_step / (1.0 + half_step * half_step)
    cosine, sine = rotation[0], rotation[1]
    m = X.shape[1]
    for i in range(len(y)):
        while now < times[i]:
            cosine, sine = (
                cosine * step_cosine - sine * step_sine,
                sine * step_cosine + cosine * step_sine,
            )
            now += 1
        label = y[i]
        for j in range(0, m - 1, 2):
            X[i, j] += cosine * mean[label, j] - sine * mean[label, j + 1]
            X[i, j + 1] += sine * mean[label, j] + cosine * mean[label, j + 1]
        if m % 2 == 1:
            X[i, m - 1] += mean[label, m - 1]
    rotation[0], rotation[1] = cosine, sine


def _labels(priors: ArrayLike, persistence: float, seed: int) -> Callable[[int], Codes]:
    """Function that draws the next labels of the stationary chain, shape (rows,)."""
    transition = transition_matrix(priors, persistence)
    cumulative = np.cumsum(np.vstack([transition, class_proportions(priors)]), axis=1)
    random = generator("markov", "labels", seed)
    previous = len(transition)  # before the first label: the last row, the class proportions

    def draw(rows: int) -> Codes:
        nonlocal previous
        y = np.empty(rows, dtype=np.int32)
        _draw_labels(random.random(rows), cumulative, previous, y)
        previous = int(y[-1])
        return y

    return draw


def _means(k: int, attributes: int, separation: float, seed: int) -> Floats:
    """Class means, shape (k, attributes), centred at the origin, `separation` apart."""
    mean = generator("markov", "means", seed).standard_normal((k, attributes))
    mean -= mean.mean(axis=0)
    # Two of k centred points have a mean squared distance of 2 / (k - 1) times the sum of squares.
    mean *= separation / np.sqrt(2.0 / (k - 1) * (mean * mean).sum())
    return mean


def _discretise(X: Floats, values: int) -> None:
    """Replace numbers by the codes of their intervals between quantiles of the standard normal."""
    cuts = [NormalDist().inv_cdf(i / values) for i in range(1, values)]
    X[:] = np.searchsorted(cuts, X, side="right")


@dataclass(frozen=True)
class Markov(Generator):
    """Gaussian classes with given proportions, label dependence, separation and drift.

    Parameters
    ----------
    priors : sequence of float, shape (k,)
        Proportions of the classes, or counts; they are divided by their sum.
    persistence : float
        P(T), the probability that a label equals the previous label. More than
        ``max(0, 2 * max(p) - 1)`` and less than 1; ``sum(p**2)`` is independence.
    attributes : int
        Number of attributes, at least 2.
    seed : int
        Labels, class means and noise are drawn independently, so that the labels do not depend on
        the parameters of the attributes.
    separation : float
        Root mean square distance of two class means, in standard deviations of the noise.
        With two equally frequent classes, no classifier that uses the attributes alone is more
        accurate than Φ(`separation` / 2).
    drift : float
        Rotations of the class means during the stream, in the plane of each pair of neighbouring
        attributes; 0 for none. The last attribute of an odd number does not drift.
    nominal : int
        Number of nominal attributes. They are the last attributes, discretised at quantiles of the
        standard normal distribution.
    values : int
        Number of values of the nominal attributes, at least 2.
    """

    priors: Sequence[float]
    persistence: Proportion
    attributes: Annotated[int, Meta(ge=2)]
    seed: Seed = 1
    separation: NotNegative = 2.0
    drift: NotNegative = 0.5
    nominal: Whole = 0
    values: Annotated[int, Meta(ge=2)] = 2

    name = "markov"

    def _check_combination(self) -> None:
        self._check_at_most("nominal", "attributes")
        transition_matrix(self.priors, self.persistence)

    def _start(self, n: int) -> Draw:
        labels = _labels(self.priors, self.persistence, self.seed)
        random, begin = generator("markov", "noise", self.seed), 0
        noise_to_inputs = self._noise_to_inputs(n)
        numeric = self.attributes - self.nominal
        names = tuple(f"value{i + 1}" for i in range(self.values))
        schema = Schema(
            tuple(
                Attribute(f"x{j + 1}", names if j >= numeric else None)
                for j in range(self.attributes)
            ),
            classes=tuple(f"class{c + 1}" for c in range(len(self.priors))),
        )
        source = f"Markov generator, P(T) {self.persistence}, seed {self.seed}"

        def fill(X: Floats, y: Codes) -> None:
            nonlocal begin
            y[:] = labels(len(y))
            random.standard_normal(out=X)
            noise_to_inputs(X, y, np.arange(begin, begin + len(y)))
            begin += len(y)

        return self._make_draw(fill, schema, source)

    def drifts(self, n: int) -> tuple[Drift, ...] | None:
        """See `Generator`."""
        return None if self.drift else ()

    def draw_from_concepts(self, n: int, times: Integers, seed: int) -> Stream:
        """Draw new instances of the class distributions at `times`; see `Generator`.

        Their labels are independent draws from the class proportions.
        """
        stream = self.stream(1)  # for its schema, name and source
        random = generator("markov", "fresh", seed)
        proportions = class_proportions(self.priors)
        y = random.choice(len(proportions), size=len(times), p=proportions).astype(np.int32)
        X = random.standard_normal((len(times), self.attributes))
        self._noise_to_inputs(n)(X, y, times)
        return replace(stream, X=X, y=y)

    def _noise_to_inputs(self, n: int) -> _NoiseToInputs:
        """Function that adds the rotating class means to noise, and discretises nominal attributes.

        Later calls must have later times.
        """
        mean = _means(len(self.priors), self.attributes, self.separation, self.seed)
        half_step = np.pi * self.drift / n  # half the rotation per instance, in radians
        rotation, now = np.array([1.0, 0.0]), 0

        def convert(X: Floats, y: Codes, times: Integers) -> None:
            nonlocal now
            _add_rotating_means(X, y, times, mean, half_step, rotation, now)
            _discretise(X[:, self.attributes - self.nominal :], self.values)
            now = int(times[-1])

        return convert
