"""The result of `compare`: verdicts, numbers, sentences, tables and plots."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from functools import cached_property
from typing import TYPE_CHECKING, Any

import numpy as np

from streameval.api.arguments import select_name
from streameval.api.request import Request
from streameval.base.arrays import Floats
from streameval.base.errors import ConfigError, listing
from streameval.base.rounding import format_number, percentage, percentage_bound
from streameval.base.values import duration_text, flag_of, json_value
from streameval.evaluation.by_group import entity_rows, group_line, means_by_group, require_groups
from streameval.evaluation.coverage import false_verdict_sentences, false_verdicts
from streameval.evaluation.delays import (
    ArrivalPredictions,
    median_wait,
    stream_entry,
    unlabelled_counts,
)
from streameval.evaluation.further_tests import FurtherTest, further_tests, inapplicable_tests
from streameval.evaluation.one_sided import one_sided_reason
from streameval.evaluation.runs import CountedRuns, ErrorRuns, Runs
from streameval.evaluation.tuning import name_with_tuning, tuning_sentences
from streameval.evaluation.verdict_words import BEATS, LOSES_TO, VERBS
from streameval.evaluation.verdicts import ComparisonPlan, Verdict, random_learners_clause, verdicts
from streameval.protocols.registry import DEFAULT
from streameval.significance.confidence_sequence import ConfidenceSequence, confidence_sequence
from streameval.significance.intervals import block_means
from streameval.significance.significance_test import LEVEL
from streameval.significance.skill_interval import Skill
from streameval.significance.stream_mean import MIN_EFFECTIVE_SIZE, N_SECTIONS, StreamMean
from streameval.view import notebook, text
from streameval.view.by_group import by_group_table, positive_count_text
from streameval.view.mixin import Viewable, as_json
from streameval.view.parts import (
    Bar,
    Column,
    DotInterval,
    Drawing,
    Facts,
    Line,
    Part,
    Sentence,
    Sentences,
    Table,
    View,
    Words,
)

if TYPE_CHECKING:
    import pandas as pd
    from matplotlib.axes import Axes

    from streameval.drawing.panels import Panels
    from streameval.streams.timeline import Timeline

#: A verdict for each bin of the time to the label, by pair of learners.
ByBin = Mapping[tuple[str, str], Sequence[Verdict]]
#: Scales of drawings reach at least this multiple of the rope, so that its end can be seen.
_ROPE_MARGIN = 1.5
#: Largest number of bins in a table of text.
_MAX_BINS_SHOWN = 12
#: `Comparison.limits` of regressors: the simulation of false verdicts is about classification.
_REGRESSION_LIMITS = (
    "Intervals do not cover the case that the better learner changes after this stream."
)
#: The page on streams on which verdicts are false more often.
_LIMITS_PAGE = "validation/findings.md#verdicts"


class Comparison(Viewable):
    """A comparison of learners, as `streameval.compare` returns it.

    Attributes
    ----------
    stream : Stream
        The stream.
    learners : list of str
        Names of the learners: A, B, and more.
    pairs : list of Verdict
        For each pair of learners: first, second, difference, low, high, p_value, effective_size,
        sections_ahead, sections_behind, verdict, reason and signs.
    n_unlabelled : int
        Number of instances whose labels are missing or have not arrived. They are not scored.
    before_first_label : int
        Number of instances before the first label, when no learner can predict. With folds, number
        of predictions of the first run before the first label of their model. They are not scored.
    incomplete : int
        For a numeric target, number of instances that some learner or baseline does not predict.
        All learners are scored on the other instances.
    request : Request
        The arguments of the call.
    tuned : mapping of str to Tuning
        How learners were tuned, by name.
    pretrain : int
        Number of instances at the start that are not scored.
    by_bin : mapping of (str, str) to list of Verdict
        For each pair, a verdict in each bin of the time to the label; empty without `bins`.

    Examples
    --------
    >>> import streameval as se
    >>> comparison = se.compare(se.generate("sea", rows=5000), ["naive_bayes", "majority"])
    >>> print(comparison.pairs[0].verdict, round(comparison.pairs[0].difference, 2))
    beats 0.23
    """

    def __init__(
        self,
        request: Request,
        arrival: ArrivalPredictions,
        plan: ComparisonPlan,
        runs: Runs,
        prequential_runs: Runs,
        by_bin: ByBin | None = None,
    ) -> None:
        self.request, self.stream, self.plan = request, arrival.stream, plan
        self.learners = list(request.recipes)
        self._runs, self._prequential_runs = runs, prequential_runs
        self.by_bin = by_bin or {}
        self.n_unlabelled = request.stream.n_unlabelled
        self.before_first_label = arrival.before_first_label
        if isinstance(runs, CountedRuns) and plan.protocol.has_folds:
            self.before_first_label = runs.before_first_label
        self.incomplete = runs.incomplete if isinstance(runs, ErrorRuns) else 0
        self.tuned, self.pretrain = request.tuned, request.n_pretrain
        self.pairs = verdicts(runs, self.learners, plan)
        self._sequences: dict[tuple[str, str], ConfidenceSequence] = {}

    @property
    def verdict(self) -> str:
        """Verdict about two learners.

        Raises
        ------
        ConfigError
            If there are more than two learners; see `pairs` for a verdict on each pair.

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
        """Accuracy, or mean absolute error, of each model.

        A row per run and fold, a column per learner and baseline.

        Examples
        --------
        >>> import streameval as se
        >>> stream = se.generate("sea", rows=5000)
        >>> se.compare(stream, ["naive_bayes", "majority"], "cross_validation").folds.shape
        (10, 3)
        """
        import pandas as pd  # here, as it takes 0.4 s, and most commands do not need it

        columns = {name: self.by_fold(name).ravel() for name in self.learners_and_baselines}
        run_and_fold = np.indices(self._runs.n_tested.shape).reshape(2, -1) + 1
        index = pd.MultiIndex.from_arrays(list(run_and_fold), names=("run", "fold"))
        return pd.DataFrame(columns, index).rename_axis(columns="learner")

    @cached_property
    def learners_and_baselines(self) -> list[str]:
        """Names of the learners, followed by the other baselines."""
        baselines = self.plan.task.baselines
        return self.learners + [name for name in baselines if name not in self.learners]

    def by_fold(self, learner: str) -> Floats:
        """Accuracy, or mean absolute error, of a learner by run and fold.

        An array of shape (runs, folds).

        Examples
        --------
        >>> import streameval as se
        >>> comparison = se.compare(se.generate("sea", rows=5000), ["naive_bayes", "majority"])
        >>> comparison.by_fold("majority").shape
        (1, 1)
        """
        return self._runs.means_by_fold(
            select_name(learner, self.learners_and_baselines, "learner")
        )

    def mean(self, learner: str) -> tuple[float, float]:
        """Accuracy, or mean absolute error, of a learner, and its standard deviation.

        With one run it is the standard deviation between folds, with several runs between the means
        of runs. It is NaN for a single run without folds.

        Examples
        --------
        >>> import streameval as se
        >>> comparison = se.compare(se.generate("sea", rows=5000), ["naive_bayes", "majority"])
        >>> round(comparison.mean("naive_bayes")[0], 2)
        0.87
        """
        values = self.by_fold(learner)
        replicates = values[0] if len(values) == 1 else values.mean(axis=1)
        deviation = float("nan")
        if len(replicates) > 1:  # exactly 0 for equal values, without rounding errors
            deviation = float(replicates.std(ddof=1)) if np.ptp(replicates) else 0.0
        return float(values.mean()), deviation

    def estimate(self, learner: str) -> StreamMean:
        """Accuracy, or mean absolute error, of a learner, with its interval.

        It is the mean over runs. The interval covers the randomness of instances and of seeds.

        Examples
        --------
        >>> import streameval as se
        >>> comparison = se.compare(se.generate("sea", rows=5000), ["naive_bayes", "majority"])
        >>> round(comparison.estimate("naive_bayes").mean, 2)
        0.87
        """
        name = select_name(learner, self.learners_and_baselines, "learner")
        return self._runs.estimate(name, is_random=name in self.random_learners)

    def skill(self, learner: str, baseline: str) -> Skill:
        """Skill of a learner over a baseline, with its interval.

        Skill is 1 - error of the learner / error of the baseline: κ_t over No-Change and κ_m over
        Majority. The interval covers the randomness of instances and of seeds.

        Examples
        --------
        >>> import streameval as se
        >>> comparison = se.compare(se.generate("sea", rows=5000), ["naive_bayes", "majority"])
        >>> round(comparison.skill("naive_bayes", "majority").value, 2)
        0.64
        """
        name = select_name(learner, self.learners_and_baselines, "learner")
        base = select_name(baseline, list(self.plan.task.baselines), "baseline")
        return self._runs.skill(name, base, is_random=name in self.random_learners)

    def by_section(self, learner: str) -> Floats:
        """Accuracy, or mean absolute error, of a learner in 12 sections of the stream.

        An array of shape (12,), or (0,) if there are less than 60 instances.

        Examples
        --------
        >>> import streameval as se
        >>> comparison = se.compare(se.generate("sea", rows=5000), ["naive_bayes", "majority"])
        >>> comparison.by_section("majority").shape
        (12,)
        """
        values = self._runs.values(select_name(learner, self.learners_and_baselines, "learner"))
        return block_means(values, N_SECTIONS) if len(values) >= MIN_EFFECTIVE_SIZE else values[:0]

    def section_ranks(self) -> dict[str, Floats]:
        """Ranks of learners and baselines in 12 sections of the stream.

        Returns
        -------
        dict of str to ndarray of float, shape (12,)
            Rank 1 is best; learners with the same value share the mean of their ranks. Learners
            without sections, see `by_section`, are left out. Empty if less than two are left.

        Examples
        --------
        >>> import streameval as se
        >>> comparison = se.compare(se.generate("sea", rows=5000), ["naive_bayes", "majority"])
        >>> float(comparison.section_ranks()["naive_bayes"][0])
        1.0
        """
        sections = {name: self.by_section(name) for name in self.learners_and_baselines}
        ranked = {name: values for name, values in sections.items() if len(values)}
        if len(ranked) < 2:
            return {}
        # Lower is better for these values.
        values = np.array([*ranked.values()]) * (1.0 if self.plan.task.is_error else -1.0)
        n_better = (values[:, None] > values[None]).sum(axis=1)
        n_tied = (values[:, None] == values[None]).sum(axis=1)  # includes the learner itself
        return dict(zip(ranked, n_better + (n_tied + 1) / 2.0, strict=True))

    def difference(self, learner: str, baseline: str) -> StreamMean:
        """Difference in accuracy, or mean absolute error, of two learners, with its interval.

        It is above 0 if `learner` is better than `baseline`, which may be any learner. The interval
        is not adjusted for the number of differences.

        Examples
        --------
        >>> import streameval as se
        >>> comparison = se.compare(se.generate("sea", rows=5000), ["naive_bayes", "majority"])
        >>> comparison.difference("naive_bayes", "no_change").low > 0
        True
        """
        learner, baseline = (
            select_name(name, self.learners_and_baselines, "learner")
            for name in (learner, baseline)
        )
        return self._runs.difference(learner, baseline, with_p_value=True)

    @cached_property
    def prequential(self) -> list[Verdict]:
        """Verdicts on the prequential runs; the same as `pairs` without folds.

        Examples
        --------
        >>> import streameval as se
        >>> stream = se.generate("sea", rows=5000)
        >>> comparison = se.compare(stream, ["naive_bayes", "majority"], "split_validation")
        >>> comparison.prequential[0].difference > comparison.pairs[0].difference
        True
        """
        if self._prequential_runs is self._runs:
            return self.pairs
        # One seed for all models of a learner is a matter of folds only.
        plan = replace(self.plan, one_seed_learners=frozenset())
        return verdicts(self._prequential_runs, self.learners, plan)

    @property
    def bins(self) -> pd.DataFrame:
        """Verdicts in each bin of the time to the label: a row per pair and bin.

        Columns first, second, bin, difference, low, high, p_value, effective_size, verdict, reason,
        signs. The intervals of all bins and pairs hold at once with 95 % confidence. If there are
        too few differences for an interval, signs has the numbers of instances on which the first
        learner is worse, equal and better; otherwise it is None. Without bins there are no rows.

        Examples
        --------
        >>> import streameval as se
        >>> stream = se.generate("sea", rows=5000)
        >>> comparison = se.compare(stream, ["naive_bayes", "majority"], delay=100, bins=1)
        >>> comparison.bins["verdict"].tolist()
        ['beats', 'beats', 'beats']
        """
        import pandas as pd

        columns = ["difference", "low", "high", "p_value", "effective_size"]
        columns += ["verdict", "reason", "signs"]  # names of fields of Verdict
        rows = [
            (*pair, b, *(getattr(verdict, name) for name in columns))
            for pair, verdicts in self.by_bin.items()
            for b, verdict in enumerate(verdicts)
        ]
        return pd.DataFrame(rows, columns=["first", "second", "bin", *columns])

    @property
    def learnt_proportion(self) -> float:
        """Proportion of the instances that a model learns from.

        Examples
        --------
        >>> import streameval as se
        >>> stream = se.generate("sea", rows=5000)
        >>> comparison = se.compare(stream, ["naive_bayes", "majority"], "cross_validation")
        >>> round(comparison.learnt_proportion, 2)
        0.9
        """
        return self._runs.learnt_proportion

    @property
    def runs(self) -> int:
        """Number of runs.

        Examples
        --------
        >>> import streameval as se
        >>> se.compare(se.generate("sea", rows=500), ["no_change", "majority"]).runs
        1
        """
        return len(self._runs.n_tested)

    @property
    def random_learners(self) -> list[str]:
        """Names of the learners whose predictions depend on their seeds.

        Examples
        --------
        >>> import streameval as se
        >>> stream = se.generate("sea", rows=500)
        >>> se.compare(stream, ["random_forest", "majority"]).random_learners
        ['random_forest']
        """
        random_learners = self._prequential_runs.random_learners or ()  # None only with folds
        return [name for name in self.learners if name in random_learners]

    def over_time(self, first: str, second: str) -> ConfidenceSequence:
        """Running mean difference of two learners after each instance, with intervals.

        For each instance, the proportion of correct models of the second learner is subtracted from
        that of the first, over all folds and runs. There is an interval after each instance for
        each pair of learners. With 95 % probability all of them contain the mean of the expected
        differences so far. They are about these runs on this stream; see
        `streameval.significance.confidence_sequence`. For regressors the ends are NaN, since their
        errors have no bound.

        Returns
        -------
        ConfidenceSequence
            Arrays ``mean``, ``low`` and ``high`` of shape (tested instances,).

        Examples
        --------
        >>> import streameval as se
        >>> comparison = se.compare(se.generate("sea", rows=5000), ["naive_bayes", "majority"])
        >>> comparison.over_time("naive_bayes", "majority").low[-1] > 0
        np.True_
        """
        first, second = (
            select_name(name, self.learners_and_baselines, "learner") for name in (first, second)
        )
        pair = (first, second)
        if pair not in self._sequences:
            confidence = 1.0 - LEVEL / len(self.pairs)
            series = self._runs.advantages(*pair)
            if self.plan.task.is_classification:
                self._sequences[pair] = confidence_sequence(series, confidence)
            else:  # a confidence sequence needs bounded differences
                mean, nans = series.cumsum() / np.arange(1, len(series) + 1), series * np.nan
                self._sequences[pair] = ConfidenceSequence(mean, nans, nans)
        return self._sequences[pair]

    def timeline(self, first: str, second: str) -> Timeline:
        """Rows, positions and dates of the instances of `over_time`, in order."""
        return self._timeline.take(self._runs.instances(first, second))

    @cached_property
    def _timeline(self) -> Timeline:
        return self.request.timeline(self.stream)

    @property
    def tests(self) -> pd.DataFrame:
        """Further tests, which do not change the verdict, each with its estimand.

        A row per pair and test: first, second, test, estimand, p_value (not adjusted). Instead of a
        p-value the Bayesian test has the probabilities that the first learner is better, that both
        are practically equal, and that the second is better. Tests over folds or instances use the
        first run.

        Examples
        --------
        >>> import streameval as se
        >>> comparison = se.compare(se.generate("sea", rows=5000), ["naive_bayes", "majority"])
        >>> ", ".join(comparison.tests.columns)
        'first, second, test, estimand, p_value, first_better, practically_equal, second_better'
        """
        import pandas as pd

        return pd.DataFrame(self.further_tests(), columns=FurtherTest._fields)

    def further_tests(self) -> list[FurtherTest]:
        """Rows of `tests`.

        Examples
        --------
        >>> import streameval as se
        >>> comparison = se.compare(se.generate("sea", rows=5000), ["naive_bayes", "majority"])
        >>> comparison.further_tests()[0].test
        'McNemar, all folds pooled'
        """
        runs, plan = self._runs, self.plan
        return [test for pair in self.pairs for test in further_tests(runs, pair, plan)]

    def inapplicable_tests(self) -> dict[str, str]:
        """Tests that do not apply: the reason by title of the test.

        Examples
        --------
        >>> import streameval as se
        >>> comparison = se.compare(se.generate("sea", rows=5000), ["naive_bayes", "majority"])
        >>> comparison.inapplicable_tests()["Paired t"]
        'needs a protocol with folds'
        """
        return inapplicable_tests(self.plan, self._runs)

    @property
    def seconds(self) -> dict[str, float]:
        """CPU seconds of each learner and baseline, over all models.

        Examples
        --------
        >>> import streameval as se
        >>> comparison = se.compare(se.generate("sea", rows=500), ["no_change", "majority"])
        >>> sorted(comparison.seconds)
        ['majority', 'no_change']
        """
        return dict(self._runs.seconds)

    def sentences(self) -> list[str]:
        """Sentences with the verdict on each pair.

        A sentence also names prequential runs that contradict the verdict, and verdicts by bin.

        Examples
        --------
        >>> import streameval as se
        >>> comparison = se.compare(se.generate("sea", rows=5000), ["naive_bayes", "majority"])
        >>> comparison.sentences()
        ['naive_bayes beats majority by 22.96 points [20.94, 24.98].']
        """
        return [self._sentence(pair) for pair in self.pairs]

    @property
    def limits(self) -> str:
        """How often verdicts of this kind are false in the recorded simulation, as text.

        Examples
        --------
        >>> import streameval as se
        >>> comparison = se.compare(se.generate("sea", rows=5000), ["naive_bayes", "majority"])
        >>> "simulat" in comparison.limits
        True
        """
        if not self.plan.task.is_classification:
            return _REGRESSION_LIMITS
        return false_verdict_sentences(self._protocol_name, grouped=self._runs.groups is not None)

    def lines(self, *, more: bool = False) -> list[str]:
        """Lines of text of the comparison; `more` adds the other tests.

        Examples
        --------
        >>> import streameval as se
        >>> comparison = se.compare(se.generate("sea", rows=5000), ["naive_bayes", "majority"])
        >>> comparison.lines()[0]
        'naive_bayes beats majority by 22.96 points [20.94, 24.98].'
        """
        return text.text_lines(self._view(more=flag_of(more, "more")))

    def to_dict(self, *, more: bool = False) -> dict[str, Any]:
        """All results as plain data for JSON; `more` adds the other tests.

        Examples
        --------
        >>> import streameval as se
        >>> comparison = se.compare(se.generate("sea", rows=5000), ["naive_bayes", "majority"])
        >>> comparison.to_dict()["verdict"]
        'beats'
        """
        return as_json(self._view(more=flag_of(more, "more")))

    def by_group(self) -> pd.DataFrame:
        """Difference of each pair for each entity of a stream with groups.

        Returns
        -------
        pandas.DataFrame
            A row for each pair and entity: first, second, entity, n (its instances) and difference,
            above 0 if the first is better. A single entity has no interval.

        Raises
        ------
        ConfigError
            If the stream has no groups.

        Examples
        --------
        >>> import streameval as se
        >>> stream = se.generate("agrawal", rows=2000).grouped("elevel")
        >>> comparison = se.compare(stream, ["naive_bayes", "majority"])
        >>> comparison.by_group().round(2).head(2)
                 first    second  entity    n  difference
        0  naive_bayes  majority  level3  421        0.18
        1  naive_bayes  majority  level4  395        0.15
        """
        import pandas as pd

        return pd.DataFrame([row for pair in self.pairs for row in self._by_group(pair)])

    def _by_group(self, pair: Verdict) -> list[dict[str, Any]]:
        """Rows of `by_group` for a pair."""
        names = (pair.first, pair.second)
        groups = require_groups(self._runs.groups).select(self._runs.compared_mask(*names))
        columns = {"difference": means_by_group(groups, self._runs.advantages(*names))}
        return entity_rows(groups, columns, first=pair.first, second=pair.second)

    def _group_table(self, pair: Verdict, show_all: bool) -> Table:
        rows, nan = self._by_group(pair), math.nan
        columns = [
            Column("instances", ["n"], "{:,}".format),
            Column("A - B", ["difference"], lambda value: self.plan.task.interval(value, nan, nan)),
        ]
        group = require_groups(self._runs.groups).column
        title = (
            f"{pair.first} and {pair.second} by {group}: the first is ahead for "
            f"{positive_count_text(rows, 'difference')}"
        )
        return by_group_table(group, columns, rows, "difference", title=title, show_all=show_all)

    def _view(self, *, more: bool = False, by_group: bool = False) -> View:
        bin_tables = [_bin_table(self, verdicts) for verdicts in self.by_bin.values()]
        pairs = [Facts(_pair_facts(self, pair), shown_in="text") for pair in self.pairs]
        table = over_baselines_table(self)
        parts: list[Part] = [
            _verdict_sentences(self),
            table,
            Words([*_notes(self), *table.no_interval_sentences], note=True, shown_in="notebook"),
            verdict_table(self),
            Facts(_setup_facts(self), shown_in="text"),
            *pairs,
            *bin_tables,
            *self._group_parts(by_group),
            Words([_short_limits(self)], shown_in="text"),
            *(_test_parts(self) if more else []),
        ]
        draw = self.plot_bins if self.by_bin else self.plot
        return View(parts, lambda: self._numbers(more, by_group), draw_figure=draw)

    def _group_parts(self, show_all: bool) -> list[Part]:
        """Number of entities, and a table of entities for each pair; empty without groups."""
        groups = self._runs.groups
        if groups is None:
            return []
        tables = [self._group_table(pair, show_all) for pair in self.pairs]
        return [Words([group_line(groups, self.plan.task)]), *tables]

    def _numbers(self, more: bool, by_group: bool) -> dict[str, Any]:
        numbers, groups = _comparison_numbers(self, more=more), self._runs.groups
        if groups is not None:
            numbers["group"] = {"column": groups.column, "entities": len(groups.names)}
        if by_group:
            numbers["by_group"] = [
                _finite(row) for pair in self.pairs for row in self._by_group(pair)
            ]
        return numbers

    @property
    def _protocol_name(self) -> str:
        return self.plan.protocol.name if self.plan.protocol.has_folds else DEFAULT

    def _sentence(self, pair: Verdict) -> str:
        by_bin = self.by_bin.get((pair.first, pair.second))
        bins_text = f" {bins_sentence(by_bin)}" if by_bin else ""
        first, second = (name_with_tuning(self.tuned, name) for name in (pair.first, pair.second))
        renamed = replace(pair, first=first, second=second)
        return f"{renamed.sentence}.{_contrary_runs(self, pair)}{bins_text}"

    @property
    def estimand(self) -> str:
        """Quantity that the verdict is about, as text.

        Examples
        --------
        >>> import streameval as se
        >>> comparison = se.compare(se.generate("sea", rows=5000), ["naive_bayes", "majority"])
        >>> comparison.estimand
        'in accuracy, on streams that go on as this one does'
        """
        estimand = f"{self.plan.task.difference_phrase}, on streams that go on as this one does"
        if self.plan.protocol.has_folds:
            percent_learnt = percentage(self.learnt_proportion, 0)
            estimand += f", of models that learn from about {percent_learnt} of the instances"
        return estimand

    def plot(self, points: int = 1000, *, ax: Axes | Sequence[Axes] | None = None) -> Axes | Panels:
        """Draw the mean difference of each pair over time, with its confidence sequence.

        Needs the extra: ``pip install "streameval[pipeline]"``.

        Parameters
        ----------
        points : int
            Largest number of positions drawn; they are evenly spaced.
        ax : matplotlib.axes.Axes or sequence of Axes, optional
            Existing axes to draw on, one for each pair. The legend is then on the first.

        Returns
        -------
        matplotlib.axes.Axes, or tuple of Axes
            The axes of each pair. A notebook shows the figure. Save it with ``.figure.savefig``.

        Examples
        --------
        >>> import streameval as se
        >>> comparison = se.compare(se.generate("sea", rows=5000), ["naive_bayes", "majority"])
        >>> comparison.plot().figure.savefig("difference.svg")
        """
        from streameval.drawing.results import draw_difference

        sequences = {
            (pair.first, pair.second): self.over_time(pair.first, pair.second)
            for pair in self.pairs
        }
        timelines = {pair: self.timeline(*pair) for pair in sequences}
        return draw_difference(sequences, self.plan, self.stream.name, points, timelines, ax)

    def plot_bins(self, *, ax: Axes | Sequence[Axes] | None = None) -> Axes | Panels:
        """Draw the difference of each pair by bin, with its interval.

        Needs the extra: ``pip install "streameval[pipeline]"``.

        Parameters
        ----------
        ax : matplotlib.axes.Axes or sequence of Axes, optional
            See `plot`.

        Returns
        -------
        matplotlib.axes.Axes, or tuple of Axes
            See `plot`.

        Raises
        ------
        ConfigError
            If the comparison has no bins.

        Examples
        --------
        >>> import streameval as se
        >>> stream = se.generate("sea", rows=5000)
        >>> comparison = se.compare(stream, ["naive_bayes", "majority"], delay=100, bins=5)
        >>> comparison.plot_bins().figure.savefig("difference.svg")
        """
        if not self.by_bin:
            raise ConfigError(
                "Expected a comparison by bins, found one without. Compare with bins=B, on a "
                "stream whose labels are delayed."
            )
        from streameval.drawing.results import draw_differences_by_bin

        return draw_differences_by_bin(self.by_bin, self.plan, self.stream.name, ax)


