"""Comparing learners over shared folds."""

from __future__ import annotations

import os
from collections import Counter
from collections.abc import Iterable, Mapping
from dataclasses import replace
from typing import Any, get_args

import numpy as np

from streameval.api.comparison import Comparison
from streameval.api.delays import warn_of_delays
from streameval.api.evaluation import check_seed, check_stream
from streameval.api.learners import Given, Recipe, named
from streameval.api.progress import bar
from streameval.errors import ConfigError, DataError, excerpt, near, plain
from streameval.protocols.folds import Tested
from streameval.protocols.protocol import Protocol
from streameval.protocols.registry import PROTOCOLS, parse
from streameval.seeds import generator
from streameval.streams.stream import Stream
from streameval.studies.fold_comparison import Seeds, run_folds
from streameval.studies.folds import SEEDS
from streameval.studies.verdicts import ROPE, Plan, check_rope

#: How instances come to folds: our name of it, and that of the protocols.
ASSIGNMENTS = {"at_random": "at_random", "moa": "in_turn"}
#: Which predictions of a model count, where none is named: MOA's models are tested on everything.
READINGS = {"at_random": "learnt", "moa": "all"}
VALIDATION = "bootstrap_validation"


def compare(
    stream: Stream,
    learners: Iterable[Given] | Mapping[str, Given],
    validation: str = VALIDATION,
    *,
    folds: int = 10,
    runs: int = 1,
    rope: float = ROPE,
    assignment: str = "at_random",
    reading: str | None = None,
    seed: int = 1,
    cores: int | None = None,
    progress: bool | None = None,
) -> Comparison:
    """Say which of two learners is more accurate on a stream, or that one cannot tell.

    For each learner k models run side by side, over folds that all learners share. The verdict
    comes from one test, which only the number of runs decides. After one run it is the t-test over
    the differences in accuracy of the k folds; after several, each with folds and seeds of its
    own, the t-test over their mean differences. Either is about the mean difference in accuracy of
    the two algorithms on this stream in this order, over draws of the folds and of the seeds of
    their models. The rule:

    - *practically equal*, if the 95 % interval of the difference lies within ±`rope`;
    - otherwise *A is better* or *B is better*, if the p-value is at most 5 %;
    - otherwise *cannot tell*.

    Of more than two learners each pair has a verdict. The p-values are then adjusted by Holm's
    method, and the intervals hold for all pairs at once (Bonferroni).

    With one run nothing can be said about other seeds than those of its folds, and the test assumes
    that the differences of folds do not depend on each other, which one run cannot show (Bengio and
    Grandvalet, 2004). Learners without randomness have no seeds: for them the folds alone vary.

    Parameters
    ----------
    stream : Stream
        What `read`, `load`, `from_pandas`, `from_arrays` or `generate` returned.
    learners : list or mapping of objects
        Two or more, each as for `evaluate`. The first is A. The same learner may be given twice:
        its models then differ by their seeds, and neither is better.
    validation : {"bootstrap_validation", "cross_validation", "split_validation"}
        Which models learn an instance: each with a weight drawn from Poisson(1), all but one, or
        one.
    folds : int
        Number of models k of each learner, at least 2.
    runs : int
        Number of runs; each draws folds and seeds anew. With 2 to 4 the intervals are wide.
    rope : float
        Region of practical equivalence: differences in accuracy up to this are practically none.
    assignment : {"at_random", "moa"}
        How instances come to folds: at random, or in turn as in MOA's EvaluatePrequentialCV, where
        all models of a learner share one seed. A verdict is then about these seeds: two forests
        that differ by their seeds only were told apart in 42 % of comparisons by cross-validation,
        and in 9 % by the others. It allows one run only, as it would repeat the same folds.
    reading : {"learnt", "held_out", "all"}, optional
        Which instances a model is tested on: those that it learns, before it does; those that it
        does not learn; or all. By default ``"learnt"``, with MOA's folds ``"all"``.
    seed : int
        Seed of the folds and of randomised learners that have no seed of their own.
    cores : int, optional
        Number of folds that run at the same time; by default as many as there are processors. The
        result does not depend on it.
    progress : bool, optional
        Whether to show a bar; by default where the error output is a terminal.

    Returns
    -------
    Comparison
        Verdicts, accuracies, intervals and a plot.

    Raises
    ------
    StreamevalError
        If a parameter is wrong, a learner is unknown or cannot do with the stream, the target is
        numeric, or the stream is too short for so many folds.

    References
    ----------
    Bifet et al. (2015), Efficient online evaluation of big data stream classifiers, Sections 3
    and 4; Bengio, Grandvalet (2004), No unbiased estimator of the variance of k-fold
    cross-validation, JMLR 5.

    Examples
    --------
    >>> import streameval as se
    >>> stream = se.generate("sea", rows=5000)
    >>> found = se.compare(stream, ["naive_bayes", "majority"], folds=5)
    >>> found.verdict
    'A is better'
    >>> found.folds.round(2)
    learner   naive_bayes  majority  no_change
    run fold
    1   1            0.87      0.64       0.54
        2            0.87      0.64       0.54
        3            0.87      0.65       0.54
        4            0.87      0.65       0.55
        5            0.87      0.65       0.55
    """
    check_stream(stream)
    check_seed(seed)
    wanted = _number_of(learners)
    plan = Plan(
        protocol=_protocol(validation, folds, assignment, reading, int(seed)),
        assignment=assignment,
        runs=_whole("runs", runs),
        rope=check_rope(rope),
    )
    workers = (os.cpu_count() or 1) if cores is None else _whole("cores", cores)
    if assignment == "moa" and runs > 1:
        raise ConfigError(
            "runs: expected 1 with the assignment of MOA, whose folds are the same in every run, "
            f"found {runs}. Use the assignment at_random."
        )
    if stream.schema.classes is None:
        raise DataError(
            f"Stream {stream.name!r}: expected a nominal target, found the numeric target "
            f"{stream.schema.target!r}. Name a nominal column as the target, or use another "
            "stream; `streameval evaluate` and evaluate_regressors() run regressors."
        )
    recipes = named(learners)
    warn_of_delays(stream, plan.protocol)
    made = {name: recipe.make(stream.smoothing) for name, recipe in recipes.items()}
    protocols = [_with_seed(plan.protocol, _run_seed(int(seed), run)) for run in range(plan.runs)]
    seeds = _seeds(assignment, int(seed), list(recipes.values()))

    def events() -> int:
        return plan.runs * len(made) * sum(map(len, protocols[0].tapes(stream)))

    with bar(progress, events) as update:
        tapes = (protocol.tapes(stream) for protocol in protocols)
        known = run_folds(stream, tapes, made, seeds, workers=workers, progress=update)
    return Comparison(stream, list(recipes)[:wanted], plan, known)


