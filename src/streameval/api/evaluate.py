"""Evaluating learners on a stream."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from datetime import timedelta
from typing import Any

import numpy as np

from streameval.api.learners import Learners
from streameval.api.progress import progress_bar
from streameval.api.request import Request
from streameval.api.result import Result
from streameval.api.wrappers import interval_wrapper
from streameval.base.values import flag_of
from streameval.evaluation.extreme_errors import warn_of_extreme_errors
from streameval.evaluation.run import run_with_unscored
from streameval.evaluation.task import REGRESSION_TASK
from streameval.protocols.protocol import Protocol
from streameval.streams.stream import Stream


def evaluate(
    stream: Stream,
    learners: Learners,
    protocol: str | Mapping[str, Any] | Protocol | None = None,
    *,
    delay: int | str | timedelta | None = None,
    every: int | None = None,
    label_first: bool = False,
    ignore_label_times: bool = False,
    pretrain: int | None = None,
    seasonal: int | Sequence[int] = (),
    intervals: float | str | None = None,
    scores: bool = False,
    seed: int = 1,
    progress: bool | None = None,
) -> Result:
    """Run learners and baselines over a stream, and measure their predictions.

    The baselines always run. For a nominal target they are No-Change and Majority, the references
    of κ_t and κ_m. For a numeric target they are ``previous_target``, which predicts the latest
    known target, and ``target_mean``, which predicts the mean of the targets so far.

    Parameters
    ----------
    stream : Stream
        A stream from `read`, `load`, `from_pandas`, `from_arrays` or `generate`. Its target is
        numeric if it was made with ``numeric_target=True``.
    learners : learner, or list or mapping of learners
        The keys of a mapping are the learners' names. Each learner is one of

        - an id that ``streameval learners`` lists, or ``"module:Class"``;
        - a result of `learner`, `augmented`, `corrected`, `retrained` or `tune`;
        - a model of River, or a model or pipeline of scikit-learn that has ``partial_fit``. An
          untrained copy of it runs;
        - a class, or an object, with ``learn(x, y, w)`` and ``predict(x)``; of an object a deep
          copy runs. ``predict`` returns a class code, as ``learn`` gets it, or a class name. A
          whole number is a code, with one exception: it is a class name if the model ignores its
          labels, and class names are whole numbers other than the codes;
        - predictions of another system, one for each row: a file, ``"predictions.csv:COLUMN"``; a
          column of the stream, ``"column:NAME"``, which is then not an input; or a series or an
          array, ``{"production": series}``. They count as made on arrival, and stay the same until
          the label is known.

        For a numeric target learners are regressors, which learn and predict numbers, such as
        ``"seasonal:24"``. Models of other packages learn class codes 0, 1, ... as labels. For
        nominal attributes River's models get the names of values, and scikit-learn's models get a
        column of 0 and 1 for each value.
    protocol : str, mapping or Protocol, optional
        One of

        - ``"prequential"``: predict each instance, then learn from it; the default, unless labels
          are delayed;
        - ``"delayed:48"``: labels arrive 48 instances later;
        - ``"reevaluation:10"``: labels arrive at the stream's own times, and until then an instance
          is predicted again after every 10 labels; the default if labels are delayed;
        - ``"cross_validation:10"``, ``"split_validation:10"``, ``"bootstrap_validation:10"``: ten
          models of each learner, as for `compare`;
        - a mapping of the arguments of a `Protocol`, such as ``{"name": "delayed", "delay": 48}``.
    delay : int, str or timedelta, optional
        Number of instances that arrive between an instance and its label, 0 if the label is known
        before the next prediction. If instances have dates, also a length of time, such as
        ``"30 days"``. By default the stream's own label times are used, if it has any.

        With delayed labels, instances are predicted repeatedly until their labels arrive. Measures
        use the predictions on arrival; those of `Result.bins` are by the time from the prediction
        to the label. Instances that arrive before the first label are not scored, see
        ``before_first_label`` of `Result.delays`.
    every : int, optional
        Number of labels from one prediction of an instance to the next, until its label arrives; by
        default 10.
    label_first : bool
        Whether to learn a label before an instance with the same time; by default after it.
    ignore_label_times : bool
        Whether to use each label before the next instance, even if the stream says that it arrives
        later. Instances whose labels have not arrived are predicted, but never scored or learnt.
    pretrain : int, optional
        Number of instances at the start that are learnt and not scored. By default the instances
        that a learner was tuned on, see `tune`; otherwise none.
    seasonal : int or sequence of int
        For a numeric target, the period of a further baseline, or several periods. The baseline
        predicts the target one period earlier: with hourly instances and period 24, the target of
        the same hour on the previous day. With delayed labels it predicts the latest target that is
        a whole number of periods earlier and known on arrival; its name then contains the lag.
    intervals : float or str, optional
        For a numeric target, the nominal coverage of prediction intervals, such as 0.9. Regressors
        without intervals of their own get adaptive conformal intervals. Three values may follow, as
        in ``"0.9:0.01:1000"``: the step (by default 0.005), the window (by default 500 errors), and
        0 or 1 for the option `infinite` (by default 0) of `conformal`. See `conformal` and
        `Result.intervals`.
    scores : bool
        Whether to also measure the class scores of the learners as forecasts of probabilities: area
        under the ROC curve, log loss, Brier score and calibration, compared with forecasts from
        past labels only. With delayed labels they are measured on arrival and by bin. See
        `Result.scores` and `Result.score_bins`. All learners must give class scores, which take 4
        bytes of memory for each class and prediction.
    seed : int
        Seed of random learners without a seed of their own; by default 1.
    progress : bool, optional
        Whether to show a progress bar; by default if the error output is a terminal. If the run
        will take long because learners are not compiled, a message says so after one second; False
        suppresses it.

    Returns
    -------
    Result
        Predictions, measures and costs.

    Raises
    ------
    StreamevalError
        If a learner or the protocol is unknown or invalid, a learner does not suit the stream, or
        the protocol uses labels before they arrive and `ignore_label_times` is not given.

    Warns
    -----
    StreamWarning
        If ``delayed`` has a shorter delay than the stream, or if a few predicted numbers are so far
        outside all targets that they dominate the mean absolute error.

    Examples
    --------
    >>> import streameval as se
    >>> class Last:
    ...     label = None
    ...     def learn(self, x, y, w):
    ...         self.label = y
    ...     def predict(self, x):
    ...         return self.label
    >>> stream = se.generate("sea", rows=2000)
    >>> result = se.evaluate(stream, ["hoeffding_tree", Last, se.augmented("naive_bayes")])
    >>> result.measures("accuracy", "kappa_m").round(2)
                           accuracy  kappa_m
    learner
    hoeffding_tree             0.86     0.60
    Last                       0.54    -0.28
    naive_bayes_augmented      0.86     0.60
    no_change                  0.54    -0.28
    majority                   0.64     0.00
    """
    return evaluate_request(Request.of(locals()), scores=scores, progress=progress)


def evaluate_request(
    request: Request, *, scores: bool = False, progress: bool | None = None
) -> Result:
    """Run the learners of a request; for the parameters see `evaluate`.

    Raises ConfigError or DataError if the learners or the stream do not suit the request.
    """
    if flag_of(scores, "scores"):
        request.require_classes("scores")
    learners = request.learners
    conformal_wrapper = interval_wrapper(request.intervals, learners, request.stream)
    prepared = request.prepare()
    stream, reevaluation = prepared.stream, prepared.reevaluation
    scored_mask = prepared.scored_mask
    score_tables = None
    with progress_bar(
        progress, lambda: len(learners) * prepared.events, learners.values(), len(stream)
    ) as update:
        if scores:
            from streameval.evaluation.class_scores import run_with_all_class_scores

            # Masks of the predictions whose class scores are kept: on arrival (None for all), and,
            # with delayed labels, at any time.
            on_arrival, repeated = scored_mask, None
            if reevaluation is not None:
                first_predictions = reevaluation.first_with_label()
                repeated = np.ones_like(first_predictions) if scored_mask is None else scored_mask
                on_arrival = first_predictions & repeated
            run, score_tables = run_with_all_class_scores(
                stream,
                prepared.protocol,
                learners,
                request.seed,
                on_arrival,
                reevaluated=repeated,
                tapes=prepared.tapes,
                progress=update,
            )
        else:
            run = run_with_unscored(
                stream,
                prepared.protocol,
                learners,
                request.seed,
                tapes=prepared.tapes,
                conformal=conformal_wrapper,
                progress=update,
            )
    result = Result(request, prepared, run, scores=score_tables)
    if result.task is REGRESSION_TASK:
        for name in result.requested_learners:
            warn_of_extreme_errors(name, result.table.losses(name), result.table.true)
    return result