def _notes(comparison: Comparison) -> list[str]:
    """Notes on the stream, the protocol, and the meaning of brackets, grey regions and lines."""
    intervals = "in brackets 95 % intervals"
    if len(comparison.pairs) > 1:
        intervals += f", those of verdicts for all {len(comparison.pairs)} pairs at once"
    setting = [
        f"{comparison.stream.name}, {_instances(comparison)}",
        _protocol(comparison),
        intervals,
    ]
    legend = "Right of 0: the learner named first is better."
    if comparison.plan.rope:
        legend += f" Grey: practically equal, ±{comparison.plan.rope_text}."
    notes = [f"{'; '.join(setting)}.", legend]
    if comparison.by_bin:
        notes.append("Lines: the same difference by bin of the time to the label.")
    return notes


def _contrary_runs(comparison: Comparison, pair: Verdict) -> str:
    """Sentence on prequential runs that contradict the verdict; empty if they do not.

    Differences of opposite sign contradict each other if at least one verdict is decided.
    """
    prequential = prequential_verdict(comparison, pair)
    texts = (pair.verdict, prequential.verdict)
    decided = [verdict for verdict in texts if verdict in (BEATS, LOSES_TO)]
    if prequential.difference * pair.difference >= 0.0 or not decided:
        return ""
    if len(decided) == 2:
        return (
            " Prequential runs, which learn from all instances, show the opposite: "
            f"{prequential.sentence}."
        )
    return f" In prequential runs, which learn from all instances, {prequential.sentence}."


