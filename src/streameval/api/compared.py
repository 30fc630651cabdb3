"""The numbers of a comparison of learners."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from functools import cached_property
from typing import TYPE_CHECKING

import numpy as np

from streameval.api.arguments import one_of
from streameval.api.request import Request
from streameval.base.arrays import Floats
from streameval.errors import ConfigError
from streameval.evaluation.delays import Arrival
from streameval.evaluation.further_tests import FurtherTest, further_tests, not_shown
from streameval.evaluation.levels import level_of, skill_of
from streameval.evaluation.runs import Runs
from streameval.evaluation.verdicts import ComparisonPlan, Verdict, verdicts
from streameval.significance.confidence_sequence import ConfidenceSequence, confidence_sequence
from streameval.significance.intervals import block_means
from streameval.significance.series import by_runs
from streameval.significance.significance_test import LEVEL
from streameval.significance.skill_interval import Skill
from streameval.significance.stream_mean import (
    LEAST_EFFECTIVE,
    SECTIONS,
    StreamMean,
    stream_mean,
)

if TYPE_CHECKING:
    import pandas as pd

#: A verdict for each bin of the time to the label, by pair of learners.
ByBin = Mapping[tuple[str, str], Sequence[Verdict]]


class Compared:
    """The numbers of a comparison; `streameval.api.comparison.Comparison` shows them."""

    def __init__(
        self,
        asked: Request,
        arrival: Arrival,
        plan: ComparisonPlan,
        known: Runs,
        plain: Runs,
        by_bin: ByBin | None = None,
    ) -> None:
        self.asked, self.stream, self.plan = asked, arrival.stream, plan
        self.learners = list(asked.recipes)
        self._known, self._plain, self.by_bin = known, plain, by_bin or {}
        #: How many labels have not arrived, and how many instances come before the first one.
        self.unlabelled, self.before_first_label = (
            asked.stream.unlabelled,
            arrival.before_first_label,
        )
        #: How learners were tuned, and how many first instances are therefore not scored.
        self.tuned, self.pretrain = asked.tuned, asked.first
        self.pairs = verdicts(known, self.learners, plan)
        self._sequences: dict[tuple[str, str], ConfidenceSequence] = {}

    @property
    def verdict(self) -> str:
        """The verdict about two learners.

        Raises
        ------
        ConfigError
            If there are more: each pair of `pairs` has a verdict.

        Examples
        --------
        >>> import streameval as se
        >>> stream = se.generate("sea", rows=5000)
        >>> se.compare(stream, ["no_change", "majority"]).verdict
        'loses to'
        """
        if len(self.pairs) > 1:
            raise ConfigError(
                f"Expected two learners for one verdict, found {len(self.learners)}. Use pairs, "
                "which has a verdict for each pair."
            )
        return self.pairs[0].verdict

    @property
    def folds(self) -> pd.DataFrame:
        """The accuracy of each model: a row per run and fold, a column per learner and baseline.

        Examples
        --------
        >>> import streameval as se
        >>> stream = se.generate("sea", rows=5000)
        >>> se.compare(stream, ["naive_bayes", "majority"], "cross_validation").folds.shape
        (10, 3)
        """
        import pandas as pd  # 0.4 s, as below, which a command that prints numbers does without

        found = {name: self.accuracies(name).ravel() for name in self.with_baselines}
        places = np.indices(self._known.tested.shape).reshape(2, -1) + 1
        index = pd.MultiIndex.from_arrays(list(places), names=("run", "fold"))
        return pd.DataFrame(found, index).rename_axis(columns="learner")

    @cached_property
    def with_baselines(self) -> list[str]:
        """The learners and, behind them, those baselines that are not among them."""
        baselines = self.plan.task.baselines
        return self.learners + [name for name in baselines if name not in self.learners]

    def accuracies(self, learner: str) -> Floats:
        """Return the accuracy, or mean absolute error, of a learner by run and fold.

        An array of shape (runs, folds).

        Examples
        --------
        >>> import streameval as se
        >>> found = se.compare(se.generate("sea", rows=5000), ["naive_bayes", "majority"])
        >>> found.accuracies("majority").shape
        (1, 1)
        """
        return self._known.levels(one_of(learner, self.with_baselines, "learner"))

    def accuracy(self, learner: str) -> tuple[float, float]:
        """Return the mean accuracy of a learner, and its standard deviation.

        It is the deviation between folds after one run, between the means of runs after several,
        and NaN for a single run without folds.

        Examples
        --------
        >>> import streameval as se
        >>> found = se.compare(se.generate("sea", rows=5000), ["naive_bayes", "majority"])
        >>> round(found.accuracy("naive_bayes")[0], 2)
        0.87
        """
        found = self.accuracies(learner)
        spread = found[0] if len(found) == 1 else found.mean(axis=1)
        deviation = float("nan")
        if len(spread) > 1:  # of equal values it is 0, without an error of rounding
            deviation = float(spread.std(ddof=1)) if np.ptp(spread) else 0.0
        return float(found.mean()), deviation

    def level(self, learner: str) -> StreamMean:
        """Return the accuracy, or mean absolute error, of a learner, with its interval.

        It is the mean over runs; the interval covers the chance of instances and that of seeds.

        Examples
        --------
        >>> import streameval as se
        >>> found = se.compare(se.generate("sea", rows=5000), ["naive_bayes", "majority"])
        >>> round(found.level("naive_bayes").mean, 2)
        0.87
        """
        name = one_of(learner, self.with_baselines, "learner")
        return level_of(self._known, name, draws=name in self.draws)

    def skill(self, learner: str, baseline: str) -> Skill:
        """Return the skill of a learner over a baseline, with its interval.

        It is one less the ratio of their errors: κ_t over No-Change and κ_m over Majority. As that
        of `level`, the interval covers the chance of instances and that of seeds.

        Examples
        --------
        >>> import streameval as se
        >>> found = se.compare(se.generate("sea", rows=5000), ["naive_bayes", "majority"])
        >>> round(found.skill("naive_bayes", "majority").value, 2)
        0.64
        """
        name, base = (
            one_of(learner, self.with_baselines, "learner"),
            one_of(baseline, list(self.plan.task.baselines), "baseline"),
        )
        return skill_of(self._known, name, base, draws=name in self.draws)

    def by_section(self, learner: str) -> Floats:
        """Return the accuracy, or mean absolute error, of a learner in 12 sections of the stream.

        An array of shape (12,), or (0,) where the instances are too few for sections.

        Examples
        --------
        >>> import streameval as se
        >>> found = se.compare(se.generate("sea", rows=5000), ["naive_bayes", "majority"])
        >>> found.by_section("majority").shape
        (12,)
        """
        values = self._known.values(one_of(learner, self.with_baselines, "learner"))
        return block_means(values, SECTIONS) if len(values) >= LEAST_EFFECTIVE else values[:0]

    def over(self, learner: str, baseline: str) -> StreamMean:
        """Return the difference in accuracy between two learners, with its interval.

        The interval is not adjusted for the number of such differences.

        Examples
        --------
        >>> import streameval as se
        >>> found = se.compare(se.generate("sea", rows=5000), ["naive_bayes", "majority"])
        >>> found.over("naive_bayes", "no_change").low > 0
        True
        """
        learner, baseline = (
            one_of(one, self.with_baselines, "learner") for one in (learner, baseline)
        )
        spread = self._known.spread(learner, baseline)
        return stream_mean(
            self._known.series(learner, baseline),
            runs=spread if len(spread) > 1 else (),
            behind=by_runs(self._known.values(learner), self._known.values(baseline)),
        )

    @cached_property
    def plain(self) -> list[Verdict]:
        """The verdicts about the prequential runs, which are `pairs` where there are no folds.

        Examples
        --------
        >>> import streameval as se
        >>> stream = se.generate("sea", rows=5000)
        >>> found = se.compare(stream, ["naive_bayes", "majority"], "split_validation")
        >>> found.plain[0].difference > found.pairs[0].difference
        True
        """
        if self._plain is self._known:
            return self.pairs
        return verdicts(self._plain, self.learners, replace(self.plan, one_seed=frozenset()))

    @property
    def bins(self) -> pd.DataFrame:
        """Which learner is better in each bin of the time to the label: a row per pair and bin.

        Columns first, second, bin, difference, low, high, p_value, effective, verdict, reason.
        Intervals hold for all bins of all pairs at once, with 95 % confidence. Without bins there
        are no rows.

        Examples
        --------
        >>> import streameval as se
        >>> stream = se.generate("sea", rows=5000)
        >>> found = se.compare(stream, ["naive_bayes", "majority"], delay=100, bins=1)
        >>> found.bins["verdict"].tolist()
        ['beats', 'beats', 'beats']
        """
        import pandas as pd

        shown = ["difference", "low", "high", "p_value", "effective", "verdict", "reason"]
        rows = [
            (*pair, b, *(getattr(one, name) for name in shown))
            for pair, verdicts in self.by_bin.items()
            for b, one in enumerate(verdicts)
        ]
        return pd.DataFrame(rows, columns=["first", "second", "bin", *shown])

    @property
    def learnt(self) -> float:
        """The proportion of the instances that a model learns from.

        Examples
        --------
        >>> import streameval as se
        >>> stream = se.generate("sea", rows=5000)
        >>> found = se.compare(stream, ["naive_bayes", "majority"], "cross_validation")
        >>> round(found.learnt, 2)
        0.9
        """
        return self._known.learnt

    @property
    def runs(self) -> int:
        """The number of runs.

        Examples
        --------
        >>> import streameval as se
        >>> se.compare(se.generate("sea", rows=500), ["no_change", "majority"]).runs
        1
        """
        return len(self._known.tested)

    @property
    def draws(self) -> list[str]:
        """The learners whose predictions depend on their seeds.

        Examples
        --------
        >>> import streameval as se
        >>> se.compare(se.generate("sea", rows=500), ["random_forest", "majority"]).draws
        ['random_forest']
        """
        return [name for name in self.learners if name in (self._plain.draws or ())]

    def over_time(self, first: str, second: str) -> ConfidenceSequence:
        """Return the mean difference of two learners so far, after each instance.

        The differences are those of the proportions of models that are correct, over all folds and
        runs. With 95 % probability all the intervals, of which there is one after each instance
        and for each pair of learners, contain the mean of the expected differences so far. They are
        about these runs on this stream; see `streameval.significance.confidence_sequence`. Of
        regressors, whose errors have no bound, there are no intervals: they are NaN.

        Returns
        -------
        ConfidenceSequence
            Arrays ``mean``, ``low`` and ``high`` of shape (tested instances,).

        Examples
        --------
        >>> import streameval as se
        >>> found = se.compare(se.generate("sea", rows=5000), ["naive_bayes", "majority"])
        >>> found.over_time("naive_bayes", "majority").low[-1] > 0
        np.True_
        """
        first, second = (one_of(one, self.with_baselines, "learner") for one in (first, second))
        pair = (first, second)
        if pair not in self._sequences:
            confidence = 1.0 - LEVEL / len(self.pairs)
            series = self._known.series(*pair)
            if self.plan.task.is_counted:
                self._sequences[pair] = confidence_sequence(series, confidence)
            else:  # errors have no bound, which the sequence needs
                mean, none = series.cumsum() / np.arange(1, len(series) + 1), series * np.nan
                self._sequences[pair] = ConfidenceSequence(mean, none, none)
        return self._sequences[pair]

    @property
    def tests(self) -> pd.DataFrame:
        """Further tests, which do not decide, each with its estimand.

        A row per pair and test: first, second, test, estimand, p_value (not adjusted). The Bayesian
        test has no p-value, but the probabilities that the first learner is better, that both are
        practically equal, and that the second is better. Tests over folds and instances read those
        of the first run.

        Examples
        --------
        >>> import streameval as se
        >>> found = se.compare(se.generate("sea", rows=5000), ["naive_bayes", "majority"])
        >>> ", ".join(found.tests.columns)
        'first, second, test, estimand, p_value, first_better, practically_equal, second_better'
        """
        import pandas as pd

        return pd.DataFrame(self.further_tests(), columns=FurtherTest._fields)

    def further_tests(self) -> list[FurtherTest]:
        """Return the rows of `tests`.

        Examples
        --------
        >>> import streameval as se
        >>> found = se.compare(se.generate("sea", rows=5000), ["naive_bayes", "majority"])
        >>> found.further_tests()[0].test
        'McNemar, all folds pooled'
        """
        known, plan = self._known, self.plan
        return [found for pair in self.pairs for found in further_tests(known, pair, plan)]

    def tests_not_shown(self) -> dict[str, str]:
        """Return the tests that do not apply, by their titles, and why.

        Examples
        --------
        >>> import streameval as se
        >>> found = se.compare(se.generate("sea", rows=5000), ["naive_bayes", "majority"])
        >>> found.tests_not_shown()["Paired t"]
        'needs folds: a validation'
        """
        return not_shown(self.plan, self._known)

    @property
    def seconds(self) -> dict[str, float]:
        """CPU seconds of each learner and baseline, over all models.

        Examples
        --------
        >>> import streameval as se
        >>> found = se.compare(se.generate("sea", rows=500), ["no_change", "majority"])
        >>> sorted(found.seconds)
        ['majority', 'no_change']
        """
        return dict(self._known.seconds)
