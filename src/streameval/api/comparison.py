"""The result of a comparison: its numbers, in words and in figures."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from functools import cached_property
from typing import TYPE_CHECKING, Any

import numpy as np

from streameval.api.arguments import one_of
from streameval.api.request import Request
from streameval.base.arrays import Floats
from streameval.base.errors import ConfigError, some
from streameval.base.rounding import format_number, percentage, percentage_bound
from streameval.base.values import duration_text, flag_of, json_value
from streameval.evaluation.by_group import entity_rows, group_line, means_by_group, require_groups
from streameval.evaluation.coverage import false_verdict_sentences, false_verdicts
from streameval.evaluation.delays import Arrival, median_wait, stream_entry, unlabelled_counts
from streameval.evaluation.further_tests import FurtherTest, further_tests, inapplicable_tests
from streameval.evaluation.one_sided import reason_with_side
from streameval.evaluation.runs import CountedRuns, ErrorRuns, Runs
from streameval.evaluation.tuning import name_with_tuning, tuning_sentences
from streameval.evaluation.verdict_words import FIRST, SECOND, VERBS
from streameval.evaluation.verdicts import ComparisonPlan, Verdict, draw_clause, verdicts
from streameval.protocols.registry import DEFAULT
from streameval.significance.confidence_sequence import ConfidenceSequence, confidence_sequence
from streameval.significance.intervals import block_means
from streameval.significance.significance_test import LEVEL
from streameval.significance.skill_interval import Skill
from streameval.significance.stream_mean import MIN_EFFECTIVE_SIZE, SECTIONS, StreamMean
from streameval.view import notebook, text
from streameval.view.blocks import (
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
from streameval.view.by_group import by_group_table, positive_of_ranked
from streameval.view.mixin import Viewed, as_json

if TYPE_CHECKING:
    import pandas as pd
    from matplotlib.axes import Axes

    from streameval.drawing.panels import Panels
    from streameval.streams.timeline import Timeline

#: A verdict for each bin of the time to the label, by pair of learners.
ByBin = Mapping[tuple[str, str], Sequence[Verdict]]
#: The region of what is practically none takes so much of the scale, at least.
_ROOM = 1.5
#: How many bins are shown.
_BINS = 12
_LIMIT_OF_ERRORS = (
    "Intervals do not cover the case that the better learner changes after this stream."
)
#: The page about the exceptions.
LIMITS = "validation/findings.md#verdicts"


class Comparison(Viewed):
    """A comparison of learners, as `streameval.compare` returns it.

    Attributes
    ----------
    stream : Stream
        The stream.
    learners : list of str
        The names of the learners: A, B, and more.
    pairs : list of Verdict
        For each pair of learners: first, second, difference, low, high, p_value, effective, ahead,
        behind, verdict, reason.
    n_unlabelled : int
        How many labels have not arrived; these instances are not scored.
    before_first_label : int
        How many instances come before the first label, when no learner can predict; with folds how
        many predictions of the first run come before the first label of their model. Nor are these.
    incomplete : int
        For a numeric target, how many instances some learner or baseline does not predict: all
        learners are measured on the others.
    request : Request
        What was asked for.
    tuned, pretrain
        How learners were tuned, and how many first instances are therefore not scored.
    by_bin : mapping of (str, str) to list of Verdict
        For each pair, a verdict in each bin of the time to the label, where `bins` were asked for.

    Examples
    --------
    >>> import streameval as se
    >>> found = se.compare(se.generate("sea", rows=5000), ["naive_bayes", "majority"])
    >>> print(found.pairs[0].verdict, round(found.pairs[0].difference, 2))
    beats 0.23
    """

    def __init__(
        self,
        request: Request,
        arrival: Arrival,
        plan: ComparisonPlan,
        known: Runs,
        plain: Runs,
        by_bin: ByBin | None = None,
    ) -> None:
        self.request, self.stream, self.plan = request, arrival.stream, plan
        self.learners = list(request.recipes)
        self._known, self._plain, self.by_bin = known, plain, by_bin or {}
        self.n_unlabelled = request.stream.n_unlabelled
        self.before_first_label = arrival.before_first_label
        if isinstance(known, CountedRuns) and plan.protocol.has_folds:
            self.before_first_label = known.before_first_label
        self.incomplete = known.incomplete if isinstance(known, ErrorRuns) else 0
        self.tuned, self.pretrain = request.tuned, request.first
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
        """The accuracy, or mean absolute error, of each model.

        A row per run and fold, a column per learner and baseline.

        Examples
        --------
        >>> import streameval as se
        >>> stream = se.generate("sea", rows=5000)
        >>> se.compare(stream, ["naive_bayes", "majority"], "cross_validation").folds.shape
        (10, 3)
        """
        import pandas as pd  # 0.4 s, as below, which a command that prints numbers does without

        columns = {name: self.by_fold(name).ravel() for name in self.with_baselines}
        places = np.indices(self._known.tested.shape).reshape(2, -1) + 1
        index = pd.MultiIndex.from_arrays(list(places), names=("run", "fold"))
        return pd.DataFrame(columns, index).rename_axis(columns="learner")

    @cached_property
    def with_baselines(self) -> list[str]:
        """The learners and, behind them, those baselines that are not among them."""
        baselines = self.plan.task.baselines
        return self.learners + [name for name in baselines if name not in self.learners]

    def by_fold(self, learner: str) -> Floats:
        """Accuracy, or mean absolute error, of a learner by run and fold.

        An array of shape (runs, folds).

        Examples
        --------
        >>> import streameval as se
        >>> found = se.compare(se.generate("sea", rows=5000), ["naive_bayes", "majority"])
        >>> found.by_fold("majority").shape
        (1, 1)
        """
        return self._known.levels(one_of(learner, self.with_baselines, "learner"))

    def mean(self, learner: str) -> tuple[float, float]:
        """Accuracy, or mean absolute error, of a learner, and its standard deviation.

        It is the deviation between folds after one run, between the means of runs after several,
        and NaN for a single run without folds.

        Examples
        --------
        >>> import streameval as se
        >>> found = se.compare(se.generate("sea", rows=5000), ["naive_bayes", "majority"])
        >>> round(found.mean("naive_bayes")[0], 2)
        0.87
        """
        values = self.by_fold(learner)
        spread = values[0] if len(values) == 1 else values.mean(axis=1)
        deviation = float("nan")
        if len(spread) > 1:  # of equal values it is 0, without an error of rounding
            deviation = float(spread.std(ddof=1)) if np.ptp(spread) else 0.0
        return float(values.mean()), deviation

    def level(self, learner: str) -> StreamMean:
        """Accuracy, or mean absolute error, of a learner, with its interval.

        It is the mean over runs; the interval covers the chance of instances and that of seeds.

        Examples
        --------
        >>> import streameval as se
        >>> found = se.compare(se.generate("sea", rows=5000), ["naive_bayes", "majority"])
        >>> round(found.level("naive_bayes").mean, 2)
        0.87
        """
        name = one_of(learner, self.with_baselines, "learner")
        return self._known.level(name, is_random=name in self.draws)

    def skill(self, learner: str, baseline: str) -> Skill:
        """Skill of a learner over a baseline, with its interval.

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
        return self._known.skill(name, base, is_random=name in self.draws)

    def by_section(self, learner: str) -> Floats:
        """Accuracy, or mean absolute error, of a learner in 12 sections of the stream.

        An array of shape (12,), or (0,) where the instances are too few for sections.

        Examples
        --------
        >>> import streameval as se
        >>> found = se.compare(se.generate("sea", rows=5000), ["naive_bayes", "majority"])
        >>> found.by_section("majority").shape
        (12,)
        """
        values = self._known.values(one_of(learner, self.with_baselines, "learner"))
        return block_means(values, SECTIONS) if len(values) >= MIN_EFFECTIVE_SIZE else values[:0]

    def section_ranks(self) -> dict[str, Floats]:
        """Ranks of learners and baselines in 12 sections of the stream.

        Returns
        -------
        dict of str to ndarray of float, shape (12,)
            1 is best; tied ones have their mean. Learners without sections, see `by_section`, are
            left out; with less than two others there are no ranks.

        Examples
        --------
        >>> import streameval as se
        >>> found = se.compare(se.generate("sea", rows=5000), ["naive_bayes", "majority"])
        >>> float(found.section_ranks()["naive_bayes"][0])
        1.0
        """
        sections = {name: self.by_section(name) for name in self.with_baselines}
        known = {name: values for name, values in sections.items() if len(values)}
        if len(known) < 2:
            return {}
        values = np.array([*known.values()]) * (1.0 if self.plan.task.is_error else -1.0)
        below = (values[:, None] > values[None]).sum(axis=1)
        tied = (values[:, None] == values[None]).sum(axis=1)
        return dict(zip(known, below + (tied + 1) / 2.0, strict=True))

    def over(self, learner: str, baseline: str) -> StreamMean:
        """Difference in accuracy between two learners, with its interval.

        The interval is not adjusted for the number of such differences.

        Examples
        --------
        >>> import streameval as se
        >>> found = se.compare(se.generate("sea", rows=5000), ["naive_bayes", "majority"])
        >>> found.over("naive_bayes", "no_change").low > 0
        True
        """
        learner, baseline = (
            one_of(name, self.with_baselines, "learner") for name in (learner, baseline)
        )
        return self._known.difference(learner, baseline, with_p_value=True)

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

        Columns first, second, bin, difference, low, high, p_value, effective, verdict, reason,
        signs. Intervals hold for all bins of all pairs at once, with 95 % confidence. Signs are the
        numbers of instances where the first is worse, equal and better, if the differences are too
        few for an interval; otherwise None. Without bins there are no rows.

        Examples
        --------
        >>> import streameval as se
        >>> stream = se.generate("sea", rows=5000)
        >>> found = se.compare(stream, ["naive_bayes", "majority"], delay=100, bins=1)
        >>> found.bins["verdict"].tolist()
        ['beats', 'beats', 'beats']
        """
        import pandas as pd

        columns = ["difference", "low", "high", "p_value", "effective"]
        columns += ["verdict", "reason", "signs"]
        rows = [
            (*pair, b, *(getattr(verdict, name) for name in columns))
            for pair, verdicts in self.by_bin.items()
            for b, verdict in enumerate(verdicts)
        ]
        return pd.DataFrame(rows, columns=["first", "second", "bin", *columns])

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
        return [name for name in self.learners if name in (self._plain.random_learners or ())]

    def over_time(self, first: str, second: str) -> ConfidenceSequence:
        """Running mean difference of two learners after each instance.

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
        first, second = (one_of(name, self.with_baselines, "learner") for name in (first, second))
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

    def timeline(self, first: str, second: str) -> Timeline:
        """Rows, positions and dates of the instances of `over_time`, in order."""
        return self._timeline.take(self._known.instances(first, second))

    @cached_property
    def _timeline(self) -> Timeline:
        return self.request.timeline(self.stream)

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
        """Rows of `tests`.

        Examples
        --------
        >>> import streameval as se
        >>> found = se.compare(se.generate("sea", rows=5000), ["naive_bayes", "majority"])
        >>> found.further_tests()[0].test
        'McNemar, all folds pooled'
        """
        known, plan = self._known, self.plan
        return [test for pair in self.pairs for test in further_tests(known, pair, plan)]

    def tests_not_shown(self) -> dict[str, str]:
        """Tests that do not apply: the reason by title.

        Examples
        --------
        >>> import streameval as se
        >>> found = se.compare(se.generate("sea", rows=5000), ["naive_bayes", "majority"])
        >>> found.tests_not_shown()["Paired t"]
        'needs a protocol with folds'
        """
        return inapplicable_tests(self.plan, self._known)

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

    def sentences(self) -> list[str]:
        """Verdict on each pair, contrary prequential runs, and verdicts by bin, as sentences.

        Examples
        --------
        >>> import streameval as se
        >>> found = se.compare(se.generate("sea", rows=5000), ["naive_bayes", "majority"])
        >>> found.sentences()
        ['naive_bayes beats majority by 22.96 points [20.94, 24.98].']
        """
        return [self._sentence(pair) for pair in self.pairs]

    @property
    def limits(self) -> str:
        """How often such verdicts are false, by the recorded simulation, in words.

        Examples
        --------
        >>> import streameval as se
        >>> found = se.compare(se.generate("sea", rows=5000), ["naive_bayes", "majority"])
        >>> "simulat" in found.limits
        True
        """
        if not self.plan.task.is_counted:
            return _LIMIT_OF_ERRORS
        return false_verdict_sentences(self._protocol_name, grouped=self._known.groups is not None)

    def lines(self, *, more: bool = False) -> list[str]:
        """Lines of text of the comparison; `more` adds the other tests.

        Examples
        --------
        >>> import streameval as se
        >>> found = se.compare(se.generate("sea", rows=5000), ["naive_bayes", "majority"])
        >>> found.lines()[0]
        'naive_bayes beats majority by 22.96 points [20.94, 24.98].'
        """
        return text.text_lines(self._view(more=flag_of(more, "more")))

    def to_dict(self, *, more: bool = False) -> dict[str, Any]:
        """All results as plain data for JSON; `more` adds the other tests.

        Examples
        --------
        >>> import streameval as se
        >>> found = se.compare(se.generate("sea", rows=5000), ["naive_bayes", "majority"])
        >>> found.to_dict()["verdict"]
        'beats'
        """
        return as_json(self._view(more=flag_of(more, "more")))

    def by_group(self) -> pd.DataFrame:
        """Difference of each pair for each entity of a stream with groups.

        Returns
        -------
        pandas.DataFrame
            A row for each pair and entity: first, second, entity, n (its instances) and difference,
            above 0 where the first is better. Of single entities there is no interval.

        Raises
        ------
        ConfigError
            If the stream has no groups.

        Examples
        --------
        >>> import streameval as se
        >>> stream = se.generate("agrawal", rows=2000).grouped("elevel")
        >>> found = se.compare(stream, ["naive_bayes", "majority"])
        >>> found.by_group().round(2).head(2)
                 first    second  entity    n  difference
        0  naive_bayes  majority  level3  421        0.18
        1  naive_bayes  majority  level4  395        0.15
        """
        import pandas as pd

        return pd.DataFrame([row for pair in self.pairs for row in self._by_group(pair)])

    def _by_group(self, pair: Verdict) -> list[dict[str, Any]]:
        """Rows of `by_group` of a pair."""
        names = (pair.first, pair.second)
        groups = require_groups(self._known.groups).part(self._known.counted(*names))
        columns = {"difference": means_by_group(groups, self._known.series(*names))}
        return entity_rows(groups, columns, first=pair.first, second=pair.second)

    def _group_table(self, pair: Verdict, every: bool) -> Table:
        rows, nan = self._by_group(pair), math.nan
        columns = [
            Column("instances", ["n"], "{:,}".format),
            Column("A - B", ["difference"], lambda value: self.plan.task.interval(value, nan, nan)),
        ]
        group = require_groups(self._known.groups).column
        title = (
            f"{pair.first} and {pair.second} by {group}: the first is ahead for "
            f"{positive_of_ranked(rows, 'difference')}"
        )
        return by_group_table(group, columns, rows, "difference", title=title, every=every)

    def _view(self, *, more: bool = False, by_group: bool = False) -> View:
        by_bin = [_by_bin(self, of_pair) for of_pair in self.by_bin.values()]
        pairs = [Facts(_about(self, pair), only="text") for pair in self.pairs]
        table = over_baselines_table(self)
        parts: list[Part] = [
            _verdicts(self),
            table,
            Words([*_notes(self), *table.without_interval], note=True, only="drawn"),
            verdict_table(self),
            Facts(_setup(self), only="text"),
            *pairs,
            *by_bin,
            *self._of_groups(by_group),
            Words([_limits_in_short(self)], only="text"),
            *(_tests(self) if more else []),
        ]
        draw = self.plot_bins if self.by_bin else self.plot
        return View(parts, lambda: self._numbers(more, by_group), picture=draw)

    def _of_groups(self, every: bool) -> list[Part]:
        """Parts on the entities of a stream: their number, and a table for each pair."""
        groups = self._known.groups
        if groups is None:
            return []
        tables = [self._group_table(pair, every) for pair in self.pairs]
        return [Words([group_line(groups, self.plan.task)]), *tables]

    def _numbers(self, more: bool, by_group: bool) -> dict[str, Any]:
        numbers, groups = _numbers(self, more=more), self._known.groups
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
        more = f" {bins_sentence(by_bin)}" if by_bin else ""
        first, second = (name_with_tuning(self.tuned, name) for name in (pair.first, pair.second))
        renamed = replace(pair, first=first, second=second)
        return f"{renamed.sentence}.{_contrary(self, pair)}{more}"

    @property
    def estimand(self) -> str:
        """The subject of the verdict in words.

        Examples
        --------
        >>> import streameval as se
        >>> found = se.compare(se.generate("sea", rows=5000), ["naive_bayes", "majority"])
        >>> found.estimand
        'in accuracy, on streams that go on as this one does'
        """
        what = f"{self.plan.task.about}, on streams that go on as this one does"
        if self.plan.protocol.has_folds:
            part = percentage(self.learnt, 0)
            what += f", of models that learn from about {part} of the instances"
        return what

    def plot(self, points: int = 1000, *, ax: Axes | Sequence[Axes] | None = None) -> Axes | Panels:
        """Draw the mean difference of each pair over time, with its confidence sequence.

        Needs the extra: ``pip install "streameval[pipeline]"``.

        Parameters
        ----------
        points : int
            At most that many positions, evenly spaced.
        ax : matplotlib.axes.Axes or sequence of them, optional
            One for each pair, of a figure of yours. The legend is then on the first one.

        Returns
        -------
        matplotlib.axes.Axes, or several
            One pair is drawn on one, more on a tuple of them. A notebook shows the figure, and
            ``.figure`` is the figure, to be saved with its ``savefig``.

        Examples
        --------
        >>> import streameval as se
        >>> found = se.compare(se.generate("sea", rows=5000), ["naive_bayes", "majority"])
        >>> found.plot().figure.savefig("difference.svg")
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
        ax : matplotlib.axes.Axes or sequence of them, optional
            See `plot`.

        Returns
        -------
        matplotlib.axes.Axes, or several
            See `plot`.

        Raises
        ------
        ConfigError
            If no bins were asked for.

        Examples
        --------
        >>> import streameval as se
        >>> stream = se.generate("sea", rows=5000)
        >>> found = se.compare(stream, ["naive_bayes", "majority"], delay=100, bins=5)
        >>> found.plot_bins().figure.savefig("difference.svg")
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
    several = len(comparison.pairs) > 1
    setting = [f"{comparison.stream.name}, {_instances(comparison)}", _protocol(comparison)]
    setting.append(
        "in brackets 95 % intervals"
        + f", those of verdicts for all {len(comparison.pairs)} pairs at once" * several
    )
    what = "Right of 0: the learner named first is better."
    if comparison.plan.rope:
        what += f" Grey: practically equal, ±{comparison.plan.rope_text}."
    notes = [f"{'; '.join(setting)}.", what]
    if comparison.by_bin:
        notes.append("Lines: the same difference by bin of the time to the label.")
    return notes


def _contrary(comparison: Comparison, pair: Verdict) -> str:
    """Sentence on prequential runs that contradict the verdict; empty if they do not.

    The opposite of a verdict is a verdict: two that are undecided do not contradict each other.
    """
    plain = prequential_verdict(comparison, pair)
    decided = [verdict.verdict for verdict in (pair, plain) if verdict.verdict in (FIRST, SECOND)]
    if plain.difference * pair.difference >= 0.0 or not decided:
        return ""
    if len(decided) == 2:
        return (
            " Prequential runs, which learn from all instances, show the opposite: "
            f"{plain.sentence}."
        )
    return f" In prequential runs, which learn from all instances, {plain.sentence}."


def prequential_verdict(comparison: Comparison, pair: Verdict) -> Verdict:
    """Verdict on the prequential runs of the same pair."""
    return comparison.plain[comparison.pairs.index(pair)]


def _verdicts(comparison: Comparison) -> Sentences:
    """Sentences and drawings on each pair; right of 0 the learner named first is better."""
    pairs, factor, no = comparison.pairs, comparison.plan.task.factor, comparison.plan.rope
    turned = [pair.exchanged if pair.verdict == SECOND else pair for pair in pairs]
    ends = [end for verdict in turned for end in (verdict.difference, verdict.low, verdict.high)]
    low, high = notebook.scale([*ends, -_ROOM * no, _ROOM * no])
    rows = []
    for pair, verdict in zip(pairs, turned, strict=True):
        drawings: list[Drawing] = [
            DotInterval(verdict.difference, (verdict.low, verdict.high), low, high, no)
        ]
        if by_bin := comparison.by_bin.get((pair.first, pair.second)):
            sign = factor if verdict is pair else -factor
            values = [sign * bin_verdict.difference for bin_verdict in by_bin]
            drawings.append(Line(values, *notebook.scale(values)))
        rows.append(Sentence(comparison._sentence(pair), drawings))
    return Sentences(rows, noun="pairs")


def over_baselines_table(
    comparison: Comparison,
    levels: Mapping[str, StreamMean] | None = None,
    called: Callable[[str], str] = str,
) -> Table:
    """Table of the learners: values, their spread, and differences from the baselines.

    Values have the intervals of `levels` instead of a spread, if they are given. Rows are named as
    `called` says.
    """
    task, spread = comparison.plan.task, "" if levels else spread_of(comparison)
    rows = [_row(comparison, name, levels) for name in comparison.with_baselines]
    overs = [over for row in rows for base in task.baselines if (over := row[base])]
    low, high = notebook.scale([end for over in overs for end in over[:3]])
    most = task.largest_difference
    if not math.isfinite(most):
        most = notebook.scale([row["mean"] for row in rows])[1]
    columns = [
        Column("", ["name"], called, kind="name"),
        Column(
            task.head,
            ["mean", "ends"],
            lambda mean, ends: (
                task.value_text(mean) if ends is None else level_text(comparison, mean, *ends)
            ),
            drawing=lambda row: Bar(row["mean"], 0.0, most),
            reason="level reason",
        ),
        *([Column(spread, ["deviation"], task.deviation_text)] if spread else []),
    ]
    for base, title in task.baselines.items():

        def drawing(row: Mapping[str, Any], base: str = base) -> DotInterval | None:
            over = row[base]
            return over and DotInterval(over.mean, (over.low, over.high), low, high)

        columns.append(
            Column(
                f"over {title}",
                [base],
                lambda over: over_text(comparison, over),
                drawing=drawing,
                reason=f"{base} reason",
            )
        )
    return Table(columns, rows, always_shown=task.baselines, noun="learners")


def _row(
    comparison: Comparison, name: str, levels: Mapping[str, StreamMean] | None
) -> dict[str, Any]:
    mean, deviation = comparison.mean(name)
    row: dict[str, Any] = {"name": name, "mean": mean, "deviation": deviation, "ends": None}
    if levels is not None:
        row |= {"ends": levels[name][1:3], "level reason": levels[name].reason}
    for base in comparison.plan.task.baselines:
        row[base] = over = None if name == base else comparison.over(name, base)
        row[f"{base} reason"] = "" if over is None else reason_with_side(over.signs, over.reason)
    return row


def spread_of(comparison: Comparison) -> str:
    """Sources of variation between accuracies, in words."""
    if comparison.runs > 1:
        return "sd between runs"
    return "sd between folds" if comparison.plan.protocol.has_folds else ""


def level_text(comparison: Comparison, mean: float, low: float, high: float) -> str:
    """Text of a learner's value with its interval, without its unit."""
    return comparison.plan.task.interval(mean, low, high, sign="", unit=False)


