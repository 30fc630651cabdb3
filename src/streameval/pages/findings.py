"""What a page says about learners on a stream: results that others have computed."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, NamedTuple

from streameval.base.arrays import Floats, Integers
from streameval.evaluation.persistence import PersistenceCheck
from streameval.evaluation.task import Task
from streameval.evaluation.tuned import Tuned
from streameval.evaluation.verdicts import ComparisonPlan, Verdict
from streameval.significance.confidence_sequence import ConfidenceSequence
from streameval.significance.intervals import Interval
from streameval.significance.skill_interval import Skill
from streameval.significance.stream_mean import StreamMean
from streameval.streams.stream import Stream

if TYPE_CHECKING:
    import pandas as pd


#: Of a numeric target: the ends of the ranges of 90 % and of a half, and the median.
QUANTILES = {"least": 0.05, "low": 0.25, "median": 0.5, "high": 0.75, "most": 0.95}


class Judged(NamedTuple):
    """A verdict about two learners, and its sentence."""

    verdict: Verdict
    sentence: str


@dataclass(frozen=True)
class OverTime:
    """How learners do over the stream, in one run.

    Parameters
    ----------
    curves : pandas.DataFrame
        Columns instance, learner, measure, value: over a sliding window.
    window : int
        Its length in predictions.
    leads : mapping of str to ConfidenceSequence
        By learner, by how much it is better than the first baseline so far, at the positions
        `at`; the ends are NaN where there is no band.
    at : ndarray of int64
        Numbers of instances so far.
    signals : mapping of str to ndarray of int64
        By learner, after how many predictions ADWIN signals that it errs more often; none for
        numbers.
    """

    curves: pd.DataFrame
    window: int
    leads: Mapping[str, ConfidenceSequence]
    at: Integers
    signals: Mapping[str, Integers]


@dataclass(frozen=True)
class Labels:
    """What the labels look like.

    Parameters
    ----------
    prior : pandas.DataFrame
        Columns instance, class, share: over a sliding window.
    window : int
        Its length.
    lengths : ndarray of int64
        Of the runs of equal labels.
    autocorrelation : pandas.DataFrame, optional
        Columns lag, autocorrelation; None with one class.
    check : PersistenceCheck, optional
        Whether labels depend on the previous one; None of less than two labels.
    """

    prior: pd.DataFrame
    window: int
    lengths: Integers
    autocorrelation: pd.DataFrame | None
    check: PersistenceCheck | None


@dataclass(frozen=True)
class Target:
    """What the numbers to predict look like.

    Parameters
    ----------
    whole : mapping of str to float
        Of all targets, the quantiles named in `QUANTILES`.
    over_time : pandas.DataFrame
        Columns instance, mean, and those of `QUANTILES`: over a sliding window.
    window : int
        Its length.
    autocorrelation : pandas.DataFrame, optional
        Columns lag, autocorrelation; None of equal targets.
    persistence : mapping of str to Skill
        By rule that repeats a target, its skill over the mean so far.
    """

    whole: Mapping[str, float]
    over_time: pd.DataFrame
    window: int
    autocorrelation: pd.DataFrame | None
    persistence: Mapping[str, Skill]


@dataclass(frozen=True)
class Order:
    """One run of each learner over the instances as they are, and one in random order.

    Parameters
    ----------
    real, shuffled : mapping of str to StreamMean
        By learner; the accuracy or mean absolute error with its interval.
    seed : int
        Of the random order.
    first : int, optional
        How many first instances of either order are not scored, where labels are delayed.
    """

    real: Mapping[str, StreamMean]
    shuffled: Mapping[str, StreamMean]
    seed: int
    first: int | None = None


@dataclass(frozen=True)
class Waiting:
    """Predictions by the time until the label arrives.

    Parameters
    ----------
    bins : pandas.DataFrame
        Columns learner, bin, value, low, high; the ends hold for all bins of a learner at once if
        `together`, else for each alone.
    together : bool
        See `bins`.
    labels, pending, delay : int
        How many labels have arrived and how many have not; the median delay in instances.
    duration : str
        The median delay as a length of time; "" where times are no dates.
    before_first_label : int
        How many instances come before the first label, and are not scored.
    """

    bins: pd.DataFrame
    together: bool
    labels: int
    pending: int
    delay: int
    duration: str = ""
    before_first_label: int = 0


@dataclass(frozen=True)
class Findings:
    """All that a page says about learners on a stream.

    Parameters
    ----------
    stream : Stream
        The stream.
    learners : sequence of str
        The learners that were asked for, in their order.
    plan : ComparisonPlan
        The settings of the comparison.
    levels : mapping of str to StreamMean
        Accuracy or mean absolute error, with its interval; the baselines included.
    over : mapping of str to mapping of str to StreamMean
        By how much each is better than a baseline: by learner, then by baseline.
    measures : mapping of str to mapping of str to Interval
        Further measures by learner, NaN where undefined, with ends that are NaN where there is no
        interval.
    judged : sequence of Judged
        The verdicts about the pairs of learners.
    sections : mapping of str to ndarray of float64
        Accuracy or error in each section of the stream; the baselines included.
    estimand, limits, coverage : str
        What verdicts are about, how often they are false, and how often intervals of single
        learners miss; "" where that was not measured.
    draws : sequence of str
        The learners that draw at random.
    runs : int
        How often these ran.
    intervals : mapping of str to mapping of str to float
        Measures of prediction intervals by regressor, and their nominal ``coverage``; empty where
        there are none.
    over_time, labels, target, order, waiting
        See there; None where there are none.
    obtained : sequence of (str, str)
        How all was obtained: names and texts.
    command : str
        What repeats it.
    tuned : mapping of str to Tuned
        How the parameters of learners were chosen, by learner; of those that were tuned.
    pretrain : int
        So many first instances are learnt and not scored.
    """

    stream: Stream
    learners: Sequence[str]
    plan: ComparisonPlan
    levels: Mapping[str, StreamMean]
    over: Mapping[str, Mapping[str, StreamMean]]
    measures: Mapping[str, Mapping[str, Interval]]
    judged: Sequence[Judged]
    sections: Mapping[str, Floats]
    estimand: str
    limits: str
    coverage: str
    draws: Sequence[str]
    runs: int
    over_time: OverTime
    labels: Labels | None
    target: Target | None
    order: Order | None
    waiting: Waiting | None
    intervals: Mapping[str, Mapping[str, float]]
    obtained: Sequence[tuple[str, str]]
    command: str
    tuned: Mapping[str, Tuned] = field(default_factory=dict)
    pretrain: int = 0

    @property
    def task(self) -> Task:
        """What learners are compared by."""
        return self.plan.task

    @property
    def is_accuracy(self) -> bool:
        """Whether classes are predicted, not numbers."""
        return self.task.is_counted

    @property
    def digits(self) -> int:
        """How many decimals numbers have: of errors, such that the smallest has four digits."""
        least = min((one.mean for one in self.levels.values() if one.mean > 0.0), default=1.0)
        return 2 if self.is_accuracy else min(max(3 - math.floor(math.log10(least)), 0), 12)

    def title(self, name: str) -> str:
        """Return what the page calls a learner: baselines have names of their own."""
        return self.task.baselines.get(name, name)

    def titles(self) -> dict[str, str]:
        """Return what the page calls all learners."""
        return {name: self.title(name) for name in self.all_learners}

    @property
    def all_learners(self) -> list[str]:
        """The learners, and behind them the baselines that are not among them."""
        return list(self.levels)
