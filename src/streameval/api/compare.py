"""Comparing learners over one stream: repeated runs of random learners, or shared folds."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from datetime import timedelta
from typing import Any

from streameval.api.arguments import MOST_RUNS, workers_of
from streameval.api.comparison import ByBin, Comparison
from streameval.api.learners import LearnerLike
from streameval.api.progress import bar
from streameval.api.request import Request
from streameval.base.arrays import Flags
from streameval.base.errors import ConfigError
from streameval.base.seeds import generator
from streameval.base.values import check_integer
from streameval.evaluation.delays import Arrival
from streameval.evaluation.extreme_errors import warn_of_extreme_errors
from streameval.evaluation.folds import SEEDS
from streameval.evaluation.runs import (
    ErrorRuns,
    Runs,
    Seeded,
    Seeds,
    join_runs,
    run_folds,
    seeded_runs,
)
from streameval.evaluation.tuning import mask_after_prefix
from streameval.evaluation.verdict_words import Region
from streameval.evaluation.verdicts import ComparisonPlan, check_rope, region_among
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

    All learners run over the stream, prequentially: each instance is predicted, then learnt. Those
    that draw at random run several times with other seeds. The verdict is about the expected
    difference in accuracy, on further instances of the same process and with other seeds. It comes
    from one interval, which covers both kinds of chance:

    - A and B are *practically equal*, if the 95 % interval of the difference lies between -`rope`
      and `rope`;
    - A *beats* B or *loses to* it, if the interval lies outside;
    - otherwise A *cannot be told from* B, also where there is no interval: the effective
      sample size is less than 60, both learners are correct on nearly the same instances, or the
      better learner changes between sections of the stream.

    Where labels are delayed, learners are compared by their predictions on arrival; instances
    whose labels have not arrived are not scored. Regressors, on a stream with a numeric target, are
    compared by their mean absolute errors.

    Of more than two learners each pair has a verdict; intervals and p-values are then adjusted for
    their number (Bonferroni).

    Parameters
    ----------
    stream : Stream
        What `read`, `load`, `from_pandas`, `from_arrays` or `generate` returned.
    learners : list or mapping of objects
        Two or more, each as for `evaluate`. The first is A. The same learner may be given twice:
        its models then differ by their seeds, and neither is better.
    protocol : str, mapping or Protocol, optional
        ``"prequential"``, the default: predict each instance, then learn it. Or models side by side
        over shared folds: in ``"bootstrap_validation"`` each model learns an instance with a weight
        drawn from Poisson(1), in ``"cross_validation"`` all models but one learn it, in
        ``"split_validation"`` one model does. The verdict is then about models that learn a part of
        the instances; the result names the part, and also the prequential difference. The first
        value is the number of models of a learner, by default ten: ``"cross_validation:5"``. The
        second value says which instances test a model: learnt (instances that it learns
        afterwards; the default), held_out (instances that it does not learn) or all:
        ``"cross_validation:5:held_out"``. The third value says how folds get instances: at_random
        (the default), or in_turn with one seed for all models of a learner, as in MOA's
        EvaluatePrequentialCV, which tests on all instances: ``"cross_validation:5:all:in_turn"``.
        With in_turn, random learners get no verdict, and there is one run only, as further runs
        would have the same folds.
    runs : int, optional
        Number of runs, each with its own seeds and folds; by default 5 for random learners, and
        1 with folds. With 2 to 4 runs the intervals are wide.
    rope : float, optional
        Region of practical equivalence: differences up to this are practically none. By default 2 %
        of the error of the better baseline: a point of accuracy (0.01) where that baseline is wrong
        in half of the instances, and less where there is less to gain.
    delay : int, str or timedelta, optional
        Number of instances that arrive between an instance and its label, 0 if the label is known
        before the next prediction; or, where instances have dates, a length of time, such as
        ``"30 days"``.
        By default the stream's own label times count, if it has any. The verdict is then about
        predictions on arrival.
    label_first : bool
        At equal times a label comes before an instance; by default it comes after it.
    ignore_label_times : bool
        Use each label before the next instance, even if the stream says that it arrives later.
    pretrain : int, optional
        Number of instances at the start that are learnt and not scored. By default the instances
        that a learner was tuned on, see `tune`; otherwise none.
    seasonal : int or sequence of int
        For a numeric target, the period of a further baseline, such as 24, or several periods. The
        baseline predicts the target one period earlier. Under a delay see `evaluate`.
    bins : int, optional
        Number of bins of the time from an instance to its label. Each bin has a verdict, valid for
        all bins and pairs at once. By default none; see `Comparison.bins`.
    seed : int
        Seed of random learners without a seed of their own; by default 1. The seed of the folds is
        in the protocol: ``"cross_validation:seed=2"``.
    cores : int, optional
        Number of models that run side by side, each on one core; by default the number of
        processors. The result does not depend on it.
    progress : bool, optional
        Whether to show a bar; by default where the error output is a terminal.

    Returns
    -------
    Comparison
        Verdicts, accuracies, intervals and a plot.

    Raises
    ------
    StreamevalError
        If a parameter is wrong, a learner is unknown or does not suit the stream, or the stream is
        too short for so many folds.

    References
    ----------
    Ibragimov, Müller (2010), t-statistic based correlation and heterogeneity robust inference;
    Bifet et al. (2015), Efficient online evaluation of big data stream classifiers, Sections 3
    and 4. How often the verdicts are wrong is the item ``beyond/verdict_calibration``.

    Examples
    --------
    >>> import streameval as se
    >>> stream = se.generate("sea", rows=5000)
    >>> found = se.compare(stream, ["naive_bayes", "majority"])
    >>> found.verdict
    'beats'
    >>> found.lines()[0]
    'naive_bayes beats majority by 22.96 points [20.94, 24.98].'
    """
    _check_several(learners)
    request = Request.of(locals(), "runs", "rope", "cores")
    return compare_request(request, bins=bins, progress=progress)