def over_text(comparison: Comparison, over: StreamMean) -> str:
    """Text of a difference from a baseline, without its unit."""
    return comparison.plan.task.interval(over.mean, over.low, over.high, unit=False)


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
            "effective sample size": format_number(pair.effective, ",.0f"),
            "A ahead": pair.sections_ahead,
            "B ahead": pair.sections_behind,
        }
        for pair in comparison.pairs
    ]
    names = {"pair": "A and B", "difference": "A − B"}
    columns = [
        Column(names.get(key, key), [key], kind="name" if key == "pair" else "number")
        for key in rows[0]
    ]
    adjusted = "; they and the p-values hold for all pairs at once (Bonferroni)" * (len(rows) > 1)
    title = (
        f"Verdicts by one interval for each pair, 95 %{adjusted}. Ahead: of {SECTIONS} sections of "
        "the stream, those in which one learner is surely ahead by more than is practically equal."
    )
    return Table(columns, rows, title, noun="pairs", only="drawn")


def _setup(comparison: Comparison) -> list[tuple[str, str]]:
    columns = " and ".join(f"over {called}" for called in comparison.plan.task.baselines.values())
    alone = f"; in the columns {columns} 95 % for each difference alone"
    return [
        ("stream", f"{comparison.stream.name}, {_instances(comparison)}{_waiting(comparison)}"),
        ("protocol", _protocol(comparison)),
        *(
            ("" if number else "tuned", sentence)
            for number, sentence in enumerate(
                tuning_sentences(comparison.tuned, comparison.pretrain)
            )
        ),
        *rule_of(comparison, alone),
    ]


