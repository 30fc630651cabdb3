"""The result of an evaluation: predictions of learners on a stream, and their measures."""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator, Mapping, Sequence
from copy import copy
from dataclasses import asdict, replace
from functools import cached_property, partial
from shutil import get_terminal_size
from textwrap import wrap
from typing import TYPE_CHECKING, Any, NamedTuple, Self

import numpy as np

from streameval.api.arguments import one_of, select_names
from streameval.api.progress import bar
from streameval.api.request import Ready, Request
from streameval.api.result_view import (
    DEFAULT_DISPLAY,
    SHOWN,
    DisplayOptions,
    count_text,
    json_row,
    measure_text,
    nan_if_none,
    on_baselines,
    proportion,
    rate,
    skill_text,
    titled,
    window_of,
)
from streameval.base.arrays import Flags
from streameval.base.errors import (
    ConfigError,
    UndefinedMeasureWarning,
    excerpt,
    some,
    visible,
    warn_caller,
)
from streameval.base.rounding import format_number, percentage, round_half_up
from streameval.base.values import check_integer, duration_text, flag_of, json_value
from streameval.evaluation.by_group import COVERAGE, OVER, group_line, require_groups, rows_by_group
from streameval.evaluation.curve_tables import wide_curves
from streameval.evaluation.delays import (
    ReevaluationData,
    first_label_line,
    median_wait,
    same_time_line,
    stream_entry,
    waiting_line,
)
from streameval.evaluation.differences import (
    Difference,
    difference,
    differences_of_pairs,
    over_baselines,
    skills_over_baselines,
)
from streameval.evaluation.levels import kappa_interval, levels_of
from streameval.evaluation.measurements import (
    Measured,
    measure_predictions,
    measures_of,
    windowed,
)
from streameval.evaluation.number_measures import (
    SKILL,
    is_interval_measure,
    number_measures,
    too_few_for_intervals,
)
from streameval.evaluation.one_sided import reason_with_side
from streameval.evaluation.predictions import PredictionTable
from streameval.evaluation.roles import BEST, PREVIOUS_TARGET
from streameval.evaluation.run import Cost, Run
from streameval.evaluation.tallies import class_measures, confusion_counts, tally_of
from streameval.evaluation.task import CLASSIFICATION_TASK, REGRESSION_TASK, Gains, Task
from streameval.evaluation.tuning import mask_after_prefix, name_with_tuning, tuning_sentences
from streameval.evaluation.verdict_words import best_learner_sentence, region_of
from streameval.measures.registry import AS_IN_MOA, MEASURES
from streameval.measures.regression import REGRESSION_MEASURES
from streameval.protocols.protocol import nothing_to_score_error
from streameval.significance.stream_mean import StreamMean
from streameval.view import notebook
from streameval.view.blocks import (
    Bar,
    Column,
    DeferredParts,
    DotInterval,
    Line,
    Part,
    Table,
    View,
    Words,
    sentence_part,
)
from streameval.view.by_group import by_group_table, positive_of_ranked
from streameval.view.formats import score
from streameval.view.mixin import Viewed

if TYPE_CHECKING:
    import pandas as pd
    from matplotlib.axes import Axes
    from numpy.typing import NDArray

    from streameval.drawing.panels import Panels
    from streameval.evaluation.age_bins import PredictionsAtAges
    from streameval.evaluation.class_scores import ScoreTable
    from streameval.evaluation.persistence import RepeatsInColumn
    from streameval.measures.tally import Tally
    from streameval.streams.stream import Stream
    from streameval.streams.timeline import Timeline

#: The number of bins that results show.
SHOWN_BINS = 8
#: Letters of a line of text where there is no terminal.
_COLUMNS = 120
#: Lines in notebooks: the most predictions of a window, and the points.
_WINDOW, _POINTS = 1000, 40
#: The column of a confusion matrix that counts instances without a prediction.
NONE_PREDICTED = "(no prediction)"
#: A class with less than this proportion of the labels is rare: measures over all hide it.
RARE = 0.05
#: The most classes of a confusion matrix that is shown.
_MOST_CLASSES = 10
_LEGEND = "A row is a true class, a column a predicted class."
_FOLDS = "`streameval compare` has intervals over folds."
#: What is drawn of prediction intervals.
_WITH_INTERVALS = ("mean_absolute_error", "interval_coverage", "mean_interval_width")


class _Chosen(NamedTuple):
    """Default measures of a task, and the note that notebooks show about them."""

    in_table: tuple[str, ...]  # all if empty
    in_plot: tuple[str, ...]
    drawn_by_bin: tuple[str, ...]
    by_bin: tuple[str, ...]  # that can be drawn
    note: str


_ERRORS = tuple(REGRESSION_MEASURES)
#: Names of the kappas of MOA by bin: without a delay the same are skills over the baselines.
_OF_MOA = {name: name + AS_IN_MOA for name in ("kappa_temporal", "kappa_m")}
#: Those of classes and of numbers, by the measure that learners are compared by.
CHOSEN = {
    CLASSIFICATION_TASK.measure: _Chosen(
        in_table=SHOWN,
        in_plot=("accuracy", "kappa_temporal"),
        drawn_by_bin=("accuracy", "kappa_temporal_delayed"),
        by_bin=(
            *("accuracy", "kappa", *_OF_MOA.values()),
            *("kappa_temporal_delayed", "kappa_m_delayed"),
        ),
        note=(
            "Over the baselines: differences in accuracy, in points, with 95 % intervals. The κ "
            "are of one run, whose intervals do not cover the seeds of learners that draw at "
            "random; those over several runs are in pages (report). κ_t and κ_m are above 0 where "
            "the difference from their baseline is."
        ),
    ),
    REGRESSION_TASK.measure: _Chosen(
        in_table=(),
        in_plot=("mean_absolute_error", SKILL + PREVIOUS_TARGET),
        drawn_by_bin=("mean_absolute_error",),
        by_bin=_ERRORS,
        note=(
            "Over the baselines: skill, one less the ratio of the mean absolute errors, with 95 % "
            "intervals. The measures have none of their own."
        ),
    ),
}


class _Predictions(NamedTuple):
    """Predictions, with the delays of their labels if there are any."""

    table: PredictionTable
    waiting: ReevaluationData | None = None

    def of(self, which: Flags) -> _Predictions:
        """Subset of the predictions; under delays all predictions of an instance or none."""
        if which.all():
            return self
        if self.waiting is None:
            return _Predictions(self.table.part(which))
        row = self.table.instances
        rows = np.zeros(int(row.max()) + 1, dtype=np.bool_)
        rows[row[which]] = True
        return _Predictions(self.table.part(which), self.waiting.part(rows))

    @property
    def measurable(self) -> PredictionTable:
        """The predictions of instances with labels, under delays the first of each."""
        if self.waiting is None:
            return self.table.scored()
        return self.table.part(self.waiting.arriving())