def prequential_verdict(comparison: Comparison, pair: Verdict) -> Verdict:
    """Verdict on the prequential runs of the same pair."""
    return comparison.prequential[comparison.pairs.index(pair)]


def _verdict_sentences(comparison: Comparison) -> Sentences:
    """Sentences and drawings on each pair; right of 0 the learner named first is better."""
    pairs, rope = comparison.pairs, comparison.plan.rope
    # The sentence names the winner first, so the drawing of its difference is turned as well.
    winner_first = [
        pair.with_learners_exchanged if pair.verdict == LOSES_TO else pair for pair in pairs
    ]
    values = [
        value
        for verdict in winner_first
        for value in (verdict.difference, verdict.low, verdict.high)
    ]
    low, high = notebook.scale([*values, -_ROPE_MARGIN * rope, _ROPE_MARGIN * rope])
    rows = []
    for pair, verdict in zip(pairs, winner_first, strict=True):
        drawings: list[Drawing] = [
            DotInterval(verdict.difference, (verdict.low, verdict.high), low, high, rope)
        ]
        if by_bin := comparison.by_bin.get((pair.first, pair.second)):
            # Bins have the order of `pair`. Lines are in displayed units, such as points.
            factor = comparison.plan.task.factor * (1 if verdict is pair else -1)
            differences = [factor * bin_verdict.difference for bin_verdict in by_bin]
            drawings.append(Line(differences, *notebook.scale(differences)))
        rows.append(Sentence(comparison._sentence(pair), drawings))
    return Sentences(rows, noun="pairs")