def rule_of(comparison: Comparison, alone: str = "") -> list[tuple[str, str]]:
    """Definitions of the difference, the interval and the verdict of pairs."""
    several = len(comparison.pairs) > 1
    adjusted = f", for all {len(comparison.pairs)} pairs at once (Bonferroni)" if several else ""
    return [
        ("difference A - B", comparison.estimand),
        ("interval", f"95 %{adjusted}, of the instances{_chances(comparison)}{alone}"),
        ("verdict", comparison.plan.rule),
    ]


def _instances(comparison: Comparison) -> str:
    """Text with the number of instances, and how many of them are scored."""
    n = len(comparison.stream)
    scored_part = f", scored on the last {n - comparison.pretrain:,}" if comparison.pretrain else ""
    return f"{n:,} instances{scored_part}"


def _waiting(comparison: Comparison) -> str:
    """Text on label delays, missing labels, and the instances before the first label."""
    wait = median_wait(comparison.stream)
    stream = comparison.request.stream
    later = f"; the median label delay is {duration_text(wait)}" if wait else ""
    text = stream.unlabelled_text
    open_ = f"; {text}, neither scored nor learnt" if text else ""
    first = comparison.before_first_label
    before = (
        f"; {first:,} before the first label {'is' if first == 1 else 'are'} not scored"
        if first
        else ""
    )
    if first and comparison.plan.protocol.has_folds:
        before = f"; {first:,} predictions before the first label of their model are not scored"
    left_out = ""
    if comparison.incomplete:
        left_out = f"; {comparison.incomplete:,} are left out, as some learner did not predict them"
    return later + open_ + before + left_out


