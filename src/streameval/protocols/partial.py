"""Label budgets: all instances are predicted and scored, but only some of the labels are learnt."""

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
from streameval.protocols.tape import LEARN, PREDICT, Tape, constant, learn_labelled

#: Strategies by which labels are chosen.
Strategy = Literal[
    "random",
    "every",
    "uncertainty",
    "variable_uncertainty",
    "randomised_uncertainty",
    "selective_sampling",
]
#: Strategies whose labels do not depend on the learner, and strategies that query by class scores.
INDEPENDENT: tuple[str, ...] = ("random", "every")
QUERYING: tuple[str, ...] = tuple(name for name in get_args(Strategy) if name not in INDEPENDENT)
#: Largest denominator of the fraction by which a budget is approximated.
_LARGEST_DENOMINATOR = 10**9

#: Why differences with a part of the labels have no intervals.
NO_INTERVAL = "with a part of the labels it would be wrong too often"

Mask = Flags


def strategy_words(strategy: str) -> str:
    """How a strategy chooses labels, in words."""
    words = {"random": "at random", "every": "at equal distances"}
    return words.get(strategy, f"by {strategy.replace('_', ' ')}")


class LabelQueries(NamedTuple):
    """A strategy that queries labels by class scores, with its parameters; see `Partial`."""

    strategy: str
    budget: float
    threshold: float
    step: float
    rules: str
    seed: int


@dataclass(frozen=True)
class OfferedTape(Tape):
    """A tape of active learning: it offers all labels, and each learner queries some of them.

    Each row has a predict event and, if it has a label, a later separate learn event.
    `streameval.learners.active_learning` runs learners over it; `AnyLearner.run` refuses it.

    Parameters
    ----------
    asking : LabelQueries
        The strategy.
    """

    asking: LabelQueries


def evenly_spaced(n: int, budget: float) -> Mask:
    """Mask of the labels out of `n` that are bought at equal distances.

    With a budget of B, label t is bought if floor((t + 1) B) > floor(t B): every m-th label for
    B = 1 / m.
    """
    fraction = Fraction(budget).limit_denominator(_LARGEST_DENOMINATOR)
    n_bought = np.arange(n + 1) * fraction.numerator // fraction.denominator
    mask: Mask = n_bought[1:] > n_bought[:-1]
    return mask


def label_probabilities(proportions: ArrayLike, budget: float, exponent: float = 1.0) -> Floats:
    """Probability of buying a label, for each class.

    For class c it is min(1, s p_c^(a - 1)), where p_c is the proportion of the class, a the
    exponent, and s such that the expected proportion of labels is the budget. So the number of
    labels of class c is proportional to p_c^a, as long as there are enough.

    Parameters
    ----------
    proportions : array-like, shape (k,)
        Proportions of the classes, which sum to 1.
    budget : float
        Expected proportion of labels, at most 1.
    exponent : float
        With 1 all labels have the same probability, with 0 the same number of labels of each class
        is expected, and above 1 labels of frequent classes are more probable.

    Returns
    -------
    ndarray of float64, shape (k,)
        Probabilities; 0 for a class without instances.
    """
    p = np.asarray(proportions, dtype=np.float64)
    probabilities = np.zeros(len(p))
    (rest,) = np.nonzero(p)
    odds = np.ones(len(p))
    # In Python, as the last digits of NumPy's powers and products depend on the processor.
    odds[rest] = [math.pow(proportion, exponent - 1.0) for proportion in p[rest].tolist()]
    budget_left = budget
    # If all labels of a class are bought, the other classes share the rest of the budget.
    while len(rest):
        scale = budget_left / math.fsum((p[rest] * odds[rest]).tolist())
        full = rest[scale * odds[rest] >= 1.0]
        if not len(full):
            probabilities[rest] = scale * odds[rest]
            break
        probabilities[full] = 1.0
        budget_left = max(budget_left - float(p[full].sum()), 0.0)
        rest = np.setdiff1d(rest, full)
    return probabilities


def offered_tape(n: int, delay: int, asking: LabelQueries) -> OfferedTape:
    """The tape over `n` instances whose labels are offered `delay` instances later."""
    if delay:
        tape = delayed(n, delay)
        return OfferedTape(tape.row, tape.op, tape.weight, asking)
    row = np.repeat(np.arange(n, dtype=np.int32), 2)
    op = np.tile(np.array([PREDICT, LEARN], np.uint8), n)
    return OfferedTape(row, op, constant(1, 2 * n, np.float32), asking)