def over_baselines_table(
    comparison: Comparison,
    estimates: Mapping[str, StreamMean] | None = None,
    title_of: Callable[[str], str] = str,
) -> Table:
    """Table of the learners: values, their spread, and differences from the baselines.

    If `estimates` is given, values have intervals from it, and there is no column of spreads.
    `title_of` gives the title of a learner.
    """
    task = comparison.plan.task
    spread = "" if estimates else _spread_title(comparison)
    rows = [_learner_row(comparison, name, estimates) for name in comparison.learners_and_baselines]
    differences = [
        difference for row in rows for base in task.baselines if (difference := row[base])
    ]
    # The first three fields of a StreamMean are the mean and the ends of its interval.
    low, high = notebook.scale([value for difference in differences for value in difference[:3]])
    upper = task.largest_difference  # also the largest accuracy; errors have no upper bound
    if not math.isfinite(upper):
        upper = notebook.scale([row["mean"] for row in rows])[1]
    columns = [
        Column("", ["name"], title_of, kind="name"),
        Column(
            task.column_heading,
            ["mean", "ends"],
            lambda mean, ends: (
                task.value_text(mean) if ends is None else estimate_text(comparison, mean, *ends)
            ),
            drawing=lambda row: Bar(row["mean"], 0.0, upper),
            reason_key="estimate reason",
        ),
        *([Column(spread, ["deviation"], task.deviation_text)] if spread else []),
    ]
    for base, title in task.baselines.items():

        def drawing(row: Mapping[str, Any], base: str = base) -> DotInterval | None:
            value = row[base]
            return value and DotInterval(value.mean, (value.low, value.high), low, high)

        columns.append(
            Column(
                f"over {title}",
                [base],
                lambda difference: _difference_text(comparison, difference),
                drawing=drawing,
                reason_key=f"{base} reason",
            )
        )
    return Table(columns, rows, always_shown=task.baselines, noun="learners")


