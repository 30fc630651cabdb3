"""Labels that cost: all instances are predicted and scored, a part of their labels is learnt."""

from __future__ import annotations

import math
from dataclasses import dataclass
from fractions import Fraction
from typing import Annotated, ClassVar, Literal, NamedTuple, get_args

import numpy as np
from msgspec import Meta
from numpy.typing import ArrayLike

from streameval.base.arrays import Flags, Floats
from streameval.base.errors import ConfigError, DataError
from streameval.base.params import NotNegative, Proportion, Whole, parameter
from streameval.base.seeds import generator
from streameval.protocols.prequential import delayed
from streameval.protocols.protocol import Instances, Protocol
from streameval.protocols.tape import LEARN, PREDICT, Tape, alike, learning

#: How labels are chosen.
Strategy = Literal[
    "random",
    "every",
    "uncertainty",
    "variable_uncertainty",
    "randomised_uncertainty",
    "selective_sampling",
]
#: Strategies whose labels do not depend on the learner, and those that ask by its class scores.
DRAWN: tuple[str, ...] = ("random", "every")
ASKING: tuple[str, ...] = tuple(name for name in get_args(Strategy) if name not in DRAWN)
#: A budget is taken for a fraction with a denominator up to this.
_FINEST = 10**9

#: Why differences with a part of the labels have no intervals.
NO_INTERVAL = "with a part of the labels it would be wrong too often"

Mask = Flags


def called(strategy: str) -> str:
    """Return how labels are chosen, in words."""
    known = {"random": "at random", "every": "at equal distances"}
    return known.get(strategy, f"by {strategy.replace('_', ' ')}")


class Asking(NamedTuple):
    """How labels are asked for by class scores; see `Partial`."""

    strategy: str
    budget: float
    threshold: float
    step: float
    rules: str
    seed: int


@dataclass(frozen=True)
class Offered(Tape):
    """A tape whose labels are offered: each learner asks for its own part of them.

    Each row has a predict event, and a learn event of its own behind it if it has a label.
    `streameval.learners.asking` runs learners over it, which refuse it by themselves.

    Parameters
    ----------
    asking : Asking
        The strategy.
    """

    asking: Asking


def evenly_spaced(n: int, budget: float) -> Mask:
    """Return which of `n` labels are bought at equal distances.

    Label t is bought if floor((t + 1) B) > floor(t B) for a budget of B: every m-th one for 1 / m.
    """
    share = Fraction(budget).limit_denominator(_FINEST)
    bought = np.arange(n + 1) * share.numerator // share.denominator
    mask: Mask = bought[1:] > bought[:-1]
    return mask


def chances(shares: ArrayLike, budget: float, exponent: float = 1.0) -> Floats:
    """Return the probability with which a label is bought, by its class.

    That of class c is min(1, s p_c^(a - 1)), where p_c is the proportion of the class, a the
    exponent, and s such that the expected proportion of labels is the budget. So labels of class c
    are bought in proportion to p_c^a, as long as there are enough.

    Parameters
    ----------
    shares : array-like, shape (k,)
        Proportions of the classes, which sum to one.
    budget : float
        Expected proportion of labels, at most 1.
    exponent : float
        1 draws all labels alike, 0 as many of each class, and above 1 frequent classes are bought
        more often.

    Returns
    -------
    ndarray of float64, shape (k,)
        Probabilities; 0 for a class without instances.
    """
    p = np.asarray(shares, dtype=np.float64)
    found = np.zeros(len(p))
    (rest,) = np.nonzero(p)
    odds = np.ones(len(p))
    # By Python: numpy's powers and products have other last digits by the processor.
    odds[rest] = [math.pow(share, exponent - 1.0) for share in p[rest].tolist()]
    left = budget
    # Classes whose labels are all bought leave the rest of the budget to the others.
    while len(rest):
        scale = left / math.fsum((p[rest] * odds[rest]).tolist())
        full = rest[scale * odds[rest] >= 1.0]
        if not len(full):
            found[rest] = scale * odds[rest]
            break
        found[full] = 1.0
        left = max(left - float(p[full].sum()), 0.0)
        rest = np.setdiff1d(rest, full)
    return found


