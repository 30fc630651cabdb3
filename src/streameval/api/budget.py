"""Label budgets: accuracy of learners as a function of the number of labels learnt."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import replace
from datetime import timedelta
from functools import partial
from typing import TYPE_CHECKING, Any

import numpy as np

from streameval.api.arguments import MAX_RUNS, as_list, number_of_workers
from streameval.api.learners import Learners
from streameval.api.progress import progress_bar
from streameval.api.request import Request
from streameval.base.errors import ConfigError
from streameval.base.rounding import format_number
from streameval.base.values import check_integer
from streameval.evaluation.delays import (
    check_label_times,
    missing_labels_line,
    stream_entry,
    unlabelled_counts,
    with_delay,
)
from streameval.evaluation.label_budget import (
    ALL_LABELS,
    BUDGETS,
    RUNS,
    STRATEGIES,
    BudgetPoint,
    cheapest_point,
    check_budgets,
    check_strategies,
    label_curves,
    number_of_runs,
)
from streameval.evaluation.roles import CLASSIFICATION_BASELINES, NO_CHANGE
from streameval.evaluation.task import CLASSIFICATION_TASK
from streameval.protocols.partial import Partial, strategy_words
from streameval.protocols.prequential import typical_delay
from streameval.streams.stream import Stream
from streameval.view.formats import percent, score
from streameval.view.mixin import Viewable
from streameval.view.parts import Column, Table, View, Words, sentence_part

if TYPE_CHECKING:
    import pandas as pd
    from matplotlib.axes import Axes

    from streameval.drawing.panels import Panels

#: Largest number of panels in a plot; each learner has one.
MAX_PANELS = 4
_NOTE = (
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
    """Measure the accuracy of learners that learn only a part of the labels, by strategy.

    A learner gets at most the budget of labels, chosen by a strategy. The baselines No-Change and
    Majority get the same number of labels, chosen at random. All instances are predicted. Each
    prediction after the first learnt label is scored with the true label, whether or not that label
    is learnt; so does `evaluate` with the protocol ``partial``.

    Parameters
    ----------
    stream : Stream
        A stream with a nominal target.
    learners : learner, or list or mapping of learners
        As for `evaluate`. All strategies except ``"random"`` and ``"every"`` need class scores for
        each instance. The package's own learners (without a wrapper), models of River or
        scikit-learn, and classes with ``learn``, ``predict`` and ``scores`` have them.
    budgets : float or list of float
        Proportions of the labels, above 0 and at most 1; by default 0.001, 0.003, 0.01, 0.03, 0.1
        and 0.3.
    strategies : str or list of str
        How labels are chosen: ``"random"``, ``"every"`` (at equal distances), ``"uncertainty"``,
        ``"variable_uncertainty"``, ``"randomised_uncertainty"`` or ``"selective_sampling"``; by
        default random, every, variable_uncertainty and randomised_uncertainty.
    delay : int, str or timedelta
        Number of instances that arrive before a label is known, by default 0; or a length of time,
        such as ``"30 days"``, which stands for the median number of instances within it.
    runs : int
        Number of runs of random learners and strategies, each with its own seed; by default 5.
    ignore_label_times : bool
        Whether to learn labels after the delay even if the stream says that they arrive later.
    seed : int
        Seed of all random numbers; by default 1.
    cores : int, optional
        Number of models that run side by side, each on one core; by default the number of
        processors. The result does not depend on it.
    progress : bool, optional
        Whether to show a progress bar; by default if the error output is a terminal.

    Returns
    -------
    LabelBudget
        A table, sentences and a plot.

    Raises
    ------
    StreamevalError
        If a parameter is invalid, a learner is unknown, or a strategy needs class scores that a
        learner does not have.

    References
    ----------
    Žliobaitė, Bifet, Pfahringer, Holmes (2014), Active learning with drifting streaming data.

    Examples
    --------
    >>> import streameval as se
    >>> result = se.budget(se.generate("sea", rows=3000), "naive_bayes", [0.01, 0.1], "every")
    >>> result.table()[["learner", "strategy", "labels", "accuracy"]].head(3).round(2)
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
    proportions = check_budgets(budgets if isinstance(budgets, Sequence) else [budgets])
    strategy_names = check_strategies(as_list(strategies, "strategies"))
    n_delay = _delay_in_instances(request.delay, stream)
    runs = check_integer(runs, "runs", most=MAX_RUNS)
    advice = "Give a delay, the same for all labels (--delay N; in Python delay=N)"
    # Only the delay of this protocol is checked, so any budget will do.
    check_label_times(stream, Partial(1.0, delay=n_delay), request.ignore_label_times, advice)
    workers = number_of_workers(cores)
    # Baselines are left out here, since `label_curves` adds both with random labels.
    classifiers = {
        name: classifier
        for name, classifier in request.classifiers.items()
        if name not in CLASSIFICATION_BASELINES
    }
    if stored := [name for name, recipe in request.recipes.items() if not recipe.learns]:
        raise ConfigError(
            f"learners: expected learners that learn from labels, found stored predictions, "
            f"{stored[0]!r}. They are the same under every budget. Leave them out."
        )
    if not classifiers:
        raise ConfigError(
            "learners: expected at least one besides the baselines, found none. Add a learner; "
            "No-Change and Majority always run."
        )
    n_runs = number_of_runs(len(classifiers), len(proportions), len(strategy_names), runs)
    n_events = n_runs * len(stream)
    with progress_bar(progress, lambda: n_events, classifiers.values(), len(stream)) as update:
        points = label_curves(
            stream,
            classifiers,
            proportions,
            strategy_names,
            delay=n_delay,
            runs=runs,
            seed=request.seed,
            workers=workers,
            progress=update,
        )
    return LabelBudget(request, list(classifiers), points, n_delay, runs)