def _protocol(comparison: Comparison) -> str:
    title = comparison.plan.title
    if comparison.plan.protocol.has_folds:
        return f"{title}, {'1 run' if comparison.runs == 1 else f'{comparison.runs} runs'}"
    if comparison.runs == 1:
        if comparison.draws:
            return f"{title}; one run, although {draw_clause(comparison.draws)}"
        return f"{title}; no learner is random, so each runs once"
    return f"{title}; {comparison.runs} runs of {some(comparison.draws) or 'each learner'}"


def _chances(comparison: Comparison) -> str:
    """Text on the sources of randomness that the interval covers besides the instances."""
    has_folds = comparison.plan.protocol.has_folds
    if comparison.plan.one_seed or (comparison.draws and comparison.runs == 1 and not has_folds):
        return f"{' and the folds' * has_folds}, but not of the seeds of {some(comparison.draws)}"
    if has_folds:
        return ", the folds and the seeds" if comparison.draws else " and the folds"
    return " and the seeds" if comparison.draws else ""


def _limits_in_short(comparison: Comparison) -> str:
    """Short form of `limits`, with a reference to the exceptions."""
    if not comparison.plan.task.is_counted:
        return comparison.limits
    if comparison._known.groups is not None:
        return comparison.limits
    most = percentage_bound(false_verdicts(comparison._protocol_name).steady, 0)
    return f"Verdicts are false in at most {most} of simulations. Exceptions: {LIMITS}"