@dataclass(frozen=True)
class Partial(Protocol):
    """A label budget: each instance is predicted once, and some of the labels are learnt.

    All predictions after the first learnt label are scored, whether or not their label is bought. A
    label is bought when its instance arrives, and learnt `delay` instances later.

    Two strategies do not depend on the learner:

    - ``random`` buys each label with the same probability. Labels of a small budget are among those
      of a larger budget. With an `exponent` other than 1, the probability depends on the class, by
      the class frequencies so far; see `label_probabilities`. This is not a real strategy, as the
      class is not known before a label is bought. It simulates labels missing not at random.
    - ``every`` buys labels at equal distances.

    The other strategies query by the largest class score, the posterior, as long as less than the
    budget is spent:

    - ``uncertainty`` queries if the posterior is below the `threshold`.
    - ``variable_uncertainty`` lowers the threshold by the `step` after each query, and raises it
      after each instance without a query.
    - ``randomised_uncertainty`` is variable, too. It multiplies the threshold for each instance by
      a normal number with mean 1 and standard deviation 1.
    - ``selective_sampling`` queries with probability B / (B + m), where B is the budget and m the
      distance of the posterior from that of equal scores.

    Learners whose forecasts do not depend on the instance, such as No-Change and Majority, cannot
    prefer a label. They get labels at random, with the same budget.

    The `rules` are those of MOA or of the paper, which differ in three points:

    - Spending: ``moa`` counts the labels of all instances so far. ``paper`` has a fading mean over
      about 100 instances, which in equilibrium exceeds budgets below 1 / 100.
    - Randomised threshold: ``moa`` divides the posterior by the normal number. So a negative
      number, one in six, always leads to a query, however certain the learner is. ``paper``
      multiplies the threshold, so that a negative number never does.
    - Start: ``moa`` sets the posterior to 0 until a label other than the first class is learnt. A
      learner that has seen a single label of any other class is certain of it, and by
      ``uncertainty`` never queries again. ``paper`` begins with trained learners. Here, it sets the
      posterior to 0 until labels of two classes are learnt.

    By both rules, the posterior is 0 if a learner has no votes for any class. If votes sum to less
    than 5.6e-309, MOA's posterior is infinite or undefined, and MOA does not query; here such votes
    are treated as any others.

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
    #: The strategies that have a parameter; all strategies have the others.
    _strategies_with: ClassVar[dict[str, tuple[str, ...]]] = {
        "exponent": ("random",),
        "threshold": ("uncertainty",),
        "step": ("variable_uncertainty", "randomised_uncertainty"),
        "rules": QUERYING,
    }

    def _check_together(self) -> None:
        for declared in self.declared():
            strategies = self._strategies_with.get(declared.name, (self.strategy,))
            value = getattr(self, declared.name)
            if self.strategy not in strategies and value != declared.default:
                raise self._refused(
                    f"{declared.name} is for {', '.join(strategies)}, found {value} with the "
                    f"strategy {self.strategy}. Leave it out.",
                    declared.name,
                )

    @property
    def asks(self) -> bool:
        """Whether labels are queried by class scores, so that learners have different labels."""
        return self.strategy in QUERYING

    @property
    def title(self) -> str:
        """Name of the protocol in captions."""
        how = strategy_words(self.strategy)
        if self.exponent != 1:
            how += f", of a class in proportion to its frequency to the power {self.exponent:g}"
        delay = f", {self.delay:,} instance{'s' * (self.delay != 1)} later" if self.delay else ""
        return f"{100 * self.budget:.10g} % of the labels, {how}{delay}"

    def bought(self, stream: Instances) -> Mask:
        """Mask of the labels that are bought, shape (n,); only if all learners have the same.

        Raises
        ------
        ConfigError
            If the labels depend on the learner.
        DataError
            If labels are drawn by class, and the target is numeric.
        """
        if self.asks:
            raise ConfigError(
                f"{self.strategy} asks by what a learner predicts: expected one of "
                f"{', '.join(INDEPENDENT)}. Each learner has labels of its own."
            )
        labelled = stream.labelled
        mask = np.zeros(len(labelled), dtype=np.bool_)
        count = int(labelled.sum())
        if self.strategy == "every":
            mask[labelled] = evenly_spaced(count, self.budget)
            return mask
        # All budgets use the same numbers, so that a small budget is a part of a large one.
        uniform = generator("partial", stream.name, self.seed).random(len(labelled))
        return labelled & (uniform < self._probabilities(stream))

    def _probabilities(self, stream: Instances) -> float | Floats:
        """Probability of buying each label, or a single one for all."""
        if self.exponent == 1:
            return self.budget
        y, labelled = stream.y, stream.labelled
        if y.dtype.kind == "f":
            raise DataError(
                f"Protocol {self.name}: exponent {self.exponent:g} draws labels by their class, "
                f"and the target of stream {stream.name!r} is numeric. Leave it out."
            )
        probabilities, rows = np.zeros(len(y)), np.flatnonzero(labelled)
        counts = np.ones(stream.n_classes)  # each class counts once before the first label
        begin = 0
        while begin < len(rows):
            # Class frequencies are updated whenever the number of labels has grown by 1 %.
            end = min(begin + 1 + begin // 100, len(rows))
            chunk = rows[begin:end]
            by_class = label_probabilities(counts / counts.sum(), self.budget, self.exponent)
            probabilities[chunk] = by_class[y[chunk]]
            counts += np.bincount(y[chunk], minlength=stream.n_classes)
            begin = end
        return probabilities

    def _tapes(self, stream: Instances) -> list[Tape]:
        n = len(stream)
        if self.asks:
            queries = LabelQueries(
                self.strategy, self.budget, self.threshold, self.step, self.rules, self.seed
            )
            return [offered_tape(n, self.delay, queries)]
        return [learn_labelled(delayed(n, self.delay), self.bought(stream))]


def random_labels_tape(stream: Instances, tape: OfferedTape) -> Tape:
    """A tape that buys labels at random, with the budget and the offers of `tape`."""
    bought = Partial(tape.asking.budget, seed=tape.asking.seed).bought(stream)
    return learn_labelled(Tape(tape.row, tape.op, tape.weight), bought)


def no_interval_reason(protocol: str) -> str:
    """Why predictions by a protocol have no intervals; "" if they have. `protocol` is its ``str``.

    With few labels, random errors in training persist over the whole stream, so that they do not
    show in the variation over time (``resources/recorded/labels/verdict_calibration.csv``).
    """
    return NO_INTERVAL if protocol.partition("-")[0] == Partial.name else ""


def count_learnt_labels(tape: Tape) -> int:
    """Number of labels that a tape learns."""
    learns = ((tape.op & LEARN) != 0) & (tape.weight > 0)
    return int(np.count_nonzero(learns))
