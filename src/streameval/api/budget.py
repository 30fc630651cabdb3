"""Label budgets: accuracy of learners as a function of the number of labels learnt."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import replace
from datetime import timedelta
from functools import partial
from typing import TYPE_CHECKING, Any

import numpy as np

from streameval.api.arguments import MOST_RUNS, names_in, workers_of
from streameval.api.learners import Learners
from streameval.api.progress import bar
from streameval.api.request import Request
from streameval.base.errors import ConfigError
from streameval.base.rounding import format_number
from streameval.base.values import check_integer
from streameval.evaluation.delays import (
    check_label_times,
    stream_entry,
    unlabelled_counts,
    waiting_line,
    with_delay,
)
from streameval.evaluation.label_budget import (
    ALL,
    BASELINES,
    BUDGETS,
    RUNS,
    STRATEGIES,
    BudgetPoint,
    cheapest_point,
    checked_budgets,
    checked_strategies,
    label_curves,
    number_of_runs,
)
from streameval.evaluation.task import CLASSIFICATION_TASK
from streameval.protocols.partial import Partial, strategy_words
from streameval.protocols.prequential import typical_delay
from streameval.streams.stream import Stream
from streameval.view.blocks import Column, Table, View, Words, sentence_part
from streameval.view.formats import percent, score
from streameval.view.mixin import Viewed

if TYPE_CHECKING:
    import pandas as pd
    from matplotlib.axes import Axes

    from streameval.drawing.panels import Panels

#: Panels of a picture, one for each learner.
MOST_DRAWN = 4
LIMITS = (
    "If results depend on seeds, the accuracy is the mean of several runs, with the lowest and the "
    "highest run in brackets. These ranges are not confidence intervals. κ_t compares with "
    "No-Change under the same budget."
)


def budget(
    stream: Stream,
    learners: Learners,
    budgets: float | Sequence[float] = BUDGETS,
    strategies: str | Sequence[str] = STRATEGIES,
    *,
    delay: int | str | timedelta = 0,
    runs: int = RUNS,
    ignore_label_times: bool = False,
    seed: int = 1,
    cores: int | None = None,
    progress: bool | None = None,
) -> LabelBudget:
    """Say how accurate learners are with a part of the labels, by how this part is chosen.

    Each instance is predicted, and scored on its true label, but for those that come before the
    first label is learnt: accuracies are those of `evaluate` with the protocol ``partial``. Of the
    labels a learner gets no more than the budget, by a strategy of that protocol. No-Change and
    Majority, which cannot prefer one label to another, get as many at random.

    Parameters
    ----------
    stream : Stream
        A stream with classes.
    learners : object, or a list or mapping of such
        As for `evaluate`. Strategies that ask need learners with class scores that run instance by
        instance: the package's own, not wrapped, models of River or scikit-learn, and classes with
        ``learn``, ``predict`` and ``scores``.
    budgets : float or list of float
        Proportions of the labels, above 0 and at most 1; by default 0.001, 0.003, 0.01, 0.03, 0.1
        and 0.3.
    strategies : str or list of str
        Which labels are asked for: ``"random"``, ``"every"`` (at equal distances),
        ``"uncertainty"``, ``"variable_uncertainty"``, ``"randomised_uncertainty"`` or
        ``"selective_sampling"``; by default random, every and the two with variable thresholds.
    delay : int, str or timedelta
        Number of instances that arrive before a label is known, by default 0; or a length of time,
        such as ``"30 days"``, for the median number of instances that arrive within it.
    runs : int
        Runs with other seeds of what draws at random; by default 5.
    ignore_label_times : bool
        Learn labels after the delay, though the stream says that they arrive later.
    seed : int
        Seed of all draws; by default 1.
    cores : int, optional
        Number of models that run side by side, each on one core; by default the number of
        processors. The result does not depend on it.
    progress : bool, optional
        Whether to show a bar; by default where the error output is a terminal.

    Returns
    -------
    LabelBudget
        A table, sentences and a plot.

    Raises
    ------
    StreamevalError
        If a parameter is wrong, or a learner is unknown or cannot ask for labels.

    References
    ----------
    Žliobaitė, Bifet, Pfahringer, Holmes (2014), Active learning with drifting streaming data.

    Examples
    --------
    >>> import streameval as se
    >>> found = se.budget(se.generate("sea", rows=3000), "naive_bayes", [0.01, 0.1], "every")
    >>> found.table()[["learner", "strategy", "labels", "accuracy"]].head(3).round(2)
           learner strategy  labels  accuracy
    0  naive_bayes    every    30.0      0.73
    1  naive_bayes    every   300.0      0.84
    2  naive_bayes      all  3000.0      0.87
    """
    request = Request.of(locals())
    request.require_classes("budget")
    stream = request.stream
    if isinstance(budgets, np.ndarray | np.generic):
        budgets = budgets.tolist()
    shares = checked_budgets(budgets if isinstance(budgets, Sequence) else [budgets])
    ways = checked_strategies(names_in(strategies, "strategies"))
    instances = _in_instances(request.delay, stream)
    runs = check_integer(runs, "runs", most=MOST_RUNS)
    advice = "Give a delay, the same for all labels (--delay N; in Python delay=N)"
    check_label_times(stream, Partial(1.0, delay=instances), request.ignore_label_times, advice)
    workers = workers_of(cores)
    # The baselines always run, with labels chosen at random.
    classifiers = {
        name: classifier
        for name, classifier in request.classifiers.items()
        if name not in BASELINES
    }
    for name in (learner for learner, recipe in request.recipes.items() if not recipe.learns):
        raise ConfigError(
            f"learners: expected learners that learn from labels, found stored predictions, "
            f"{name!r}. They are the same under every budget. Leave them out."
        )
    if not classifiers:
        raise ConfigError(
            "learners: expected at least one besides the baselines, found none. Add a learner; "
            "No-Change and Majority always run."
        )
    events = number_of_runs(len(classifiers), len(shares), len(ways), runs) * len(stream)
    with bar(progress, lambda: events, classifiers.values(), len(stream)) as update:
        points = label_curves(
            stream,
            classifiers,
            shares,
            ways,
            delay=instances,
            runs=runs,
            seed=request.seed,
            workers=workers,
            progress=update,
        )
    return LabelBudget(request, list(classifiers), points, instances, runs)


def _in_instances(delay: Any, stream: Stream) -> int:
    """Delay as a number of instances, of a length of time the median number within it."""
    if isinstance(delay, str):
        return typical_delay(with_delay(replace(stream, label_time=None), delay)) or 0
    return check_integer(delay, "delay", least=0)


class LabelBudget(Viewed):
    """Accuracy of learners by the number of labels learnt; see `streameval.budget`.

    Attributes
    ----------
    stream : Stream
        What was run over.
    learners : list of str
        The names of the learners, without the baselines.
    delay : int
        Number of instances that arrive before a label is known.
    runs : int
        Runs with other seeds of what draws at random.
    """

    def __init__(
        self,
        request: Request,
        learners: list[str],
        points: list[BudgetPoint],
        delay: int,
        runs: int,
    ) -> None:
        self.request, self.stream = request, request.stream
        self.learners, self._points = learners, points
        self.delay, self.runs = delay, runs

    def table(self) -> pd.DataFrame:
        """Frame with a row for each learner, strategy and budget, and for all labels.

        Returns
        -------
        pandas.DataFrame
            learner; strategy, ``"all"`` where all labels are learnt; budget; labels, how many are
            learnt, and share, the proportion; scored, over how many instances the accuracy is;
            accuracy, NaN where a run learns no label; low and high, those of the worst and the best
            run; runs; kappa_temporal.

        Examples
        --------
        >>> import streameval as se
        >>> found = se.budget(se.generate("sea", rows=3000), "naive_bayes", 0.1, "random", runs=3)
        >>> found.table()["learner"].unique().tolist()
        ['naive_bayes', 'no_change', 'majority']
        """
        import pandas as pd

        return pd.DataFrame(self._points, columns=BudgetPoint._fields)

    def _view(self) -> View:
        stream, n, late = self.stream, len(self.stream), ""
        if self.delay:
            late = f", {self.delay:,} instance{'s' * (self.delay != 1)} later"
        most = max(point.scored for point in self._points if point.strategy == ALL)
        scored = f"the {format_number(most, ',.0f')} after the first label are scored"
        setting = f"all are predicted, {scored}, and some of the labels are learnt{late}"
        table = Table(COLUMNS, [point._asdict() for point in self._points])
        texts = [sentence for learner in self.learners for sentence in self._about(learner)]
        open_ = [Words([line])] if (line := waiting_line(self.request.stream)) else []
        head = Words([f"{stream.name}, {n:,} instances: {setting}."])
        return View(
            [*open_, head, table, sentence_part(texts)],
            lambda: (
                {
                    "stream": stream.name,
                    **stream_entry(stream),
                    **unlabelled_counts(self.request.stream),
                }
                | {"learners": self.learners}
                | {"delay": self.delay, "runs": self.runs, "curves": table.numbers}
            ),
            LIMITS,
            self.plot,
        )

    def _about(self, learner: str) -> list[str]:
        whole_of = {point.learner: point for point in self._points if point.strategy == ALL}
        accuracy, unchanged = (percent(whole_of[name].accuracy) for name in (learner, BASELINES[0]))
        texts = [
            f"With all labels {learner} has an accuracy of {accuracy}, No-Change of {unchanged}."
        ]
        close = cheapest_point(self._points, learner)
        if close is None:
            texts.append(f"No budget brings {learner} within a point of that accuracy.")
        else:
            number = f"{format_number(close.labels, ',.0f')} ({percent(close.share)} of all)"
            texts.append(
                f"The fewest labels that bring {learner} within a point of that accuracy are "
                f"{number}, {strategy_words(close.strategy)}."
            )
        for point in self._points:
            if (
                point.learner == learner
                and point.strategy != ALL
                and point.share < point.budget / 2
            ):
                labels = format_number(point.labels, ",.0f")
                there_are = len(self.stream) - self.stream.n_unlabelled
                most = format_number(point.budget * there_are, ",.0f")
                texts.append(
                    f"The strategy {point.strategy} asks for only {labels} labels, though a budget "
                    f"of {percent(point.budget)} allows {most}."
                )
        return texts

    def plot(self) -> Axes | Panels:
        """Draw accuracy by the proportion of labels that are learnt, a panel for each learner.

        Needs the extra: ``pip install "streameval[pipeline]"``.

        Returns
        -------
        Axes or Panels
            An axis of matplotlib, or one for each learner; ``.figure`` is the figure, to be saved
            with its ``savefig``.

        Raises
        ------
        ConfigError
            If there are more than four learners, or no budget buys a label that arrives.

        Examples
        --------
        >>> import streameval as se
        >>> found = se.budget(se.generate("sea", rows=3000), "naive_bayes", [0.01, 0.1], "every")
        >>> found.plot().figure.savefig("budget.svg")
        """
        from streameval.drawing.results import draw_budget

        if len(self.learners) > MOST_DRAWN:
            raise ConfigError(
                f"plot: expected at most {MOST_DRAWN} learners, a panel for each, found "
                f"{len(self.learners)}. Call budget for fewer."
            )
        curves = self.table()
        if not (curves.loc[curves["strategy"] != ALL, "labels"] > 0).any():
            raise ConfigError(
                f"plot: expected labels to learn from, found none within the {len(self.stream):,} "
                f"instances of {self.stream.name!r} at these budgets. Give larger budgets, a "
                "shorter delay or more instances."
            )
        return draw_budget(curves, self.stream, self.learners)


def _allowed(budget: float, strategy: str) -> str:
    return "" if strategy == ALL else f"{format_number(budget, '.6g', 100)} %"


def _accuracy(mean: float, low: float, high: float, runs: int) -> str:
    if math.isnan(mean):
        return "undefined"
    ends = (
        f" [{CLASSIFICATION_TASK.value_text(low)}, {CLASSIFICATION_TASK.value_text(high)}]"
        if runs > 1
        else ""
    )
    return CLASSIFICATION_TASK.value_text(mean) + ends


COLUMNS = (
    Column("", ["learner"], kind="name"),
    Column("budget", ["budget", "strategy"], _allowed),
    Column("strategy", ["strategy"], kind="text"),
    Column("labels", ["labels"], lambda labels: format_number(labels, ",.0f")),
    Column("scored", ["scored"], lambda scored: format_number(scored, ",.0f")),
    Column("accuracy", ["accuracy", "low", "high", "runs"], _accuracy),
    Column("κ_t", ["kappa_temporal"], partial(score, undefined="")),
)
