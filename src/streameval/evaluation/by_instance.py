"""Learners side by side on the same instances: what levels, differences and skills are read from.

They are predictions of one run, or the means over several runs and folds.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from dataclasses import replace
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from streameval.base.arrays import Flags, Floats, Integers
from streameval.evaluation.task import Task
from streameval.significance.series import error_runs
from streameval.significance.skill_interval import Skill, skill_interval
from streameval.significance.stream_mean import Sample, StreamMean, stream_mean
from streameval.streams.groups import Groups


class PairedErrors(NamedTuple):
    """The errors of two learners on the instances that both predict, in the unit of the task."""

    by_instance: tuple[NDArray[Any], NDArray[Any]]  # (instances,), averaged over runs and folds
    by_run: tuple[Floats, Floats]  # (runs,), of one run without any


class ByInstance(ABC):
    """What learners are compared by, instance by instance, and how it was drawn.

    `groups` are the entities of the instances, if there are several.
    """

    groups: Groups | None

    @property
    @abstractmethod
    def task(self) -> Task:
        """What is predicted."""

    @property
    def no_interval(self) -> str:
        """Why nothing about these predictions has an interval; empty if some may have."""
        return ""

    @abstractmethod
    def counted(self, *learners: str) -> Flags:
        """Return which instances count that all of some learners predict."""

    @abstractmethod
    def values(self, learner: str) -> NDArray[Any]:
        """Return what a learner is compared by, correct or not or its error, where it counts."""

    @abstractmethod
    def series(self, first: str, second: str) -> NDArray[Any]:
        """Return by how much the first is better, by instance that both predict."""

    @abstractmethod
    def errors_of(self, first: str, second: str) -> PairedErrors:
        """Return the errors of two learners."""

    def by_run(self, learner: str) -> Floats:
        """Return the mean of `values` of each run, of one that has several; (runs,)."""
        return np.empty(0)

    def spread(self, first: str, second: str) -> Floats:
        """Return the differences of two learners that vary by seed, of runs, or else by fold."""
        return np.empty(0)

    def order(self, *learners: str) -> Integers | None:
        """Return the places of these instances entity by entity, if there are several entities."""
        if self.groups is None:
            return None
        counted = self.counted(*learners)
        return self.groups.order if counted.all() else self.groups.part(counted).order

    def apart(self, first: str, second: str) -> Sample:
        """Return by how much the first is better, as a verdict judges it."""
        spread = self.spread(first, second)
        order = self.order(first, second)
        return Sample(self.series(first, second), spread if len(spread) > 1 else (), order=order)

    def level(self, learner: str, *, draws: bool = False) -> StreamMean:
        """Return the accuracy, or mean absolute error, of a learner over its runs.

        `draws` says whether its models differ by their seeds, which the interval then covers.
        """
        values, order = self.values(learner), self.order(learner)
        over_runs = self.by_run(learner) if draws else np.empty(0)
        runs = over_runs if len(over_runs) > 1 else ()
        sample = Sample(values, runs, error_runs(values, order=order), order)
        return stream_mean(sample, tested=False).without_ends(self.no_interval)

    def difference(self, first: str, second: str, *, tested: bool = False) -> StreamMean:
        """Return by how much a learner is better than another, of what both predict.

        A missing class is wrong.
        """
        sample = self.apart(first, second)
        if not len(np.asarray(sample.values)):
            nan = float("nan")
            return StreamMean(nan, nan, nan, nan, nan, nan, nan, self.task.nothing_compared)
        errors = self.errors_of(first, second).by_instance
        sample = replace(sample, run_lengths=error_runs(*errors, order=sample.order))
        return stream_mean(sample, tested=tested).without_ends(self.no_interval)

    def skill(self, learner: str, baseline: str, *, draws: bool = False) -> Skill:
        """Return one less the ratio of the mean losses of two learners, of what both predict.

        Of κ_t the other is No-Change, of κ_m it is Majority. `draws` is as in `level`.
        """
        by_instance, by_run = self.errors_of(learner, baseline)
        learner_runs, baseline_runs = by_run if draws and len(by_run[0]) > 1 else ((), ())
        order = self.order(learner, baseline)
        errors = Sample(by_instance[0], learner_runs, error_runs(*by_instance, order=order), order)
        skill = skill_interval(errors, Sample(by_instance[1], baseline_runs))
        return skill.without_ends(self.no_interval)
