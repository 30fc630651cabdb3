"""What is found about learners on a stream: all that a page says is read from it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from streameval.api.check import check
from streameval.api.comparison import Comparison
from streameval.api.measure_intervals import level_intervals
from streameval.api.request import Request
from streameval.api.result import Result
from streameval.api.result_view import window_of
from streameval.base.errors import DataError
from streameval.drawing.sequences import sample_sequence
from streameval.evaluation.persistence import PersistenceCheck
from streameval.evaluation.task import Task
from streameval.evaluation.verdicts import Verdict
from streameval.significance.confidence_sequence import ConfidenceSequence
from streameval.significance.stream_mean import StreamMean
from streameval.streams.stream import Stream
from streameval.streams.timeline import Timeline

if TYPE_CHECKING:
    import pandas as pd

#: Points of a curve.
POINTS = 240
#: The random order, always the same one.
ORDER_SEED = 1


class Order(NamedTuple):
    """A run over the instances as they are, and one in random order.

    The `first` instances of either are not scored, where labels are delayed.
    """

    real: Result
    shuffled: Result
    first: int | None


@dataclass(frozen=True)
class Findings:
    """Results about learners on a stream, and how to repeat them.

    `compared` sets a learner alone beside a baseline; `order` is None where no label arrives in
    time. `command` repeats all, by default a line of Python; `files` are names and texts on the
    file.
    """

    result: Result
    compared: Comparison
    order: Order | None = None
    command: str = ""
    files: Sequence[tuple[str, str]] = ()

    @property
    def request(self) -> Request:
        """What was asked for."""
        return self.result.request

    @property
    def stream(self) -> Stream:
        """The stream, with the times of its labels."""
        return self.result.stream

    @property
    def task(self) -> Task:
        """What learners are compared by, with the baselines of seasons."""
        return self.compared.plan.task

    @property
    def learners(self) -> list[str]:
        """The learners that were asked for."""
        return self.result.requested_learners

    @property
    def names(self) -> list[str]:
        """The learners, and behind them the baselines that are not among them."""
        return self.compared.with_baselines

    @property
    def pairs(self) -> list[Verdict]:
        """The verdicts about pairs of learners; a learner alone has none."""
        return self.compared.pairs if len(self.learners) > 1 else []

    def title(self, name: str) -> str:
        """The name of a learner on the page; baselines have names in words."""
        return self.task.baselines.get(name, name)

    def titles(self) -> dict[str, str]:
        """The names of all learners on the page."""
        return {name: self.title(name) for name in self.names}

    @cached_property
    def levels(self) -> dict[str, StreamMean]:
        """The accuracy, or mean absolute error, of each learner over its runs."""
        return level_intervals(self.compared)

    @cached_property
    def over(self) -> dict[str, dict[str, StreamMean]]:
        """By how much each learner is better than each other baseline."""
        bases, over = self.task.baselines, self.compared.over
        return {
            name: {base: over(name, base) for base in bases if base != name} for name in self.names
        }

    @property
    def instances(self) -> int:
        """How many instances the first two learners are compared by."""
        first = self.compared.pairs[0]
        return len(self.compared.over_time(first.first, first.second).mean)

    @property
    def window(self) -> int:
        """How many predictions are in the window of `curves`."""
        return window_of(self.instances)

    @cached_property
    def curves(self) -> pd.DataFrame:
        """The accuracy, or mean absolute error, over a sliding window, in one run."""
        return self.result.curve(self.task.measure, self.window, POINTS)

    @cached_property
    def leads(self) -> dict[str, tuple[Timeline, ConfidenceSequence]]:
        """Lead of each learner over the first baseline so far, and the instances at which it is."""
        base = next(iter(self.task.baselines))
        return {
            name: sample_sequence(
                self.compared.over_time(name, base), self.compared.timeline(name, base), POINTS
            )
            for name in self.learners
            if name != base
        }

    @cached_property
    def signals(self) -> Mapping[str, Timeline]:
        """Instances at which ADWIN signals that a learner errs more often, of classes."""
        counted = self.task.is_counted
        return {name: self.result._signals(name) for name in self.learners} if counted else {}

    @property
    def labels(self) -> Timeline:
        """Instances with labels, in the order of the stream."""
        return self.timeline.take(np.flatnonzero(self.stream.labelled))

    @cached_property
    def timeline(self) -> Timeline:
        """Rows, places and dates of all instances of the stream."""
        return self.request.timeline(self.stream)

    @cached_property
    def persistence(self) -> PersistenceCheck | None:
        """Whether labels depend on each other; None of numbers, and of less than two labels."""
        request = self.request
        later = {
            "label_first": request.label_first,
            "ignore_label_times": request.ignore_label_times,
        }
        try:
            return check(self.stream, **later).persistence
        except DataError:  # there is nothing to check
            return None