def _about(comparison: Comparison, pair: Verdict) -> list[tuple[str, str]]:
    """Rows of facts about a pair."""
    names = (pair.first, pair.second)
    time = comparison.over_time(*names)
    p_value = "" if math.isnan(pair.p_value) else f", p = {format_number(pair.p_value, '.2g')}"
    plain, steady = prequential_verdict(comparison, pair), comparison.plan.task.is_counted
    in_runs = ("in prequential runs", f"{plain.difference_text}: {plain.outcome}")
    return [
        ("A and B", f"{pair.first} and {pair.second}: {pair.outcome}"),
        ("difference A - B", f"{pair.difference_text}{p_value}"),
        *([in_runs] if comparison.plan.protocol.has_folds else []),
        ("effective sample size", _effective(pair, len(time.mean))),
        (
            "over the stream",
            (
                f"A is ahead in {pair.sections_ahead} and B in {pair.sections_behind} "
                f"of {SECTIONS} sections"
            ),
        ),
        *([("confidence sequence", _sequence(comparison, time))] if steady else []),
    ]


def _effective(pair: Verdict, n: int) -> str:
    """Text with the effective sample size of the differences, and its consequence."""
    text = f"{format_number(pair.effective, ',.0f')} of {n:,}"
    if pair.effective < MIN_EFFECTIVE_SIZE:
        return f"{text} (an interval needs {MIN_EFFECTIVE_SIZE})"
    if 2 * pair.effective > n or math.isnan(pair.low):
        return text
    return f"{text} (intervals are wide, as errors depend on each other)"