def compare_request(
    request: Request, *, bins: int | None = None, progress: bool | None = None
) -> Comparison:
    """Compare the learners of a request; for the parameters see `compare`.

    Raises ConfigError or DataError if it asks for what the learners or the stream do not have.
    """
    _check_protocol(request)
    task, rope = request.task.with_seasons(request.seasons), request.more.get("rope")
    region = Region(0.0 if rope is None else check_rope(rope, task))
    runs = request.more.get("runs")
    runs = None if runs is None else check_integer(runs, "runs", most=MOST_RUNS)
    workers = workers_of(request.more.get("cores"))
    bins = None if bins is None else check_integer(bins, "bins", least=0)
    arrival = request.arrival(repeated=bins is not None)
    folded = arrival.protocol if isinstance(arrival.protocol, FoldProtocol) else None
    if folded is not None and folded.is_in_turn and (runs or 1) > 1:
        raise ConfigError(
            f"runs: expected 1 with the protocol {folded}, whose folds are the same in every run, "
            f"found {runs}. Leave one of the two out."
        )
    if bins is not None and arrival.prediction_events is None:
        raise ConfigError(
            "bins: expected delayed labels, found none. Give a delay (--delay N), or name the "
            "columns that say when instances and labels arrive (--time COLUMN --label-time COLUMN)."
        )
    if request.first and (folded is not None or bins is not None):
        raise ConfigError(
            "pretrain: expected one model of each learner, judged on arrival, on what comes "
            f"after the first {request.first:,} instances, "
            f"found {'bins' if folded is None else 'folds'}. Leave them out, or do not tune."
        )
    plan = ComparisonPlan(arrival.protocol, region, task=task)
    stream, tape, learners = arrival.stream, arrival.tape, request.learners
    kept = arrival.scored & _rest(request, arrival)[tape.predict_rows]
    seeds, names = _seeds_of_runs(request.seed), list(request.recipes)
    with bar(
        progress, lambda: 2 * len(learners) * len(tape), learners.values(), len(stream)
    ) as update:
        prequential_runs = runs if folded is None else None
        done = seeded_runs(
            stream, tape, learners, seeds, prequential_runs, workers=workers, progress=update
        )
    known = over_tape = join_runs(stream, tape, done, kept)
    if isinstance(known, ErrorRuns):
        for name in names:
            warn_of_extreme_errors(name, known.errors[name], stream.y)
    if folded is not None:
        if folded.is_in_turn:
            called = {name: recipe.name for name, recipe in request.recipes.items()}
            seeds = _seeds_of_moa(request.seed, [called.get(name, name) for name in learners])
            plan = replace(plan, one_seed=(over_tape.random_learners or frozenset()) & {*names})
        protocols = [replace(folded, seed=_run_seed(folded.seed, run)) for run in range(runs or 1)]

        def events() -> int:
            return len(protocols) * len(learners) * sum(map(len, protocols[0].tapes(stream)))

        with bar(progress, events, learners.values(), len(stream)) as update:
            tapes = (protocol.tapes(stream) for protocol in protocols)
            known = run_folds(
                *(stream, tapes, request.classifiers, seeds, folded.scored_rows),
                workers=workers,
                progress=update,
            )
    if "rope" not in request.more:
        plan = replace(plan, region=region_among(known, plan.task))
    by_bin = _by_bin(arrival, done, over_tape, names, plan, bins)
    return Comparison(request, arrival, plan, known, over_tape, by_bin)


