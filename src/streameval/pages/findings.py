"""What a page says about learners on a stream: results that others have computed."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, NamedTuple

from streameval.base.arrays import Floats, Integers
from streameval.evaluation.persistence import PersistenceCheck
from streameval.evaluation.task import Task
from streameval.evaluation.tuning import Tuned
from streameval.evaluation.verdicts import ComparisonPlan, Verdict
from streameval.significance.confidence_sequence import ConfidenceSequence
from streameval.significance.intervals import Interval
from streameval.significance.skill_interval import Skill
from streameval.significance.stream_mean import StreamMean
from streameval.streams.stream import Stream
from streameval.view.blocks import Part

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

    `curves` are over a sliding window; `leads` by how much a learner is better than the first
    baseline so far; `signals` after how many predictions ADWIN signals more errors.
    """

    curves: pd.DataFrame
    window: int
    leads: Mapping[str, ConfidenceSequence]
    at: Integers
    signals: Mapping[str, Integers]


@dataclass(frozen=True)
class Labels:
    """What the labels look like: shares over a window, lengths of runs, and dependence."""

    prior: pd.DataFrame
    window: int
    lengths: Integers
    autocorrelation: pd.DataFrame | None
    check: PersistenceCheck | None


@dataclass(frozen=True)
class Target:
    """What the numbers to predict look like: `QUANTILES` of all and over a window, and their order.

    `persistence` has the skill of each rule that repeats a target, over the mean so far.
    """

    whole: Mapping[str, float]
    over_time: pd.DataFrame
    window: int
    autocorrelation: pd.DataFrame | None
    persistence: Mapping[str, Skill]


@dataclass(frozen=True)
class Order:
    """One run of each learner over the instances as they are, and one in random order.

    The `first` instances of either are not scored, where labels are delayed.
    """

    real: Mapping[str, StreamMean]
    shuffled: Mapping[str, StreamMean]
    seed: int
    first: int | None = None


@dataclass(frozen=True)
class Waiting:
    """Predictions by the time until the label arrives; the median delay is in instances.

    Ends of `bins` hold for all bins of a learner `together`, or for each alone.
    """

    bins: pd.DataFrame
    together: bool
    labels: int
    pending: int
    delay: int
    duration: str = ""
    before_first_label: int = 0

    @property
    def has_bands(self) -> bool:
        """Whether some bin has an interval."""
        return bool(self.bins["low"].notna().any())


@dataclass(frozen=True)
class Findings:
    """All that a page says about learners on a stream.

    `levels` are accuracies or errors, the baselines included, as are `sections` of the stream;
    `over` has by learner, then by baseline, how much better it is. `estimand`, `limits` and
    `coverage` say what verdicts are about and how often they and intervals are false, "" if not
    measured; `intervals` are measures with the nominal ``coverage``; `obtained` says how, `command`
    what repeats it; the first `pretrain` instances are learnt and not scored; `by_group` are tables
    of the entities of a stream with groups.
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
    by_group: Sequence[Part] = ()

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
