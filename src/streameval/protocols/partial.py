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
from streameval.protocols.tape import LEARN, PREDICT, Tape, constant_array, learn_labelled

#: Strategies by which labels are chosen.
Strategy = Literal[
    "random",
    "every",
    "uncertainty",
    "variable_uncertainty",
    "randomised_uncertainty",
    "selective_sampling",
]
#: Strategies whose labels do not depend on the learner.
INDEPENDENT: tuple[str, ...] = ("random", "every")
#: Strategies that query labels by class scores.
SCORE_BASED: tuple[str, ...] = tuple(name for name in get_args(Strategy) if name not in INDEPENDENT)
#: Largest denominator of the fraction by which a budget is approximated. Its product with a 32-bit
#: row number fits into 64 bits.
_LARGEST_DENOMINATOR = 10**9

#: Reason why differences have no intervals if only a part of the labels is learnt. With few labels,
#: random errors in training persist over the whole stream. The variation over time does not show
#: such errors (``resources/recorded/labels/verdict_calibration.csv``).
NO_INTERVAL = "with a part of the labels it would be wrong too often"


def strategy_words(strategy: str) -> str:
    """Phrase that says how a strategy chooses labels."""
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
class ActiveLearningTape(Tape):
    """A tape that offers all labels; each learner queries some of them.

    Each row has a predict event and, if it has a label, a later separate learn event.
    `streameval.learners.active_learning` runs learners over it; `AnyLearner.run` refuses it.

    Parameters
    ----------
    queries : LabelQueries
        The strategy and its parameters.
    """

    queries: LabelQueries


def evenly_spaced(n: int, budget: float) -> Flags:
    """Mask of the labels out of `n` that are bought at equal distances.

    With a budget of B, label t is bought if floor((t + 1) B) > floor(t B): every m-th label for
    B = 1 / m.
    """
    fraction = Fraction(budget).limit_denominator(_LARGEST_DENOMINATOR)
    n_bought = np.arange(n + 1) * fraction.numerator // fraction.denominator
    mask: Flags = n_bought[1:] > n_bought[:-1]
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
    (open_classes,) = np.nonzero(p)
    relative = np.ones(len(p))  # probabilities before scaling: p_c^(a - 1)
    # Plain Python, as the last digits of NumPy's powers and products depend on the processor.
    relative[open_classes] = [math.pow(x, exponent - 1.0) for x in p[open_classes].tolist()]
    budget_left = budget
    # If all labels of a class are bought, the budget left is divided among the other classes.
    while len(open_classes):
        scale = budget_left / math.fsum((p[open_classes] * relative[open_classes]).tolist())
        full_classes = open_classes[scale * relative[open_classes] >= 1.0]
        if not len(full_classes):
            probabilities[open_classes] = scale * relative[open_classes]
            break
        probabilities[full_classes] = 1.0
        budget_left = max(budget_left - float(p[full_classes].sum()), 0.0)
        open_classes = np.setdiff1d(open_classes, full_classes)
    return probabilities


