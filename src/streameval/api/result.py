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

from streameval.api.arguments import select_name, select_names
from streameval.api.progress import progress_bar
from streameval.api.request import PreparedRun, Request
from streameval.api.result_view import (
    DEFAULT_DISPLAY,
    SHOWN_MEASURES,
    DisplayOptions,
    baseline_verdict_sentences,
    count_text,
    default_window,
    json_row,
    measure_text,
    measure_title,
    nan_if_none,
    percentage_text,
    skill_text,
    throughput_text,
)
from streameval.base.arrays import Flags
from streameval.base.errors import (
    ConfigError,
    UndefinedMeasureWarning,
    escape_controls,
    excerpt,
    listing,
    warn_caller,
)
from streameval.base.rounding import format_number, percentage, round_half_up
from streameval.base.values import check_integer, duration_text, flag_of, json_value
from streameval.evaluation.by_group import (
    COVERAGE,
    OVER_PREFIX,
    group_line,
    require_groups,
    rows_by_group,
)
from streameval.evaluation.curve_tables import wide_curves
from streameval.evaluation.delays import (
    ReevaluationData,
    first_label_line,
    median_wait,
    missing_labels_line,
    same_time_line,
    stream_entry,
)
from streameval.evaluation.differences import (
    Difference,
    difference,
    differences_of_pairs,
    differences_over_baselines,
    skills_over_baselines,
)
from streameval.evaluation.kappa_intervals import kappa_interval, measures_with_intervals
from streameval.evaluation.measurements import (
    MeasureValue,
    measure_predictions,
    measures_of,
    windowed_measures,
)
from streameval.evaluation.one_sided import one_sided_reason
from streameval.evaluation.predictions import PredictionTable
from streameval.evaluation.regression_measures import (
    SKILL_PREFIX,
    is_interval_measure,
    regression_measures,
    too_few_for_intervals,
)
from streameval.evaluation.roles import BEST, PREVIOUS_TARGET
from streameval.evaluation.run import Cost, Run
from streameval.evaluation.tallies import class_measures, confusion_counts, tally_of
from streameval.evaluation.task import CLASSIFICATION_TASK, REGRESSION_TASK, Gains, Task
from streameval.evaluation.tuning import mask_after_pretraining, name_with_tuning, tuning_sentences
from streameval.evaluation.verdict_words import best_learner_sentence, region_of
from streameval.measures.registry import MEASURES, MOA_SUFFIX
from streameval.measures.regression import REGRESSION_MEASURES
from streameval.protocols.protocol import nothing_to_score_error
from streameval.significance.stream_mean import StreamMean
from streameval.view import notebook
from streameval.view.by_group import by_group_table, positive_count_text
from streameval.view.formats import score
from streameval.view.mixin import Viewable
from streameval.view.parts import (
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

#: Number of bins, besides the first and the last, in the repr and in notebooks.
_SHOWN_BINS = 8
#: Width of the repr in characters if there is no terminal.
_COLUMNS = 120
#: Largest number of predictions in the sliding window of the lines in notebooks.
_MAX_WINDOW = 1000
#: Number of points of a line in notebooks.
_POINTS = 40
#: The column of a confusion matrix that counts instances without a prediction.
_NO_PREDICTION = "(no prediction)"
#: A class with less than this proportion of the labels is rare; accuracy hides errors on it.
_RARE = 0.05
#: Largest number of classes for which the confusion matrix is shown.
_MAX_CLASSES_SHOWN = 10
_CONFUSION_LEGEND = "A row is a true class, a column a predicted class."
_FOLD_INTERVALS_NOTE = "`streameval compare` has intervals over folds."
#: Measures in the plot of regressors with prediction intervals.
_INTERVAL_PLOT = ("mean_absolute_error", "interval_coverage", "mean_interval_width")


class _DefaultMeasures(NamedTuple):
    """Default measures of a task, and the note on them in notebooks."""

    in_table: tuple[str, ...]  # all if empty
    in_plot: tuple[str, ...]
    in_plot_by_bin: tuple[str, ...]
    valid_in_plot_by_bin: tuple[str, ...]
    note: str


#: Kappas as in MOA, and their names in tables by bin. The suffix distinguishes them from
#: ``kappa_temporal_delayed`` and ``kappa_m_delayed``, whose baselines have delayed labels.
_MOA_KAPPAS = {name: name + MOA_SUFFIX for name in ("kappa_temporal", "kappa_m")}
#: The defaults by the main measure of a task: accuracy or mean absolute error.
_DEFAULT_MEASURES = {
    CLASSIFICATION_TASK.measure: _DefaultMeasures(
        in_table=SHOWN_MEASURES,
        in_plot=("accuracy", "kappa_temporal"),
        in_plot_by_bin=("accuracy", "kappa_temporal_delayed"),
        valid_in_plot_by_bin=(
            "accuracy",
            "kappa",
            *_MOA_KAPPAS.values(),
            "kappa_temporal_delayed",
            "kappa_m_delayed",
        ),
        note=(
            "Over the baselines: differences in accuracy, in points, with 95 % intervals. The κ "
            "are of one run; their intervals do not cover other seeds of random learners. Pages "
            "(report) have κ over several runs. κ_t and κ_m are above 0 where the difference from "
            "their baseline is."
        ),
    ),
    REGRESSION_TASK.measure: _DefaultMeasures(
        in_table=(),
        in_plot=("mean_absolute_error", SKILL_PREFIX + PREVIOUS_TARGET),
        in_plot_by_bin=("mean_absolute_error",),
        valid_in_plot_by_bin=tuple(REGRESSION_MEASURES),
        note=(
            "Over the baselines: skill, 1 minus the ratio of the mean absolute errors, with 95 % "
            "intervals. The measures have no intervals."
        ),
    ),
}


class _Predictions(NamedTuple):
    """Predictions, with the delays of their labels if there are any."""

    table: PredictionTable
    reevaluation: ReevaluationData | None = None

    def select(self, mask: Flags) -> _Predictions:
        """Predictions of a mask; under delays, all predictions of the instances in the mask."""
        if mask.all():
            return self
        if self.reevaluation is None:
            return _Predictions(self.table.select(mask))
        row = self.table.instances
        is_selected_row = np.zeros(int(row.max()) + 1, dtype=np.bool_)
        is_selected_row[row[mask]] = True
        return _Predictions(self.table.select(mask), self.reevaluation.select(is_selected_row))

    @property
    def measured(self) -> PredictionTable:
        """Predictions of instances with labels; under delays the first of each instance."""
        if self.reevaluation is None:
            return self.table.with_labels()
        return self.table.select(self.reevaluation.first_with_label())


class Result(Viewable):
    """Predictions of learners on a stream, and their measures; see `streameval.evaluate`.

    If labels are delayed, an instance is predicted repeatedly. Measures are then over its
    prediction on arrival, unless stated otherwise.

    Attributes
    ----------
    stream : Stream
        The stream.
    protocol : str
        The evaluation protocol.
    learners : list of str
        Names of the learners and baselines: ``no_change`` and ``majority``, or for regression
        ``previous_target`` and ``target_mean``.
    requested_learners : list of str
        Names of the learners without the baselines.
    task : Task
        Classification or regression.
    all_predictions : PredictionTable
        All predictions, with the true labels or targets.
    before_first_label : int
        Number of instances before the first label, when no learner can predict.
    request : Request
        The arguments of the call.
    tuned : mapping of str to TuningOutcome
        How learners were tuned, by name.
    pretrain : int
        Number of instances at the start that are learnt and not scored.

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
        prepared: PreparedRun,
        run: Run,
        *,
        scores: ScoreTable | None = None,
    ) -> None:
        self.request, self.stream, self.task = request, prepared.stream, request.task
        table, scored, self._costs = run
        self.protocol, self.learners = str(prepared.protocol), list(table.predicted)
        self.requested_learners = list(request.recipes)
        self.tuned, self.pretrain = request.tuned, request.n_pretrain
        row = table.instances
        unscored = row[~scored]
        # With folds each model has its own first label, so predictions are counted.
        self.before_first_label = len(unscored if len(prepared.tapes) > 1 else np.unique(unscored))
        is_after_pretraining = prepared.after_pretraining[row]
        # All predictions: the published program also scores those before the first label.
        self._with_cold_start = _Predictions(table, prepared.reevaluation).select(
            is_after_pretraining
        )
        self._after_first_label = _Predictions(table, prepared.reevaluation).select(
            is_after_pretraining & scored
        )
        if not len(self._after_first_label.measured) and self.stream.labelled.any():
            raise nothing_to_score_error(self.stream.name, len(self.stream))
        # Stored predictions (of another system) need no labels. If no other learner is requested,
        # they are scored from the first instance on. The baselines never are.
        self._stored: _Predictions | None = None
        self.all_predictions, self._reevaluation = self._after_first_label
        self._is_after_first_label = np.ones(len(self.all_predictions), dtype=np.bool_)
        learning = [name for name in self.learners if request.learners[name].learns]
        if self.before_first_label and not set(learning).intersection(self.requested_learners):
            self._is_after_first_label = scored[is_after_pretraining]
            self.all_predictions = self._with_cold_start.table.without_predictions(
                ~self._is_after_first_label, learning
            )
            self._stored = _Predictions(self.all_predictions, self._with_cold_start.reevaluation)
        self._score_table = scores
        self._bins: dict[tuple[object, ...], pd.DataFrame] = {}

    @cached_property
    def table(self) -> PredictionTable:
        """Scored predictions: one for each label, with delayed labels the prediction on arrival.

        All learners had learnt at least one label before. For regression, instances that some
        learner does not predict are left out. ``table.losses(learner)`` has 1 for wrong and 0 for
        right predictions, or the absolute errors.

        Examples
        --------
        >>> import streameval as se
        >>> result = se.evaluate(se.generate("planes", rows=2000), "amrules", delay=100)
        >>> round(float(result.table.losses("amrules").mean()), 2)
        1.32
        """
        return self._after_first_label.measured.complete_cases()

    @cached_property
    def _stored_table(self) -> PredictionTable:
        """Scored predictions of the requested learners; see `_stored`."""
        return (
            self.table
            if self._stored is None
            else self._stored.measured.complete_cases(self.requested_learners)
        )

    def _table_of(self, learner: str, measure: str | None = None) -> PredictionTable:
        """Predictions that a measure of a learner covers; by default its accuracy or error."""
        is_single = measure is None or not self._measure_infos[measure].needs_baseline
        if is_single and learner in self.requested_learners:
            return self._stored_table
        return self.table

    @property
    def baselines(self) -> list[str]:
        """Names of the baselines.

        Examples
        --------
        >>> import streameval as se
        >>> se.evaluate(se.generate("planes", rows=500), "amrules", seasonal=24).baselines
        ['previous_target', 'target_mean', 'seasonal:24']
        """
        return self.task.baselines_of(self.learners)

    @property
    def _defaults(self) -> _DefaultMeasures:
        return _DEFAULT_MEASURES[self.task.measure]

    def _after_first(self, n: int) -> Self:
        """Copy whose measures and intervals leave out the first `n` instances."""
        part = copy(self)
        # Drop values that were cached for all instances, and set the cached table.
        for name in ("rope", "_over_baselines", "_baseline_cells"):
            part.__dict__.pop(name, None)
        part._bins = {}
        part.__dict__["table"] = self.table.select(
            mask_after_pretraining(self.stream, n)[self.table.instances]
        )
        return part

    @cached_property
    def _measure_infos(self) -> Mapping[str, Any]:
        """The measures of this result by name, with their titles and ranges."""
        return measures_of(self.table)

    @property
    def predictions(self) -> pd.DataFrame:
        """Predictions, with true labels or targets: a row per prediction, in order.

        The columns are

        - row: the row in the file or data frame, from 0, before any sorting by time;
        - time, if instances have times: a date in the time zone of the stream, or a number;
        - fold, if there are folds;
        - true: the true label or target, missing if it has not arrived;
        - the prediction of each learner, missing if it predicts nothing;
        - with ``scores=True`` the unchanged class scores, ``LEARNER_score_CLASS``, NaN if the true
          label has not arrived;
        - with prediction intervals their ends, ``LEARNER_low`` and ``LEARNER_high``.

        Measures cover the predictions with a true label; with delayed labels, the first prediction
        of each instance.

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
        # With a delay in instances, the times of `self.stream` are counts of instances.
        if (times := self.request.stream.time) is not None:
            dates = self._timeline.take(self.all_predictions.instances).dates
            frame["time"] = times[self.all_predictions.instances] if dates is None else dates
        return frame.assign(**self._score_columns())

    def measures(self, *names: str) -> pd.DataFrame:
        """Measures of the predictions.

        With delayed labels they cover the predictions on arrival, bin 0 of `bins`. Over all
        predictions, instances that wait long for their labels would count more often.

        Parameters
        ----------
        *names : str
            Names of measures, such as ``"kappa_temporal"``; by default all. For regression
            ``mean_absolute_error`` and ``root_mean_squared_error``, in the unit of the target,
            ``r_squared``, and skills: ``skill_over_previous_target``, ``skill_over_target_mean``
            and, with ``seasonal=24``, ``skill_over_seasonal:24``.

        Returns
        -------
        pandas.DataFrame
            A row per learner, a column per measure; NaN if undefined, see `reasons`. Instances that
            a regressor does not predict are left out; from a skill also instances that the baseline
            does not predict.

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
        values = self._measure_predictions(select_names(names, self._measure_infos, "measure"))
        if names:
            self._warn_undefined((value.learner, value.measure, value.reason) for value in values)
        return _pivot(values, "value")

    def _warn_undefined(self, reasons: Iterable[tuple[str, str, str]]) -> None:
        """Warn of undefined measures that a user names.

        `reasons` are a learner, a measure and a reason, "" if defined. Baselines are left out: many
        measures are undefined for a baseline that predicts a single class.
        """
        learners: dict[tuple[str, str], list[str]] = {}
        for learner, measure, reason in reasons:
            if reason and learner in self.requested_learners:
                learners.setdefault((measure, reason), []).append(learner)
        for (measure, reason), names in learners.items():
            text = f"{measure} of {listing(names)} is undefined: {reason}."
            warn_caller(text, UndefinedMeasureWarning)

    def _wide_curves(self, tidy: pd.DataFrame, learners: Sequence[str]) -> pd.DataFrame:
        """Column of values for each learner; a warning if all values of a learner are undefined."""
        undefined = tidy[tidy["value"].isna().groupby(tidy["learner"]).transform("all")]
        last = undefined.drop_duplicates("learner", keep="last")
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
            As `measures`; "" if a measure is defined.

        Examples
        --------
        >>> import streameval as se
        >>> stream = se.from_arrays([[1.5], [2.5], [1.0]], ["no", "yes", "no"])
        >>> result = se.evaluate(stream, "majority")
        >>> result.reasons("mcc").loc["majority", "mcc"]
        'all predictions are the same'
        """
        return self._measure_frame("reason", names)

    def _measure_frame(self, column: str, names: Sequence[str]) -> pd.DataFrame:
        return _pivot(
            self._measure_predictions(select_names(names, self._measure_infos, "measure")), column
        )

    def _measure_predictions(self, names: Sequence[str]) -> list[MeasureValue]:
        values = measure_predictions(self.table, measures=names)
        if self._stored is None:
            return values
        return [
            value
            if self._table_of(value.learner, value.measure) is self.table
            else measure_predictions(self._stored_table, [value.learner], [value.measure])[0]
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
            By learner: the measures, None if undefined, see `reasons`; and ``instances``,
            ``seconds`` and ``model_bytes``, None if not known.

        Examples
        --------
        >>> import streameval as se
        >>> result = se.evaluate(se.generate("sea", rows=2000), "hoeffding_tree")
        >>> result.to_dict("accuracy")["hoeffding_tree"]["accuracy"]
        0.8565
        """
        numbers: dict[str, dict[str, float | int | None]] = {}
        for learner, name, value, _ in self._measure_predictions(
            select_names(names, self._measure_infos, "measure")
        ):
            numbers.setdefault(learner, {})[name] = json_value(value)
        for cost in self._costs:
            numbers[cost.learner] |= cost.as_dict()
        return numbers

    @cached_property
    def costs(self) -> pd.DataFrame:
        """Time and memory of the learners.

        A row per learner, with the columns instances, seconds (CPU time without compilation) and
        model_bytes (size of the final model). If learners are retrained, fits is the number of
        fits. With a label budget (protocol ``partial``), labels is the number of labels learnt. NaN
        stands for an unknown value.

        Examples
        --------
        >>> import streameval as se
        >>> result = se.evaluate(se.generate("sea", rows=2000), "hoeffding_tree")
        >>> result.costs.columns.to_list()
        ['instances', 'seconds', 'model_bytes']
        """
        import pandas as pd

        costs = pd.DataFrame(self._costs, columns=Cost._fields).set_index("learner")
        unused = [name for name in ("labels", "fits") if costs[name].isna().all()]
        costs = costs.drop(columns=unused)
        return costs.assign(model_bytes=costs["model_bytes"].where(costs["model_bytes"] > 0))

    def curve(
        self, measure: str, window: int = 1000, points: int = 500, learners: Sequence[str] = ()
    ) -> pd.DataFrame:
        """Measure over a sliding window.

        Parameters
        ----------
        measure : str
            Name of a measure of `measures`.
        window : int
            Length of the window in predictions.
        points : int
            Largest number of positions; they are evenly spaced from the first full window to the
            end.
        learners : sequence of str
            Names of learners; by default all.

        Returns
        -------
        pandas.DataFrame
            A row per position, a column per learner; NaN if the measure is undefined. If instances
            have dates, the index is the date of the last instance in the window. Otherwise it is
            the number of instances that have arrived, including instances that are not scored.

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
        measures = [select_name(measure, self._measure_infos, "measure")]
        names = self._learner_names(learners)
        window, points = check_integer(window, "window"), check_integer(points, "points")
        tidy = windowed_measures(self.table, names, measures, window, points)
        return self._wide_curves(self._over_time(tidy), names)

    @cached_property
    def _timeline(self) -> Timeline:
        return self.request.timeline(self.stream)

    def _over_time(self, curves: pd.DataFrame) -> pd.DataFrame:
        """Curves with the position of each window's last instance in the stream, and its date.

        In `curves`, column ``instance`` is the number of predictions up to the end of the window.
        """
        ends = self.table.instances[curves["instance"].to_numpy() - 1]
        return curves.assign(**self._timeline.take(ends).columns())

    @cached_property
    def rope(self) -> float:
        """Region of practical equivalence: the largest difference that is practically equal.

        It is 2 % of the error of the better baseline, as for `compare`.

        Examples
        --------
        >>> import streameval as se
        >>> result = se.evaluate(se.generate("sea", rows=2000), "hoeffding_tree")
        >>> round(result.rope, 4)
        0.0072
        """
        values = self._measure_predictions([self.task.measure])
        by_baseline = {
            value.learner: value.value for value in values if value.learner in self.baselines
        }
        return region_of(by_baseline, self.task).rope

    @property
    def has_folds(self) -> bool:
        """Whether each learner has several models, one for each fold.

        Examples
        --------
        >>> import streameval as se
        >>> stream = se.generate("sea", rows=500)
        >>> se.evaluate(stream, "majority", "cross_validation:5").has_folds
        True
        """
        return self.table.fold is not None

    def measured_labels(self, learner: str) -> int:
        """Number of labels that the measures of a learner cover.

        It is the same number for all learners and baselines: labels of instances that arrived after
        the first label; for regression, those that all learners predict. The exception is stored
        predictions without other learners: their measures cover all labels, as they do not need a
        first label.

        Parameters
        ----------
        learner : str
            Name of the learner.

        Returns
        -------
        int
            Number of labels.

        Examples
        --------
        >>> import streameval as se
        >>> result = se.evaluate(se.generate("planes", rows=2000), "amrules")
        >>> result.measured_labels("amrules"), result.measured_labels("previous_target")
        (1999, 1999)
        """
        return len(self._table_of(select_name(learner, self.learners, "learner")))

    def n_missing(self, learner: str) -> int:
        """Number of labels for which a learner has no prediction (with delays: on arrival).

        For classification a missing prediction counts as wrong; for regression the instance is left
        out.

        Parameters
        ----------
        learner : str
            Name of the learner.

        Returns
        -------
        int
            Number of labels.

        Examples
        --------
        >>> import streameval as se
        >>> result = se.evaluate(se.generate("planes", rows=2000), "amrules", seasonal=24)
        >>> result.n_missing("seasonal:24")  # the first 24 instances, but the first is not scored
        23
        """
        name = select_name(learner, self.learners, "learner")
        if self._stored is not None and name in self.requested_learners:
            return self._stored.measured.n_missing(name)
        return self._after_first_label.measured.n_missing(name)

    def differences(self, other: str | None = None) -> pd.DataFrame:
        """Compare each learner with `other` by accuracy, or by mean absolute error.

        With delayed labels it covers the predictions on arrival, bin 0 of `bins`.

        Parameters
        ----------
        other : str, optional
            Name of the learner to compare with; by default No-Change, or the previous target.

        Returns
        -------
        pandas.DataFrame
            A row per learner, with the columns

            - difference: accuracy minus the accuracy of `other`, or the error of `other` minus the
              error; positive if the learner is better;
            - low, high: the ends of the 95 % interval, which accounts for dependence between
              neighbouring instances, see `streameval.significance.stream_mean.stream_mean`;
            - instances;
            - reason: why there is no interval;
            - signs: if there are too few differences for an interval, the numbers of instances on
              which the learner is worse, equal and better; otherwise None.

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
        base = self.baselines[0] if other is None else select_name(other, self.learners, "learner")
        pairs = [(name, base) for name in self.learners if name != base]
        return differences_of_pairs(self.table, pairs).drop(columns="other").set_index("learner")

    def over_baselines(self) -> dict[str, dict[str, Difference]]:
        """Difference of each learner from each baseline, with its interval.

        With delayed labels it covers the predictions on arrival.

        Returns
        -------
        dict of str to dict
            By learner and baseline: the fields difference (in accuracy, or in mean absolute error;
            above 0 the learner is better), low, high, instances, reason and signs; see
            `differences`.

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
        return differences_over_baselines(self.table, self.learners)

    def skills(self) -> pd.DataFrame:
        """Skill of each learner over each baseline: relative reduction of the error.

        With delayed labels it covers the predictions on arrival. For classification the skill over
        No-Change is κ_t, and the skill over Majority is κ_m.

        Returns
        -------
        pandas.DataFrame
            Columns

            - learner, baseline;
            - skill: 1 minus the ratio of the mean absolute errors, or of the error rates: 1 is
              perfect, 0 as good as the baseline, below 0 worse;
            - low, high: the ends of the 95 % interval, which accounts for dependence between
              neighbouring instances. It contains 0 if and only if the interval of `differences`
              does, provided that both exist;
            - reason: why there is no interval, or no skill.

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

    def estimate(self, learner: str, measure: str | None = None) -> StreamMean:
        """Accuracy, mean absolute error or a skill of a learner, with its interval.

        With delayed labels it covers the predictions on arrival. The interval is about one run. It
        does not cover other seeds of a random learner; intervals of `compare` do. Its coverage is
        too low for the accuracy if more than 80 % of the labels are in one class, and for κ of
        Majority.

        Parameters
        ----------
        learner : str
            Name of the learner.
        measure : str, optional
            ``"accuracy"``, the default, ``"kappa"``, ``"kappa_temporal"`` or ``"kappa_m"``; for
            regression ``"mean_absolute_error"``, the default, or a skill, such as
            ``"skill_over_target_mean"``.

        Returns
        -------
        StreamMean
            The value is ``mean``; ``low`` and ``high`` are the ends of a 95 % interval for streams
            that go on as this one does. Without an interval they are NaN, and ``reason`` says why.
            For κ and skills ``effective_size``, ``standard_error`` and ``df`` are NaN.

        Examples
        --------
        >>> import streameval as se
        >>> result = se.evaluate(se.generate("sea", rows=2000), "hoeffding_tree")
        >>> accuracy = result.estimate("majority")
        >>> round(accuracy.low, 2), round(accuracy.mean, 2), round(accuracy.high, 2)
        (0.61, 0.64, 0.66)
        >>> kappa_t = result.estimate("hoeffding_tree", "kappa_temporal")
        >>> round(kappa_t.low, 2), round(kappa_t.mean, 2), round(kappa_t.high, 2)
        (0.62, 0.69, 0.76)
        """
        task_measure = self.task.measure
        measure = (
            task_measure
            if measure is None
            else select_name(measure, measures_with_intervals(self.table), "measure")
        )
        self.table.require_one_fold(f"The interval of {measure}")
        name = select_name(learner, self.learners, "learner")
        table = self._table_of(name, measure)
        if measure == task_measure:
            return table.estimate(name)
        kappa, nan = kappa_interval(table, name, measure), float("nan")
        return StreamMean(kappa.value, kappa.low, kappa.high, nan, nan, nan, nan, kappa.reason)

    def signals(self, learner: str) -> pd.Series[int]:
        """Rows at which the drift detector ADWIN signals that a learner's error rate increases.

        ADWIN has MOA's parameter δ = 0.002. It reads the error of each prediction on arrival when
        the label arrives. A signal is not a proof: there are false alarms, and more of them if
        errors depend on each other. A large increase is signalled several times.

        Parameters
        ----------
        learner : str
            Name of the learner.

        Returns
        -------
        pandas.Series of int64
            For each signal the row of the file or data frame, from 0, whose error led to it. If
            instances have dates, they are the index.

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
        errors = self.table.losses(select_name(learner, self.learners, "learner"))
        instances = self.table.instances
        if self._reevaluation is not None:
            rows_by_label = self._reevaluation.prediction_events.labelled_rows
            label_rank = np.empty(len(self.stream), np.int64)
            label_rank[rows_by_label] = np.arange(len(rows_by_label))
            order = np.argsort(label_rank[instances])
            errors, instances = errors[order], instances[order]
        return self._timeline.take(instances[ADWIN().run(errors).changes])

    def by_group(self, learners: Sequence[str] = ()) -> pd.DataFrame:
        """Measures of each entity of a stream with groups, see `Stream.grouped`.

        With delayed labels they cover the predictions on arrival.

        Parameters
        ----------
        learners : sequence of str
            Names of learners; by default all.

        Returns
        -------
        pandas.DataFrame
            A row for each learner and entity. Columns learner, entity, n (number of instances with
            a label), accuracy or mean_absolute_error, and the difference from each baseline on the
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

        return pd.DataFrame(self._by_group(self._learner_names(learners)))

    def _by_group(self, names: Sequence[str]) -> list[dict[str, Any]]:
        return rows_by_group(self.table, names, self.baselines)

    def by_class(self, learners: Sequence[str] = ()) -> pd.DataFrame:
        """Precision, recall and F1 of each class (with delayed labels: on arrival).

        Parameters
        ----------
        learners : sequence of str
            Names of learners; by default all.

        Returns
        -------
        pandas.DataFrame
            A row per learner and class. Columns learner; class; instances (number of instances of
            the class); predicted (number of predictions of the class); correct (number of both);
            precision, NaN for a class that is never predicted; recall, NaN for a class without
            instances; f1, NaN if both are NaN. Means over the classes are the measures
            ``macro_precision``, ``macro_recall`` and ``macro_f1``.

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
        """Counts by true and predicted class (with delayed labels: of predictions on arrival).

        Examples
        --------
        >>> import streameval as se
        >>> result = se.evaluate(se.generate("sea", rows=2000), "hoeffding_tree")
        >>> result.tally("hoeffding_tree").class_correct.astype(int).tolist()
        [506, 1207]
        """
        self.request.require_classes("Counts by class")
        name = select_name(learner, self.learners, "learner")
        return tally_of(self._table_of(name), name)

    def confusion(self, learner: str) -> pd.DataFrame:
        """Confusion matrix of a learner (with delayed labels: of predictions on arrival).

        Parameters
        ----------
        learner : str
            Name of the learner.

        Returns
        -------
        pandas.DataFrame
            Numbers of instances: a row per true class, a column per predicted class. The last
            column is ``"(no prediction)"`` if predictions are missing.

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
        name = select_name(learner, self.learners, "learner")
        counts = confusion_counts(self._table_of(name), name)
        classes = [*(self.stream.schema.classes or ())]
        frame = pd.DataFrame(counts, pd.Index(classes, name="true"), [*classes, _NO_PREDICTION])
        frame = frame.rename_axis(columns="predicted")
        return frame if counts[:, -1].any() else frame.iloc[:, :-1]

    def intervals(self) -> pd.DataFrame:
        """Measures of the prediction intervals; see ``intervals`` of `evaluate`.

        With delayed targets they cover the predictions on arrival.

        Returns
        -------
        pandas.DataFrame
            A row per regressor with intervals; NaN if a measure is undefined, see `reasons`. The
            columns are described in `streameval.measures.prediction_intervals`:

            - intervals: number of targets with an interval;
            - interval_coverage: proportion of targets within their interval;
            - mean_interval_width, in the unit of the target;
            - normalised_interval_width: the width divided by the range of the targets (NMPIW);
            - interval_score: lower is better;
            - infinite_intervals: proportion of intervals without bounds;
            - limited_intervals: proportion of intervals that should be wider, or narrower, than all
              errors so far allow, see `streameval.learners.wrappers.conformal`;
            - the skill in interval score over each baseline with the same kind of intervals, such
              as interval_skill_over_previous_target.

        Raises
        ------
        ConfigError
            If no regressor has intervals.

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
            (name, "interval_coverage", reason) for name, reason in self._interval_reasons().items()
        )
        return frame

    def _interval_reasons(self) -> dict[str, str]:
        """Reason why a regressor has no interval, by learner; see `too_few_for_intervals`."""
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
        names = [name for name in self._measure_infos if is_interval_measure(name)]
        frame = self._measure_frame("value", names)
        frame = frame.loc[[name for name in self.learners if name in intervals]]
        tables = {name: self._table_of(name) for name in frame.index}
        ends = [(table.true, table.intervals[name].low) for name, table in tables.items()]
        counts = [int((~np.isnan(true) & ~np.isnan(low)).sum()) for true, low in ends]
        frame.insert(0, "intervals", counts)
        return frame

    def scores(self, *measures: str) -> pd.DataFrame:
        """Measures of the class scores, such as the area under the ROC curve.

        Needs an evaluation with ``scores=True``. The scores of a prediction are divided by their
        sum, which makes them a probability forecast. With delayed labels measures cover the
        predictions on arrival.

        Parameters
        ----------
        *measures : str
            Names of measures; by default all. Among them are ``"auc"`` for two classes,
            ``"auc_one_vs_one"`` and ``"auc_one_vs_rest"`` for more classes; ``"log_loss"``;
            ``"brier"`` and its terms, such as ``"brier_reliability"``;
            ``"expected_calibration_error"``; ``"top_3_accuracy"``; and skills, 1 minus the ratio of
            the losses, such as ``"log_loss_skill_over_label_transitions"``.

        Returns
        -------
        pandas.DataFrame
            A row per learner, and per baseline of scores (``label_proportions`` and
            ``label_transitions``); a column per measure; NaN if undefined, see `score_reasons`.

        Raises
        ------
        ConfigError
            If the evaluation has no scores, or a measure is unknown.

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
        values = self._measure_scores(measures)
        if measures:
            self._warn_undefined((value.learner, value.measure, value.reason) for value in values)
        return _pivot(values, "value")

    def score_reasons(self, *measures: str) -> pd.DataFrame:
        """Reasons why measures of class scores are undefined.

        Parameters
        ----------
        *measures : str
            See `scores`.

        Returns
        -------
        pandas.DataFrame
            As `scores`; "" if a measure is defined.

        Examples
        --------
        >>> import streameval as se
        >>> result = se.evaluate(se.generate("sea", rows=500), "majority", scores=True)
        >>> result.score_reasons("top_3_accuracy").loc["majority", "top_3_accuracy"]
        'there are no more than 3 classes'
        """
        return _pivot(self._measure_scores(measures), "reason")

    def score_curve(
        self, measure: str, window: int = 1000, points: int = 500, learners: Sequence[str] = ()
    ) -> pd.DataFrame:
        """Measure of the class scores over a sliding window.

        Parameters
        ----------
        measure : str
            Name of a measure of `scores`.
        window : int
            Length of the window in predictions.
        points : int
            Largest number of positions; they are evenly spaced from the first full window to the
            end.
        learners : sequence of str
            Names of learners; by default all of `scores`.

        Returns
        -------
        pandas.DataFrame
            A row per position, a column per learner; NaN if the measure is undefined. The index is
            as for `curve`.

        Raises
        ------
        ConfigError
            If the evaluation has no scores, the measure is unknown, or there are folds.

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

        table = self._require_scores()
        name = select_name(measure, ALL_SCORE_MEASURES, "measure of class scores")
        names = select_names(learners, [*table.scores], "learner")
        window, points = check_integer(window, "window"), check_integer(points, "points")
        tidy = windowed_score_measures(table, names, [name], window, points)
        return self._wide_curves(self._over_time(tidy), names)

    def score_bins(self, *measures: str, bins: int = 50) -> pd.DataFrame:
        """Measures of the class scores by time until the label arrives.

        Bins are the same as for `Result.bins`. Bin 0 has the predictions on arrival, the last bin
        the predictions made just before the label is learnt. A forecast is in force until the next.
        The forecast of another bin is the mean of those in force, weighted by their time in force.
        Needs an evaluation with delayed labels.

        Parameters
        ----------
        *measures : str
            See `scores`. The baselines of skills are forecasts with the same delay, in the same
            bin.
        bins : int
            Number of bins B between the first and the last prediction.

        Returns
        -------
        pandas.DataFrame
            A row for each bin 0, ..., B + 1 of each learner and baseline of scores. Columns
            learner, bin, the measures (NaN if undefined), and predictions (number of labels that
            have arrived).

        Raises
        ------
        ConfigError
            If the evaluation has no scores, labels are not delayed, or a measure is unknown.
        DataError
            If the forecasts in all bins do not fit into memory.

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

        table, reevaluation = self._require_scores(), self._require_delays()
        names = select_names(measures, ALL_SCORE_MEASURES, "measure of class scores")
        true = self.stream.y[reevaluation.prediction_events.labelled_rows]
        return score_bins(
            true,
            reevaluation.prediction_events,
            table.all_scores,
            names,
            check_integer(bins, "bins", least=0),
        )

    def _score_columns(self) -> dict[str, NDArray[np.float32]]:
        """Columns of class scores by learner and class; empty without scores.

        `ScoreTable.scores` has a row for each scored prediction with a label. `all_scores` has a
        row for each scored prediction; it has the learners only in a re-evaluation.
        """
        table = self._score_table
        has_label = self._is_after_first_label & self.task.is_known(self.all_predictions.true)
        columns: dict[str, NDArray[np.float32]] = {}
        if table is None:
            return columns
        for name in self.learners:
            for code, label in enumerate(self.stream.schema.classes or ()):
                column = np.full(len(has_label), np.nan, np.float32)
                if name in table.all_scores:
                    column[self._is_after_first_label] = table.all_scores[name][:, code]
                else:
                    column[has_label] = table.scores[name][:, code]
                columns[f"{name}_score_{label}"] = column
        return columns

    def _require_scores(self) -> ScoreTable:
        if self._score_table is None:
            raise ConfigError(
                "Class scores: expected an evaluation with class scores, found one without. "
                "Evaluate with scores=True."
            )
        return self._score_table

    def _measure_scores(self, measures: Sequence[str]) -> list[MeasureValue]:
        from streameval.evaluation.class_scores import ALL_SCORE_MEASURES, measure_scores

        table = self._require_scores()
        names = select_names(measures, ALL_SCORE_MEASURES, "measure of class scores")
        with progress_bar(None, lambda: len(table) * len(table.scores)) as update:
            return measure_scores(table, names=names, progress=update)

    def _learner_names(self, learners: Sequence[str]) -> list[str]:
        return select_names(learners, self.learners, "learner")

    @property
    def delays(self) -> dict[str, int] | None:
        """Counts and delays of labels; None if the labels of this evaluation are not delayed.

        - ``every``: number of labels between two predictions of an instance;
        - ``labels``: number of labels that have arrived;
        - ``pending``: number of labels that have not arrived;
        - ``delay``: median number of instances that arrive between an instance and its label;
        - ``seconds``, if times are dates: median time between them;
        - ``before_first_label``: number of instances before the first label, which are not scored.

        Examples
        --------
        >>> import streameval as se
        >>> result = se.evaluate(se.generate("sea", rows=2000), "hoeffding_tree", delay=100)
        >>> result.delays
        {'every': 10, 'labels': 2000, 'pending': 0, 'delay': 100, 'before_first_label': 101}
        """
        reevaluation = self._with_cold_start.reevaluation
        if reevaluation is None:
            return None
        summary = reevaluation.delay_summary(self.stream)
        return {**summary, "before_first_label": self.before_first_label}

    def _require_delays(self) -> ReevaluationData:
        if self._reevaluation is None:
            raise ConfigError(
                f"Bins: expected an evaluation with delayed labels, found {self.protocol}. "
                "Evaluate with delay=N, or a stream that was read with time and label_time."
            )
        return self._reevaluation

    def _predictions_by_rule(self, rule: str) -> tuple[ReevaluationData, PredictionTable]:
        """Predictions that count in bins; by the published rule also before the first label."""
        from streameval.protocols.bins import PAPER

        reevaluation, table = self._require_delays(), self._after_first_label.table
        if rule != PAPER:
            table, with_cold_start = self._with_cold_start
            reevaluation = with_cold_start or reevaluation  # never None under delays
        return reevaluation, table

    def _check_bin_arguments(
        self, bins: int, rule: str, learners: Sequence[str]
    ) -> tuple[int, str, list[str]]:
        """Checked number of bins, rule and learners."""
        from streameval.protocols.bins import RULES

        names = self._learner_names(learners)
        return check_integer(bins, "bins", least=0), select_name(rule, RULES, "rule"), names

    def _measures_by_age(self, names: Sequence[str], bins: int, by: str) -> pd.DataFrame | None:
        """Measures by age, in the units of the stream's times; None if `by` is "label"."""
        if select_name(by, ("label", "age"), "kind of bins") == "label":
            return None
        from streameval.evaluation.age_bins import predictions_at_ages

        reevaluation, ticks = self._require_delays(), self.stream.ticks
        ages = predictions_at_ages(
            reevaluation.prediction_events, bins, ticks, reevaluation.pending(self.stream)
        )
        return self._age_table(
            ages, self.stream.y[reevaluation.prediction_events.labelled_rows], names
        )

    def _with_times(self, ages: pd.DataFrame) -> pd.DataFrame:
        """Measures by age; ages are lengths of time if times are dates."""
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
        prediction on arrival, the last bin the prediction made just before the label is learnt. A
        prediction is in force until the next prediction of the same instance. In the other bins the
        prediction in force counts; for regression, the mean of all that are in force during the
        bin, weighted by time. Needs an evaluation with delayed labels.

        Parameters
        ----------
        bins : int
            Number of bins B between the first and the last prediction.
        rule : {"paper", "published"}
            Which prediction counts if several are made in a bin. By the paper of Grzenda et al.
            (2019) each counts for the time that it is in force, and a missing prediction is wrong.
            By their published program one prediction counts for the whole bin, and a missing
            prediction counts as the first class, so it may be correct.
        learners : sequence of str
            Names of learners; by default all.
        by : {"label", "age"}
            ``"age"``: bins of the time since the arrival of an instance, at most `bins` of round
            length. Unlike the time to the label, the age is known when predicting.
        moa : bool
            Whether to add kappa_temporal_moa and kappa_m_moa as in MOA. They compare with the
            previous label, and with the most frequent label, counted up to and including the
            instance. Learners do not have these labels when they predict, so even Majority has a
            kappa_m_moa below 0.

        Returns
        -------
        pandas.DataFrame
            With ``by="label"`` a row per learner and bin 0, ..., B + 1, with the columns

            - learner, bin;
            - accuracy, or mean_absolute_error in the unit of the target;
            - low, high: the ends of its 95 % interval; band_low, band_high: the ends of an interval
              that holds for all bins at once. NaN if the effective sample size is less than 60;
            - for classification kappa, kappa_temporal_delayed and kappa_m_delayed; the latter
              compare with No-Change and Majority with the same delay, in the same bin;
            - for regression root_mean_squared_error, r_squared, and the skill over each baseline in
              the same bin, such as skill_over_previous_target, with its 95 % interval, see
              `skills`;
            - predictions: number of labels that have arrived; calculated: how many of these have a
              prediction that is made in this bin; missing: how many have no prediction in force. A
              missing class counts as wrong.

            With ``by="age"`` a row per learner and age, with the columns

            - learner; age: a length of time if times are dates, else a number in the unit of the
              times, such as instances;
            - accuracy or mean_absolute_error of the predictions in force at this age, over the
              instances whose labels arrive later (at_risk), with low and high;
            - kappas or skills at the same age;
            - pending: number of further instances whose labels never arrived; missing;
            - gain: improvement over the predictions on arrival, with gain_low and gain_high;
            - overall: accuracy or error over all instances; an instance whose label has arrived
              counts with its last prediction.

        Raises
        ------
        ConfigError
            If the labels of this evaluation are not delayed, or a parameter is invalid.

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
        bins, rule, names = self._check_bin_arguments(bins, rule, learners)
        key = (bins, rule, *names, moa, select_name(by, ("label", "age"), "kind of bins"))
        if key not in self._bins:
            self._bins[key] = self._compute_bins(bins, rule, names, moa, by)
        return self._bins[key].copy()

    def _compute_bins(
        self, bins: int, rule: str, names: list[str], moa: bool, by: str
    ) -> pd.DataFrame:
        ages = self._measures_by_age(names, bins, by)
        if ages is not None:
            return self._with_times(ages)
        frame, gains = self._measures_by_bin(names, bins, rule)
        if self.task.is_error:
            from streameval.evaluation.bins import add_skill_intervals

            with_skills = add_skill_intervals(self.task, frame, gains, self.baselines)
            return self._hide_intervals_of_groups(with_skills)
        return frame if moa else frame.drop(columns=[*_MOA_KAPPAS.values()])

    def _measures_by_bin(
        self, names: Sequence[str], bins: int, rule: str
    ) -> tuple[pd.DataFrame, dict[str, Gains]]:
        """Measures by bin of these learners, and the gains of learners and baselines."""
        with_baselines = dict.fromkeys([*names, *self.baselines])
        frame, gains = self._bin_predictions(
            self._predictions_by_rule(rule), with_baselines, (bins, rule), self.baselines
        )
        frame = frame[frame["learner"].isin(names)].reset_index(drop=True)
        if self._stored is not None and self._stored.reevaluation is not None:
            # Stored predictions are also scored before the first label; their skills are not.
            stored = [name for name in names if name in self.requested_learners]
            replacement, _ = self._bin_predictions(
                (self._stored.reevaluation, self.all_predictions), stored, (bins, rule)
            )
            # As objects, since columns have several types; these are restored below.
            frame.loc[frame["learner"].isin(stored), [*replacement]] = replacement.to_numpy(
                dtype=object
            )
            frame = frame.astype({name: replacement[name].dtype for name in replacement})
        return self._hide_intervals_of_groups(frame), gains

    def _bin_predictions(
        self,
        predictions: tuple[ReevaluationData, PredictionTable],
        names: Iterable[str],
        bins_and_rule: tuple[int, str],
        baselines: Sequence[str] = (),
    ) -> tuple[pd.DataFrame, dict[str, Gains]]:
        """Measures by bin of some learners, with skills over baselines, and the gains."""
        from streameval.evaluation.bins import bin_measures, bin_table

        (reevaluation, table), n_classes = predictions, self.stream.n_classes
        true = self.stream.y[reevaluation.prediction_events.labelled_rows]
        gains, tables = dict[str, Gains](), {}
        for name in dict.fromkeys(names):
            (binned,) = reevaluation.in_bins(
                name, table.predicted[name], [bins_and_rule], n_classes
            )
            gains[name] = self.task.gain(true[:, None], binned.values)
            tables[name] = [bin_table(true, binned, n_classes)]  # one run
        measures = bin_measures(self.task, tables, gains, baselines)
        return measures.rename(columns=_MOA_KAPPAS), gains

    def _hide_intervals_of_groups(self, frame: pd.DataFrame) -> pd.DataFrame:
        """Measures by bin or age; intervals become NaN if the stream has groups.

        The coverage of these intervals was not simulated for streams of interleaved entities.
        """
        if self.table.groups is None:
            return frame
        ends = [name for name in map(str, frame) if name.endswith(("low", "high"))]
        # Without an interval, no learner is known to be worse than the best.
        verdicts = {"behind": False} if "behind" in frame else {}
        return frame.assign(**dict.fromkeys(ends, np.nan), **verdicts)

    def _age_table(
        self, ages: PredictionsAtAges, true: NDArray[Any], names: Sequence[str]
    ) -> pd.DataFrame:
        """Measures by age, in the units of the stream's times."""
        from streameval.evaluation.age_bins import age_bins

        predicted = self._after_first_label.table.predicted
        table = age_bins(self.task, ages, true, predicted, names, self.baselines)
        return self._hide_intervals_of_groups(table)

    def _bin_frames(self, names: Sequence[str], bins: int, rule: str) -> dict[str, pd.DataFrame]:
        """Data frames for the plot of measures by time until the label arrives."""
        from streameval.evaluation.bins import differences_by_bin, skills_by_bin

        frame, gains = self._measures_by_bin(names, bins, rule)
        # For classification there are no skills here: they are κ, which are drawn as measures.
        baselines = self.baselines if self.task.is_error else ()
        not_baselines = [name for name in names if name not in baselines]
        differences = differences_by_bin({name: gains[name] for name in names}, BEST)
        skills = skills_by_bin(self.task, gains, not_baselines, baselines)
        return {
            "bins": frame,
            "contrasts": self._hide_intervals_of_groups(differences),
            "skills": self._hide_intervals_of_groups(skills),
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
        """Plot measures over a sliding window.

        Needs the extra: ``pip install "streameval[pipeline]"``.

        Parameters
        ----------
        measures : str or sequence of str, optional
            Names of measures; each has a panel. By default accuracy and κ_t, or the mean absolute
            error and the skill over the previous target. With prediction intervals by default the
            mean absolute error, the coverage, with a line at the nominal coverage, and the mean
            width.
        window, points, learners
            See `curve`.
        ax : matplotlib.axes.Axes or sequence of Axes, optional
            Existing axes to draw on, one for each measure. Title and legend are then on the first.

        Returns
        -------
        matplotlib.axes.Axes, or tuple of Axes
            The axes of each measure. If all learners are one learner with different wrappers, each
            has its own panel. A notebook shows the figure. Save it with ``.figure.savefig``.

        Examples
        --------
        >>> import streameval as se
        >>> result = se.evaluate(se.generate("sea", rows=2000), "hoeffding_tree")
        >>> result.plot("kappa_m", window=500).figure.savefig("kappa_m.svg")
        """
        from streameval.drawing.results import draw_curves, mark_nominal_coverage

        table = self.table
        default = _INTERVAL_PLOT if table.intervals else self._defaults.in_plot
        measures = default if measures is None else measures
        if isinstance(measures, list | tuple) and not measures:
            raise ConfigError("measures: expected one or more, found none.")
        infos, names = self._measure_infos, self._learner_names(learners)
        selected = select_names(measures, infos, "measure")
        frame = windowed_measures(
            table, names, selected, check_integer(window, "window"), check_integer(points, "points")
        )
        curves, begin = self._over_time(frame), self._timeline.begin
        axes = draw_curves(curves, selected, names, self.stream.name, infos, ax, begin)
        if table.coverage is not None:
            mark_nominal_coverage(axes, selected, table.coverage)
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
        """Plot measures of predictions by time until the label arrives, or by age.

        Panels below show the learners that may be the best in a bin; for regression also the
        difference between each learner and the best other learner. Needs the extra:
        ``pip install "streameval[pipeline]"``.

        Parameters
        ----------
        measures : str or sequence of str, optional
            Columns of `bins`; for regression names of `measures`. Each has a panel. By default
            ``accuracy`` and ``kappa_temporal_delayed``, or ``mean_absolute_error``.
        bins, rule, learners, by
            See `bins`. By age the plot has the accuracy, or mean absolute error, and the number of
            instances at risk.
        ax : matplotlib.axes.Axes or sequence of Axes, optional
            Existing axes to draw on, one for each measure; by age three. The panels below are then
            left out.

        Returns
        -------
        matplotlib.axes.Axes, or tuple of Axes
            The axes of the measures, see `plot`. ``.figure`` has further panels.

        Examples
        --------
        >>> import streameval as se
        >>> result = se.evaluate(se.generate("sea", rows=2000), "hoeffding_tree", delay=100)
        >>> result.plot_bins("accuracy").figure.savefig("bins.svg")
        """
        from streameval.drawing.results import draw_ages, draw_bins

        bins, rule, names = self._check_bin_arguments(bins, rule, learners)
        measures = self._defaults.in_plot_by_bin if measures is None else measures
        selected = select_names(measures, self._defaults.valid_in_plot_by_bin, "measure of bins")
        ages = self._measures_by_age(names, bins, by)
        if ages is not None:
            return draw_ages(ages, names, self.stream, ax)
        frames = self._bin_frames(names, bins, rule)
        return draw_bins(frames, selected, names, self.stream, ax)

    @property
    def summary(self) -> str:
        """Sentence on the best learner and the baselines that it beats.

        Examples
        --------
        >>> import streameval as se
        >>> se.evaluate(se.generate("sea", rows=2000), "hoeffding_tree").summary
        'hoeffding_tree has an accuracy of 85.65 %; it beats No-Change and Majority.'
        """
        baseline_names = {
            name: self.task.name_in_text(name) for name in self.task.baselines_of(self.learners)
        }
        numbers = self.to_dict(self.task.measure)
        values = {
            name: nan_if_none(numbers[name][self.task.measure]) for name in self.requested_learners
        }
        prefix = "" if self.delays is None else "On arrival, "
        return best_learner_sentence(
            values, self.over_baselines(), self.rope, self.task, baseline_names, prefix
        )

    def __repr__(self) -> str:
        rounded = self._displayed_measures().map(
            lambda value: float(round_half_up(value, 4)) if math.isfinite(value) else value
        )
        width = get_terminal_size((_COLUMNS, 24)).columns
        hint = "" if self._entity_column is None else f"\n{self._entity_column.sentence}"
        return escape_controls(f"{self._summary()}\n{rounded.to_string(line_width=width)}{hint}")

    def _reasons_by_learner(self, names: Sequence[str]) -> Mapping[str, Mapping[str, str]]:
        """Reason why a measure is undefined, "" if defined, by learner and measure."""
        reasons: dict[str, dict[str, str]] = {}
        for value in self._measure_predictions(names):
            reasons.setdefault(value.learner, {})[value.measure] = value.reason
        return reasons

    def _confusion_counts(self, learner: str) -> list[list[int]]:
        counts: list[list[int]] = confusion_counts(self._table_of(learner), learner).tolist()
        return counts

    def _view(self, display: DisplayOptions = DEFAULT_DISPLAY) -> View:
        heading = Words([f"{type(self).__name__} on {self._setting_text()}"], shown_in="notebook")
        parts: list[Part | DeferredParts] = [heading, Words([self.summary]), *self._setting_parts()]
        parts += [*self._measure_tables(display), *self._verdict_parts(display)]
        if display.by_class:
            parts += [part for name in self.requested_learners for part in self._class_parts(name)]
        parts += self._further_tables(display)
        return View(parts, lambda: self._numbers(display), draw_figure=lambda: self._draw(display))

    def _setting_parts(self) -> list[Part]:
        """Parts on groups, labels and tuning, which come before the numbers."""
        groups = self.stream.groups
        lines_of_parts = [] if groups is None else [[group_line(groups, self.task)]]
        lines_of_parts += [*self._label_lines(), tuning_sentences(self.tuned, self.pretrain)]
        return [Words(lines) for lines in lines_of_parts if lines]

    def _label_lines(self) -> list[list[str]]:
        """Lines on delays, missing labels and the first label: a list for each part of the view."""
        lines = [missing_labels_line(self.stream), *self._first_label_lines()]
        if (delays := self.delays) is None:
            # The line advises to give a delay, which folds do not allow.
            lines += [] if self.has_folds else [same_time_line(self.stream)]
            return [[line] for line in lines if line]
        every = "each label" if delays["every"] == 1 else f"every {delays['every']:,} labels"
        delay_text = f"{delays['delay']:,} instance{'s' * (delays['delay'] != 1)}"
        if wait := median_wait(self.stream):
            when = f"{duration_text(wait)} later ({delay_text})"
        else:
            when = f"{delay_text} later"
        first = f"{len(self.stream):,} instances; the median label arrives {when}."
        last = f"Continuous re-evaluation: a new prediction after {every} of other instances."
        return [[first, *filter(None, lines), last]]

    def _first_label_lines(self) -> list[str]:
        """Lines on the predictions before the first label, and on the scored predictions."""
        lines = [first_label_line(self.before_first_label, has_folds=self.has_folds)]
        learners = self.request.learners
        stored = [name for name in self.requested_learners if not learners[name].learns]
        if not stored or not self.before_first_label:
            return lines
        several, n_scored = len(stored) > 1, f"{len(self.table):,}"
        if self._stored is None:
            n_all = f"{len(self._with_cold_start.measured):,}"
            line = (
                f"{listing(stored)} need{'s' * (not several)} no labels: evaluated without other "
                f"learners, {'they are' if several else 'it is'} measured on all {n_all} labels, "
                f"here on {n_scored}, as the others."
            )
            return [*lines, *_wrap_lines(line)]
        others = "skills and differences" if self.task.is_error else "κ_t, κ_m and differences"
        line = (
            f"{listing(stored)} need{'s' * (not several)} no labels, and "
            f"{'are' if several else 'is'} measured on all {len(self._stored_table):,}. The "
            f"baselines and {others} are measured on the {n_scored} after the first label."
        )
        return _wrap_lines(line)

    def _titles(self) -> dict[str, str]:
        """Titles of the displayed measures, by name."""
        if self.task is CLASSIFICATION_TASK:
            return {name: measure_title(MEASURES[name]) for name in SHOWN_MEASURES}
        infos = regression_measures(self.learners)
        return {name: measure_title(info) for name, info in infos.items()}

    def _measure_table(self) -> Table:
        """Table with a row for each learner: instances, measures, and costs."""
        titles = self._titles()
        rows = self._learner_rows([*titles])
        columns = [
            Column("", ["learner"], kind="name"),
            Column("predictions" if self.has_folds else "instances", ["measured"], count_text),
        ]
        if any(row["missing"] for row in rows):
            missing_title = (
                "left out, as not predicted" if self.task.is_error else "of these not predicted"
            )
            columns.append(Column(missing_title, ["missing"], count_text))
        if any(row["labels"] is not None for row in rows):
            columns.append(Column("labels learnt", ["learnt"], count_text))
            columns.append(Column("of these instances", ["learnt", "instances"], percentage_text))
        columns += [
            Column(title, [name], partial(measure_text, name), reason_key=f"{name} reason")
            for name, title in titles.items()
        ]
        columns.append(Column("instances per second", ["instances", "seconds"], throughput_text))
        columns.append(
            Column("model, bytes", ["size"], lambda n: count_text(n) if n else "not known")
        )
        if any(row["fits"] is not None for row in rows):
            columns.append(Column("fits", ["fitted"]))
        return Table(columns, rows, transposed=True, shown_in="text")

    def _learner_rows(self, names: Sequence[str]) -> list[dict[str, Any]]:
        """Row of each learner: measures, reasons for undefined measures, and costs.

        Costs that may be None are repeated under the keys ``learnt``, ``size`` and ``fitted``,
        since a cell is empty if its first value is None.
        """
        numbers = self.to_dict(*names)
        is_undefined = any(None in values.values() for values in numbers.values())
        reasons = self._reasons_by_learner(names) if is_undefined else {}
        return [
            {
                "learner": learner,
                "labels": None,
                "fits": None,
                **values,
                **{name: nan_if_none(values[name]) for name in names},
                **{f"{name} reason": reasons.get(learner, {}).get(name, "") for name in names},
                "measured": self.measured_labels(learner),
                "missing": self.n_missing(learner),
                "learnt": values.get("labels") or 0,
                "size": values["model_bytes"] or 0,
                "fitted": count_text(values["fits"] or 0) if "fits" in values else "–",
            }
            for learner, values in numbers.items()
        ]

    def _measure_tables(self, display: DisplayOptions) -> list[Part | DeferredParts]:
        tables = [self._measure_table()] if self.delays is None else self._bin_tables(display)
        return [DeferredParts(self._notebook_parts, "notebook"), *tables]

    def _notebook_parts(self) -> list[Part]:
        """Table for notebooks: measures, differences from the baselines, and lines."""
        names = SHOWN_MEASURES if self.task is CLASSIFICATION_TASK else tuple(REGRESSION_MEASURES)
        rows = {row["learner"]: row for row in self._learner_rows(names)}
        columns = [Column("", ["learner"], kind="name")]
        columns += [self._bar_column(name, rows.values()) for name in names]
        for base in self.baselines:
            columns.append(self._difference_column(base, rows))
        notes = [self._defaults.note, *self._add_lines(columns, rows)]
        table = Table(columns, [*rows.values()], always_shown=self.baselines, noun="learners")
        return [table, Words([*notes, *table.no_interval_sentences], note=True)]

    def _bar_column(self, name: str, rows: Iterable[Mapping[str, Any]]) -> Column:
        """Column of a measure with bars, cut off at -1: R² and κ_m may be far below."""
        upper = self._measure_infos[name].upper
        low, high = notebook.scale([row[name] for row in rows])
        low, high = max(low, -1.0), upper if math.isfinite(upper) else high
        return Column(
            _with_spaces(name),
            [name],
            score,
            drawing=lambda row: Bar(row[name], low, high),
            reason_key=f"{name} reason",
        )

    def _displayed_bins(self, display: DisplayOptions) -> pd.DataFrame:
        return self.bins(display.bins, display.rule, moa=True, by=display.by)

    def _bin_tables(self, display: DisplayOptions) -> list[Part]:
        from streameval.api.result_tables import bins_notes, bins_table

        frame = self._displayed_bins(display)
        names = self.learners if self.task.is_error else self.requested_learners
        table = bins_table(self.task, frame, names, more=display.more)
        classes = self.stream.schema.classes or ()
        notes = bins_notes(
            self.task,
            frame,
            table,
            classes,
            rule=display.rule,
            more=display.more,
            grouped=self.table.groups is not None,
        )
        return [replace(table, notes=notes, shown_in="text")]

    def _verdict_parts(self, display: DisplayOptions) -> list[Part]:
        """Sentences that compare learners with baselines, and a note on their numbers."""
        differences, texts = self.over_baselines(), list[str]()
        prefix = "" if self.delays is None else "On arrival, "
        for name in self.requested_learners:
            verdicts = baseline_verdict_sentences(
                self.task,
                name_with_tuning(self.tuned, name),
                differences[name],
                self.rope,
                self.task.name_in_text,
            )
            texts += [prefix + verdict.text for verdict in verdicts]
        if self._entity_column is not None:
            texts.append(self._entity_column.sentence)
        texts += (
            []
            if display.by_class or self.task is not CLASSIFICATION_TASK
            else self._rare_class_sentence()
        )
        has_interval = any(
            not value.reason
            for name in self.requested_learners
            for value in differences[name].values()
        )
        note = f"In brackets: 95 % intervals of the difference in {self.task.name}."
        if not has_interval:
            note = (
                _FOLD_INTERVALS_NOTE if self.has_folds and self.task is CLASSIFICATION_TASK else ""
            )
        return [sentence_part(texts, [note] if note else [])]

    @cached_property
    def _entity_column(self) -> RepeatsInColumn | None:
        """Column that may name entities, as labels repeat within its values; or None."""
        from streameval.evaluation.persistence import find_entity_column

        return find_entity_column(self.stream)

    def _rare_class_sentence(self) -> list[str]:
        """Sentence on the rarest class that occurs; empty if no class is rare.

        Numbers of instances by class are the same for all requested learners.
        """
        occurring = [
            row for row in self._class_rows(self.requested_learners[0]) if row["instances"]
        ]
        rarest = min(occurring, key=lambda row: int(row["instances"]), default={"instances": 0})
        proportion = rarest["instances"] / max(sum(row["instances"] for row in occurring), 1)
        if len(occurring) < 2 or proportion >= _RARE:
            return []
        text = percentage(proportion) if proportion >= 0.001 else "less than 0.1 %"
        return [
            (
                f"The class {rarest['class']!r} has {text} of the labels; accuracy hides errors on "
                "it. --by-class shows how well each class is predicted."
            )
        ]

    def _class_rows(self, learner: str) -> list[dict[str, Any]]:
        """Rows of `by_class` of a learner, without loading pandas."""
        return class_measures(self.tally(learner), self.stream.schema.classes or ())

    def _class_parts(self, learner: str) -> Iterator[Part]:
        """Yield the table of measures by class, and the confusion matrix."""
        rows, matrix = self._class_rows(learner), self._confusion_counts(learner)
        on_arrival = "" if self.delays is None else ", on arrival"
        columns = [
            Column("class", ["class"], kind="name"),
            *(Column(title, [title], count_text) for title in ("instances", "predicted")),
            *(Column(title, [title.lower()], score) for title in ("precision", "recall", "F1")),
        ]
        yield Table(columns, rows, f"{learner} by class{on_arrival}")
        classes = [str(row["class"]) for row in rows]
        if len(classes) > _MAX_CLASSES_SHOWN:
            text = f"The confusion matrix of {len(classes)} classes is in --json and "
            yield Words([f"{text}Result.confusion."])
        else:
            # The last column counts missing predictions.
            titles = [*classes, "none"] if any(row[-1] for row in matrix) else classes
            # Keys of the cells are numbers, as a class may be called "class".
            cells = [
                {"class": name, **{f"{i}": cell for i, cell in enumerate(row)}}
                for name, row in zip(classes, matrix, strict=True)
            ]
            columns = [Column(title, [f"{i}"], count_text) for i, title in enumerate(titles)]
            name_column = Column("", ["class"], kind="name")
            yield Table([name_column, *columns], cells, notes=[_CONFUSION_LEGEND])

    def _further_tables(self, display: DisplayOptions) -> list[Part]:
        """Tables after the verdicts and the classes: groups, intervals, scores."""
        from streameval.api.result_tables import (
            SCORES_BY_BIN,
            score_bins_table,
            score_measure_names,
            scores_table,
        )

        on_arrival = "" if self.delays is None else ", on arrival"
        parts = [*self._group_tables(display), *self._interval_tables()]
        if self._score_table is not None:
            names = score_measure_names(self.stream.n_classes)
            measured_scores = self._measure_scores(names)
            values = _pivot(measured_scores, "value")
            reasons = _pivot(measured_scores, "reason")
            parts.append(scores_table(values, reasons, on_arrival))
            if self.delays is not None and display.by == "label":
                by_bin = [name for name in SCORES_BY_BIN if name in names]
                parts.append(score_bins_table(self.score_bins(*by_bin, bins=display.bins)))
        return parts

    def _interval_tables(self) -> list[Table]:
        """Table of prediction intervals; empty without any."""
        from streameval.api.result_tables import intervals_table

        if not self.table.intervals:
            return []
        coverage = self.table.coverage
        suffix = "" if coverage is None else f", nominal coverage {coverage:g}"
        suffix += "" if self.delays is None else ", on arrival"
        measures = self._interval_measures()
        return [intervals_table(measures, self.learners, suffix, self._interval_reasons())]

    def _group_tables(self, display: DisplayOptions) -> list[Part]:
        """Table by entity for each learner; empty without groups."""
        if self.table.groups is None:
            return []
        on_arrival = "" if self.delays is None else ", on arrival"
        return [self._group_table(name, on_arrival, display) for name in self.requested_learners]

    def _group_table(self, learner: str, on_arrival: str, display: DisplayOptions) -> Table:
        """Table of a learner by entity: all entities, or the worst, the median and the best."""
        rows, task = self._by_group([learner]), self.task
        bases = [base for base in self.baselines if base != learner]
        sort_key, group = OVER_PREFIX + bases[0], require_groups(self.table.groups).column
        title = (
            f"{learner} by {group}{on_arrival}, in order of the difference from "
            f"{task.name_in_text(bases[0])}, which is above 0 for "
            f"{positive_count_text(rows, sort_key)}"
        )
        text = partial(_difference_text, task)
        columns = [
            Column("instances", ["n"], count_text),
            Column(task.column_heading, [task.measure], task.value_text),
            *(
                Column(f"over {task.name_in_text(base)}", [OVER_PREFIX + base], text)
                for base in bases
            ),
        ]
        if learner in self.table.intervals:
            columns.append(Column("coverage", [COVERAGE], _coverage_text))
        return by_group_table(
            group, columns, rows, sort_key, title=title, show_all=display.by_group
        )

    def _draw(self, display: DisplayOptions) -> Axes | Panels:
        if self.delays is None:
            return self.plot(window=default_window(len(self.stream)))
        return self.plot_bins(bins=display.bins, rule=display.rule, by=display.by)

    def _numbers(self, display: DisplayOptions) -> dict[str, Any]:
        """Plain data for JSON; a key is left out if it does not apply."""
        tuned = {name: tuning.to_dict() for name, tuning in self.tuned.items()}
        delays = self.delays or {}
        if self.delays is None and self.before_first_label:
            delays = {"before_first_label": self.before_first_label}
        numbers: dict[str, Any] = {
            **stream_entry(self.stream),
            "summary": self.summary,
            **({"pretrain": self.pretrain, "tuned": tuned} if self.pretrain else {}),
            **delays,
            "learners": self._learner_numbers(display),
        }
        if (groups := self.stream.groups) is not None:
            numbers["group"] = {"column": groups.column, "entities": len(groups.names)}
        elif self._entity_column is not None:
            numbers["within"] = asdict(self._entity_column)
        if display.by_group:
            numbers["by_group"] = [json_row(row) for row in self._by_group(self.learners)]
        if self._stored is not None:
            numbers["labels_measured"] = {
                name: self.measured_labels(name) for name in self.learners
            }
        if self._score_table is not None:
            measured_scores = self._measure_scores(())
            scores = _pivot(measured_scores, "value").to_dict("index")
            numbers["scores"] = {str(name): json_row(row) for name, row in scores.items()}
            reasons: dict[str, dict[str, str]] = {}
            for score in measured_scores:
                if score.reason:
                    reasons.setdefault(score.learner, {})[score.measure] = score.reason
            numbers["score_reasons"] = reasons
            if self.delays is not None and display.by == "label":
                numbers["scores_by_bin"] = _json_rows_by_learner(self.score_bins(bins=display.bins))
        return numbers

    def _learner_numbers(self, display: DisplayOptions) -> dict[str, dict[str, Any]]:
        """Plain data of each learner for JSON."""
        if self.delays is not None:
            costs = self.to_dict(self.task.measure)
            bins = _json_rows_by_learner(self._displayed_bins(display))
            return {
                name: {
                    "bins": bins[name],
                    **{key: costs[name][key] for key in ("seconds", "model_bytes")},
                    **self._further_numbers(name, display),
                }
                for name in self.learners
            }
        numbers: dict[str, dict[str, Any]] = {}
        titles = [*self._titles()]
        reasons = self._reasons_by_learner(titles)
        for name, values in self.to_dict(*titles).items():
            del values["instances"]
            numbers[name] = {**values, "not_predicted": self.n_missing(name)}
            if undefined := {key: reason for key, reason in reasons[name].items() if reason}:
                numbers[name]["reasons"] = undefined
            numbers[name] |= self._further_numbers(name, display)
        return numbers

    def _further_numbers(self, learner: str, display: DisplayOptions) -> dict[str, Any]:
        """Plain data of a learner besides its measures: baselines, classes and intervals."""
        differences = self.over_baselines()[learner]
        keys = ("skill", "low", "high", "reason")
        numbers: dict[str, Any] = {
            "over": {base: json_row(value.as_dict()) for base, value in differences.items()}
        }
        if display.by_class:
            numbers["by_class"] = [json_row(row) for row in self._class_rows(learner)]
            numbers["confusion"] = self._confusion_counts(learner)
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
    def _baseline_cells(self) -> dict[tuple[str, str], tuple[float, float, float, str, str]]:
        """Difference (or skill), low, high, text and reason, by learner and baseline."""
        return {
            (name, base): self._baseline_cell(name, base)
            for base in self.baselines
            for name in self.learners
            if name != base
        }

    def _difference_column(self, base: str, rows: Mapping[str, dict[str, Any]]) -> Column:
        """Column of the differences from a baseline; their values are added to the rows."""
        cells = self._baseline_cells
        low, high = notebook.scale([number for cell in cells.values() for number in cell[:3]])
        for name, row in rows.items():
            # No cell compares a baseline with itself.
            *_, row[base], row[f"{base} reason"] = cells.get((name, base), (None, ""))

        def drawing(row: Mapping[str, Any]) -> DotInterval | None:
            if row[base] is None:
                return None
            value, *ends = cells[row["learner"], base][:3]
            return DotInterval(value, (ends[0], ends[1]), low, high)

        # For classification "over" a baseline stands for a difference.
        title = f"{'skill ' * self.task.is_error}over {self.task.name_in_text(base)}"
        return Column(title, [base], drawing=drawing, reason_key=f"{base} reason")

    def _baseline_cell(self, learner: str, base: str) -> tuple[float, float, float, str, str]:
        """Difference in accuracy, or for regression skill, with its interval, text and reason."""
        if self.task is CLASSIFICATION_TASK:
            value, low, high, _, reason, signs = difference(self.table, learner, base)
            reason = one_sided_reason(signs, reason)
            text = CLASSIFICATION_TASK.interval(value, low, high, unit=False)
        else:
            value, low, high, reason = self.table.skill(learner, base)
            text = skill_text(value, low, high)
        return value, low, high, "undefined" if np.isnan(value) else text, reason

    def _add_lines(self, columns: list[Column], rows: Mapping[str, dict[str, Any]]) -> list[str]:
        """Add a column with a line for each learner, over time or by bin; return its note."""
        if self.has_folds:
            return []
        measure = self.task.measure
        if self._reevaluation is not None:
            tidy = self.bins(_SHOWN_BINS)
            note = (
                "Measures and differences: predictions on arrival. Lines: "
                f"{_with_spaces(measure)} in bins 0 to {_SHOWN_BINS + 1} of the time to the label."
            )
            title = f"{_with_spaces(measure)} by bin"
        else:
            window = max(min(_MAX_WINDOW, len(self.all_predictions) // 10), 1)
            tidy = windowed_measures(self.table, self.learners, [measure], window, _POINTS)
            tidy = tidy.rename(columns={"value": measure})
            note = f"Lines: {_with_spaces(measure)} over the last {window:,} predictions."
            title = f"{_with_spaces(measure)} over time"
        ends = tidy[measure].min(), tidy[measure].max()
        for name, values in tidy.groupby("learner", sort=False)[measure]:
            rows[str(name)]["line"] = Line(values.tolist(), *ends)

        def first_and_last(line: Line) -> str:
            return f"{score(line.values[0])} → {score(line.values[-1])}"

        columns.append(Column(title, ["line"], first_and_last, drawing=lambda row: row["line"]))
        return [note]

    def _displayed_measures(self) -> pd.DataFrame:
        """Measures in the repr; with delayed labels the main measure by bin."""
        if self._reevaluation is None:
            return self._measure_frame("value", self._defaults.in_table)
        measure = self.task.measure
        title = f"{_with_spaces(measure)} in bin"
        tidy = self.bins(_SHOWN_BINS).rename(columns={"bin": title})
        wide = tidy.pivot(index="learner", columns=title, values=measure)  # noqa: PD010
        return wide.loc[self.learners]

    def _summary(self) -> str:
        return f"<{type(self).__name__}: {listing(self.learners)} on {self._setting_text()}>"

    def _setting_text(self) -> str:
        """Stream, protocol, and number of predictions."""
        unlabelled = f", {text}" if (text := self.stream.unlabelled_text) else ""
        training = f" after {self.pretrain:,} instances of training" if self.pretrain else ""
        predictions = f"{len(self.all_predictions):,} predictions{training}{unlabelled}"
        return f"{excerpt(self.stream.name)!r}, {self.protocol}, {predictions}"


def _pivot(values: Sequence[MeasureValue], column: str) -> pd.DataFrame:
    """Data frame with a row per learner and a column per measure, in the order of `values`."""
    import pandas as pd  # here, as it takes 0.4 s, and most commands do not need it

    tidy = pd.DataFrame(values, columns=MeasureValue._fields)
    learners = list(dict.fromkeys(tidy["learner"]))
    measures = list(dict.fromkeys(tidy["measure"]))
    # Not `pivot_table`, which averages and so cannot hold reasons.
    wide = tidy.pivot(index="learner", columns="measure", values=column)  # noqa: PD010
    return wide.loc[learners, measures].rename_axis(columns=None)


def _difference_text(task: Task, difference: float) -> str:
    return task.interval(difference, math.nan, math.nan)


def _wrap_lines(line: str) -> list[str]:
    return ["\n".join(wrap(line, 100, subsequent_indent="  "))]


def _with_spaces(name: str) -> str:
    return name.replace("_", " ")


def _json_rows_by_learner(frame: pd.DataFrame) -> dict[str, list[dict[str, Any]]]:
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


def _coverage_text(value: float) -> str:
    """Coverage of an entity's prediction intervals; empty without intervals."""
    return "" if math.isnan(value) else format_number(value, ".3f")