def _learner_row(
    comparison: Comparison, name: str, estimates: Mapping[str, StreamMean] | None
) -> dict[str, Any]:
    mean, deviation = comparison.mean(name)
    row: dict[str, Any] = {"name": name, "mean": mean, "deviation": deviation, "ends": None}
    if estimates is not None:
        estimate = estimates[name]
        row |= {"ends": (estimate.low, estimate.high), "estimate reason": estimate.reason}
    for base in comparison.plan.task.baselines:
        value = None if name == base else comparison.difference(name, base)
        row[base] = value
        row[f"{base} reason"] = "" if value is None else one_sided_reason(value.signs, value.reason)
    return row


def _spread_title(comparison: Comparison) -> str:
    """Title of the column of standard deviations; empty for one run without folds."""
    if comparison.runs > 1:
        return "sd between runs"
    return "sd between folds" if comparison.plan.protocol.has_folds else ""


def estimate_text(comparison: Comparison, mean: float, low: float, high: float) -> str:
    """Text of a learner's value with its interval, without its unit."""
    return comparison.plan.task.interval(mean, low, high, sign="", unit=False)


def _difference_text(comparison: Comparison, difference: StreamMean) -> str:
    """Text of a difference from a baseline, without its unit."""
    mean, low, high, *_ = difference
    return comparison.plan.task.interval(mean, low, high, unit=False)


