"""Running learners over a stream."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any

import numpy as np

from streameval.api.arguments import check_seed, check_stream, has_scores, seasons_of
from streameval.api.asked import asked_of
from streameval.api.delays import (
    Waiting,
    check_label_times,
    in_instances,
    knowing_rows,
    protocol_for,
)
from streameval.api.learners import Learners, apart, by_name, made_for
from streameval.api.progress import bar
from streameval.api.result import Made, Result
from streameval.api.wrapped import intervals_around
from streameval.base.arrays import Flags
from streameval.errors import ConfigError
from streameval.evaluation.predictions import PredictionTable
from streameval.evaluation.run import run_learners
from streameval.evaluation.tuned import pretrain_of, rest_of, tuned_of
from streameval.learners.learner import AnyLearner
from streameval.protocols.protocol import Protocol
from streameval.protocols.reevaluation import Reevaluation
from streameval.protocols.tape import Tape
from streameval.streams.stream import Stream


def evaluate(
    stream: Stream,
    learners: Learners,
    protocol: str | Mapping[str, Any] | Protocol | None = None,
    *,
    delay: int | str | None = None,
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
        - a class, or an object, with ``learn(x, y, w)`` and ``predict(x)``. Of an object a deep
          copy is run;
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
        ``"split_validation:10"``, ``"bootstrap_validation:10"``: ten models side by side. Or a
        mapping, such as ``{"name": "delayed", "delay": 48}``.
    delay : int, optional
        Number of instances that arrive between an instance and its label, 0 if the label is known
        before the next prediction. Instances are then predicted again and again until their labels
        arrive, and `Result.bins` says how good the predictions are by how long they are made before
        the label; other measures are over the predictions on arrival. A stream with times of its
        instances and labels is evaluated so without `delay`. Instances that arrive before the first
        label are not scored, see ``before_first_label`` of `Result.delays`.
    every : int, optional
        Number of labels between two predictions of an instance whose label has not arrived; by
        default 10.
    label_first : bool
        Whether a label comes before an instance of the same time; by default it comes after it.
    ignore_label_times : bool
        Whether each label is taken for known before the next instance, though the stream says that
        it arrives later. Without it such an evaluation is refused. Instances whose labels have not
        arrived are predicted, never scored, never learnt.
    pretrain : int, optional
        Number of instances at the start that are learnt and not scored. By default those that chose
        the parameters of a learner, see `tune`; otherwise none.
    seasonal : int or sequence of int
        Of a numeric target, the number of instances in a season, such as 24 for hours: the target
        one season before, ``seasonal:24``, is run along as a further baseline.
    intervals : float or str, optional
        Of a numeric target, the nominal coverage of prediction intervals, such as 0.9: of
        regressors that give none, adaptive conformal ones, see `conformal`, whose parameters a text
        such as ``"0.9:0.01:1000"`` has in their order. See `Result.intervals`.
    scores : bool
        Whether to keep class scores, 4 bytes for each class and prediction, which
        `Result.scores` measures, and `Result.score_bins` under delayed labels. All learners must
        give them.
    seed : int
        Seed of randomised learners that have none of their own.
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
        If ``delayed`` states a shorter delay than the stream has, or if no label arrives before
        the last instance.

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
    check_stream(stream)
    keeps_scores = has_scores(scores, stream)
    check_seed(seed)
    seasons = seasons_of(seasonal, stream)
    options = {
        "delay": delay,
        "every": every,
        "label_first": label_first,
        "ignore_label_times": ignore_label_times,
        "pretrain": pretrain,
        "seasonal": seasons,
        "intervals": intervals,
        "seed": seed,
    }
    stream, learners = apart(stream, learners)
    recipes = by_name(learners)
    made = made_for(stream, recipes, seasons)
    around = intervals_around(intervals, made, stream)
    asked = asked_of(stream, learners, recipes, protocol, options)
    tuned = tuned_of(recipes, stream)
    first = pretrain_of(stream, tuned, pretrain)
    rest = rest_of(stream, first)
    stream, parsed = protocol_for(stream, protocol, delay, every, label_first, ignore_label_times)
    check_label_times(stream, parsed, ignore_label_times)
    over, waiting = _over(stream, parsed, made, delay)
    _check_pretrain(first, parsed)
    knowing = knowing_rows(stream, over)
    judged = None if (rest & knowing).all() else _judged(stream, over, rest & knowing)
    kept = None
    with bar(progress, lambda: _events(stream, over, made), made.values(), len(stream)) as update:
        if keeps_scores:
            from streameval.evaluation.scored import run_scored

            which, again = judged, None
            if waiting is not None:
                first_ones = waiting.arriving()
                again = np.ones_like(first_ones) if judged is None else judged
                which = first_ones & again
            table, costs, kept = run_scored(
                stream, over, made, int(seed), which, again=again, progress=update
            )
        else:
            table, costs = run_learners(
                stream, over, made, int(seed), around=around, progress=update
            )
    table = replace(table, protocol=str(parsed))
    return Result(
        stream,
        str(parsed),
        *_scored(table, waiting, rest, knowing),
        costs,
        asked,
        scores=kept,
        tuned=tuned,
        pretrain=first,
    )


def _check_pretrain(pretrain: int, protocol: Protocol) -> None:
    """Refuse folds, which have no first instances."""
    if pretrain and protocol.has_folds:
        raise ConfigError(
            f"pretrain: expected a protocol with one model, found {protocol}: with folds, learners "
            f"cannot be judged on what comes after the first {pretrain:,} instances. Leave the "
            "protocol out, or do not tune."
        )


def _judged(stream: Stream, over: Protocol | Tape, rest: Flags) -> Flags:
    """Return a mask of the predictions, all of one tape, that are for some instances."""
    tape = over if isinstance(over, Tape) else over.tapes(stream)[0]
    found: Flags = rest[tape.predict_rows]
    return found


def _scored(
    table: PredictionTable, waiting: Waiting | None, rest: Flags, knowing: Flags
) -> tuple[Made, Made]:
    """Return the predictions that are scored, and those by the rule of the published program.

    Both are of the `rest` of the instances; the latter also before any label is known.
    """
    whole = Made(table, waiting, int(np.count_nonzero(~knowing)))
    if not rest.all():
        whole = whole.of(rest)
    return (whole if knowing[rest].all() else whole.of(rest & knowing)), whole


def _over(
    stream: Stream,
    protocol: Protocol,
    learners: Mapping[str, AnyLearner[Any]],
    delay: int | str | None,
) -> tuple[Protocol | Tape, Waiting | None]:
    """Return the protocol or tape of a run, and its predictions where labels are delayed."""
    if not isinstance(protocol, Reevaluation):
        return protocol, None
    tape, polls = protocol.polls(stream)
    return tape, Waiting(protocol, polls, learners, in_instances(delay))


def _events(stream: Stream, over: Protocol | Tape, learners: Mapping[str, Any]) -> int:
    """Return the number of events of a run."""
    tapes = [over] if isinstance(over, Tape) else over.tapes(stream)
    return len(learners) * sum(map(len, tapes))