def offered(n: int, delay: int, asking: Asking) -> Offered:
    """Return the tape over `n` instances whose labels are offered `delay` instances later."""
    if delay:
        tape = delayed(n, delay)
        return Offered(tape.row, tape.op, tape.weight, asking)
    row = np.repeat(np.arange(n, dtype=np.int32), 2)
    op = np.tile(np.array([PREDICT, LEARN], np.uint8), n)
    return Offered(row, op, alike(1, 2 * n, np.float32), asking)


@dataclass(frozen=True)
class Partial(Protocol):
    """A label budget: each instance is predicted once, and a part of the labels is learnt.

    Predictions are scored whether or not their label is bought, once a label has been learnt. A
    label is bought when its instance arrives, and learnt `delay` instances later.

    Two strategies do not depend on the learner. By ``random`` each label is bought with the same
    probability; labels bought with a small budget are among those bought with a larger one. With
    an `exponent` other than 1 the probability depends on the class, see `chances`, by the
    frequencies of the classes so far. That is no strategy, as nobody knows the class of a label
    before it is bought: it simulates labels that are missing not at random. By ``every`` labels are
    bought at equal distances.

    The others ask by the largest of the class scores, the posterior, as long as less than the
    budget is spent. ``uncertainty`` asks where it is below the `threshold`.
    ``variable_uncertainty`` lowers its threshold by the `step` after each label, and raises it
    after each instance that it does not ask for. ``randomised_uncertainty`` does so, too, and
    multiplies the threshold by a normal number with mean 1 and standard deviation 1 each time.
    ``selective_sampling`` asks with probability B / (B + m), where B is the budget and m the
    distance of the posterior from that of equal scores. Learners whose forecasts do not depend
    on the instance, such as No-Change and Majority, have no reason to prefer one label: they get
    labels at random, with the same budget.

    The `rules` say what MOA and the paper do differently:

    - what is spent: ``moa`` counts the labels of all instances so far; ``paper`` has a fading mean
      over about 100 instances, which at equilibrium exceeds budgets below 1 / 100;
    - the randomised threshold: ``moa`` divides the posterior by the normal number, so that the one
      in six that is negative always asks, however certain the learner is; ``paper`` multiplies the
      threshold, so that it never does;
    - the start: ``moa`` takes the posterior for 0 until a label of another than the first class is
      learnt. A learner of one label of any other class is certain of it, and by ``uncertainty``
      never asks again. ``paper``, which begins with trained learners, takes it for 0 here until
      labels of two classes are learnt.

    By both, the posterior is 0 where a learner has no votes for any class. Where votes sum to less
    than 5.6e-309, MOA's is infinite or undefined, and it does not ask; here it is as elsewhere.

    References
    ----------
    Žliobaitė, Bifet, Pfahringer, Holmes (2014), Active learning with drifting streaming data, IEEE
    Transactions on Neural Networks and Learning Systems 25(1), 27-39; MOA's ALUncertainty.
    """

    budget: Annotated[float, Meta(gt=0, le=1)] = parameter(
        "proportion of the labels that may be learnt"
    )
    strategy: Strategy = parameter("which labels these are", "random")
    delay: Whole = parameter("number of instances that arrive before a label is known", 0)
    seed: Whole = parameter("seed of strategies that draw", 1)
    exponent: Annotated[NotNegative, Meta(le=10)] = parameter(
        "random: labels of a class are bought in proportion to this power of its frequency; 1: "
        "all alike, 0: as many of each class",
        1.0,
    )
    threshold: Proportion = parameter("uncertainty: asks where the posterior is below", 0.9)
    step: Proportion = parameter("variable thresholds: relative change at a time", 0.01)
    rules: Literal["moa", "paper"] = parameter("strategies that ask: whose rules", "moa")

    name: ClassVar[str] = "partial"
    reference: ClassVar[str] = "Žliobaitė, Bifet, Pfahringer, Holmes (2014)"
    #: The strategies for which a parameter is.
    _about: ClassVar[dict[str, tuple[str, ...]]] = {
        "exponent": ("random",),
        "threshold": ("uncertainty",),
        "step": ("variable_uncertainty", "randomised_uncertainty"),
        "rules": ASKING,
    }

    def _check_together(self) -> None:
        for declared in self.declared():
            about = self._about.get(declared.name, (self.strategy,))
            value = getattr(self, declared.name)
            if self.strategy not in about and value != declared.default:
                raise self._refused(
                    f"{declared.name} is for {', '.join(about)}, found {value} with the strategy "
                    f"{self.strategy}. Leave it out.",
                    declared.name,
                )

    @property
    def asks(self) -> bool:
        """Whether labels are asked for by class scores, so that each learner has its own."""
        return self.strategy in ASKING

    @property
    def title(self) -> str:
        """Name of the protocol in captions."""
        how = called(self.strategy)
        if self.exponent != 1:
            how += f", of a class in proportion to its frequency to the power {self.exponent:g}"
        late = f", {self.delay:,} instance{'s' * (self.delay != 1)} later" if self.delay else ""
        return f"{100 * self.budget:.10g} % of the labels, {how}{late}"

    def bought(self, stream: Instances) -> Mask:
        """Return which labels are bought, where that does not depend on the learner, shape (n,).

        Raises
        ------
        ConfigError
            If it does.
        DataError
            If labels are drawn by class, and the target is numeric.
        """
        if self.asks:
            raise ConfigError(
                f"{self.strategy} asks by what a learner predicts: expected one of "
                f"{', '.join(DRAWN)}. Each learner has labels of its own."
            )
        labelled = stream.labelled
        mask = np.zeros(len(labelled), dtype=np.bool_)
        count = int(labelled.sum())
        if self.strategy == "every":
            mask[labelled] = evenly_spaced(count, self.budget)
            return mask
        # Budgets share the numbers, so that small ones are parts of large ones.
        drawn = generator("partial", stream.name, self.seed).random(len(labelled))
        return labelled & (drawn < self._chance(stream))

    def _chance(self, stream: Instances) -> float | Floats:
        """Return the probability with which each label is bought."""
        if self.exponent == 1:
            return self.budget
        y, labelled = stream.y, stream.labelled
        if y.dtype.kind == "f":
            raise DataError(
                f"Protocol {self.name}: exponent {self.exponent:g} draws labels by their class, "
                f"and the target of stream {stream.name!r} is numeric. Leave it out."
            )
        found, known = np.zeros(len(y)), np.flatnonzero(labelled)
        seen = np.ones(stream.n_classes)  # one of each, before the first label
        begin = 0
        while begin < len(known):
            # So far, up to one per cent of the labels.
            end = min(begin + 1 + begin // 100, len(known))
            now = known[begin:end]
            by_class = chances(seen / seen.sum(), self.budget, self.exponent)
            found[now] = by_class[y[now]]
            seen += np.bincount(y[now], minlength=stream.n_classes)
            begin = end
        return found

    def _tapes(self, stream: Instances) -> list[Tape]:
        n = len(stream)
        if self.asks:
            how = Asking(
                self.strategy, self.budget, self.threshold, self.step, self.rules, self.seed
            )
            return [offered(n, self.delay, how)]
        return [learning(delayed(n, self.delay), self.bought(stream))]


def at_random(stream: Instances, tape: Offered) -> Tape:
    """Return a tape that spends the budget of another at random, on the labels it offers."""
    drawn = Partial(tape.asking.budget, seed=tape.asking.seed).bought(stream)
    return learning(Tape(tape.row, tape.op, tape.weight), drawn)


def no_interval(protocol: str) -> str:
    """Return why predictions by a protocol, as ``str()`` gives it, have no intervals; "" if none.

    With few labels, what a learner has learnt by chance stays for the whole stream, so that its
    variation over time does not show it (``resources/recorded/labels/verdict_calibration.csv``).
    """
    return NO_INTERVAL if protocol.partition("-")[0] == Partial.name else ""


def labels_learnt(tape: Tape) -> int:
    """Return how many labels a tape learns."""
    learns = ((tape.op & LEARN) != 0) & (tape.weight > 0)
    return int(np.count_nonzero(learns))