def _sequence(comparison: Comparison, time: ConfidenceSequence) -> str:
    """Text of the confidence sequence after the last instance."""
    interval = comparison.plan.task.interval(time.mean[-1], time.low[-1], time.high[-1])
    several = f", for all {len(comparison.pairs)} pairs" if len(comparison.pairs) > 1 else ""
    return f"{interval}, of these runs, at all times at once{several}"


def _by_bin(comparison: Comparison, verdicts: Sequence[Verdict]) -> Table:
    """Table with a row for each bin of a pair, or for some of them."""
    last, pair = len(verdicts) - 1, verdicts[0]
    several = f"the {last + 1} bins" if len(comparison.pairs) == 1 else "all bins of all pairs"
    title = (
        f"{pair.first} and {pair.second}, by bin of the time to the label; 95 % intervals hold for "
        f"{several} at once. Bin 0: predictions on arrival. Bin {last}: predictions just before "
        "the label is learnt."
    )
    places = sorted({round(last * i / (_BINS - 1)) for i in range(_BINS)})
    rows = [
        {"bin": b, "by": verdicts[b].difference_text, "verdict": verdicts[b].verdict}
        for b in places
    ]
    columns = [Column("bin", ["bin"]), Column("A - B", ["by"], kind="text")]
    columns.append(Column("verdict", ["verdict"], kind="text"))
    more = f"{len(places)} of {last + 1} bins are shown. --json gives all of them."
    return Table(columns, rows, title, [more] if len(places) <= last else [], only="text")