def active_learning_tape(n: int, delay: int, queries: LabelQueries) -> ActiveLearningTape:
    """Tape over `n` instances that offers each label `delay` instances after its instance."""
    if delay:
        tape = delayed(n, delay)
        return ActiveLearningTape(tape.row, tape.op, tape.weight, queries)
    # Without delay, `delayed` would predict and learn in one event, but offers need two.
    row = np.repeat(np.arange(n, dtype=np.int32), 2)
    op = np.tile(np.array([PREDICT, LEARN], np.uint8), n)
    return ActiveLearningTape(row, op, constant_array(1, 2 * n, np.float32), queries)


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
    - ``randomised_uncertainty`` varies the threshold, too. For each instance, it multiplies the
      threshold by a normal number with mean 1 and standard deviation 1.
    - ``selective_sampling`` queries with probability B / (B + m), where B is the budget and m the
      distance of the posterior from the posterior of equal scores.

    Forecasts of some learners, such as No-Change and Majority, do not depend on the instance. So
    their scores cannot select labels, and they get labels at random, with the same budget.

    The `rules` are from MOA or from the paper, which differ in three points:

    - Spending: ``moa`` counts the labels of all instances so far. ``paper`` has a fading mean over
      about 100 instances; with a budget below 1 / 100, the long-run spending exceeds the budget.
    - Randomised threshold: ``moa`` divides the posterior by the normal number. So a negative
      number, one in six, always leads to a query, however certain the learner is. ``paper``
      multiplies the threshold, so that a negative number never does.
    - Start: ``moa`` sets the posterior to 0 until a label other than the first class is learnt.
      After a single label of another class, a learner gives this class the score 1, so
      ``uncertainty`` never queries again. In the paper, learners are trained before. Instead,
      ``paper`` sets the posterior to 0 until labels of two classes are learnt.

    Under both rules, the posterior is 0 if a learner has no votes for any class. If votes sum to
    less than 5.6e-309, MOA's posterior is infinite or undefined, and MOA does not query; here such
    votes are treated as any others.

    References
    ----------
    Žliobaitė, Bifet, Pfahringer, Holmes (2014), Active learning with drifting streaming data, IEEE
    Transactions on Neural Networks and Learning Systems 25(1), 27-39; MOA's ALUncertainty.
    """

    budget: Annotated[float, Meta(gt=0, le=1)] = parameter(
        "proportion of the labels that may be learnt"
    )
    strategy: Strategy = parameter("how these labels are chosen", "random")
    delay: Whole = parameter("number of instances that arrive before a label is known", 0)
    seed: Whole = parameter("seed of strategies that draw random numbers", 1)
    exponent: Annotated[NotNegative, Meta(le=10)] = parameter(
        "random: the number of labels of a class is proportional to this power of its frequency; "
        "1: all labels have the same probability, 0: equally many labels of each class",
        1.0,
    )
    threshold: Proportion = parameter("uncertainty: query if the largest score is below this", 0.9)
    step: Proportion = parameter("variable thresholds: relative change per instance", 0.01)
    rules: Literal["moa", "paper"] = parameter(
        "strategies that query by scores: the rules of MOA or of the paper", "moa"
    )

    name: ClassVar[str] = "partial"
    no_interval_reason: ClassVar[str] = NO_INTERVAL
    reference: ClassVar[str] = "Žliobaitė, Bifet, Pfahringer, Holmes (2014)"
    #: The strategies that use a parameter; a parameter that is not listed here is for all of them.
    _strategies_with: ClassVar[dict[str, tuple[str, ...]]] = {
        "exponent": ("random",),
        "threshold": ("uncertainty",),
        "step": ("variable_uncertainty", "randomised_uncertainty"),
        "rules": SCORE_BASED,
    }

    def _check_combination(self) -> None:
        for declared in self.declared_parameters():
            strategies = self._strategies_with.get(declared.name, (self.strategy,))
            value = getattr(self, declared.name)
            if self.strategy not in strategies and value != declared.default:
                raise self._parameter_error(
                    f"{declared.name} is for {', '.join(strategies)}, found {value} with the "
                    f"strategy {self.strategy}. Leave it out.",
                    declared.name,
                )

    @property
    def queries_by_scores(self) -> bool:
        """Whether labels are queried by class scores, so that learners have different labels."""
        return self.strategy in SCORE_BASED

    @property
    def title(self) -> str:
        """Name of the protocol in captions."""
        strategy = strategy_words(self.strategy)
        if self.exponent != 1:
            strategy += (
                f", of a class in proportion to its frequency to the power {self.exponent:g}"
            )
        delay = f", {self.delay:,} instance{'s' * (self.delay != 1)} later" if self.delay else ""
        return f"{100 * self.budget:.10g} % of the labels, {strategy}{delay}"

    def bought_labels(self, stream: Instances) -> Flags:
        """Mask of the bought labels, shape (n,), for a strategy that does not depend on learners.

        Raises
        ------
        ConfigError
            If the labels depend on the learner.
        DataError
            If labels are drawn by class, and the target is numeric.
        """
        if self.queries_by_scores:
            raise ConfigError(
                f"{self.strategy} asks by the class scores of a learner, so each learner has other "
                f"labels: expected one of {', '.join(INDEPENDENT)}."
            )
        labelled = stream.labelled
        mask = np.zeros(len(labelled), dtype=np.bool_)
        count = int(labelled.sum())
        if self.strategy == "every":
            mask[labelled] = evenly_spaced(count, self.budget)
            return mask
        # All budgets use the same random numbers, so a larger budget includes all labels of a
        # smaller one.
        uniform = generator("partial", stream.name, self.seed).random(len(labelled))
        return labelled & (uniform < self._probabilities(stream))

    def _probabilities(self, stream: Instances) -> float | Floats:
        """Probability of buying each label: an array, or one number for all labels."""
        if self.exponent == 1:
            return self.budget
        y, labelled = stream.y, stream.labelled
        if y.dtype.kind == "f":
            raise DataError(
                f"Protocol {self.name}: exponent {self.exponent:g} draws labels by their class, "
                f"and the target of stream {stream.name!r} is numeric. Leave the exponent out."
            )
        probabilities, rows = np.zeros(len(y)), np.flatnonzero(labelled)
        counts = np.ones(stream.n_classes)  # each class counts once before the first label
        begin = 0
        while begin < len(rows):
            # Class frequencies change little within 1 % more labels; updating each time is slow.
            end = min(begin + 1 + begin // 100, len(rows))
            chunk = rows[begin:end]
            by_class = label_probabilities(counts / counts.sum(), self.budget, self.exponent)
            probabilities[chunk] = by_class[y[chunk]]
            counts += np.bincount(y[chunk], minlength=stream.n_classes)
            begin = end
        return probabilities

    def _tapes(self, stream: Instances) -> list[Tape]:
        n = len(stream)
        if self.queries_by_scores:
            queries = LabelQueries(
                self.strategy, self.budget, self.threshold, self.step, self.rules, self.seed
            )
            return [active_learning_tape(n, self.delay, queries)]
        return [learn_labelled(delayed(n, self.delay), self.bought_labels(stream))]


def random_labels_tape(stream: Instances, tape: ActiveLearningTape) -> Tape:
    """A tape that buys labels at random, with the budget and the offers of `tape`.

    It is for learners whose class scores do not depend on the instance.
    """
    mask = Partial(tape.queries.budget, seed=tape.queries.seed).bought_labels(stream)
    return learn_labelled(Tape(tape.row, tape.op, tape.weight), mask)


def count_learnt_labels(tape: Tape) -> int:
    """Number of labels that a tape learns."""
    learns = ((tape.op & LEARN) != 0) & (tape.weight > 0)
    return int(np.count_nonzero(learns))