def _rest(request: Request, arrival: Arrival) -> Flags:
    """Mask of the instances that are scored: all after the prefix used for tuning."""
    rest = mask_after_prefix(request.stream, request.first)
    # Without delays, instances whose labels are missing are left out.
    return rest if len(arrival.stream) == len(rest) else rest[request.stream.labelled]


def _by_bin(
    arrival: Arrival,
    done: Seeded[Any],
    known: Runs,
    learners: list[str],
    plan: ComparisonPlan,
    bins: int | None,
) -> ByBin:
    """Verdicts by bin; empty if no bins are asked for."""
    if bins is None or arrival.prediction_events is None:
        return {}
    from streameval.evaluation.bin_comparison import bin_verdicts  # loads numba

    subject = (arrival.stream, arrival.prediction_events, done, known, learners, plan, bins)
    return bin_verdicts(*subject, scored=arrival.scored)


def _check_several(learners: Any) -> None:
    several = len(learners) if isinstance(learners, Mapping | list | tuple) else 1
    if several < 2:
        raise ConfigError(
            f"Expected two or more learners to compare, found {several}. Name another "
            "learner; the same learner twice shows the effect of seeds alone."
        )


def _check_protocol(request: Request) -> None:
    """Refuse protocols that give no verdict."""
    protocol = request.protocol
    if protocol is None or protocol == parse(DEFAULT):
        return
    actual = f"found {str(protocol)!r}"
    if protocol.name == "partial":
        raise ConfigError(
            f"protocol: expected all labels, {actual}. A verdict from a part of them would be "
            "false too often, since what a learner learns from few labels by chance stays for the "
            "whole stream. `streameval budget` (se.budget) shows accuracies by the labels learnt."
        )
    if not protocol.has_folds:
        raise ConfigError(
            f"protocol: expected {DEFAULT}, bootstrap_validation, cross_validation or "
            f"split_validation, {actual}. Leave it out; for delayed labels give a delay, for "
            "instances that are learnt and not scored pretrain."
        )
    if not request.task.is_counted:
        raise ConfigError(
            f"protocol: expected {DEFAULT!r} for a numeric target, {actual}. "
            "Leave it out: verdicts on numbers rest on prequential runs."
        )


def _run_seed(seed: int, run: int) -> int:
    """Seed of the folds of a run; the first run has the seed of `evaluate`."""
    return int(generator("compare", seed, "run", run).integers(SEEDS)) if run else seed


def _seeds_of_runs(seed: int) -> Seeds:
    """Seeds of runs in which all models differ; see `Seeds`."""
    return lambda place, run: ("compare", seed, "run", run, "learner", place)


def _seeds_of_moa(seed: int, names: list[str]) -> Seeds:
    """Seeds as in MOA: the same for all models of a learner.

    A repeated learner gets the next seed: otherwise the models of both copies would be equal.
    """
    counted, copies = Counter[str](), []
    for name in names:
        copies.append(counted[name])
        counted[name] += 1
    return lambda place, _: seed + copies[place]