def _delay_in_instances(delay: Any, stream: Stream) -> int:
    """Delay as a number of instances; a length of time is the median number within it.

    A `timedelta` has already become a text; see `Request.of`.
    """
    if isinstance(delay, str):
        # `with_delay` refuses label times of the stream; `budget` checks them afterwards.
        return typical_delay(with_delay(replace(stream, label_time=None), delay)) or 0
    return check_integer(delay, "delay", least=0)


class LabelBudget(Viewable):
    """Accuracy of learners by the number of labels learnt; see `streameval.budget`.

    Attributes
    ----------
    stream : Stream
        The stream.
    learners : list of str
        Names of the learners, without the baselines.
    delay : int
        Number of instances that arrive before a label is known.
    runs : int
        Number of runs of random learners and strategies.
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
        """Accuracy by learner, strategy and budget, and of each learner with all labels.

        Returns
        -------
        pandas.DataFrame
            Columns learner; strategy (``"all"`` if all labels are learnt); budget; labels (number
            of labels learnt); proportion (labels learnt / all labels); scored (number of instances
            scored); accuracy (mean over runs; NaN if a run learns no label); low and high
            (accuracy of the worst and the best run); runs (number of runs); kappa_temporal.

        Examples
        --------
        >>> import streameval as se
        >>> result = se.budget(se.generate("sea", rows=3000), "naive_bayes", 0.1, "random", runs=3)
        >>> result.table()["learner"].unique().tolist()
        ['naive_bayes', 'no_change', 'majority']
        """
        import pandas as pd

        return pd.DataFrame(self._points, columns=BudgetPoint._fields)

    def _view(self) -> View:
        stream, n, delay_text = self.stream, len(self.stream), ""
        if self.delay:
            delay_text = f", {self.delay:,} instance{'s' * (self.delay != 1)} later"
        # With all labels, the number is the same for all learners.
        n_scored = max(point.scored for point in self._points if point.strategy == ALL_LABELS)
        scored = f"the {format_number(n_scored, ',.0f')} after the first label are scored"
        setting = f"all are predicted, {scored}, and some of the labels are learnt{delay_text}"
        table = Table(COLUMNS, [point._asdict() for point in self._points])
        sentences = [text for learner in self.learners for text in self._sentences(learner)]
        missing_labels = (
            [Words([line])] if (line := missing_labels_line(self.request.stream)) else []
        )
        head = Words([f"{stream.name}, {n:,} instances: {setting}."])
        return View(
            [*missing_labels, head, table, sentence_part(sentences)],
            lambda: (
                {
                    "stream": stream.name,
                    **stream_entry(stream),
                    **unlabelled_counts(self.request.stream),
                }
                | {"learners": self.learners}
                | {"delay": self.delay, "runs": self.runs, "curves": table.json_rows}
            ),
            _NOTE,
            self.plot,
        )

    def _sentences(self, learner: str) -> list[str]:
        """Accuracy with all labels, labels needed to come close, and budgets left unused."""
        full_accuracy = {
            point.learner: percent(point.accuracy)
            for point in self._points
            if point.strategy == ALL_LABELS
        }
        texts = [
            (
                f"With all labels {learner} has an accuracy of {full_accuracy[learner]}, "
                f"No-Change of {full_accuracy[NO_CHANGE]}."
            )
        ]
        cheapest = cheapest_point(self._points, learner)
        if cheapest is None:
            texts.append(f"No budget brings {learner} within a point of that accuracy.")
        else:
            number = (
                f"{format_number(cheapest.labels, ',.0f')} ({percent(cheapest.proportion)} of all)"
            )
            texts.append(
                f"The fewest labels that bring {learner} within a point of that accuracy are "
                f"{number}, {strategy_words(cheapest.strategy)}."
            )
        for point in self._points:
            if (
                point.learner == learner
                and point.strategy != ALL_LABELS
                and point.proportion < point.budget / 2  # smaller shortfalls are not worth a line
            ):
                labels = format_number(point.labels, ",.0f")
                n_labelled = len(self.stream) - self.stream.n_unlabelled
                allowed = format_number(point.budget * n_labelled, ",.0f")
                texts.append(
                    f"The strategy {point.strategy} asks for only {labels} labels, though a budget "
                    f"of {percent(point.budget)} allows {allowed}."
                )
        return texts

    def plot(self) -> Axes | Panels:
        """Plot accuracy against the proportion of labels learnt, a panel for each learner.

        Needs the extra: ``pip install "streameval[pipeline]"``.

        Returns
        -------
        Axes or Panels
            Axes of matplotlib, or one for each learner. Save the figure with ``.figure.savefig``.

        Raises
        ------
        ConfigError
            If there are more than four learners, or no label is learnt under any budget.

        Examples
        --------
        >>> import streameval as se
        >>> result = se.budget(se.generate("sea", rows=3000), "naive_bayes", [0.01, 0.1], "every")
        >>> result.plot().figure.savefig("budget.svg")
        """
        from streameval.drawing.results import draw_budget

        if len(self.learners) > MAX_PANELS:
            raise ConfigError(
                f"plot: expected at most {MAX_PANELS} learners, a panel for each, found "
                f"{len(self.learners)}. Call budget for fewer."
            )
        curves = self.table()
        if not (curves.loc[curves["strategy"] != ALL_LABELS, "labels"] > 0).any():
            raise ConfigError(
                f"plot: expected labels to learn from, found none within the {len(self.stream):,} "
                f"instances of {self.stream.name!r} at these budgets. Give larger budgets, a "
                "shorter delay or more instances."
            )
        return draw_budget(curves, self.stream, self.learners)


def _budget_text(budget: float, strategy: str) -> str:
    return "" if strategy == ALL_LABELS else f"{format_number(budget, '.6g', factor=100)} %"


def _accuracy_text(mean: float, low: float, high: float, runs: int) -> str:
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
    Column("budget", ["budget", "strategy"], _budget_text),
    Column("strategy", ["strategy"], kind="text"),
    Column("labels", ["labels"], lambda labels: format_number(labels, ",.0f")),
    Column("scored", ["scored"], lambda scored: format_number(scored, ",.0f")),
    Column("accuracy", ["accuracy", "low", "high", "runs"], _accuracy_text),
    Column("κ_t", ["kappa_temporal"], partial(score, undefined="")),
)