class Result(Viewed):
    """Predictions of learners on a stream, as `streameval.evaluate` returns them.

    Attributes
    ----------
    stream : Stream
        The stream.
    protocol : str
        The evaluation protocol.
    learners : list of str
        The names of the learners, the baselines included: ``no_change`` and ``majority``, or of
        numbers ``previous_target`` and ``target_mean``.
    task : Task
        What is predicted: classes or numbers.
    all_predictions : PredictionTable
        All predictions, with the true labels or targets.
    before_first_label : int
        How many instances come before the first label, when no learner can predict.
    request : Request
        What was asked for.
    tuned, pretrain
        How learners were tuned, and how many first instances are therefore not scored.

    Examples
    --------
    >>> import streameval as se
    >>> result = se.evaluate(se.generate("sea", rows=2000), "hoeffding_tree")
    >>> result
    <Result: hoeffding_tree, no_change, majority on 'sea', prequential, 2,000 predictions>
                    accuracy   kappa  kappa_temporal  kappa_m  kappa_combined
    learner
    hoeffding_tree    0.8565  0.6748          0.6907   0.6030          0.6827
    no_change         0.5360 -0.0057          0.0000  -0.2835          0.0000
    majority          0.6385 -0.0010          0.2209   0.0000          0.0000
    >>> result = se.evaluate(se.generate("planes", rows=2000), "amrules")
    >>> result.measures("mean_absolute_error", "skill_over_previous_target").round(4)
                     mean_absolute_error  skill_over_previous_target
    learner
    amrules                       1.2979                      0.7394
    previous_target               4.9799                      0.0000
    target_mean                   3.6123                      0.2746
    """

    stream: Stream

    def __init__(
        self,
        request: Request,
        ready: Ready,
        run: Run,
        *,
        scores: ScoreTable | None = None,
    ) -> None:
        self.request, self.stream, self.task = request, ready.stream, request.task
        table, scored, self._costs = run
        self.protocol, self.learners = str(ready.protocol), list(table.predicted)
        self.requested_learners = list(request.recipes)
        self.tuned, self.pretrain = request.tuned, request.first
        row = table.instances
        unscored = row[~scored]
        self.before_first_label = len(unscored if len(ready.tapes) > 1 else np.unique(unscored))
        judged = ready.rest[row]
        # The published program also scores what comes before any label is known.
        self._published = _Predictions(table, ready.waiting).of(judged)
        self._common = _Predictions(table, ready.waiting).of(judged & scored)
        if not len(self._common.measurable) and self.stream.labelled.any():
            raise nothing_to_score_error(self.stream.name, len(self.stream))
        # Predictions from outside need no labels: if there are no others, all of them count.
        self._own: _Predictions | None = None
        self.all_predictions, self._waiting = self._common
        self._is_scored = np.ones(len(self.all_predictions), dtype=np.bool_)
        waits = [name for name in self.learners if request.learners[name].learns]
        if self.before_first_label and not {*waits} & {*self.requested_learners}:
            self._is_scored = scored[judged]
            self.all_predictions = self._published.table.without(~self._is_scored, waits)
            self._own = _Predictions(self.all_predictions, self._published.waiting)
        self._score_table = scores
        self._bins: dict[tuple[object, ...], pd.DataFrame] = {}

    @cached_property
    def table(self) -> PredictionTable:
        """Scored predictions: one for each label, under delays the first.

        All learners had learnt a label before. Of numbers, all learners predict these instances.

        Its ``losses(learner)`` say which predictions are wrong, or are the absolute errors.

        Examples
        --------
        >>> import streameval as se
        >>> result = se.evaluate(se.generate("planes", rows=2000), "amrules", delay=100)
        >>> round(float(result.table.losses("amrules").mean()), 2)
        1.32
        """
        return self._common.measurable.complete()

    @cached_property
    def _own_table(self) -> PredictionTable:
        """Scored predictions of learners that are compared with none that waits for labels."""
        return (
            self.table
            if self._own is None
            else self._own.measurable.complete(self.requested_learners)
        )

    def _table_of(self, learner: str, measure: str | None = None) -> PredictionTable:
        """Predictions that a measure of a learner is over."""
        alone = measure is None or not self._known[measure].needs_baseline
        return self._own_table if alone and learner in self.requested_learners else self.table

    @property
    def baselines(self) -> list[str]:
        """The baselines among the learners.

        Examples
        --------
        >>> import streameval as se
        >>> se.evaluate(se.generate("planes", rows=500), "amrules", seasonal=24).baselines
        ['previous_target', 'target_mean', 'seasonal:24']
        """
        return self.task.baselines_of(self.learners)

    @property
    def _chosen(self) -> _Chosen:
        return CHOSEN[self.task.measure]

    def _behind(self, first: int) -> Self:
        """Copy whose measures and levels leave out the first `first` instances."""
        part = copy(self)
        for name in ("rope", "_over_baselines", "_over"):  # which are about all of them
            part.__dict__.pop(name, None)
        part._bins = {}
        part.__dict__["table"] = self.table.part(
            mask_after_prefix(self.stream, first)[self.table.instances]
        )
        return part

    @cached_property
    def _known(self) -> Mapping[str, Any]:
        """The measures that the result has, by name."""
        return measures_of(self.table)

    @property
    def predictions(self) -> pd.DataFrame:
        """Predictions, and true labels or targets.

        A row per prediction, in the order in which they were made: the row of the file or frame
        that it is for, from 0, also where `time` has sorted the stream; its time and fold, where
        there are such, the time as a date in the zone of the stream where dates were read; the true
        label, missing where it has not arrived; and what each learner predicts, missing where it
        predicts nothing. Measures are
        over those with a true label, under delayed labels over the first one of each instance.
        With ``scores=True`` the class scores as the learner gives them follow, in columns
        ``LEARNER_score_CLASS``, NaN where the true label has not arrived; with prediction intervals
        their ends, in ``LEARNER_low`` and ``LEARNER_high``.

        Examples
        --------
        >>> import streameval as se
        >>> stream = se.generate("sea", rows=2000)
        >>> se.evaluate(stream, "hoeffding_tree").predictions.tail(2)
               row    true hoeffding_tree no_change majority
        1998  1998  groupB         groupB    groupB   groupB
        1999  1999  groupA         groupB    groupB   groupB
        >>> result = se.evaluate(se.generate("planes", rows=2000), "amrules")
        >>> result.predictions.tail(2).round(2)
               row  true  amrules  previous_target  target_mean
        1997  1998  5.15     3.14             3.84        -0.04
        1998  1999  5.78     5.53             5.15        -0.04
        """
        frame = self.all_predictions.as_frame(self.stream.schema.classes)
        # Times of the input: under a delay of instances, `self.stream` has others.
        if (times := self.request.stream.time) is not None:
            dates = self._timeline.take(self.all_predictions.instances).dates
            frame["time"] = times[self.all_predictions.instances] if dates is None else dates
        return frame.assign(**self._score_columns())

    def measures(self, *names: str) -> pd.DataFrame:
        """Measures of the predictions.

        Under delayed labels they are over the predictions on arrival, bin 0 of `bins`: instances
        that wait for long are predicted most often, and would count as often.

        Parameters
        ----------
        *names : str
            Measures, such as ``"kappa_temporal"``. Of regressors ``mean_absolute_error`` and
            ``root_mean_squared_error``, in the unit of the target, ``r_squared``, and skills:
            ``skill_over_previous_target``, ``skill_over_target_mean`` and, with ``seasonal=24``,
            ``skill_over_seasonal:24``. By default all.

        Returns
        -------
        pandas.DataFrame
            A row per learner, a column per measure; NaN where one is undefined, see `reasons`.
            Instances that a regressor does not predict are left out; a skill is about those that
            the baseline predicts, too.

        Examples
        --------
        >>> import streameval as se
        >>> result = se.evaluate(se.generate("sea", rows=2000), "hoeffding_tree")
        >>> result.measures("mcc", "macro_f1").round(2)
                         mcc  macro_f1
        learner
        hoeffding_tree  0.68      0.84
        no_change      -0.01      0.50
        majority       -0.02      0.39
        >>> se.evaluate(se.generate("planes", rows=2000), "amrules").measures("r_squared").round(2)
                         r_squared
        learner
        amrules               0.81
        previous_target      -0.99
        target_mean          -0.00
        """
        values = self._measured(select_names(names, self._known, "measure"))
        if names:
            self._warn_undefined((value.learner, value.measure, value.reason) for value in values)
        return _pivoted(values, "value")

    def _warn_undefined(self, reasons: Iterable[tuple[str, str, str]]) -> None:
        """Warn of measures that a user names, by learner, measure and reason, "" for none.

        Baselines are left out: much is undefined for one that predicts a single class.
        """
        learners: dict[tuple[str, str], list[str]] = {}
        for learner, measure, reason in reasons:
            if reason and learner in self.requested_learners:
                learners.setdefault((measure, reason), []).append(learner)
        for (measure, reason), names in learners.items():
            text = f"{measure} of {some(names)} is undefined: {reason}."
            warn_caller(text, UndefinedMeasureWarning)

    def _window_values(self, tidy: pd.DataFrame, learners: Sequence[str]) -> pd.DataFrame:
        """Column of values for each learner; a warning where a learner has none at all."""
        last = tidy[tidy["value"].isna().groupby(tidy["learner"]).transform("all")]
        last = last.drop_duplicates("learner", keep="last")
        self._warn_undefined(zip(last["learner"], last["measure"], last["reason"], strict=True))
        return wide_curves(tidy, learners)

    def reasons(self, *names: str) -> pd.DataFrame:
        """Reasons why measures are undefined.

        Parameters
        ----------
        *names : str
            See `measures`.

        Returns
        -------
        pandas.DataFrame
            As `measures`; "" where a measure is defined.

        Examples
        --------
        >>> import streameval as se
        >>> stream = se.from_arrays([[1.5], [2.5], [1.0]], ["no", "yes", "no"])
        >>> result = se.evaluate(stream, "majority")
        >>> result.reasons("mcc").loc["majority", "mcc"]
        'all predictions are the same'
        """
        return self._wide("reason", names)

    def _wide(self, column: str, names: Sequence[str]) -> pd.DataFrame:
        return _pivoted(self._measured(select_names(names, self._known, "measure")), column)

    def _measured(self, names: Sequence[str]) -> list[Measured]:
        values = measure_predictions(self.table, measures=names)
        if self._own is None:
            return values
        return [
            value
            if self._table_of(value.learner, value.measure) is self.table
            else measure_predictions(self._own_table, [value.learner], [value.measure])[0]
            for value in values
        ]

    def to_dict(self, *names: str) -> dict[str, dict[str, float | int | None]]:
        """`measures` and costs as plain data for JSON.

        Parameters
        ----------
        *names : str
            See `measures`.

        Returns
        -------
        dict of str to dict
            By learner: the measures, None where undefined, see `reasons`; and ``instances``,
            ``seconds`` and ``model_bytes``, None where not known.

        Examples
        --------
        >>> import streameval as se
        >>> result = se.evaluate(se.generate("sea", rows=2000), "hoeffding_tree")
        >>> result.to_dict("accuracy")["hoeffding_tree"]["accuracy"]
        0.8565
        """
        numbers: dict[str, dict[str, float | int | None]] = {}
        for learner, name, value, _ in self._measured(select_names(names, self._known, "measure")):
            numbers.setdefault(learner, {})[name] = json_value(value)
        for cost in self._costs:
            numbers[cost.learner] |= cost.as_dict()
        return numbers

    @cached_property
    def costs(self) -> pd.DataFrame:
        """Time and memory of the learners.

        A row per learner: instances, seconds (CPU, without compilation) and model_bytes, the size
        of the model at the end. NaN is not known. Where learners are retrained there is also fits,
        how often, and with a label budget (the protocol ``partial``) labels, how many were learnt.

        Examples
        --------
        >>> import streameval as se
        >>> result = se.evaluate(se.generate("sea", rows=2000), "hoeffding_tree")
        >>> result.costs.columns.to_list()
        ['instances', 'seconds', 'model_bytes']
        """
        import pandas as pd

        known = pd.DataFrame(self._costs, columns=Cost._fields).set_index("learner")
        unused = [name for name in ("labels", "fits") if known[name].isna().all()]
        known = known.drop(columns=unused)
        return known.assign(model_bytes=known["model_bytes"].where(known["model_bytes"] > 0))

    def curve(
        self, measure: str, window: int = 1000, points: int = 500, learners: Sequence[str] = ()
    ) -> pd.DataFrame:
        """Measure over a sliding window.

        Parameters
        ----------
        measure : str
            Its name: one of `measures`.
        window : int
            Length of the window in predictions.
        points : int
            At most that many positions, evenly spaced from the first full window to the end.
        learners : sequence of str
            Names of learners; by default all.

        Returns
        -------
        pandas.DataFrame
            A row per position, a column per learner; NaN where the measure is undefined. The index
            is the date of the last instance of the window, where instances have dates; else the
            number of instances that have arrived, those included that are not scored.

        Examples
        --------
        >>> import streameval as se
        >>> result = se.evaluate(se.generate("sea", rows=2000), "hoeffding_tree")
        >>> result.curve("accuracy", window=500, points=4)
                  hoeffding_tree  no_change  majority
        instance
        500                0.806      0.560     0.648
        1000               0.878      0.534     0.652
        1500               0.846      0.500     0.618
        2000               0.896      0.550     0.636
        """
        wanted, names = [one_of(measure, self._known, "measure")], self._named(learners)
        tidy = windowed(
            self.table,
            names,
            wanted,
            check_integer(window, "window"),
            check_integer(points, "points"),
        )
        return self._window_values(self._over_time(tidy), names)

    @cached_property
    def _timeline(self) -> Timeline:
        return self.request.timeline(self.stream)

    def _over_time(self, curves: pd.DataFrame) -> pd.DataFrame:
        """Curves by the instance at the end of each window, instead of the number of predictions.

        The column ``instance`` becomes its place in the order of arrival, ``time`` is its date.
        """
        ends = self.table.instances[curves["instance"].to_numpy() - 1]
        return curves.assign(**self._timeline.take(ends).columns())

    @cached_property
    def rope(self) -> float:
        """Region of practical equivalence: differences up to this are practically none.

        2 % of the error of the better baseline, as for `compare`.

        Examples
        --------
        >>> import streameval as se
        >>> result = se.evaluate(se.generate("sea", rows=2000), "hoeffding_tree")
        >>> round(result.rope, 4)
        0.0072
        """
        values = self._measured([self.task.measure])
        of = {value.learner: value.value for value in values if value.learner in self.baselines}
        return region_of(of, self.task).rope

    @property
    def has_folds(self) -> bool:
        """Whether several models predict, each on a fold.

        Examples
        --------
        >>> import streameval as se
        >>> stream = se.generate("sea", rows=500)
        >>> se.evaluate(stream, "majority", "cross_validation:5").has_folds
        True
        """
        return self.table.fold is not None

    def measured_labels(self, learner: str) -> int:
        """Number of labels that the measures of a learner cover, under delays on arrival.

        It is the same number for all learners that are compared: of the labels that came after the
        first one, of numbers of those that all learners predict. Measures of predictions from
        outside, which need no labels, are over all labels where no other learner is beside them
        but the baselines.

        Parameters
        ----------
        learner : str
            Its name.

        Returns
        -------
        int
            Their number.

        Examples
        --------
        >>> import streameval as se
        >>> result = se.evaluate(se.generate("planes", rows=2000), "amrules")
        >>> result.measured_labels("amrules"), result.measured_labels("previous_target")
        (1999, 1999)
        """
        return len(self._table_of(one_of(learner, self.learners, "learner")))

    def missing(self, learner: str) -> int:
        """Number of labels without a prediction of the learner, under delays on arrival.

        Missing classes count as wrong; of numbers, instances without a prediction are left out.

        Parameters
        ----------
        learner : str
            Its name.

        Returns
        -------
        int
            Their number.

        Examples
        --------
        >>> import streameval as se
        >>> result = se.evaluate(se.generate("planes", rows=2000), "amrules", seasonal=24)
        >>> result.missing("seasonal:24")  # of the 24 first ones, the first is not scored
        23
        """
        name = one_of(learner, self.learners, "learner")
        is_named = self._own is not None and name in self.requested_learners
        predictions = self._own if is_named and self._own is not None else self._common
        return predictions.measurable.missing(name)

    def differences(self, other: str | None = None) -> pd.DataFrame:
        """Compare each learner with `other`: in accuracy, or in the mean absolute error.

        Under delayed labels it is about the predictions on arrival, bin 0 of `bins`.

        Parameters
        ----------
        other : str, optional
            The learner that the others are compared with; by default No-Change, or the previous
            target.

        Returns
        -------
        pandas.DataFrame
            By learner: difference (its accuracy less that of the other, or by how much its error is
            lower: positive where it is better), the ends low and high of its 95 % interval,
            instances, reason: why there is no interval, and signs: the numbers of instances where
            the learner is worse, equal and better, if the differences are too few for an interval,
            otherwise None. The interval respects that neighbours depend on each other; see
            `streameval.significance.stream_mean.stream_mean`.

        Examples
        --------
        >>> import streameval as se
        >>> result = se.evaluate(se.generate("sea", rows=2000), "hoeffding_tree")
        >>> result.differences("majority").drop(columns=["reason", "signs"]).round(3)
                        difference    low   high  instances
        learner
        hoeffding_tree       0.218  0.187  0.249       2000
        no_change           -0.102 -0.132 -0.073       2000
        >>> result = se.evaluate(se.generate("planes", rows=5000), "amrules")
        >>> result.differences("target_mean").drop(columns=["reason", "signs"]).round(2)
                         difference   low  high  instances
        learner
        amrules                2.49  2.31  2.67       4999
        previous_target       -1.41 -1.52 -1.30       4999
        """
        base = self.baselines[0] if other is None else one_of(other, self.learners, "learner")
        pairs = [(name, base) for name in self.learners if name != base]
        return differences_of_pairs(self.table, pairs).drop(columns="other").set_index("learner")

    def over_baselines(self) -> dict[str, dict[str, Difference]]:
        """Difference of each learner from each baseline, with its interval.

        Under delayed labels it is about the predictions on arrival.

        Returns
        -------
        dict of str to dict
            By learner and baseline: difference (in accuracy, or in the mean absolute error; above 0
            the learner is better), the ends low and high of its 95 % interval, instances, the
            reason why there is no interval: empty where there is one, and signs; see `differences`.

        Examples
        --------
        >>> import streameval as se
        >>> result = se.evaluate(se.generate("sea", rows=2000), "hoeffding_tree")
        >>> round(result.over_baselines()["hoeffding_tree"]["majority"].low, 3)
        0.187
        """
        return self._over_baselines

    @cached_property
    def _over_baselines(self) -> dict[str, dict[str, Difference]]:
        return over_baselines(self.table, self.learners)

    def skills(self) -> pd.DataFrame:
        """Skill of each learner over each baseline: relative reduction of the error.

        Under delayed labels it is about the predictions on arrival, as `differences` is.

        Returns
        -------
        pandas.DataFrame
            Columns learner, baseline, skill (one less the ratio of the mean absolute errors, or of
            the proportions of errors: 1 is perfect, 0 as good as the baseline, less is worse; of
            classes κ_t over No-Change and κ_m over Majority), the ends low and high of its 95 %
            interval, and reason: why there is no interval, or no skill. The interval respects that
            errors of neighbours depend on each other. It holds 0 if, and only if, that of
            `differences` does, where there are both.

        Examples
        --------
        >>> import streameval as se
        >>> result = se.evaluate(se.generate("planes", rows=5000), "amrules")
        >>> result.skills().drop(columns="reason").round(2).head(2)
           learner         baseline  skill   low  high
        0  amrules  previous_target   0.78  0.74  0.82
        1  amrules      target_mean   0.69  0.64  0.75
        """
        self.table.require_one_fold("Intervals of skills")
        return skills_over_baselines(self.table, self.learners)

    def level(self, learner: str, measure: str | None = None) -> StreamMean:
        """Accuracy, mean absolute error or a skill of a learner, with its interval.

        Under delayed labels it is about the predictions on arrival. The interval is about one run:
        it does not cover other seeds of a learner that draws at random, as those of `compare` do.
        That of an accuracy misses too often where more than 80 % of the labels are in one class,
        and that of κ for Majority.

        Parameters
        ----------
        learner : str
            Its name.
        measure : str, optional
            ``"accuracy"``, the default, ``"kappa"``, ``"kappa_temporal"`` or ``"kappa_m"``; of
            numbers ``"mean_absolute_error"`` or a skill, such as ``"skill_over_target_mean"``.

        Returns
        -------
        StreamMean
            With the value as ``mean``, the ends ``low`` and ``high`` of a 95 % interval for streams
            that go on as this one does, NaN where there is none, and the ``reason``. Of a skill,
            ``effective``, ``error`` and ``freedom`` are NaN.

        Examples
        --------
        >>> import streameval as se
        >>> result = se.evaluate(se.generate("sea", rows=2000), "hoeffding_tree")
        >>> found = result.level("majority")
        >>> round(found.low, 2), round(found.mean, 2), round(found.high, 2)
        (0.61, 0.64, 0.66)
        >>> found = result.level("hoeffding_tree", "kappa_temporal")
        >>> round(found.low, 2), round(found.mean, 2), round(found.high, 2)
        (0.62, 0.69, 0.76)
        """
        task_measure = self.task.measure
        measure = (
            task_measure if measure is None else one_of(measure, levels_of(self.table), "measure")
        )
        self.table.require_one_fold(f"The interval of {measure}")
        name = one_of(learner, self.learners, "learner")
        table = self._table_of(name, measure)
        if measure == task_measure:
            return table.level(name)
        kappa, nan = kappa_interval(table, name, measure), float("nan")
        return StreamMean(kappa.value, kappa.low, kappa.high, nan, nan, nan, nan, kappa.reason)

    def signals(self, learner: str) -> pd.Series[int]:
        """Rows at which the drift detector ADWIN signals that a learner errs more often.

        ADWIN has MOA's parameter δ = 0.002. It reads the error of each prediction on arrival when
        the label arrives. A signal is no proof: there are false alarms, and more where errors
        depend on each other. A large rise is signalled several times.

        Parameters
        ----------
        learner : str
            Its name.

        Returns
        -------
        pandas.Series of int64
            For each signal the row of the file or frame, from 0, whose error led to it. The index
            has the dates of these instances, where they have some.

        Examples
        --------
        >>> import streameval as se
        >>> result = se.evaluate(se.generate("sea", rows=2000), "majority")
        >>> result.signals("majority").tolist()
        []
        """
        return self._signals(learner).rows

    def _signals(self, learner: str) -> Timeline:
        """Instances at whose labels ADWIN signals a change of a learner's errors."""
        from streameval.detectors.adwin import ADWIN  # loads numba

        self.request.require_classes("Signals of drift")
        self.table.require_one_fold("Signals of drift")
        errors = self.table.losses(one_of(learner, self.learners, "learner"))
        instances = self.table.instances
        if self._waiting is not None:
            by_label = np.empty(len(self.stream), np.int64)
            by_label[self._waiting.prediction_events.scored] = np.arange(
                len(self._waiting.prediction_events.scored)
            )
            order = np.argsort(by_label[instances])
            errors, instances = errors[order], instances[order]
        return self._timeline.take(instances[ADWIN().run(errors).changes])

    def by_group(self, learners: Sequence[str] = ()) -> pd.DataFrame:
        """Measures of each entity of a stream with groups, see `Stream.grouped`.

        Under delayed labels it is about the predictions on arrival.

        Parameters
        ----------
        learners : sequence of str
            Names of learners; by default all.

        Returns
        -------
        pandas.DataFrame
            A row for each learner and entity: learner, entity, n (its instances with a label, each
            once), accuracy, or mean_absolute_error, and the difference from each baseline of the
            same entity, such as over_no_change: above 0 the learner is better. With prediction
            intervals also interval_coverage. Differences of single entities have no interval.

        Raises
        ------
        ConfigError
            If the stream has no groups.

        Examples
        --------
        >>> import streameval as se
        >>> stream = se.generate("agrawal", rows=2000).grouped("elevel")
        >>> se.evaluate(stream, "naive_bayes").by_group(["naive_bayes"]).round(2).head(2)
               learner  entity    n  accuracy  over_no_change  over_majority
        0  naive_bayes  level3  421      0.84            0.29           0.18
        1  naive_bayes  level4  395      0.83            0.26           0.15
        """
        import pandas as pd

        return pd.DataFrame(self._by_group(self._named(learners)))

    def _by_group(self, names: Sequence[str]) -> list[dict[str, Any]]:
        return rows_by_group(self.table, names, self.baselines)

    def by_class(self, learners: Sequence[str] = ()) -> pd.DataFrame:
        """Precision, recall and F1 of each class, under delays of predictions on arrival.

        Parameters
        ----------
        learners : sequence of str
            Names of learners; by default all.

        Returns
        -------
        pandas.DataFrame
            A row per learner and class: learner, class; how often it is the true class
            (instances), how often it is predicted, and how often both (correct); precision, NaN for
            a class that is never predicted; recall, the accuracy on the class, NaN for one that
            does not occur; and f1, NaN where both hold. Their means over the classes are the
            measures ``macro_precision``, ``macro_recall`` and ``macro_f1``.

        Examples
        --------
        >>> import streameval as se
        >>> result = se.evaluate(se.generate("sea", rows=2000), "hoeffding_tree")
        >>> result.by_class(["hoeffding_tree"]).drop(columns="learner").round(2)
            class  instances  predicted  correct  precision  recall    f1
        0  groupA        722        577      506       0.88    0.70  0.78
        1  groupB       1278       1423     1207       0.85    0.94  0.89
        """
        import pandas as pd

        names = select_names(learners, self.learners, "learner")
        return pd.DataFrame(
            [{"learner": name, **row} for name in names for row in self._class_rows(name)]
        )

    def tally(self, learner: str) -> Tally:
        """Counts of a learner's predictions, under delays of those on arrival.

        Examples
        --------
        >>> import streameval as se
        >>> result = se.evaluate(se.generate("sea", rows=2000), "hoeffding_tree")
        >>> result.tally("hoeffding_tree").class_correct.astype(int).tolist()
        [506, 1207]
        """
        self.request.require_classes("Counts by class")
        name = one_of(learner, self.learners, "learner")
        return tally_of(self._table_of(name), name)

    def confusion(self, learner: str) -> pd.DataFrame:
        """Confusion matrix of a learner, under delays of its predictions on arrival.

        Parameters
        ----------
        learner : str
            Its name.

        Returns
        -------
        pandas.DataFrame
            Numbers of instances: a row per true class, a column per predicted class, and where
            some instances have none a last column ``"(no prediction)"``.

        Examples
        --------
        >>> import streameval as se
        >>> result = se.evaluate(se.generate("sea", rows=2000), "hoeffding_tree")
        >>> result.confusion("hoeffding_tree")
        predicted  groupA  groupB
        true
        groupA        506     216
        groupB         71    1207
        """
        import pandas as pd

        self.request.require_classes("A confusion matrix")
        name = one_of(learner, self.learners, "learner")
        counts = confusion_counts(self._table_of(name), name)
        classes = [*(self.stream.schema.classes or ())]
        frame = pd.DataFrame(counts, pd.Index(classes, name="true"), [*classes, NONE_PREDICTED])
        frame = frame.rename_axis(columns="predicted")
        return frame if counts[:, -1].any() else frame.iloc[:, :-1]

    def intervals(self) -> pd.DataFrame:
        """Measures of the prediction intervals; see ``intervals`` of `evaluate`.

        Under delayed targets they are about the predictions on arrival.

        Returns
        -------
        pandas.DataFrame
            A row per regressor with intervals: intervals, the number of targets that have one; the
            measures of `streameval.measures.prediction_intervals`: interval_coverage, the
            proportion of targets within their interval; mean_interval_width, in the unit of the
            target; normalised_interval_width, the same divided by the range of the targets (NMPIW);
            interval_score, the less the better; infinite_intervals, the proportion without bounds;
            limited_intervals, the proportion whose width in theory is above, or below, all errors
            so far, see `streameval.learners.wrappers.conformal`; and the skill of the
            interval score over each baseline with the same kind of intervals, such as
            interval_skill_over_previous_target. NaN where one is undefined, see `reasons`.

        Raises
        ------
        ConfigError
            If no regressor gives intervals.

        Examples
        --------
        >>> import streameval as se
        >>> stream = se.generate("planes", rows=2000)
        >>> result = se.evaluate(stream, "amrules", intervals=0.9)
        >>> result.intervals()[["intervals", "interval_coverage", "interval_score"]].round(2)
                         intervals  interval_coverage  interval_score
        learner
        amrules               1991                0.9            7.95
        previous_target       1990                0.9           25.40
        target_mean           1991                0.9           17.17
        """
        frame = self._interval_measures()
        self._warn_undefined(
            (name, "interval_coverage", reason) for name, reason in self._too_few().items()
        )
        return frame

    def _too_few(self) -> dict[str, str]:
        """Reason why a learner has no interval, by learner; "" if it has some."""
        return {
            name: too_few_for_intervals(self.table, name)
            for name in self.learners
            if name in self.table.intervals
        }

    def _interval_measures(self) -> pd.DataFrame:
        intervals = self.table.intervals
        if not intervals:
            raise ConfigError(
                "intervals: expected regressors with prediction intervals, found none. Evaluate "
                "with intervals=0.9, or give classes a method interval(x)."
            )
        names = [name for name in self._known if is_interval_measure(name)]
        frame = self._wide("value", names)
        frame = frame.loc[[name for name in self.learners if name in intervals]]
        tables = {name: self._table_of(name) for name in frame.index}
        ends = [(table.true, table.intervals[name].low) for name, table in tables.items()]
        counts = [int((~np.isnan(true) & ~np.isnan(low)).sum()) for true, low in ends]
        frame.insert(0, "intervals", counts)
        return frame

    def scores(self, *measures: str) -> pd.DataFrame:
        """Measures of the class scores, such as the area under the ROC curve.

        Needs an evaluation with ``scores=True``. Scores are probability forecasts: each row of
        them is divided by its sum. Under delayed labels measures are over the predictions on
        arrival.

        Parameters
        ----------
        *measures : str
            Names of measures: ``"auc"`` of two classes, ``"auc_one_vs_one"`` and
            ``"auc_one_vs_rest"`` of more; ``"log_loss"`` and ``"brier"``, the terms of the latter
            such as ``"brier_reliability"``, and ``"expected_calibration_error"``;
            ``"top_3_accuracy"``; and skills, one less the ratio of the losses, such as
            ``"log_loss_skill_over_label_transitions"``. By default all.

        Returns
        -------
        pandas.DataFrame
            A row per learner and for the baselines of scores, ``label_proportions`` and
            ``label_transitions``; a column per measure; NaN where one is undefined, see
            `score_reasons`.

        Raises
        ------
        ConfigError
            If scores were not asked for, or there is no such measure.

        Examples
        --------
        >>> import streameval as se
        >>> stream = se.generate("sea", rows=2000)
        >>> result = se.evaluate(stream, "hoeffding_tree", scores=True)
        >>> result.scores("auc", "log_loss", "brier").round(2)
                            auc  log_loss  brier
        learner
        hoeffding_tree     0.87      0.47   0.27
        no_change          0.50      7.40   0.93
        majority           0.48      0.67   0.46
        label_proportions  0.48      0.66   0.46
        label_transitions  0.48      0.66   0.46
        """
        values = self._score_measured(measures)
        if measures:
            self._warn_undefined((value.learner, value.measure, value.reason) for value in values)
        return _pivoted(values, "value")

    def score_reasons(self, *measures: str) -> pd.DataFrame:
        """Reasons why measures of class scores are undefined.

        Parameters
        ----------
        *measures : str
            See `scores`.

        Returns
        -------
        pandas.DataFrame
            As `scores`; "" where a measure is defined.

        Examples
        --------
        >>> import streameval as se
        >>> result = se.evaluate(se.generate("sea", rows=500), "majority", scores=True)
        >>> result.score_reasons("top_3_accuracy").loc["majority", "top_3_accuracy"]
        'there are no more than 3 classes'
        """
        return _pivoted(self._score_measured(measures), "reason")

    def score_curve(
        self, measure: str, window: int = 1000, points: int = 500, learners: Sequence[str] = ()
    ) -> pd.DataFrame:
        """Measure of the class scores over a sliding window.

        Parameters
        ----------
        measure : str
            Its name: one of `scores`.
        window : int
            Length of the window in predictions.
        points : int
            At most that many positions, evenly spaced from the first full window to the end.
        learners : sequence of str
            Names of learners; by default all of `scores`.

        Returns
        -------
        pandas.DataFrame
            A row per position, a column per learner; NaN where the measure is undefined. The index
            is as for `curve`.

        Raises
        ------
        ConfigError
            If scores were not asked for, there is no such measure, or there are folds.

        Examples
        --------
        >>> import streameval as se
        >>> stream = se.generate("sea", rows=2000)
        >>> result = se.evaluate(stream, "hoeffding_tree", scores=True)
        >>> result.score_curve("auc", 500, 4, ["hoeffding_tree", "label_transitions"]).round(2)
                  hoeffding_tree  label_transitions
        instance
        500                 0.83               0.46
        1000                0.88               0.43
        1500                0.87               0.49
        2000                0.90               0.44
        """
        from streameval.evaluation.class_scores import ALL_SCORE_MEASURES, windowed_score_measures

        table = self._scored()
        name = one_of(measure, ALL_SCORE_MEASURES, "measure of class scores")
        names = select_names(learners, [*table.scores], "learner")
        size, most = check_integer(window, "window"), check_integer(points, "points")
        tidy = windowed_score_measures(table, names, [name], size, most)
        return self._window_values(self._over_time(tidy), names)

    def score_bins(self, *measures: str, bins: int = 50) -> pd.DataFrame:
        """Measures of the class scores by time until the label arrives.

        Bins are those of `Result.bins`: bin 0 has the predictions on arrival, the last bin those
        made just before the label is learnt. In between the forecast of a bin is the mean of those
        in force, weighted by how long each is. Needs an evaluation with delayed labels.

        Parameters
        ----------
        *measures : str
            See `scores`; the baselines of skills are forecasts with the same delay, in the same
            bin.
        bins : int
            Number of bins B between the first and the last prediction.

        Returns
        -------
        pandas.DataFrame
            A row per learner, and per baseline of scores, and bin 0, ..., B + 1: learner, bin; a
            column per measure, NaN where it is undefined; and predictions, the number of labels
            that have arrived.

        Raises
        ------
        ConfigError
            If scores were not asked for, labels are not delayed, or there is no such measure.
        DataError
            If the forecasts in so many bins do not fit into the memory.

        Examples
        --------
        >>> import streameval as se
        >>> stream = se.generate("sea", rows=2000)
        >>> result = se.evaluate(stream, "hoeffding_tree", delay=100, scores=True)
        >>> result.score_bins("log_loss", "brier", bins=1).head(3).round(2)
                  learner  bin  log_loss  brier  predictions
        0  hoeffding_tree    0      0.45   0.27         1899
        1  hoeffding_tree    1      0.45   0.27         1899
        2  hoeffding_tree    2      0.44   0.26         1899
        """
        from streameval.evaluation.class_scores import ALL_SCORE_MEASURES, score_bins

        table, waiting = self._scored(), self._reevaluated()
        names = select_names(measures, ALL_SCORE_MEASURES, "measure of class scores")
        true = self.stream.y[waiting.prediction_events.scored]
        return score_bins(
            true,
            waiting.prediction_events,
            table.all_scores,
            names,
            check_integer(bins, "bins", least=0),
        )

    def _score_columns(self) -> dict[str, NDArray[np.float32]]:
        """Scores of predictions by learner and class; empty if scores are not kept.

        Predictions whose true labels have not arrived have none kept, but for those of a
        re-evaluation.
        """
        table, known = (
            self._score_table,
            self._is_scored & self.task.known(self.all_predictions.true),
        )
        columns: dict[str, NDArray[np.float32]] = {}
        if table is None:
            return columns
        for name in self.learners:
            for code, label in enumerate(self.stream.schema.classes or ()):
                column = np.full(len(known), np.nan, np.float32)
                if name in table.all_scores:
                    column[self._is_scored] = table.all_scores[name][:, code]
                else:
                    column[known] = table.scores[name][:, code]
                columns[f"{name}_score_{label}"] = column
        return columns

    def _scored(self) -> ScoreTable:
        if self._score_table is None:
            raise ConfigError(
                "Class scores: expected an evaluation that keeps them, found one without. Evaluate "
                "with scores=True."
            )
        return self._score_table

    def _score_measured(self, measures: Sequence[str]) -> list[Measured]:
        from streameval.evaluation.class_scores import ALL_SCORE_MEASURES, measure_scores

        table = self._scored()
        names = select_names(measures, ALL_SCORE_MEASURES, "measure of class scores")
        with bar(None, lambda: len(table) * len(table.scores)) as update:
            return measure_scores(table, names=names, progress=update)

    def _named(self, learners: Sequence[str]) -> list[str]:
        return select_names(learners, self.learners, "learner")

    @property
    def delays(self) -> dict[str, int] | None:
        """Numbers of delayed labels; None if the labels of this evaluation are not delayed.

        ``every``: the number of labels between two predictions of an instance; ``labels``: how many
        have arrived; ``pending``: how many have not; ``delay``: the median number of instances that
        arrive between an instance and its label; where times are dates ``seconds``: the median
        time between them; and ``before_first_label``: how many instances come before the first
        label, which are not scored.

        Examples
        --------
        >>> import streameval as se
        >>> result = se.evaluate(se.generate("sea", rows=2000), "hoeffding_tree", delay=100)
        >>> result.delays
        {'every': 10, 'labels': 2000, 'pending': 0, 'delay': 100, 'before_first_label': 101}
        """
        waiting = self._published.waiting
        if waiting is None:
            return None
        return {**waiting.numbers(self.stream), "before_first_label": self.before_first_label}

    def _reevaluated(self) -> ReevaluationData:
        if self._waiting is None:
            raise ConfigError(
                f"Bins: expected an evaluation with delayed labels, found {self.protocol}. "
                "Evaluate with delay=N, or a stream that was read with time and label_time."
            )
        return self._waiting

    def _by_rule(self, rule: str) -> tuple[ReevaluationData, PredictionTable]:
        """Predictions that count in bins; the published rule adds those before the first label."""
        from streameval.protocols.bins import PAPER

        waiting = self._reevaluated()
        if rule == PAPER or self._published.waiting is None:
            return waiting, self._common.table
        return self._published.waiting, self._published.table

    def _asked(self, bins: int, rule: str, learners: Sequence[str]) -> tuple[int, str, list[str]]:
        """Checked number of bins, rule and learners."""
        from streameval.protocols.bins import RULES

        names = self._named(learners)
        return check_integer(bins, "bins", least=0), one_of(rule, RULES, "rule"), names

    def _ages(self, names: Sequence[str], bins: int, by: str) -> pd.DataFrame | None:
        """Measures by age, in the units of the stream's times; None if bins are by label."""
        if one_of(by, ("label", "age"), "kind of bins") == "label":
            return None
        from streameval.evaluation.age_bins import predictions_at_ages

        waiting, ticks = self._reevaluated(), self.stream.ticks
        ages = predictions_at_ages(
            waiting.prediction_events, bins, ticks, waiting.pending(self.stream)
        )
        return self._by_age(ages, self.stream.y[waiting.prediction_events.scored], names)

    def _with_times(self, ages: pd.DataFrame) -> pd.DataFrame:
        """Measures by age with ages as lengths of time, where times are dates."""
        import pandas as pd

        ticks = self.stream.ticks
        return ages.assign(age=pd.to_timedelta(ages["age"] / ticks, unit="s")) if ticks else ages

    def bins(
        self,
        bins: int = 50,
        rule: str = "paper",
        learners: Sequence[str] = (),
        *,
        moa: bool = False,
        by: str = "label",
    ) -> pd.DataFrame:
        """Measures of predictions by time until the label arrives, or by age.

        The time from each instance to its label is divided into bins of equal length. Bin 0 is the
        prediction on arrival, the last bin the one made just before the label is learnt. In between
        the prediction counts that is in force in the bin; of numbers, if several are made in one,
        their mean, weighted by how long each is in force. Needs an evaluation with delayed labels.

        Parameters
        ----------
        bins : int
            Number of bins B between the first and the last prediction.
        rule : {"paper", "published"}
            Which prediction counts if several are made in a bin: by the paper of Grzenda et al.
            (2019) each counts for the time that it is in force, by their program a single one for
            the whole bin. In their program a missing prediction counts as the first class, so it
            may be correct; by the paper's rule it is wrong.
        learners : sequence of str
            Names of learners; by default all.
        by : {"label", "age"}
            With ``"age"`` by the time since an instance has arrived, in at most so many round
            steps: unlike the length of a bin, this is known when predicting.
        moa : bool
            Whether to add kappa_temporal_moa and kappa_m_moa, as MOA has them. They compare
            with the previous label and with the most frequent one, which has counted the label
            itself already, so Majority is below 0. Learners cannot use these labels.

        Returns
        -------
        pandas.DataFrame
            A row per learner and bin 0, ..., B + 1: learner, bin; accuracy, or
            mean_absolute_error in the unit of the target, the ends of its 95 % interval (low, high)
            and of an interval that holds for all bins together (band_low, band_high), NaN where
            the effective sample size is less than 60. Of classes kappa, and
            kappa_temporal_delayed and kappa_m_delayed, which compare with No-Change and Majority
            under the same delay, in the same bin; of numbers root_mean_squared_error, r_squared,
            and the skill over each baseline in the same bin with the ends of its 95 % interval,
            such as skill_over_previous_target, see `skills`. And predictions, the number of labels
            that have arrived; calculated, for how many of them a prediction is made in this bin;
            and missing, how many have no prediction in it: a missing class counts as wrong.

            By age, a row per learner and age: learner; age, a time where times are dates, else a
            number of their units, such as instances; accuracy or mean_absolute_error of the
            predictions in force at this age over the instances whose labels are still to come
            (at_risk), with low and high; the kappas or skills at the same age; pending, how many
            more wait whose labels have not arrived at all; missing; gain, by how much the
            predictions are better than their own first ones, with gain_low and gain_high; and
            overall, the accuracy or error over all instances, with the last prediction from the
            label on.

        Raises
        ------
        ConfigError
            If the labels of this evaluation are not delayed, or a parameter is wrong.

        Examples
        --------
        >>> import streameval as se
        >>> result = se.evaluate(se.generate("sea", rows=2000), "hoeffding_tree", delay=100)
        >>> result.bins(3)[["learner", "bin", "accuracy"]].head(5).round(4)
                  learner  bin  accuracy
        0  hoeffding_tree    0    0.8547
        1  hoeffding_tree    1    0.8562
        2  hoeffding_tree    2    0.8620
        3  hoeffding_tree    3    0.8615
        4  hoeffding_tree    4    0.8631
        >>> result = se.evaluate(se.generate("planes", rows=2000), "amrules", delay=100)
        >>> result.bins(1)[["learner", "bin", "mean_absolute_error"]].round(2).head(3)
           learner  bin  mean_absolute_error
        0  amrules    0                 1.32
        1  amrules    1                 1.19
        2  amrules    2                 1.14
        """
        moa = flag_of(moa, "moa")
        bins, rule, names = self._asked(bins, rule, learners)
        key = (bins, rule, *names, moa, one_of(by, ("label", "age"), "kind of bins"))
        if key not in self._bins:
            self._bins[key] = self._by_time(bins, rule, names, moa, by)
        return self._bins[key].copy()

    def _by_time(self, bins: int, rule: str, names: list[str], moa: bool, by: str) -> pd.DataFrame:
        ages = self._ages(names, bins, by)
        if ages is not None:
            return self._with_times(ages)
        frame, gains = self._binned(names, bins, rule)
        if self.task.is_error:
            from streameval.evaluation.bins import add_skill_intervals

            return self._withheld(add_skill_intervals(self.task, frame, gains, self.baselines))
        return frame if moa else frame.drop(columns=[*_OF_MOA.values()])

    def _binned(
        self, names: Sequence[str], bins: int, rule: str
    ) -> tuple[pd.DataFrame, dict[str, Gains]]:
        """Measures by bin of these learners, and the gains of learners and baselines."""
        wanted = dict.fromkeys([*names, *self.baselines])
        frame, gains = self._bins_of(self._by_rule(rule), wanted, (bins, rule), self.baselines)
        frame = frame[frame["learner"].isin(names)].reset_index(drop=True)
        if self._own is not None and self._own.waiting is not None:
            alone = [name for name in names if name in self.requested_learners]
            replacement, _ = self._bins_of(
                (self._own.waiting, self.all_predictions), alone, (bins, rule)
            )
            frame.loc[frame["learner"].isin(alone), [*replacement]] = replacement.to_numpy(
                dtype=object
            )
            frame = frame.astype({name: replacement[name].dtype for name in replacement})
        return self._withheld(frame), gains

    def _bins_of(
        self,
        predictions: tuple[ReevaluationData, PredictionTable],
        names: Iterable[str],
        way: tuple[int, str],
        baselines: Sequence[str] = (),
    ) -> tuple[pd.DataFrame, dict[str, Gains]]:
        """Measures by bin of some learners, with skills over baselines, and the gains."""
        from streameval.evaluation.bins import bin_measures, bin_table

        (waiting, table), classes = predictions, self.stream.n_classes
        true = self.stream.y[waiting.prediction_events.scored]
        gains, tables = dict[str, Gains](), {}
        for name in dict.fromkeys(names):
            (column,) = waiting.in_bins(name, table.predicted[name], [way], classes)
            gains[name] = self.task.gain(true[:, None], column.values)
            tables[name] = [bin_table(true, column, classes)]
        measures = bin_measures(self.task, tables, gains, baselines)
        return measures.rename(columns=_OF_MOA), gains

    def _withheld(self, frame: pd.DataFrame) -> pd.DataFrame:
        """Measures by bin or age, without intervals where a stream has groups.

        How often such intervals miss was not simulated for rows of entities in turn.
        """
        if self.table.groups is None:
            return frame
        ends = [name for name in map(str, frame) if name.endswith(("low", "high"))]
        judged = {"behind": False} if "behind" in frame else {}
        return frame.assign(**dict.fromkeys(ends, np.nan), **judged)

    def _by_age(
        self, ages: PredictionsAtAges, true: NDArray[Any], names: Sequence[str]
    ) -> pd.DataFrame:
        """Measures by age, in the units of the stream's times."""
        from streameval.evaluation.age_bins import age_bins

        predicted = self._common.table.predicted
        return self._withheld(age_bins(self.task, ages, true, predicted, names, self.baselines))

    def _drawn_frames(self, names: Sequence[str], bins: int, rule: str) -> dict[str, pd.DataFrame]:
        """Frames behind the figure of measures by time until the label arrives."""
        from streameval.evaluation.bins import differences_by_bin, skills_by_bin

        frame, gains = self._binned(names, bins, rule)
        over = self.baselines if self.task.is_error else ()  # κ are drawn as measures
        others = [name for name in names if name not in over]
        apart = differences_by_bin({name: gains[name] for name in names}, BEST)
        return {
            "bins": frame,
            "contrasts": self._withheld(apart),
            "skills": self._withheld(skills_by_bin(self.task, gains, others, over)),
        }

    def plot(
        self,
        measures: str | Sequence[str] | None = None,
        window: int = 1000,
        points: int = 500,
        learners: Sequence[str] = (),
        *,
        ax: Axes | Sequence[Axes] | None = None,
    ) -> Axes | Panels:
        """Draw measures over a sliding window.

        Needs the extra: ``pip install "streameval[pipeline]"``.

        Parameters
        ----------
        measures : str or sequence of str, optional
            One panel for each; by default accuracy and κ_t, or the mean absolute error and the
            skill over the previous target; where there are prediction intervals the mean absolute
            error, the coverage, with a line at the nominal one, and the mean width.
        window, points, learners
            See `curve`.
        ax : matplotlib.axes.Axes or sequence of them, optional
            One for each measure, of a figure of yours. Title and legend are then on the first one.

        Returns
        -------
        matplotlib.axes.Axes, or several
            One measure is drawn on one, more on a tuple of them; lines of a single learner with
            different wrappers have a panel each. A notebook shows the figure, and ``.figure`` is
            the figure, to be saved with its ``savefig``.

        Examples
        --------
        >>> import streameval as se
        >>> result = se.evaluate(se.generate("sea", rows=2000), "hoeffding_tree")
        >>> result.plot("kappa_m", window=500).figure.savefig("kappa_m.svg")
        """
        from streameval.drawing.results import draw_curves, mark_level

        table = self.table
        usual = _WITH_INTERVALS if table.intervals else self._chosen.in_plot
        choice = usual if measures is None else measures
        if isinstance(choice, list | tuple) and not choice:
            raise ConfigError("measures: expected one or more, found none.")
        wanted, names = select_names(choice, self._known, "measure"), self._named(learners)
        frame = windowed(
            table, names, wanted, check_integer(window, "window"), check_integer(points, "points")
        )
        curves, begin = self._over_time(frame), self._timeline.begin
        axes = draw_curves(curves, wanted, names, self.stream.name, self._known, ax, begin)
        if table.coverage is not None:
            mark_level(axes, choice, table.coverage)
        return axes

    def plot_bins(
        self,
        measures: str | Sequence[str] | None = None,
        bins: int = 50,
        rule: str = "paper",
        learners: Sequence[str] = (),
        *,
        by: str = "label",
        ax: Axes | Sequence[Axes] | None = None,
    ) -> Axes | Panels:
        """Draw measures of predictions by time until the label arrives, or by age.

        Below are the learners that may be the best in a bin; of regressors also the differences to
        the best other one. Needs the extra: ``pip install "streameval[pipeline]"``.

        Parameters
        ----------
        measures : str or sequence of str, optional
            Columns of `bins`, one panel for each; of regressors those of `measures`. By default
            ``accuracy`` and ``kappa_temporal_delayed``, or ``mean_absolute_error``.
        bins, rule, learners, by
            See `bins`. By age the accuracy, or mean absolute error, and the number at risk.
        ax : matplotlib.axes.Axes or sequence of them, optional
            One for each measure, of a figure of yours; by age three. Only the measures are drawn
            there, without what else the figure has.

        Returns
        -------
        matplotlib.axes.Axes, or several
            Those of the measures, see `plot`. ``.figure`` has further panels.

        Examples
        --------
        >>> import streameval as se
        >>> result = se.evaluate(se.generate("sea", rows=2000), "hoeffding_tree", delay=100)
        >>> result.plot_bins("accuracy").figure.savefig("bins.svg")
        """
        from streameval.drawing.results import draw_ages, draw_bins

        bins, rule, names = self._asked(bins, rule, learners)
        choice = self._chosen.drawn_by_bin if measures is None else measures
        chosen = select_names(choice, self._chosen.by_bin, "measure of bins")
        ages = self._ages(names, bins, by)
        if ages is not None:
            return draw_ages(ages, names, self.stream, ax)
        frames = self._drawn_frames(names, bins, rule)
        return draw_bins(frames, chosen, names, self.stream, ax)

    @property
    def summary(self) -> str:
        """Sentence on the best learner and the baselines that it beats.

        Examples
        --------
        >>> import streameval as se
        >>> se.evaluate(se.generate("sea", rows=2000), "hoeffding_tree").summary
        'hoeffding_tree has an accuracy of 85.65 %; it beats No-Change and Majority.'
        """
        names = {
            name: self.task.name_in_text(name) for name in self.task.baselines_of(self.learners)
        }
        numbers = self.to_dict(self.task.measure)
        values = {
            name: nan_if_none(numbers[name][self.task.measure]) for name in self.requested_learners
        }
        when = "" if self.delays is None else "On arrival, "
        return best_learner_sentence(
            values, self.over_baselines(), self.rope, self.task, names, when
        )

    def __repr__(self) -> str:
        rounded = self._shown().map(
            lambda value: float(round_half_up(value, 4)) if math.isfinite(value) else value
        )
        room = get_terminal_size((_COLUMNS, 24)).columns
        hint = "" if self._within is None else f"\n{self._within.sentence}"
        return visible(f"{self._summary()}\n{rounded.to_string(line_width=room)}{hint}")

    def _why(self, names: Sequence[str]) -> Mapping[str, Mapping[str, str]]:
        reasons: dict[str, dict[str, str]] = {}
        for value in self._measured(names):
            reasons.setdefault(value.learner, {})[value.measure] = value.reason
        return reasons

    def _counts(self, learner: str) -> list[list[int]]:
        counts: list[list[int]] = confusion_counts(self._table_of(learner), learner).tolist()
        return counts

    def _view(self, display: DisplayOptions = DEFAULT_DISPLAY) -> View:
        parts: list[Part | DeferredParts] = [
            *self._opening(),
            Words([self.summary]),
            *self._about(),
        ]
        parts += [*self._tables(display), *self._verdicts(display)]
        if display.by_class:
            parts += [part for name in self.requested_learners for part in self._classes_of(name)]
        parts += self._further(display)
        return View(parts, lambda: self._numbers(display), picture=lambda: self._draw(display))

    def _opening(self) -> list[Part]:
        """Heading in notebooks."""
        return [Words([f"{type(self).__name__} on {self._evaluated()}"], only="drawn")]

    def _about(self) -> list[Part]:
        """Parts on labels and learners that come before the numbers."""
        groups = self.stream.groups
        blocks = [] if groups is None else [[group_line(groups, self.task)]]
        blocks += [*self._of_labels(), tuning_sentences(self.tuned, self.pretrain)]
        return [Words(lines) for lines in blocks if lines]

    def _of_labels(self) -> list[list[str]]:
        """Lines on delays, missing labels, and instances before the first label."""
        lines = [waiting_line(self.stream), *self._before_first_label()]
        if (delays := self.delays) is None:
            lines += [] if self.has_folds else [same_time_line(self.stream)]
            return [[line] for line in lines if line]
        every = "each label" if delays["every"] == 1 else f"every {delays['every']:,} labels"
        later = f"{delays['delay']:,} instance{'s' * (delays['delay'] != 1)} later"
        if wait := median_wait(self.stream):
            later = f"{duration_text(wait)} later ({later.removesuffix(' later')})"
        first = f"{len(self.stream):,} instances; the median label arrives {later}."
        last = f"Continuous re-evaluation: a new prediction after {every} of other instances."
        return [[first, *filter(None, lines), last]]

    def _before_first_label(self) -> list[str]:
        """Lines on the predictions before the first label, and on the scored predictions."""
        lines = [first_label_line(self.before_first_label, has_folds=self.has_folds)]
        learners = self.request.learners
        outside = [name for name in self.requested_learners if not learners[name].learns]
        if not outside or not self.before_first_label:
            return lines
        several, scored = len(outside) > 1, f"{len(self.table):,}"
        if self._own is None:
            line = (
                f"{some(outside)} need{'s' * (not several)} no labels: evaluated without other "
                f"learners, {'they are' if several else 'it is'} measured on all "
                f"{len(self._published.measurable):,} labels, here on {scored} as the others are."
            )
            return [*lines, *_wrapped(line)]
        others = "skills and differences" if self.task.is_error else "κ_t, κ_m and differences"
        line = (
            f"{some(outside)} need{'s' * (not several)} no labels, and "
            f"{'are' if several else 'is'} measured on all {len(self._own_table):,}. The baselines "
            f"and {others} are measured on the {scored} after the first label."
        )
        return _wrapped(line)

    def _titles(self) -> dict[str, str]:
        """Displayed measures with their titles."""
        known = MEASURES if self.task is CLASSIFICATION_TASK else number_measures(self.learners)
        return {
            name: titled(known[name])
            for name in (SHOWN if self.task is CLASSIFICATION_TASK else known)
        }

    def _measures(self) -> Table:
        """Table with a row for each learner: instances, measures, and costs."""
        titles = self._titles()
        rows = self._rows([*titles])
        columns = [
            Column("", ["learner"], kind="name"),
            Column("predictions" if self.has_folds else "instances", ["measured"], count_text),
        ]
        if any(row["missing"] for row in rows):
            left_out = (
                "left out, as not predicted" if self.task.is_error else "of these not predicted"
            )
            columns.append(Column(left_out, ["missing"], count_text))
        if any(row["labels"] is not None for row in rows):
            columns.append(Column("labels learnt", ["bought"], count_text))
            columns.append(Column("of these instances", ["bought", "instances"], proportion))
        columns += [
            Column(title, [name], partial(measure_text, name), reason=f"{name} reason")
            for name, title in titles.items()
        ]
        columns.append(Column("instances per second", ["instances", "seconds"], rate))
        columns.append(
            Column("model, bytes", ["size"], lambda n: count_text(n) if n else "not known")
        )
        if any(row["fits"] is not None for row in rows):
            columns.append(Column("fits", ["fitted"]))
        return Table(columns, rows, transposed=True, only="text")

    def _rows(self, names: Sequence[str]) -> list[dict[str, Any]]:
        """Row of each learner: measures, reasons for undefined ones, and costs."""
        numbers = self.to_dict(*names)
        is_undefined = any(None in values.values() for values in numbers.values())
        why = self._why(names) if is_undefined else {}
        return [
            {
                "learner": learner,
                "labels": None,
                "fits": None,
                **values,
                **{name: nan_if_none(values[name]) for name in names},
                **{f"{name} reason": why.get(learner, {}).get(name, "") for name in names},
                "measured": self.measured_labels(learner),
                "missing": self.missing(learner),
                "bought": values.get("labels") or 0,
                "size": values["model_bytes"] or 0,
                "fitted": count_text(values["fits"] or 0) if "fits" in values else "–",
            }
            for learner, values in numbers.items()
        ]

    def _tables(self, display: DisplayOptions) -> list[Part | DeferredParts]:
        tables = [self._measures()] if self.delays is None else self._tables_of_bins(display)
        return [DeferredParts(self._drawn, "drawn"), *tables]

    def _drawn(self) -> list[Part]:
        """Table for notebooks: measures, differences from the baselines, and lines."""
        names = SHOWN if self.task is CLASSIFICATION_TASK else tuple(REGRESSION_MEASURES)
        rows = {row["learner"]: row for row in self._rows(names)}
        columns = [Column("", ["learner"], kind="name")]
        columns += [self._with_bars(name, rows.values()) for name in names]
        for base in self.baselines:
            columns.append(self._gaps(base, rows))
        notes = [self._chosen.note, *self._lines(columns, rows)]
        table = Table(columns, [*rows.values()], always_shown=self.baselines, noun="learners")
        return [table, Words([*notes, *table.without_interval], note=True)]

    def _with_bars(self, name: str, rows: Iterable[Mapping[str, Any]]) -> Column:
        upper = self._known[name].upper
        low, high = notebook.scale([row[name] for row in rows])
        low, high = max(low, -1.0), upper if math.isfinite(upper) else high
        return Column(
            _spaced(name),
            [name],
            score,
            drawing=lambda row: Bar(row[name], low, high),
            reason=f"{name} reason",
        )

    def _bins_shown(self, display: DisplayOptions) -> pd.DataFrame:
        return self.bins(display.bins, display.rule, moa=True, by=display.by)

    def _tables_of_bins(self, display: DisplayOptions) -> list[Part]:
        from streameval.api.result_tables import bins_notes, bins_table

        frame = self._bins_shown(display)
        names = self.learners if self.task.is_error else self.requested_learners
        table = bins_table(self.task, frame, names, more=display.more)
        classes = self.stream.schema.classes or ()
        about: dict[str, Any] = {"rule": display.rule, "more": display.more}
        about["grouped"] = self.table.groups is not None
        notes = bins_notes(self.task, frame, table, classes, **about)
        return [replace(table, notes=notes, only="text")]

    def _verdicts(self, display: DisplayOptions) -> list[Part]:
        """Sentences that compare learners with baselines, and a note on their numbers."""
        over, texts = self.over_baselines(), list[str]()
        when = "" if self.delays is None else "On arrival, "
        for name in self.requested_learners:
            known = name_with_tuning(self.tuned, name)
            verdicts = on_baselines(self.task, known, over[name], self.rope, self.task.name_in_text)
            texts += [when + verdict.text for verdict in verdicts]
        texts += [within.sentence] if (within := self._within) is not None else []
        texts += [] if display.by_class or self.task is not CLASSIFICATION_TASK else self._rarest()
        has_interval = any(
            not gap.reason for name in self.requested_learners for gap in over[name].values()
        )
        note = f"In brackets: 95 % intervals of the difference in {self.task.name}."
        if not has_interval:
            note = _FOLDS if self.has_folds and self.task is CLASSIFICATION_TASK else ""
        return [sentence_part(texts, [note] if note else [])]

    @cached_property
    def _within(self) -> RepeatsInColumn | None:
        """The column within which labels repeat, or None."""
        from streameval.evaluation.persistence import within_columns

        return within_columns(self.stream)

    def _rarest(self) -> list[str]:
        """Sentence on the rarest class that occurs, if it is rare."""
        occurring = [
            row for row in self._class_rows(self.requested_learners[0]) if row["instances"]
        ]
        rarest = min(occurring, key=lambda row: int(row["instances"]), default={"instances": 0})
        part = rarest["instances"] / max(sum(row["instances"] for row in occurring), 1)
        if len(occurring) < 2 or part >= RARE:
            return []
        text = percentage(part) if part >= 0.001 else "less than 0.1 %"
        hidden = f"The class {rarest['class']!r} has {text} of the labels, which an accuracy hides"
        return [f"{hidden}: --by-class shows how well each class is predicted."]

    def _class_rows(self, learner: str) -> list[dict[str, Any]]:
        """Rows of `by_class` of a learner, without loading pandas."""
        return class_measures(self.tally(learner), self.stream.schema.classes or ())

    def _classes_of(self, learner: str) -> Iterator[Part]:
        """Yield the measures of each class, and the confusion matrix."""
        rows, matrix = self._class_rows(learner), self._counts(learner)
        on_arrival = "" if self.delays is None else ", on arrival"
        columns = [
            Column("class", ["class"], kind="name"),
            *(Column(head, [head], count_text) for head in ("instances", "predicted")),
            *(Column(head, [head.lower()], score) for head in ("precision", "recall", "F1")),
        ]
        yield Table(columns, rows, f"{learner} by class{on_arrival}")
        classes = [str(row["class"]) for row in rows]
        if len(classes) > _MOST_CLASSES:
            where = "is in --json and Result.confusion."
            yield Words([f"The confusion matrix of {len(classes)} classes {where}"])
        else:
            heads = [*classes, "none"] if any(row[-1] for row in matrix) else classes
            cells = [
                {"class": name, **{f"{i}": cell for i, cell in enumerate(row)}}
                for name, row in zip(classes, matrix, strict=True)
            ]
            columns = [Column(head, [f"{i}"], count_text) for i, head in enumerate(heads)]
            named = Column("", ["class"], kind="name")
            yield Table([named, *columns], cells, notes=[_LEGEND])

    def _further(self, display: DisplayOptions) -> list[Part]:
        """Tables after the verdicts and the classes: groups, intervals, scores."""
        from streameval.api.result_tables import (
            SCORES_BY_BIN,
            score_bins_table,
            scores_of,
            scores_table,
        )

        on_arrival = "" if self.delays is None else ", on arrival"
        parts = [*self._of_groups(display), *self._of_intervals()]
        if self._score_table is not None:
            names = scores_of(self.stream.n_classes)
            measured_scores = self._score_measured(names)
            values, reasons = (_pivoted(measured_scores, of) for of in ("value", "reason"))
            parts.append(scores_table(values, reasons, on_arrival))
            if self.delays is not None and display.by == "label":
                by_bin = [name for name in SCORES_BY_BIN if name in names]
                parts.append(score_bins_table(self.score_bins(*by_bin, bins=display.bins)))
        return parts

    def _of_intervals(self) -> list[Table]:
        """Table of prediction intervals; empty without any."""
        from streameval.api.result_tables import intervals_table

        if not self.table.intervals:
            return []
        coverage = self.table.coverage
        level = "" if coverage is None else f", nominal coverage {coverage:g}"
        level += "" if self.delays is None else ", on arrival"
        measured_intervals = self._interval_measures()
        return [intervals_table(measured_intervals, self.learners, level, self._too_few())]

    def _of_groups(self, display: DisplayOptions) -> list[Part]:
        """Table by group for each learner; empty without groups."""
        on_arrival = "" if self.delays is None else ", on arrival"
        named = [] if self.table.groups is None else self.requested_learners
        return [self._group_table(name, on_arrival, display) for name in named]

    def _group_table(self, learner: str, on_arrival: str, display: DisplayOptions) -> Table:
        """Table of a learner by entity: all entities, or the worst, the median and the best."""
        rows, task = self._by_group([learner]), self.task
        others = [base for base in self.baselines if base != learner]
        over, group = OVER + others[0], require_groups(self.table.groups).column
        title = (
            f"{learner} by {group}{on_arrival}, in order of the difference from "
            f"{task.name_in_text(others[0])}, which is above 0 for {positive_of_ranked(rows, over)}"
        )
        apart = partial(_difference, task)
        columns = [
            Column("instances", ["n"], count_text),
            Column(task.head, [task.measure], task.value_text),
            *(Column(f"over {task.name_in_text(base)}", [OVER + base], apart) for base in others),
        ]
        if learner in self.table.intervals:
            columns.append(Column("coverage", [COVERAGE], _coverage))
        return by_group_table(group, columns, rows, over, title=title, every=display.by_group)

    def _draw(self, display: DisplayOptions) -> Axes | Panels:
        if self.delays is None:
            return self.plot(window=window_of(len(self.stream)))
        return self.plot_bins(bins=display.bins, rule=display.rule, by=display.by)

    def _numbers(self, display: DisplayOptions) -> dict[str, Any]:
        """Plain data for JSON."""
        tuned = {name: tuning.to_dict() for name, tuning in self.tuned.items()}
        late = self.delays or {}
        if self.delays is None and self.before_first_label:
            late = {"before_first_label": self.before_first_label}
        numbers: dict[str, Any] = {
            **stream_entry(self.stream),
            "summary": self.summary,
            **({"pretrain": self.pretrain, "tuned": tuned} if self.pretrain else {}),
            **late,
            "learners": self._numbers_of_learners(display),
        }
        if (groups := self.stream.groups) is not None:
            numbers["group"] = {"column": groups.column, "entities": len(groups.names)}
        elif self._within is not None:
            numbers["within"] = asdict(self._within)
        if display.by_group:
            numbers["by_group"] = [json_row(row) for row in self._by_group(self.learners)]
        if self._own is not None:
            measured = {name: self.measured_labels(name) for name in self.learners}
            numbers["labels_measured"] = measured
        if self._score_table is not None:
            measured_scores = self._score_measured(())
            scores = _pivoted(measured_scores, "value").to_dict("index")
            numbers["scores"] = {str(name): json_row(row) for name, row in scores.items()}
            reasons: dict[str, dict[str, str]] = {}
            for score in measured_scores:
                if score.reason:
                    reasons.setdefault(score.learner, {})[score.measure] = score.reason
            numbers["score_reasons"] = reasons
            if self.delays is not None and display.by == "label":
                numbers["scores_by_bin"] = _by_learner(self.score_bins(bins=display.bins))
        return numbers

    def _numbers_of_learners(self, display: DisplayOptions) -> dict[str, dict[str, Any]]:
        """Plain data of each learner for JSON."""
        if self.delays is not None:
            costs = self.to_dict(self.task.measure)
            bins = _by_learner(self._bins_shown(display))
            return {
                name: {
                    "bins": bins[name],
                    **{key: costs[name][key] for key in ("seconds", "model_bytes")},
                    **self._more_of(name, display),
                }
                for name in self.learners
            }
        numbers: dict[str, dict[str, Any]] = {}
        titles = [*self._titles()]
        why = self._why(titles)
        for name, values in self.to_dict(*titles).items():
            del values["instances"]
            numbers[name] = {**values, "not_predicted": self.missing(name)}
            if reasons := {key: text for key, text in why[name].items() if text}:
                numbers[name]["reasons"] = reasons
            numbers[name] |= self._more_of(name, display)
        return numbers

    def _more_of(self, learner: str, display: DisplayOptions) -> dict[str, Any]:
        """Plain data of a learner besides its measures: baselines and classes."""
        over, keys = self.over_baselines()[learner], ("skill", "low", "high", "reason")
        numbers: dict[str, Any] = {
            "over": {base: json_row(gap.as_dict()) for base, gap in over.items()}
        }
        if display.by_class:
            numbers["by_class"] = [json_row(row) for row in self._class_rows(learner)]
            numbers["confusion"] = self._counts(learner)
        numbers["skills"] = {
            base: json_row(dict(zip(keys, self.table.skill(learner, base), strict=True)))
            for base in self.baselines
        }
        if learner in self.table.intervals:
            row = self._interval_measures().loc[[learner]].to_dict("records")[0]
            reason = too_few_for_intervals(self.table, learner)
            numbers["intervals"] = json_row(row) | ({"reason": reason} if reason else {})
        return numbers

    @cached_property
    def _over(self) -> dict[tuple[str, str], tuple[float, float, float, str, str]]:
        """By how much learners are better than each baseline, with the text and the reason."""
        return {
            (name, base): self._gap(name, base)
            for base in self.baselines
            for name in self.learners
            if name != base
        }

    def _gaps(self, base: str, rows: Mapping[str, dict[str, Any]]) -> Column:
        """Column of the differences from a baseline; their values are added to the rows."""
        low, high = notebook.scale([end for gap in self._over.values() for end in gap[:3]])
        for name, row in rows.items():
            *_, row[base], row[f"{base} reason"] = self._over.get((name, base), (None, ""))

        def drawing(row: Mapping[str, Any]) -> DotInterval | None:
            if row[base] is None:
                return None
            value, *ends = self._over[row["learner"], base][:3]
            return DotInterval(value, (ends[0], ends[1]), low, high)

        # Elsewhere "over" a baseline stands for a difference.
        title = f"{'skill ' * self.task.is_error}over {self.task.name_in_text(base)}"
        return Column(title, [base], drawing=drawing, reason=f"{base} reason")

    def _gap(self, learner: str, base: str) -> tuple[float, float, float, str, str]:
        """Text of a difference in accuracy in points, or for regression of a skill."""
        if self.task is CLASSIFICATION_TASK:
            value, low, high, _, reason, signs = difference(self.table, learner, base)
            reason = reason_with_side(signs, reason)
            text = CLASSIFICATION_TASK.interval(value, low, high, unit=False)
        else:
            value, low, high, reason = self.table.skill(learner, base)
            text = skill_text(value, low, high)
        return value, low, high, "undefined" if np.isnan(value) else text, reason

    def _lines(self, columns: list[Column], rows: Mapping[str, dict[str, Any]]) -> list[str]:
        """Add a column with a line for each learner, over time or by bin; return its note."""
        if self.has_folds:
            return []
        measure = self.task.measure
        if self._waiting is not None:
            tidy = self.bins(SHOWN_BINS)
            note = (
                f"Measures and differences: predictions on arrival. Lines: {_spaced(measure)} in "
                f"bins 0 to {SHOWN_BINS + 1} of the time to the label."
            )
            head = f"{_spaced(measure)} by bin"
        else:
            window = max(min(_WINDOW, len(self.all_predictions) // 10), 1)
            tidy = windowed(self.table, self.learners, [measure], window, _POINTS)
            tidy = tidy.rename(columns={"value": measure})
            note = f"Lines: {_spaced(measure)} over the last {window:,} predictions."
            head = f"{_spaced(measure)} over time"
        ends = tidy[measure].min(), tidy[measure].max()
        for name, values in tidy.groupby("learner", sort=False)[measure]:
            rows[str(name)]["line"] = Line(values.tolist(), *ends)

        def first_and_last(line: Line) -> str:
            return f"{score(line.values[0])} → {score(line.values[-1])}"

        columns.append(Column(head, ["line"], first_and_last, drawing=lambda row: row["line"]))
        return [note]

    def _shown(self) -> pd.DataFrame:
        """Frame of the displayed measures, under delays of a single one by bin."""
        if self._waiting is None:
            return self._wide("value", self._chosen.in_table)
        measure = self.task.measure
        title = f"{_spaced(measure)} in bin"
        tidy = self.bins(SHOWN_BINS).rename(columns={"bin": title})
        wide = tidy.pivot(index="learner", columns=title, values=measure)  # noqa: PD010
        return wide.loc[self.learners]

    def _summary(self) -> str:
        return f"<{type(self).__name__}: {some(self.learners)} on {self._evaluated()}>"

    def _evaluated(self) -> str:
        without = f", {text}" if (text := self.stream.unlabelled_text) else ""
        before = f" after {self.pretrain:,} instances of training" if self.pretrain else ""
        predictions = f"{len(self.all_predictions):,} predictions{before}{without}"
        return f"{excerpt(self.stream.name)!r}, {self.protocol}, {predictions}"


def _pivoted(values: Sequence[Measured], column: str) -> pd.DataFrame:
    """Frame with a row per learner and a column per measure, in their order."""
    import pandas as pd  # 0.4 s, as above, which a command that prints numbers does without

    tidy = pd.DataFrame(values, columns=Measured._fields)
    learners, names = (list(dict.fromkeys(tidy[of])) for of in ("learner", "measure"))
    wide = tidy.pivot(index="learner", columns="measure", values=column)  # noqa: PD010
    return wide.loc[learners, names].rename_axis(columns=None)


def _difference(task: Task, difference: float) -> str:
    return task.interval(difference, math.nan, math.nan)


def _wrapped(line: str) -> list[str]:
    return ["\n".join(wrap(line, 100, subsequent_indent="  "))]


def _spaced(name: str) -> str:
    return name.replace("_", " ")


def _by_learner(frame: pd.DataFrame) -> dict[str, list[dict[str, Any]]]:
    """Rows of each learner as plain data for JSON."""
    from streameval.api.result_tables import age_text

    if "age" in frame:
        ages = [age_text(age) if hasattr(age, "total_seconds") else age for age in frame["age"]]
        frame = frame.assign(age=ages)
    frame = frame.drop(columns=["band_low", "band_high"], errors="ignore")
    return {
        str(name): [json_row(row) for row in rows.drop(columns="learner").to_dict("records")]
        for name, rows in frame.groupby("learner", sort=False)
    }


def _coverage(value: float) -> str:
    """The coverage of an entity's prediction intervals; empty if it has none."""
    return "" if math.isnan(value) else format_number(value, ".3f")