def bins_sentence(verdicts: Sequence[Verdict]) -> str:
    """Sentence with the number of bins for each verdict."""
    first, counts = verdicts[0], Counter(verdict.verdict for verdict in verdicts)
    parts = [f"{VERBS[verdict][0]} it in {number}" for verdict, number in counts.items()]
    parts[0] = parts[0].replace(" it ", f" {first.second} ")
    return f"By bin of the time to the label, {first.first} {', '.join(parts)} of {len(verdicts)}."


def _tests(comparison: Comparison) -> list[Part]:
    """Parts on the other tests by subject, then on the tests that do not apply."""
    head = "Other tests by their subject. They do not change the verdict."
    head += " Their p-values are not adjusted for the number of pairs." * (
        len(comparison.pairs) > 1
    )
    head += " Tests over folds and instances use the first run only." * (comparison.runs > 1)
    parts: list[Part] = [Words([head])]
    tests = comparison.further_tests()
    for pair in comparison.pairs:
        names = (pair.first, pair.second)
        parts.append(Facts([("A and B", " and ".join(names))]))
        of_pair = [test for test in tests if test[:2] == names]
        for about in dict.fromkeys(test.estimand for test in of_pair):
            said = [(f"  {test.test}", _said(test)) for test in of_pair if test.estimand == about]
            parts.append(Facts(said, f"{about[0].upper()}{about[1:]}:"))
    silent = [(f"  {title}", why) for title, why in comparison.tests_not_shown().items()]
    return [*parts, Facts(silent, "Tests that do not apply here:")]


