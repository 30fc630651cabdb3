"""Comparing learners over one stream: repeated runs of random learners, or shared folds."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from datetime import timedelta
from typing import Any

from streameval.api.arguments import MAX_RUNS, number_of_workers
from streameval.api.comparison import ByBin, Comparison
from streameval.api.learners import LearnerLike
from streameval.api.progress import progress_bar
from streameval.api.request import Request
from streameval.base.arrays import Flags
from streameval.base.errors import ConfigError
from streameval.base.seeds import generator
from streameval.base.values import check_integer
from streameval.evaluation.delays import ArrivalPredictions
from streameval.evaluation.extreme_errors import warn_of_extreme_errors
from streameval.evaluation.folds import RANDOM_SEED_LIMIT
from streameval.evaluation.runs import (
    ErrorRuns,
    Runs,
    SeededRuns,
    Seeds,
    join_runs,
    run_folds,
    seeded_runs,
)
from streameval.evaluation.tuning import mask_after_pretraining
from streameval.evaluation.verdict_words import Region
from streameval.evaluation.verdicts import ComparisonPlan, check_rope, region_from_baselines
from streameval.protocols.folds import FoldProtocol
from streameval.protocols.protocol import Protocol
from streameval.protocols.registry import DEFAULT, parse
from streameval.streams.stream import Stream


def compare(
    stream: Stream,
    learners: Iterable[LearnerLike] | Mapping[str, LearnerLike],
    protocol: str | Mapping[str, Any] | Protocol | None = None,
    *,
    runs: int | None = None,
    rope: float | None = None,
    delay: int | str | timedelta | None = None,
    label_first: bool = False,
    ignore_label_times: bool = False,
    pretrain: int | None = None,
    seasonal: int | Sequence[int] = (),
    bins: int | None = None,
    seed: int = 1,
    cores: int | None = None,
    progress: bool | None = None,
) -> Comparison:
    """Compare the accuracy of learners on streams like this one.

    All learners run over the stream prequentially: each instance is predicted, then learnt. Random
    learners run several times, with different seeds. The verdict is about the expected difference
    in accuracy on further instances of the same process, with other seeds. It follows from the 95 %
    interval of the difference, which covers the randomness of instances and of seeds:

    - A and B are *practically equal* if the interval lies between -`rope` and `rope`;
    - A *beats* B, or *loses to* it, if the interval lies outside these bounds;
    - otherwise A *cannot be told from* B. This is also the verdict without an interval: if the
      effective sample size is less than 60, if both learners are correct on nearly the same
      instances, or if the better learner changes between sections of the stream.

    If labels are delayed, learners are compared by their predictions on arrival; instances whose
    labels have not arrived are not scored. Regressors, on a stream with a numeric target, are
    compared by their mean absolute errors.

    With more than two learners each pair has a verdict. Intervals and p-values are then adjusted
    for the number of pairs (Bonferroni).

    Parameters
    ----------
    stream : Stream
        A stream from `read`, `load`, `from_pandas`, `from_arrays` or `generate`.
    learners : list or mapping of learners
        Two or more, each as for `evaluate`. The first is A. The same learner may be given twice:
        its models then differ by their seeds, and neither is better.
    protocol : str, mapping or Protocol, optional
        ``"prequential"``, the default: predict each instance, then learn it. Or a protocol with
        folds, in which each learner has several models. In ``"bootstrap_validation"`` each model
        learns an instance with a weight drawn from Poisson(1), in ``"cross_validation"`` all models
        but one learn it, in ``"split_validation"`` one model does. The verdict is then about models
        that learn a part of the instances. The result states that part, and also the prequential
        difference. Up to three values follow the name, as in ``"cross_validation:5:all:in_turn"``:

        1. the number of models of a learner, by default ten;
        2. the instances that test a model: learnt (those that it learns afterwards; the default),
           held_out (those that it does not learn) or all;
        3. how instances are assigned to folds: at_random (the default), or in_turn. With in_turn,
           all models of a learner have the same seed, so random learners get no verdict. There is
           one run, as further runs would have the same folds. ``all:in_turn`` is MOA's
           EvaluatePrequentialCV.
    runs : int, optional
        Number of runs, each with its own seeds and folds; by default 5 for random learners, and
        1 with folds. With 2 to 4 runs the intervals are wide.
    rope : float, optional
        Region of practical equivalence: the largest difference that counts as practically equal. By
        default 2 % of the error of the better baseline, for example one point of accuracy (0.01) if
        that baseline is wrong on half of the instances.
    delay : int, str or timedelta, optional
        Number of instances that arrive between an instance and its label, 0 if the label is known
        before the next prediction. If instances have dates, also a length of time, such as
        ``"30 days"``. By default the stream's own label times are used, if it has any. With a delay
        the verdict is about predictions on arrival.
    label_first : bool
        Whether to learn a label before an instance with the same time; by default after it.
    ignore_label_times : bool
        Whether to use each label before the next instance, even if the stream says that it arrives
        later.
    pretrain : int, optional
        Number of instances at the start that are learnt and not scored. By default the instances
        that a learner was tuned on, see `tune`; otherwise none.
    seasonal : int or sequence of int
        For a numeric target, the period of a further baseline, such as 24, or several periods. The
        baseline predicts the target one period earlier. `evaluate` describes it for delayed labels.
    bins : int, optional
        Number of bins of the time from an instance to its label. Each bin has a verdict; their
        confidence holds for all bins and pairs at once. By default there are no bins. See
        `Comparison.bins`.
    seed : int
        Seed of random learners without a seed of their own; by default 1. The seed of the folds is
        in the protocol: ``"cross_validation:seed=2"``.
    cores : int, optional
        Number of models that run side by side, each on one core; by default the number of
        processors. The result does not depend on it.
    progress : bool, optional
        Whether to show a progress bar; by default if the error output is a terminal.

    Returns
    -------
    Comparison
        Verdicts, accuracies, intervals and a plot.

    Raises
    ------
    StreamevalError
        If a parameter is invalid, a learner is unknown or does not suit the stream, or the stream
        is too short for the number of folds.

    References
    ----------
    Ibragimov, Müller (2010), t-statistic based correlation and heterogeneity robust inference;
    Bifet et al. (2015), Efficient online evaluation of big data stream classifiers, Sections 3
    and 4. The item ``beyond/verdict_calibration`` measures how often verdicts are wrong.

    Examples
    --------
    >>> import streameval as se
    >>> stream = se.generate("sea", rows=5000)
    >>> comparison = se.compare(stream, ["naive_bayes", "majority"])
    >>> comparison.verdict
    'beats'
    >>> comparison.lines()[0]
    'naive_bayes beats majority by 22.96 points [20.94, 24.98].'
    """
    _check_several(learners)
    request = Request.of(locals(), "runs", "rope", "cores")
    return compare_request(request, bins=bins, progress=progress)


def compare_request(
    request: Request, *, bins: int | None = None, progress: bool | None = None
) -> Comparison:
    """Compare the learners of a request; for the parameters see `compare`.

    Raises ConfigError or DataError if the learners or the stream do not suit the request.
    """
    _check_protocol(request)
    task, rope = request.task.with_seasons(request.seasonal_baselines), request.further.get("rope")
    # The default region depends on the errors of baselines, so it is set after the runs.
    region = Region(0.0 if rope is None else check_rope(rope, task))
    runs = request.further.get("runs")
    runs = None if runs is None else check_integer(runs, "runs", most=MAX_RUNS)
    workers = number_of_workers(request.further.get("cores"))
    # With 0 bins there are still predictions on arrival, and just before the label is learnt.
    bins = None if bins is None else check_integer(bins, "bins", least=0)
    arrival = request.arrival(repeated=bins is not None)
    fold_protocol = arrival.protocol if isinstance(arrival.protocol, FoldProtocol) else None
    if fold_protocol is not None and fold_protocol.is_in_turn and (runs or 1) > 1:
        raise ConfigError(
            f"runs: expected 1 with the protocol {fold_protocol}, whose folds are the same in "
            f"every run, found {runs}. Leave one of the two out."
        )
    if bins is not None and arrival.prediction_events is None:
        raise ConfigError(
            "bins: expected delayed labels, found none. Give a delay (--delay N), or name the "
            "columns that say when instances and labels arrive (--time COLUMN --label-time COLUMN)."
        )
    if request.n_pretrain and (fold_protocol is not None or bins is not None):
        raise ConfigError(
            "pretrain: expected one model of each learner, scored on its predictions on arrival "
            f"after the first {request.n_pretrain:,} instances, "
            f"found {'bins' if fold_protocol is None else 'folds'}. Leave them out, or do not tune."
        )
    plan = ComparisonPlan(arrival.protocol, region, task=task)
    stream, tape, learners = arrival.stream, arrival.tape, request.learners
    scored = arrival.scored & _mask_of_scored(request, arrival)[tape.predict_rows]
    seeds, names = _seeds_of_runs(request.seed), list(request.recipes)
    # Each learner has at least two runs: different predictions show that it is random.
    with progress_bar(
        progress, lambda: 2 * len(learners) * len(tape), learners.values(), len(stream)
    ) as update:
        predictions = seeded_runs(
            stream,
            tape,
            learners,
            seeds,
            runs if fold_protocol is None else None,  # with folds, `runs` counts runs over folds
            workers=workers,
            progress=update,
        )
    prequential_runs = join_runs(stream, tape, predictions, scored)
    if isinstance(prequential_runs, ErrorRuns):
        for name in names:
            warn_of_extreme_errors(name, prequential_runs.errors[name], stream.y)
    verdict_runs = prequential_runs
    if fold_protocol is not None:
        if fold_protocol.is_in_turn:
            # Copies of a learner share the recipe's name; added baselines have no recipe.
            ids = {name: recipe.name for name, recipe in request.recipes.items()}
            seeds = _seeds_of_moa(request.seed, [ids.get(name, name) for name in learners])
            # `random_learners` is never None in prequential runs.
            random_learners = prequential_runs.random_learners or frozenset()
            plan = replace(plan, one_seed_learners=random_learners & {*names})
        protocols = [
            replace(fold_protocol, seed=_run_seed(fold_protocol.seed, run))
            for run in range(runs or 1)
        ]

        def events() -> int:
            return len(protocols) * len(learners) * sum(map(len, protocols[0].tapes(stream)))

        with progress_bar(progress, events, learners.values(), len(stream)) as update:
            verdict_runs = run_folds(
                stream,
                (protocol.tapes(stream) for protocol in protocols),
                request.classifiers,  # regressors are refused by `_check_protocol`
                seeds,
                fold_protocol.scored_rows,
                workers=workers,
                progress=update,
            )
    if "rope" not in request.further:
        plan = replace(plan, region=region_from_baselines(verdict_runs, plan.task))
    by_bin = _verdicts_by_bin(arrival, predictions, prequential_runs, names, plan, bins)
    return Comparison(request, arrival, plan, verdict_runs, prequential_runs, by_bin)


def _mask_of_scored(request: Request, arrival: ArrivalPredictions) -> Flags:
    """Mask of the instances that are scored: all after those used for tuning."""
    mask = mask_after_pretraining(request.stream, request.n_pretrain)
    # Without delays, the stream of `arrival` has only the labelled instances.
    return mask if len(arrival.stream) == len(mask) else mask[request.stream.labelled]


def _verdicts_by_bin(
    arrival: ArrivalPredictions,
    predictions: SeededRuns[Any],
    runs: Runs,
    learners: list[str],
    plan: ComparisonPlan,
    bins: int | None,
) -> ByBin:
    """Verdicts by bin; empty without bins."""
    if bins is None or arrival.prediction_events is None:
        return {}
    from streameval.evaluation.bin_comparison import bin_verdicts  # loads numba

    return bin_verdicts(
        arrival.stream,
        arrival.prediction_events,
        predictions,
        runs,
        learners,
        plan,
        bins,
        scored=arrival.scored,
    )


def _check_several(learners: Any) -> None:
    # Any other object is one learner, as in `recipes_by_name`.
    n_learners = len(learners) if isinstance(learners, Mapping | list | tuple) else 1
    if n_learners < 2:
        raise ConfigError(
            f"Expected two or more learners to compare, found {n_learners}. Name another "
            "learner; the same learner twice shows the effect of seeds alone."
        )


def _check_protocol(request: Request) -> None:
    """Refuse protocols that give no verdict."""
    protocol = request.protocol
    if protocol is None or protocol == parse(DEFAULT):
        return
    actual_text = f"found {str(protocol)!r}"
    if protocol.name == "partial":
        raise ConfigError(
            f"protocol: expected all labels, {actual_text}. A verdict from a part of them would be "
            "false too often, since what a learner learns from few labels by chance stays for the "
            "whole stream. `streameval budget` (se.budget) shows accuracies by the labels learnt."
        )
    if not protocol.has_folds:
        raise ConfigError(
            f"protocol: expected {DEFAULT}, bootstrap_validation, cross_validation or "
            f"split_validation, {actual_text}. Leave it out. Give --delay for delayed labels, or "
            "pretrain=N in Python for instances that are learnt and not scored."
        )
    if not request.task.is_classification:
        raise ConfigError(
            f"protocol: expected {DEFAULT!r} for a numeric target, {actual_text}. "
            "Leave it out: verdicts in regression need prequential runs."
        )


def _run_seed(seed: int, run: int) -> int:
    """Seed of the folds of a run; the first run has the protocol's seed, as in `evaluate`."""
    return int(generator("compare", seed, "run", run).integers(RANDOM_SEED_LIMIT)) if run else seed


def _seeds_of_runs(seed: int) -> Seeds:
    """Seeds of runs in which all models differ; see `Seeds`."""
    return lambda index, run: ("compare", seed, "run", run, "learner", index)


def _seeds_of_moa(seed: int, names: list[str]) -> Seeds:
    """Seeds as in MOA: the same for all models of a learner.

    A repeated learner gets the next seed: otherwise the models of both copies would be equal.
    """
    counts, n_earlier_copies = Counter[str](), []
    for name in names:
        n_earlier_copies.append(counts[name])
        counts[name] += 1
    return lambda index, _: seed + n_earlier_copies[index]
