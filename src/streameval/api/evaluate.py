"""Evaluating learners on a stream."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from datetime import timedelta
from typing import Any

import numpy as np

from streameval.api.learners import Learners
from streameval.api.progress import bar
from streameval.api.request import Request
from streameval.api.result import Result
from streameval.api.wrappers import intervals_around
from streameval.base.values import flag_of
from streameval.evaluation.extreme_errors import warn_of_extreme_errors
from streameval.evaluation.run import run_all
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
    """Run learners over a stream and keep their predictions.

    The baselines are run along: of classes No-Change and Majority, with which κ_t and κ_m compare;
    of a numeric target ``previous_target``, which predicts the latest target that is known, and
    ``target_mean``, the mean of the targets so far.

    Parameters
    ----------
    stream : Stream
        What `read`, `load`, `from_pandas`, `from_arrays` or `generate` returned; with
        ``numeric_target=True`` its target is a number.
    learners : object, or a list or mapping of such
        Each is one of

        - an id that ``streameval learners`` lists, or ``"module:Class"``;
        - what `learner`, `augmented`, `corrected`, `retrained` or `tune` returned;
        - a model of River, or a model or pipeline of scikit-learn that has ``partial_fit``. An
          untrained copy is run;
        - a class, or an object, with ``learn(x, y, w)`` and ``predict(x)``, which returns a class
          code as ``learn`` gets it, or a class name. Of an object a deep copy is run. Whole numbers
          of a model that uses no labels are names, if classes are whole numbers other than 0, 1,
          ...;
        - the predictions of another system, one for each row: a file,
          ``"predictions.csv:COLUMN"``, a column of the stream, ``"column:NAME"``, which is then no
          input, or a series or an array, ``{"production": series}``. They are those on arrival,
          and are kept until the label is known.

        Of a numeric target these are regressors, which get and return numbers; ``"seasonal:24"`` is
        one. Models of other packages learn class codes 0, 1, ... as labels. River's models get
        values of nominal attributes by name, those of scikit-learn a column of 0 and 1 for each
        value. The keys of a mapping are the learners' names.
    protocol : str, mapping or Protocol, optional
        ``"prequential"``: predict each instance, then learn from it; the default, unless labels are
        delayed. ``"delayed:48"``: labels come 48 instances later. ``"reevaluation:10"``: labels
        come at the stream's own times, and until then an instance is predicted again after every 10
        labels; the default where labels are delayed. ``"cross_validation:10"``,
        ``"split_validation:10"``, ``"bootstrap_validation:10"``: ten models side by side, as for
        `compare`. Or a mapping of the arguments of a `Protocol`, such as
        ``{"name": "delayed", "delay": 48}``.
    delay : int, str or timedelta, optional
        Number of instances that arrive between an instance and its label, 0 if the label is known
        before the next prediction; or, where instances have dates, a length of time, such as
        ``"30 days"``. Without `delay` the label times of the stream count, if it has any. Instances
        are then predicted repeatedly until their labels arrive, and `Result.bins` has measures by
        the time from the prediction to the label; other measures are over the predictions on
        arrival. Instances that arrive before the first label are not scored, see
        ``before_first_label`` of `Result.delays`.
    every : int, optional
        Labels between two predictions of an instance whose label has not arrived; by default 10.
    label_first : bool
        At equal times a label comes before an instance; by default it comes after it.
    ignore_label_times : bool
        Use each label before the next instance, even if the stream says that it arrives later.
        Instances whose labels have not arrived are predicted, never scored, never learnt.
    pretrain : int, optional
        Number of instances at the start that are learnt and not scored. By default the instances
        that a learner was tuned on, see `tune`; otherwise none.
    seasonal : int or sequence of int
        For a numeric target, the period of a further baseline, or several periods. The baseline
        predicts the target one period earlier: with hourly instances and period 24, the target of
        the same hour on the previous day. Under a delay it uses the latest season that is known on
        arrival; its name has the lag.
    intervals : float or str, optional
        For a numeric target, the nominal coverage of prediction intervals, such as 0.9. Regressors
        without intervals get adaptive conformal ones. Their step (by default 0.005), window (by
        default 500 errors) and form (1: infinite where theory says so) may follow:
        ``"0.9:0.01:1000"``. See `conformal` and `Result.intervals`.
    scores : bool
        Also measure the class scores of the learners as forecasts of probabilities: area under the
        ROC curve, log loss, Brier score and calibration, compared with forecasts from past labels
        only. With delayed labels they are measured on arrival and by bin. See `Result.scores` and
        `Result.score_bins`. All learners must give class scores; each class and prediction takes 4
        bytes of memory.
    seed : int
        Seed of random learners without a seed of their own; by default 1.
    progress : bool, optional
        Whether to show a bar; by default where the error output is a terminal. Unless it is False,
        a line says after a second if learners that are not compiled will take long.

    Returns
    -------
    Result
        Predictions, measures and costs.

    Raises
    ------
    StreamevalError
        If a learner or the protocol is unknown or wrong, a learner does not suit the stream, or
        the protocol uses labels before they arrive and `ignore_label_times` is not given.

    Warns
    -----
    StreamWarning
        If ``delayed`` states a shorter delay than the stream has, or if some predicted numbers are
        so far outside all targets that they decide the mean absolute error.

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

    Raises ConfigError or DataError if it asks for what the learners or the stream do not have.
    """
    if flag_of(scores, "scores"):
        request.require_classes("scores")
    learners = request.learners
    around = intervals_around(request.intervals, learners, request.stream)
    ready = request.ready()
    stream, waiting, judged = ready.stream, ready.waiting, ready.judged
    events, kept = lambda: len(learners) * ready.events, None
    with bar(progress, events, learners.values(), len(stream)) as update:
        if scores:
            from streameval.evaluation.class_scores import run_all_scored

            which, again = judged, None
            if waiting is not None:
                first_ones = waiting.arriving()
                again = np.ones_like(first_ones) if judged is None else judged
                which = first_ones & again
            how: dict[str, Any] = {"tapes": ready.tapes, "progress": update}
            run, kept = run_all_scored(
                stream, ready.protocol, learners, request.seed, which, reevaluated=again, **how
            )
        else:
            how = {"tapes": ready.tapes, "conformal": around, "progress": update}
            run = run_all(stream, ready.protocol, learners, request.seed, **how)
    result = Result(request, ready, run, scores=kept)
    if result.task is REGRESSION_TASK:
        for name in result.requested_learners:
            warn_of_extreme_errors(name, result.table.losses(name), result.table.true)
    return result