def _said(test: FurtherTest) -> str:
    if not math.isnan(test.practically_equal):
        said = (
            f"A better {percentage(test.first_better)}, practically equal "
            f"{percentage(test.practically_equal)}, B better {percentage(test.second_better)}"
        )
    else:
        p_value = format_number(test.p_value, ".2g")
        said = "undefined" if math.isnan(test.p_value) else f"p-value {p_value}"
    return said


def _numbers(comparison: Comparison, *, more: bool) -> dict[str, Any]:
    """Plain data for JSON."""
    plan = comparison.plan
    of_folds = {name: comparison.by_fold(name).tolist() for name in comparison.learners}
    about: dict[str, Any] = {
        "stream": comparison.stream.name,
        **stream_entry(comparison.stream),
        **unlabelled_counts(comparison.request.stream),
        **({"pretrain": comparison.pretrain} if comparison.pretrain else {}),
        **({"tuned": _tuned(comparison)} if comparison.tuned else {}),
        **({"before_first_label": first} if (first := comparison.before_first_label) else {}),
        **({"incomplete": comparison.incomplete} if comparison.incomplete else {}),
        "protocol": str(plan.protocol),
        "learnt": comparison.learnt,
        "runs": comparison.runs,
        "draws": comparison.draws,
        "learners": {name: _learner(comparison, name) for name in comparison.learners},
        "baselines": {name: comparison.mean(name)[0] for name in plan.task.baselines},
        "folds": {
            name: rows[0] if comparison.runs == 1 else rows for name, rows in of_folds.items()
        },
        "estimand": comparison.estimand,
        "rule": plan.rule,
        "rope": plan.rope,
        "limits": comparison.limits,
        "seconds": sum(comparison.seconds.values()),
    }
    pairs = [_pair(comparison, pair) for pair in comparison.pairs]
    about |= {"pairs": pairs} if len(pairs) > 1 else pairs[0]
    if more:
        about["tests"] = [_finite(test._asdict()) for test in comparison.further_tests()]
        about["tests_not_shown"] = comparison.tests_not_shown()
    return about


def _tuned(comparison: Comparison) -> dict[str, Any]:
    return {name: tuning.to_dict() for name, tuning in comparison.tuned.items()}


def _learner(comparison: Comparison, name: str) -> dict[str, Any]:
    mean, deviation = comparison.mean(name)
    task = comparison.plan.task
    known: dict[str, Any] = {task.name.replace(" ", "_"): mean, "deviation": deviation}
    for base in task.baselines:
        if name != base:
            over = comparison.over(name, base)
            known[f"over_{base}"] = over.mean
            known[f"over_{base}_interval"] = _ends(over.low, over.high)
    return _finite({**known, "seconds": comparison.seconds[name]})


def _pair(comparison: Comparison, pair: Verdict) -> dict[str, Any]:
    names = (pair.first, pair.second)
    time, plain = comparison.over_time(*names), prequential_verdict(comparison, pair)
    by_bin = comparison.by_bin.get(names, ())
    bins = {"bins": [{"bin": b, **_judged(verdict)} for b, verdict in enumerate(by_bin)]}
    return {
        **_judged(pair),
        "prequential": _judged(plain),
        "confidence_sequence": {
            "instances": len(time.mean),
            "mean": float(time.mean[-1]),
            "interval": _ends(float(time.low[-1]), float(time.high[-1])),
        },
        **(bins if by_bin else {}),
    }


def _judged(pair: Verdict) -> dict[str, Any]:
    numbers = {
        "first": pair.first,
        "second": pair.second,
        "difference": pair.difference,
        "interval": _ends(pair.low, pair.high),
        "p_value": pair.p_value,
        "effective_size": pair.effective,
        "sections": {
            "number": SECTIONS,
            "ahead": pair.sections_ahead,
            "behind": pair.sections_behind,
        },
        "verdict": pair.verdict,
        "reason": pair.reason,
        "signs": pair.signs and pair.signs._asdict(),
    }
    return _finite(numbers)


def _ends(low: float, high: float) -> list[float] | None:
    return None if math.isnan(low) else [low, high]


def _finite(values: dict[str, Any]) -> dict[str, Any]:
    return {name: json_value(value) for name, value in values.items()}