def verdict_table(comparison: Comparison) -> Table:
    """Table of the numbers behind the verdict on each pair."""
    rows = [
        {
            "pair": f"{pair.first} and {pair.second}",
            "difference": comparison.plan.task.interval(
                pair.difference, pair.low, pair.high, unit=False
            ),
            "verdict": pair.verdict,
            "p-value": "–" if math.isnan(pair.p_value) else format_number(pair.p_value, ".2g"),
            "effective sample size": format_number(pair.effective_size, ",.0f"),
            "A ahead": pair.sections_ahead,
            "B ahead": pair.sections_behind,
        }
        for pair in comparison.pairs
    ]
    titles = {"pair": "A and B", "difference": "A − B"}
    columns = [
        Column(titles.get(key, key), [key], kind="name" if key == "pair" else "number")
        for key in rows[0]
    ]
    adjusted = "; they and the p-values hold for all pairs at once (Bonferroni)" * (len(rows) > 1)
    title = (
        f"Verdicts by one interval for each pair, 95 %{adjusted}. Ahead: number of sections of the "
        f"stream, out of {N_SECTIONS}, in which a learner is better by clearly more than the "
        "practically equal difference."
    )
    return Table(columns, rows, title, noun="pairs", shown_in="notebook")


def _setup_facts(comparison: Comparison) -> list[tuple[str, str]]:
    columns = " and ".join(f"over {title}" for title in comparison.plan.task.baselines.values())
    unadjusted = f"; in the columns {columns} 95 % for each difference alone"
    return [
        ("stream", f"{comparison.stream.name}, {_instances(comparison)}{_unscored(comparison)}"),
        ("protocol", _protocol(comparison)),
        # A fact without a name continues the previous one.
        *(
            ("" if i else "tuned", sentence)
            for i, sentence in enumerate(tuning_sentences(comparison.tuned, comparison.pretrain))
        ),
        *definitions(comparison, unadjusted),
    ]


def definitions(comparison: Comparison, unadjusted: str = "") -> list[tuple[str, str]]:
    """Definitions of the difference, the interval and the verdict of pairs.

    `unadjusted` names columns whose intervals are not adjusted for the number of pairs.
    """
    several = len(comparison.pairs) > 1
    adjusted = f", for all {len(comparison.pairs)} pairs at once (Bonferroni)" if several else ""
    return [
        ("difference A - B", comparison.estimand),
        ("interval", f"95 %{adjusted}, of the instances{_seeds_and_folds(comparison)}{unadjusted}"),
        ("verdict", comparison.plan.rule),
    ]


def _instances(comparison: Comparison) -> str:
    """Text with the number of instances, and how many of them are scored."""
    n = len(comparison.stream)
    scored_part = f", scored on the last {n - comparison.pretrain:,}" if comparison.pretrain else ""
    return f"{n:,} instances{scored_part}"


