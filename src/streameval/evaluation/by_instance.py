"""Levels, differences and skills of learners that are evaluated on the same instances.

A level is an accuracy or a mean absolute error. The values of an instance come from one run, or are
means over several runs and folds.
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
    by_run: tuple[Floats, Floats]  # (runs,), means of each run; may be empty for a single run


class InstanceValues(ABC):
    """Values of learners by instance, from which differences and their intervals are computed.

    `groups` are the entities of the instances, if there are several.
    """

    groups: Groups | None

    @property
    @abstractmethod
    def task(self) -> Task:
        """The task: classification or regression."""

    @property
    def no_interval_reason(self) -> str:
        """Reason why these predictions have no intervals; "" if intervals are possible."""
        return ""

    @abstractmethod
    def compared_mask(self, *learners: str) -> Flags:
        """Mask of the instances that count and that all `learners` predict."""

    @abstractmethod
    def values(self, learner: str) -> NDArray[Any]:
        """Correctness or absolute error of a learner on the instances that count."""

    @abstractmethod
    def advantages(self, first: str, second: str) -> NDArray[Any]:
        """Advantage of the first learner on each instance that both predict."""

    @abstractmethod
    def paired_errors(self, first: str, second: str) -> PairedErrors:
        """Errors of two learners, by instance and by run."""

    def by_run(self, learner: str) -> Floats:
        """Mean of `values` in each run, (runs,); empty for a single run."""
        return np.empty(0)

    def differences_by_run(self, first: str, second: str) -> Floats:
        """Differences of two learners by run, or by fold for a single run.

        It is empty if the learners are not randomised.
        """
        return np.empty(0)

    def order(self, *learners: str) -> Integers | None:
        """Indices that sort the instances by entity; None if there is one entity."""
        if self.groups is None:
            return None
        counted = self.compared_mask(*learners)
        return self.groups.order if counted.all() else self.groups.select(counted).order

    def advantage(self, first: str, second: str) -> Sample:
        """Advantages of the first learner with all that their interval needs."""
        by_run = self.differences_by_run(first, second)
        order = self.order(first, second)
        advantages = self.advantages(first, second)
        return Sample(advantages, by_run if len(by_run) > 1 else (), order=order)

    def estimate(self, learner: str, *, is_random: bool = False) -> StreamMean:
        """Accuracy, or mean absolute error, of a learner over its runs.

        The interval of a random learner, whose models differ by their seeds, covers the seeds.
        """
        values, order = self.values(learner), self.order(learner)
        run_means = self.by_run(learner) if is_random else np.empty(0)
        runs = run_means if len(run_means) > 1 else ()
        sample = Sample(values, runs, error_runs(values, order=order), order)
        return stream_mean(sample, with_p_value=False).without_interval(self.no_interval_reason)

    def difference(self, first: str, second: str, *, with_p_value: bool = False) -> StreamMean:
        """Mean advantage of the first learner on the instances that both predict.

        In classification a missing prediction is wrong.
        """
        sample = self.advantage(first, second)
        if not len(np.asarray(sample.values)):
            nan = float("nan")  # for each number of `StreamMean`
            return StreamMean(nan, nan, nan, nan, nan, nan, nan, self.task.no_difference_reason)
        errors = self.paired_errors(first, second).by_instance
        sample = replace(sample, run_lengths=error_runs(*errors, order=sample.order))
        return stream_mean(sample, with_p_value=with_p_value).without_interval(
            self.no_interval_reason
        )

    def skill(self, learner: str, baseline: str, *, is_random: bool = False) -> Skill:
        """Skill: 1 minus the ratio of the mean losses on the instances that both predict.

        Over No-Change it is κ_t, over Majority κ_m. `is_random` is as in `level`.
        """
        by_instance, by_run = self.paired_errors(learner, baseline)
        learner_runs, baseline_runs = by_run if is_random and len(by_run[0]) > 1 else ((), ())
        order = self.order(learner, baseline)
        errors = Sample(by_instance[0], learner_runs, error_runs(*by_instance, order=order), order)
        skill = skill_interval(errors, Sample(by_instance[1], baseline_runs))
        return skill.without_interval(self.no_interval_reason)
