"""Comparing learners: over the same stream, several times where they draw, or over shared folds."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from typing import Any

from streameval.api.arguments import MOST_RUNS, workers_of
from streameval.api.comparison import ByBin, Comparison
from streameval.api.learners import LearnerLike
from streameval.api.progress import bar
from streameval.api.request import Request
from streameval.base.arrays import Flags
from streameval.base.errors import ConfigError, near, plain
from streameval.base.seeds import generator
from streameval.base.values import whole
from streameval.evaluation.delays import Arrival
from streameval.evaluation.folds import SEEDS
from streameval.evaluation.runs import Runs, Seeded, Seeds, run_folds, runs_of, seeded_runs
from streameval.evaluation.tuning import rest_of
from streameval.evaluation.verdict_words import Region
from streameval.evaluation.verdicts import ComparisonPlan, check_rope, region_among
from streameval.protocols.protocol import Protocol
from streameval.protocols.registry import DEFAULT, PROTOCOLS, parse
from streameval.streams.stream import Stream

#: How instances come to folds: our name of it, and that of the protocols.
ASSIGNMENTS = {"at_random": "at_random", "moa": "in_turn"}
#: Which predictions of a model count, where none is named: MOA's models are tested on everything.
_READINGS = {"at_random": "prequential", "moa": "all"}
#: What readings are called by protocols; learnt is an earlier name of prequential.
_TESTED = {"prequential": "learnt", "held_out": "held_out", "all": "all", "learnt": "learnt"}
FOLDS = 10


def compare(
    stream: Stream,
    learners: Iterable[LearnerLike] | Mapping[str, LearnerLike],
    validation: str = DEFAULT,
    *,
    folds: int | None = None,
    runs: int | None = None,
    rope: float | None = None,
    delay: int | str | None = None,
    label_first: bool = False,
    ignore_label_times: bool = False,
    pretrain: int | None = None,
    seasonal: int | Sequence[int] = (),
    bins: int | None = None,
    assignment: str | None = None,
    reading: str | None = None,
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
    - A *beats* B or *loses to* it, if the interval lies beyond;
    - otherwise A *cannot be told from* B, also where there is no interval: the instances are worth
      less than 60 independent ones, both learners are correct on nearly the same instances, or the
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
    validation : {"prequential", "bootstrap_validation", "cross_validation", "split_validation"}
        Prequential, the default: predict each instance, then learn it. Or models side by side over
        shared folds: bootstrap_validation, cross_validation or split_validation, in which each
        model learns an instance with a weight drawn from Poisson(1), all models but one do, or one
        does. The verdict is then about models that learn from a part of the instances; the result
        names the part, and the prequential difference beside it.
    folds : int, optional
        Over folds, the number of models of each learner, at least 2; by default 10.
    runs : int, optional
        Runs, each with seeds, and folds, of its own; by default 5 of learners that draw, and
        1 with folds. With 2 to 4 the intervals are wide.
    rope : float, optional
        Region of practical equivalence: differences up to this are practically none. By default 2 %
        of the error of the better baseline: a point of accuracy (0.01) where that baseline is wrong
        in half of the instances, and less where there is less to gain.
    delay : int or str, optional
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
        Number of instances at the start that are learnt and not scored. By default those that chose
        the parameters of a learner, see `tune`; otherwise none.
    seasonal : int or sequence of int
        For a numeric target, further baselines: the target so many instances before, such as 24.
    bins : int, optional
        Also give a verdict in each of so many bins of the time from an instance to its label, for
        all bins and pairs at once. By default none; see `Comparison.bins`.
    assignment : {"at_random", "moa"}, optional
        Over folds: at_random (the default), or moa: in turn and with one seed for all models of a
        learner, as MOA's EvaluatePrequentialCV. Nothing is then said about learners that draw, and
        there is one run only, as it would repeat the same folds.
    reading : {"prequential", "held_out", "all"}, optional
        Over folds, which instances test a model: prequential (those that it learns, before it does;
        the default), held_out (those that it does not learn) or all (the default of assignment
        moa).
    seed : int
        Seed of the folds and of randomised learners that have none of their own; by default 1.
    cores : int, optional
        Models that run at the same time; by default as many as there are processors. The result
        does not depend on it.
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
    return compare_request(
        Request.of(locals(), "runs", "rope", "cores"),
        validation,
        folds=folds,
        bins=bins,
        assignment=assignment,
        reading=reading,
        progress=progress,
    )


def compare_request(
    asked: Request,
    validation: str = DEFAULT,
    *,
    folds: int | None = None,
    bins: int | None = None,
    assignment: str | None = None,
    reading: str | None = None,
    progress: bool | None = None,
) -> Comparison:
    """Compare the learners of a request; for the parameters see `compare`.

    Raises ConfigError or DataError if it asks for what the learners or the stream do not have.
    """
    has_folds = validation != DEFAULT
    assignment = "at_random" if assignment is None else assignment
    _check_choice("assignment", assignment, [*ASSIGNMENTS])
    plan = _plan(asked, _protocol(validation, folds, assignment, reading, asked.seed))
    as_in_moa = assignment == "moa"
    if not has_folds:
        _check_no_folds(folds=folds, reading=reading, assignment=as_in_moa or None)
    runs = asked.more.get("runs")
    runs = None if runs is None else whole(runs, "runs", most=MOST_RUNS)
    workers = workers_of(asked.more.get("cores"))
    if as_in_moa and (runs or 1) > 1:
        raise ConfigError(
            "runs: expected 1 with the assignment of MOA, whose folds are the same in every run, "
            f"found {runs}. Leave one of the two out."
        )
    bins = None if bins is None else whole(bins, "bins", least=0)
    arrival = asked.arrival(plan.protocol if has_folds else None, again=bins is not None)
    if bins is not None and arrival.polls is None:
        raise ConfigError(
            "bins: expected delayed labels, found none. Give a delay (--delay N), or name the "
            "columns that say when instances and labels arrive (--time COLUMN --label-time COLUMN)."
        )
    if asked.first and (has_folds or bins is not None):
        raise ConfigError(
            "pretrain: expected one model of each learner, judged on arrival, on what comes after "
            f"the first {asked.first:,} instances, found {'folds' if has_folds else 'bins'}. Leave "
            "them out, or do not tune."
        )
    if has_folds and not asked.task.is_counted:
        raise ConfigError(
            f"validation: expected {DEFAULT!r} for a numeric target, found {validation!r}. "
            "Leave it out: verdicts on numbers rest on prequential runs."
        )
    if has_folds:
        asked = replace(asked, protocol=plan.protocol)
    else:
        plan = replace(plan, protocol=arrival.protocol)
    stream, tape, made = arrival.stream, arrival.tape, asked.learners
    kept = arrival.kept & _rest(asked, arrival)[tape.predict_rows]
    seeds, given = _seeds_of_runs(asked.seed), list(asked.recipes)
    with bar(progress, lambda: 2 * len(made) * len(tape), made.values(), len(stream)) as update:
        own = None if has_folds else runs
        done = seeded_runs(stream, tape, made, seeds, own, workers=workers, progress=update)
    known = over_tape = runs_of(stream, tape, done, kept)
    if has_folds:
        if as_in_moa:
            called = {name: one.name for name, one in asked.recipes.items()}
            seeds = _seeds_of_moa(asked.seed, [called.get(name, name) for name in made])
            plan = replace(plan, one_seed=(over_tape.draws or frozenset()) & {*given})
        folded: Any = plan.protocol
        protocols = [replace(folded, seed=_run_seed(asked.seed, run)) for run in range(runs or 1)]

        def events() -> int:
            return len(protocols) * len(made) * sum(map(len, protocols[0].tapes(stream)))

        with bar(progress, events, made.values(), len(stream)) as update:
            tapes = (protocol.tapes(stream) for protocol in protocols)
            known = run_folds(
                stream, tapes, asked.classifiers, seeds, workers=workers, progress=update
            )
    if "rope" not in asked.more:
        plan = replace(plan, region=region_among(known, plan.task))
    by_bin = _by_bin(arrival, done, over_tape, given, plan, bins)
    return Comparison(asked, arrival, plan, known, over_tape, by_bin)


def _plan(asked: Request, protocol: Protocol) -> ComparisonPlan:
    """Return what is fixed before the run."""
    task, rope = asked.task.with_seasons(asked.seasonal), asked.more.get("rope")
    region = Region(0.0 if rope is None else check_rope(rope, task))
    return ComparisonPlan(protocol, region, task=task)


def _rest(asked: Request, arrival: Arrival) -> Flags:
    """Return a mask of the instances behind the first so many, as they are compared."""
    rest = rest_of(asked.stream, asked.first)
    # Without delays, instances whose labels are missing are left out.
    return rest if len(arrival.stream) == len(rest) else rest[asked.stream.labelled]


def _by_bin(
    arrival: Arrival,
    done: Seeded[Any],
    known: Runs,
    learners: list[str],
    plan: ComparisonPlan,
    bins: int | None,
) -> ByBin:
    """Return the verdicts by bin; none where no bins are asked for."""
    if bins is None or arrival.polls is None:
        return {}
    from streameval.evaluation.bin_comparison import bin_verdicts  # loads numba

    given = (arrival.stream, arrival.polls, done, known, learners, plan, bins)
    return bin_verdicts(*given, kept=arrival.kept)


def _check_no_folds(**given: Any) -> None:
    """Refuse settings of folds where there are none."""
    for name, value in given.items():
        if value is not None:
            raise ConfigError(
                f"{name}: expected a validation with folds, found {DEFAULT!r}. Leave it out, or "
                "choose bootstrap_validation, cross_validation or split_validation."
            )


def _check_several(learners: Any) -> None:
    several = len(learners) if isinstance(learners, Mapping | list | tuple) else 1
    if several < 2:
        raise ConfigError(
            f"Expected two or more learners to compare, found {several}. Name another "
            "learner; the same learner twice shows the effect of seeds alone."
        )


def _protocol(
    validation: str, folds: int | None, assignment: str, reading: str | None, seed: int
) -> Protocol:
    known = [name for name, protocol in PROTOCOLS.items() if protocol.has_folds]
    if isinstance(validation, str) and validation.partition(":")[0] == "partial":
        raise ConfigError(
            f"validation: expected all labels, found {plain(validation)!r}. A verdict from a part "
            "of them would be false too often, since what a learner learns from few labels by "
            "chance stays for the whole stream. `streameval budget` (se.budget) shows accuracies "
            "by the labels learnt."
        )
    _check_choice("validation", validation, [DEFAULT, *known])
    reading = _READINGS[assignment] if reading is None else reading
    _check_choice("reading", reading, [*_TESTED])
    if validation == DEFAULT:
        return parse(DEFAULT)
    return parse(
        {
            "name": validation,
            "folds": FOLDS if folds is None else folds,
            "tested": _TESTED[reading],
            "allotment": ASSIGNMENTS[assignment],
            "seed": seed,
        }
    )


def _check_choice(name: str, value: Any, known: list[str]) -> None:
    if not isinstance(value, str) or value not in known:
        raise ConfigError(
            f"{name}: expected one of {', '.join(known)}, found {plain(value)!r}. "
            f"{near(str(value), known)}".rstrip()
        )


def _run_seed(seed: int, run: int) -> int:
    """Return the seed of a run's folds; that of the first run is as given, as in `evaluate`."""
    return int(generator("compare", seed, "run", run).integers(SEEDS)) if run else seed


def _seeds_of_runs(seed: int) -> Seeds:
    """Return the seeds of models that all differ; see `Seeds`."""
    return lambda place, run: ("compare", seed, "run", run, "learner", place)


def _seeds_of_moa(seed: int, names: list[str]) -> Seeds:
    """Return the seeds of MOA, the same for all models of a learner.

    A learner that is given once more has the next one: otherwise its models would be the same.
    """
    counted, copies = Counter[str](), []
    for name in names:
        copies.append(counted[name])
        counted[name] += 1
    return lambda place, _: seed + copies[place]