def _unscored(comparison: Comparison) -> str:
    """Text on label delays, missing labels, and the instances before the first label."""
    wait = median_wait(comparison.stream)
    stream = comparison.request.stream
    later = f"; the median label delay is {duration_text(wait)}" if wait else ""
    text = stream.unlabelled_text
    missing = f"; {text}, neither scored nor learnt" if text else ""
    n_before = comparison.before_first_label
    before = (
        f"; {n_before:,} before the first label {'is' if n_before == 1 else 'are'} not scored"
        if n_before
        else ""
    )
    if n_before and comparison.plan.protocol.has_folds:
        before = f"; {n_before:,} predictions before the first label of their model are not scored"
    left_out = ""
    if comparison.incomplete:
        left_out = f"; {comparison.incomplete:,} are left out, as some learner did not predict them"
    return later + missing + before + left_out


def _protocol(comparison: Comparison) -> str:
    title = comparison.plan.title
    if comparison.plan.protocol.has_folds:
        return f"{title}, {'1 run' if comparison.runs == 1 else f'{comparison.runs} runs'}"
    if comparison.runs == 1:
        if comparison.random_learners:
            return (
                f"{title}; one run, although {random_learners_clause(comparison.random_learners)}"
            )
        return f"{title}; no learner is random, so each runs once"
    repeated = listing(comparison.random_learners) or "each learner"
    return f"{title}; {comparison.runs} runs of {repeated}"


def _seeds_and_folds(comparison: Comparison) -> str:
    """Text on the sources of randomness that the interval covers besides the instances."""
    has_folds, names = comparison.plan.protocol.has_folds, comparison.random_learners
    # Seeds vary between runs or, unless all models have one seed, between folds.
    if comparison.plan.one_seed_learners or (names and comparison.runs == 1 and not has_folds):
        return f"{' and the folds' * has_folds}, but not of the seeds of {listing(names)}"
    if has_folds:
        return ", the folds and the seeds" if names else " and the folds"
    return " and the seeds" if names else ""


def _short_limits(comparison: Comparison) -> str:
    """Short form of `limits`, with a reference to the exceptions."""
    # The bound below is from simulations of classifiers on streams without groups.
    if not comparison.plan.task.is_classification or comparison._runs.groups is not None:
        return comparison.limits
    bound = percentage_bound(false_verdicts(comparison._protocol_name).steady, 0)
    return f"Verdicts are false in at most {bound} of simulations. Exceptions: {_LIMITS_PAGE}"


def _pair_facts(comparison: Comparison, pair: Verdict) -> list[tuple[str, str]]:
    """Rows of facts about a pair."""
    names = (pair.first, pair.second)
    sequence = comparison.over_time(*names)
    p_value = "" if math.isnan(pair.p_value) else f", p = {format_number(pair.p_value, '.2g')}"
    prequential = prequential_verdict(comparison, pair)
    prequential_row = (
        "in prequential runs",
        f"{prequential.difference_text}: {prequential.outcome}",
    )
    has_intervals = comparison.plan.task.is_classification
    return [
        ("A and B", f"{pair.first} and {pair.second}: {pair.outcome}"),
        ("difference A - B", f"{pair.difference_text}{p_value}"),
        *([prequential_row] if comparison.plan.protocol.has_folds else []),
        ("effective sample size", _effective_size_text(pair, len(sequence.mean))),
        (
            "over the stream",
            (
                f"A is ahead in {pair.sections_ahead} and B in {pair.sections_behind} "
                f"of {N_SECTIONS} sections"
            ),
        ),
        *([("confidence sequence", _sequence_text(comparison, sequence))] if has_intervals else []),
    ]


def _effective_size_text(pair: Verdict, n: int) -> str:
    """Text with the effective sample size of the differences, and its consequence."""
    text = f"{format_number(pair.effective_size, ',.0f')} of {n:,}"
    if pair.effective_size < MIN_EFFECTIVE_SIZE:
        return f"{text} (an interval needs {MIN_EFFECTIVE_SIZE})"
    # Intervals are noticeably wider (by more than √2) if at most half of the size is effective.
    if 2 * pair.effective_size > n or math.isnan(pair.low):
        return text
    return f"{text} (intervals are wide, as errors depend on each other)"


def _sequence_text(comparison: Comparison, sequence: ConfidenceSequence) -> str:
    """Text of the confidence sequence after the last instance."""
    last = (sequence.mean[-1], sequence.low[-1], sequence.high[-1])
    interval = comparison.plan.task.interval(*last)
    several = f", for all {len(comparison.pairs)} pairs" if len(comparison.pairs) > 1 else ""
    return f"{interval}, of these runs, at all times at once{several}"


def _bin_table(comparison: Comparison, verdicts: Sequence[Verdict]) -> Table:
    """Table of the verdicts by bin on a pair, for at most `_MAX_BINS_SHOWN` bins."""
    last, pair = len(verdicts) - 1, verdicts[0]
    several = f"the {last + 1} bins" if len(comparison.pairs) == 1 else "all bins of all pairs"
    title = (
        f"{pair.first} and {pair.second}, by bin of the time to the label; 95 % intervals hold for "
        f"{several} at once. Bin 0: predictions on arrival. Bin {last}: predictions just before "
        "the label is learnt."
    )
    steps = _MAX_BINS_SHOWN - 1  # evenly spaced bins, with the first and the last
    bins = sorted({round(last * step / steps) for step in range(steps + 1)})
    rows = [
        {"bin": b, "difference": verdicts[b].difference_text, "verdict": verdicts[b].verdict}
        for b in bins
    ]
    columns = [Column("bin", ["bin"]), Column("A - B", ["difference"], kind="text")]
    columns.append(Column("verdict", ["verdict"], kind="text"))
    note = f"{len(bins)} of {last + 1} bins are shown. --json gives all of them."
    return Table(columns, rows, title, [note] if len(bins) <= last else [], shown_in="text")


