"""Findings: the results about learners on a stream that a page shows."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from streameval.api.check import check
from streameval.api.comparison import Comparison
from streameval.api.measure_intervals import estimates_with_intervals
from streameval.api.request import Request
from streameval.api.result import Result
from streameval.api.result_view import default_window
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

#: Largest number of points of a drawn curve.
POINTS = 240
#: Seed of the random order in which learners are run, too; it is the same for all pages.
ORDER_SEED = 1


class OrderRuns(NamedTuple):
    """A run over the stream in its original order, and a run in random order.

    With delayed labels, neither run scores its first `n_unscored` instances; None without delays.
    """

    original: Result
    shuffled: Result
    n_unscored: int | None


@dataclass(frozen=True)
class Findings:
    """Results about learners on a stream, and the command that repeats them.

    Parameters
    ----------
    result : Result
        The evaluation.
    comparison : Comparison
        The comparison of the learners, or of a single learner with a baseline.
    order : OrderRuns or None
        The runs in two orders; None if no run in random order is possible.
    command : str
        The command that makes the page; if empty, the page shows a line of Python instead.
    file_facts : sequence of tuple of str
        Facts about the stream's file, as pairs of a name and a text.
    """

    result: Result
    comparison: Comparison
    order: OrderRuns | None = None
    command: str = ""
    file_facts: Sequence[tuple[str, str]] = ()

    @property
    def request(self) -> Request:
        """The request that the evaluation answers."""
        return self.result.request

    @property
    def stream(self) -> Stream:
        """The stream, with the times of its labels."""
        return self.result.stream

    @property
    def task(self) -> Task:
        """The task with its measure and its baselines, including seasonal ones."""
        return self.comparison.plan.task

    @property
    def learners(self) -> list[str]:
        """Ids of the requested learners."""
        return self.result.requested_learners

    @property
    def names(self) -> list[str]:
        """Ids of the requested learners, then of the baselines that are not among them."""
        return self.comparison.learners_and_baselines

    @property
    def pairs(self) -> list[Verdict]:
        """The verdicts about pairs of learners; empty for a single learner."""
        return self.comparison.pairs if len(self.learners) > 1 else []

    def title(self, name: str) -> str:
        """The text for a learner on the page: the title of a baseline, otherwise the id."""
        return self.task.baselines.get(name, name)

    def titles(self) -> dict[str, str]:
        """The texts for all learners on the page, by id."""
        return {name: self.title(name) for name in self.names}

    @cached_property
    def estimates(self) -> dict[str, StreamMean]:
        """The accuracy, or mean absolute error, of each learner over its runs."""
        return estimates_with_intervals(self.comparison)

    @cached_property
    def baseline_differences(self) -> dict[str, dict[str, StreamMean]]:
        """Difference of each learner from each baseline other than itself."""
        difference = self.comparison.difference
        return {
            name: {
                baseline: difference(name, baseline)
                for baseline in self.task.baselines
                if baseline != name
            }
            for name in self.names
        }

    @property
    def n_compared(self) -> int:
        """Number of instances by which the first two learners are compared."""
        first = self.comparison.pairs[0]
        return len(self.comparison.over_time(first.first, first.second).mean)

    @property
    def window(self) -> int:
        """Number of predictions in the window of `curves`."""
        return default_window(self.n_compared)

    @cached_property
    def curves(self) -> pd.DataFrame:
        """The accuracy, or mean absolute error, of one run over a sliding window."""
        return self.result.curve(self.task.measure, self.window, POINTS)

    @cached_property
    def baseline_leads(self) -> dict[str, tuple[Timeline, ConfidenceSequence]]:
        """Difference of each learner from the first baseline, as a running mean.

        For each learner: the instances at which it is drawn, and the means with their bands.
        """
        baseline = next(iter(self.task.baselines))
        return {
            name: sample_sequence(
                self.comparison.over_time(name, baseline),
                self.comparison.timeline(name, baseline),
                POINTS,
            )
            for name in self.learners
            if name != baseline
        }

    @cached_property
    def signals(self) -> Mapping[str, Timeline]:
        """Instances at which ADWIN signals more errors of a learner; empty in regression."""
        if not self.task.is_classification:
            return {}
        return {name: self.result._signals(name) for name in self.learners}

    @property
    def labelled_timeline(self) -> Timeline:
        """Rows, positions and dates of the instances with labels."""
        return self.timeline.take(np.flatnonzero(self.stream.labelled))

    @cached_property
    def timeline(self) -> Timeline:
        """Rows, positions and dates of all instances of the stream."""
        return self.request.timeline(self.stream)

    @cached_property
    def persistence(self) -> PersistenceCheck | None:
        """Check whether labels depend on previous labels; None in regression and for few labels."""
        request = self.request
        delay_options = {
            "label_first": request.label_first,
            "ignore_label_times": request.ignore_label_times,
        }
        try:
            return check(self.stream, **delay_options).persistence
        except DataError:  # there are too few labels
            return None