def _number_of(learners: Any) -> int:
    several = len(learners) if isinstance(learners, Mapping | list | tuple) else 1
    if several < 2:
        raise ConfigError(
            f"Expected two or more learners to compare, found {several}. Name another one; the "
            "same once more shows what different seeds alone do."
        )
    return several


def _whole(name: str, value: Any) -> int:
    if isinstance(value, bool) or not isinstance(value, int | np.integer) or value < 1:
        raise ConfigError(
            f"{name}: expected a whole number above 0, found {excerpt(repr(value), 60)}."
        )
    return int(value)


def _protocol(
    validation: str, folds: int, assignment: str, reading: str | None, seed: int
) -> Protocol:
    known = [name for name, protocol in PROTOCOLS.items() if protocol.has_folds]
    _check_choice("validation", validation, known)
    _check_choice("assignment", assignment, list(ASSIGNMENTS))
    reading = READINGS[assignment] if reading is None else reading
    _check_choice("reading", reading, list(get_args(Tested)))
    return parse(
        {
            "name": validation,
            "folds": folds,
            "tested": reading,
            "allotment": ASSIGNMENTS[assignment],
            "seed": seed,
        }
    )


def _check_choice(name: str, value: Any, known: list[str]) -> None:
    if value not in known:
        raise ConfigError(
            f"{name}: expected one of {', '.join(known)}, found {plain(value)!r}. "
            f"{near(str(value), known)}".rstrip()
        )


def _run_seed(seed: int, run: int) -> int:
    """Return the seed of a run's folds; that of the first run is as given, as in `evaluate`."""
    return int(generator("compare", seed, "run", run).integers(SEEDS)) if run else seed


def _with_seed(protocol: Protocol, seed: int) -> Protocol:
    return replace(protocol, seed=seed)  # type: ignore[call-arg]


def _seeds(assignment: str, seed: int, recipes: list[Recipe]) -> Seeds:
    """Return the seeds of the models; see `Seeds`.

    In MOA all models have the same seed. A learner that is given once more has the next one:
    otherwise its models would be the same.
    """
    if assignment != "moa":
        return lambda place, run: ("compare", seed, "run", run, "learner", place)
    counted, copies = Counter[str](), []
    for recipe in recipes:
        copies.append(counted[recipe.name])
        counted[recipe.name] += 1
    return lambda place, _: seed + copies[place]