def bins_sentence(verdicts: Sequence[Verdict]) -> str:
    """Sentence with the number of bins for each verdict."""
    pair, counts = verdicts[0], Counter(verdict.verdict for verdict in verdicts)
    parts: list[str] = []
    for verdict, number in counts.items():
        singular_verb, _ = VERBS[verdict]
        learner = "it" if parts else pair.second  # named in the first part only
        parts.append(f"{singular_verb} {learner} in {number}")
    return f"By bin of the time to the label, {pair.first} {', '.join(parts)} of {len(verdicts)}."


def _test_parts(comparison: Comparison) -> list[Part]:
    """Parts on the other tests by estimand, then on the tests that do not apply."""
    head = "Other tests, by the quantity they are about. They do not change the verdict."
    head += " Their p-values are not adjusted for the number of pairs." * (
        len(comparison.pairs) > 1
    )
    head += " Tests over folds and instances use the first run only." * (comparison.runs > 1)
    parts: list[Part] = [Words([head])]
    tests = comparison.further_tests()
    for pair in comparison.pairs:
        names = (pair.first, pair.second)
        parts.append(Facts([("A and B", " and ".join(names))]))
        pair_tests = [test for test in tests if (test.first, test.second) == names]
        for estimand in dict.fromkeys(test.estimand for test in pair_tests):
            facts = [
                (f"  {test.test}", _test_text(test))
                for test in pair_tests
                if test.estimand == estimand
            ]
            parts.append(Facts(facts, f"{estimand[0].upper()}{estimand[1:]}:"))
    reasons = [(f"  {title}", reason) for title, reason in comparison.inapplicable_tests().items()]
    return [*parts, Facts(reasons, "Tests that do not apply here:")]


def _test_text(test: FurtherTest) -> str:
    if not math.isnan(test.practically_equal):
        return (
            f"A better {percentage(test.first_better)}, practically equal "
            f"{percentage(test.practically_equal)}, B better {percentage(test.second_better)}"
        )
    if math.isnan(test.p_value):
        return "undefined"
    return f"p-value {format_number(test.p_value, '.2g')}"


def _comparison_numbers(comparison: Comparison, *, more: bool) -> dict[str, Any]:
    """Plain data for JSON."""
    plan = comparison.plan
    by_fold = {name: comparison.by_fold(name).tolist() for name in comparison.learners}
    numbers: dict[str, Any] = {
        "stream": comparison.stream.name,
        **stream_entry(comparison.stream),
        **unlabelled_counts(comparison.request.stream),
        **({"pretrain": comparison.pretrain} if comparison.pretrain else {}),
        **({"tuned": _tuning_numbers(comparison)} if comparison.tuned else {}),
        **({"before_first_label": first} if (first := comparison.before_first_label) else {}),
        **({"incomplete": comparison.incomplete} if comparison.incomplete else {}),
        "protocol": str(plan.protocol),
        "learnt": comparison.learnt_proportion,
        "runs": comparison.runs,
        "random_learners": comparison.random_learners,
        "learners": {name: _learner_numbers(comparison, name) for name in comparison.learners},
        "baselines": {name: comparison.mean(name)[0] for name in plan.task.baselines},
        "folds": {
            name: rows[0] if comparison.runs == 1 else rows for name, rows in by_fold.items()
        },
        "estimand": comparison.estimand,
        "rule": plan.rule,
        "rope": plan.rope,
        "limits": comparison.limits,
        "seconds": sum(comparison.seconds.values()),
    }
    pairs = [_pair_numbers(comparison, pair) for pair in comparison.pairs]
    numbers |= {"pairs": pairs} if len(pairs) > 1 else pairs[0]
    if more:
        numbers["tests"] = [_finite(test._asdict()) for test in comparison.further_tests()]
        numbers["tests_not_shown"] = comparison.inapplicable_tests()
    return numbers


def _tuning_numbers(comparison: Comparison) -> dict[str, Any]:
    return {name: tuning.to_dict() for name, tuning in comparison.tuned.items()}


def _learner_numbers(comparison: Comparison, name: str) -> dict[str, Any]:
    mean, deviation = comparison.mean(name)
    task = comparison.plan.task
    numbers: dict[str, Any] = {task.name.replace(" ", "_"): mean, "deviation": deviation}
    for base in task.baselines:
        if name != base:
            difference = comparison.difference(name, base)
            numbers[f"over_{base}"] = difference.mean
            numbers[f"over_{base}_interval"] = _interval(difference.low, difference.high)
    return _finite({**numbers, "seconds": comparison.seconds[name]})


def _pair_numbers(comparison: Comparison, pair: Verdict) -> dict[str, Any]:
    names = (pair.first, pair.second)
    sequence = comparison.over_time(*names)
    by_bin = comparison.by_bin.get(names, ())
    bins = {"bins": [{"bin": b, **_verdict_numbers(verdict)} for b, verdict in enumerate(by_bin)]}
    return {
        **_verdict_numbers(pair),
        "prequential": _verdict_numbers(prequential_verdict(comparison, pair)),
        "confidence_sequence": {
            "instances": len(sequence.mean),
            "mean": float(sequence.mean[-1]),
            "interval": _interval(float(sequence.low[-1]), float(sequence.high[-1])),
        },
        **(bins if by_bin else {}),
    }


def _verdict_numbers(pair: Verdict) -> dict[str, Any]:
    numbers = {
        "first": pair.first,
        "second": pair.second,
        "difference": pair.difference,
        "interval": _interval(pair.low, pair.high),
        "p_value": pair.p_value,
        "effective_size": pair.effective_size,
        "sections": {
            "number": N_SECTIONS,
            "ahead": pair.sections_ahead,
            "behind": pair.sections_behind,
        },
        "verdict": pair.verdict,
        "reason": pair.reason,
        "signs": pair.signs and pair.signs._asdict(),
    }
    return _finite(numbers)


def _interval(low: float, high: float) -> list[float] | None:
    return None if math.isnan(low) else [low, high]


def _finite(values: dict[str, Any]) -> dict[str, Any]:
    """The values as JSON has them: None for NaN."""
    return {name: json_value(value) for name, value in values.items()}
