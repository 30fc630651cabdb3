"""Results about learners on a stream, from which a page is made."""

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

#: Largest number of points of a curve.
POINTS = 240
#: Seed of the random order, which is the same for all pages.
ORDER_SEED = 1


class Order(NamedTuple):
    """A run over the stream in its own order, and a run in random order.

    With delayed labels, the first `unscored` instances of both are not scored; None without delays.
    """

    real: Result
    shuffled: Result
    unscored: int | None


@dataclass(frozen=True)
class Findings:
    """Results about learners on a stream, and how to repeat them.

    Parameters
    ----------
    result : Result
        The evaluation.
    compared : Comparison
        The comparison of the learners, or of a single learner with a baseline.
    order : Order or None
        The runs in two orders; None if no run in random order is possible.
    command : str
        The command that makes the page; by default the page shows a line of Python.
    files : sequence of tuple of str
        Facts about the stream's file: names and texts.
    """

    result: Result
    compared: Comparison
    order: Order | None = None
    command: str = ""
    files: Sequence[tuple[str, str]] = ()

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
        return self.compared.plan.task

    @property
    def learners(self) -> list[str]:
        """The requested learners."""
        return self.result.requested_learners

    @property
    def names(self) -> list[str]:
        """The requested learners, then the baselines that are not among them."""
        return self.compared.learners_and_baselines

    @property
    def pairs(self) -> list[Verdict]:
        """The verdicts about pairs of learners; empty for a single learner."""
        return self.compared.pairs if len(self.learners) > 1 else []

    def title(self, name: str) -> str:
        """The name of a learner on the page; baselines have a title instead of their id."""
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
        """Difference of each learner from each baseline other than itself."""
        baselines, over = self.task.baselines, self.compared.difference
        return {
            name: {baseline: over(name, baseline) for baseline in baselines if baseline != name}
            for name in self.names
        }

    @property
    def instances(self) -> int:
        """Number of instances by which the first two learners are compared."""
        first = self.compared.pairs[0]
        return len(self.compared.over_time(first.first, first.second).mean)

    @property
    def window(self) -> int:
        """Number of predictions in the window of `curves`."""
        return default_window(self.instances)

    @cached_property
    def curves(self) -> pd.DataFrame:
        """The accuracy, or mean absolute error, of one run over a sliding window."""
        return self.result.curve(self.task.measure, self.window, POINTS)

    @cached_property
    def leads(self) -> dict[str, tuple[Timeline, ConfidenceSequence]]:
        """Mean lead of each learner over the first baseline so far, and its instances."""
        baseline = next(iter(self.task.baselines))
        return {
            name: sample_sequence(
                self.compared.over_time(name, baseline),
                self.compared.timeline(name, baseline),
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
    def labels(self) -> Timeline:
        """Instances with labels, in the order of the stream."""
        return self.timeline.take(np.flatnonzero(self.stream.labelled))

    @cached_property
    def timeline(self) -> Timeline:
        """Rows, positions and dates of all instances of the stream."""
        return self.request.timeline(self.stream)

    @cached_property
    def persistence(self) -> PersistenceCheck | None:
        """Check of whether labels depend on each other; None in regression and without labels."""
        request = self.request
        delay_options = {
            "label_first": request.label_first,
            "ignore_label_times": request.ignore_label_times,
        }
        try:
            return check(self.stream, **delay_options).persistence
        except DataError:  # there are too few labels
            return None
