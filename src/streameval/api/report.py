"""Pages about learners on streams: what they need is run here, what they say is in `pages`."""

from __future__ import annotations

import sys
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from platform import python_version
from typing import Any

import numpy as np
import pandas as pd

from streameval import __version__
from streameval.api.compare import compare_request
from streameval.api.comparison import Comparison
from streameval.api.evaluate import evaluate_request
from streameval.api.learners import recipe
from streameval.api.request import Request
from streameval.api.result import Result
from streameval.api.result_view import Shown
from streameval.base.errors import ConfigError, DataError, excerpt
from streameval.base.files import check_writable, write_text
from streameval.base.values import duration_text
from streameval.evaluation.coverage import MOST_FREQUENT, coverage_in_words
from streameval.evaluation.levels import KAPPA, KAPPA_M, KAPPA_TEMPORAL, KAPPAS
from streameval.evaluation.measurements import positions
from streameval.evaluation.persistence import (
    check_delayed_persistence,
    check_persistence,
    run_lengths,
    within_columns,
)
from streameval.evaluation.roles import COMPARATORS, MAJORITY, NO_CHANGE, TARGET_MEAN
from streameval.evaluation.task import CLASSES, NUMBERS
from streameval.evaluation.tuning import sentences as tuning_sentences
from streameval.items.dependence.class_distribution import (
    autocorrelation,
    label_autocorrelation,
    prior_over_time,
)
from streameval.pages.findings import (
    QUANTILES,
    Findings,
    Judged,
    Labels,
    Order,
    OverTime,
    Target,
    Waiting,
)
from streameval.pages.in_short import in_short
from streameval.pages.own_data import page_of
from streameval.protocols.prequential import before_first_label
from streameval.significance.confidence_sequence import ConfidenceSequence
from streameval.significance.intervals import Interval
from streameval.significance.skill_interval import Skill
from streameval.significance.stream_mean import StreamMean
from streameval.streams.variants import shuffled, shuffled_with_delays

#: Points of a curve, lags of the autocorrelation, bins of the time to the label.
POINTS, LAGS, BINS = 240, 100, 20
#: The window of curves is so much of the stream, but at least and at most so many predictions.
_WINDOW = 1000
#: Of these measures of regressors a table gives the values.
ERRORS = ("root_mean_squared_error", "r_squared")
#: Why a level of a learner is shown without its interval.
SKEWED = f"more than {100 * MOST_FREQUENT:.0f} % of the labels are in one class"
ONE_RUN = "one run does not cover other seeds"
#: The baselines over which these kappas are skills.
_OVER = {KAPPA_TEMPORAL: NO_CHANGE, KAPPA_M: MAJORITY}
#: The random order, always the same one.
ORDER_SEED = 1


def write_report(found: Result | Comparison, path: str | Path) -> None:
    """Write a page about the learners on a stream: one HTML file that needs nothing else.

    It says whether they beat the baselines and which one is better, and shows it over time; what
    the labels look like, what order is worth, and how all was obtained. What the result lacks is
    run: the comparison or the evaluation, and a run over the stream in random order. Needs the
    extra: ``pip install "streameval[pipeline]"``.

    Parameters
    ----------
    found : Result or Comparison
        What `evaluate` or `compare` returned.
    path : str or Path
        The file, which ends in .html.

    Raises
    ------
    ConfigError
        If the protocol was not the usual one: a page is about instances that are predicted before
        their labels are learnt, by one model.

    Examples
    --------
    >>> import streameval as se
    >>> result = se.evaluate(se.generate("sea", rows=2000), ["hoeffding_tree", "naive_bayes"])
    >>> se.write_report(result, "report.html")
    """
    if not isinstance(found, Result | Comparison):
        raise ConfigError(
            f"report: expected what evaluate or compare returned, found {type(found).__name__} "
            f"{excerpt(repr(found), 60)}."
        )
    checked_path(path)
    compared = found if isinstance(found, Comparison) else None
    result = found if isinstance(found, Result) else None
    write_page([findings(found.asked, result=result, compared=compared)], path)


def write_page(found: Sequence[Findings], path: str | Path) -> None:
    """Write the page of what is found about some streams, aside and then renamed."""
    write_text(checked_path(path), page_of(found).html())


def told(found: Findings) -> list[str]:
    """Return the sentences on top of a page."""
    return [one.text for one in in_short(found)]


def checked_path(path: str | Path) -> Path:
    """Return the path of a page; refuse one that cannot be written."""
    if not isinstance(path, str | Path):
        raise ConfigError(
            f"report: expected the path of a file, found {type(path).__name__} "
            f"{excerpt(repr(path), 60)}."
        )
    found = Path(path)
    if found.suffix.lower() not in (".html", ".htm"):
        raise ConfigError(f"report: expected a file that ends in .html, found {found.name!r}.")
    if not found.absolute().parent.is_dir():
        raise ConfigError(f"report: there is no folder {str(found.parent)!r}. Make it first.")
    if found.is_dir():
        raise ConfigError(f"report: expected a file, found the folder {str(found)!r}.")
    check_writable(found.absolute().parent)
    return found


def findings(
    asked: Request,
    *,
    result: Result | None = None,
    compared: Comparison | None = None,
    command: str = "",
    files: Sequence[tuple[str, str]] = (),
    progress: bool | None = None,
) -> Findings:
    """Return what a page says; what is not there yet is run.

    `command` repeats it, by default a line of Python; `files` are names and texts on the file.
    """
    asked.check_usual()
    if result is None:
        result = evaluate_request(asked, progress=progress)
    learners = list(asked.recipes)
    if compared is None:
        compared = compare_request(_with_rival(asked, result.learners), progress=progress)
    baselines = compared.plan.task.baselines
    names = compared.with_baselines
    several = len(learners) > 1
    told = zip(compared.pairs, compared.sentences(), strict=True) if several else ()
    delayed = result.delays is not None
    return Findings(
        stream=result.stream,
        learners=learners,
        plan=compared.plan,
        levels=shown_levels(compared),
        over={
            name: {base: compared.over(name, base) for base in baselines if base != name}
            for name in names
        },
        measures=_measures(result, compared),
        judged=[Judged(*one) for one in told],
        sections={name: compared.by_section(name) for name in names},
        estimand=compared.estimand,
        limits=compared.limits,
        coverage=(
            coverage_in_words(grouped=result.stream.groups is not None)
            if result.task is CLASSES
            else ""
        ),
        draws=compared.draws,
        runs=compared.runs,
        over_time=_over_time(result, compared, learners),
        labels=_labels(asked, result),
        target=_target(asked, result) if result.task is NUMBERS else None,
        order=_order(asked, result, compared, progress),
        waiting=_waiting(result) if delayed else None,
        intervals=_intervals(result),
        obtained=_obtained(asked, result, files),
        command=command or _in_python(asked),
        tuned=result.tuned,
        pretrain=result.pretrain,
        by_group=result._of_groups(Shown()),
    )


def _with_rival(asked: Request, known: Sequence[str]) -> Request:
    """Return a request with a baseline if it has one learner only: a comparison needs two."""
    if len(asked.recipes) > 1:
        return asked
    rival = next(name for name in known if name not in asked.recipes)
    return replace(asked, recipes={**asked.recipes, rival: recipe(rival)})


def _measures(result: Result, compared: Comparison) -> dict[str, dict[str, Interval]]:
    if result.task is CLASSES:
        return shown_kappas(result, compared)
    nan = float("nan")
    return {
        str(name): {str(key): Interval(float(row[key]), nan, nan) for key in row.index}
        for name, row in result.measures(*ERRORS).T.items()
    }


def _intervals(result: Result) -> dict[str, dict[str, float]]:
    """Return measures of prediction intervals by regressor, and their nominal coverage."""
    if not result.table.intervals:
        return {}
    level = result.table.coverage
    found = result.intervals().assign(coverage=float("nan") if level is None else level)
    rows = found.to_dict("index").items()
    return {str(name): {str(key): float(one) for key, one in row.items()} for name, row in rows}


def _over_time(result: Result, compared: Comparison, learners: Sequence[str]) -> OverTime:
    first = compared.pairs[0]
    n = len(compared.over_time(first.first, first.second).mean)
    window, at = _window(n), np.unique(np.linspace(0, n - 1, min(POINTS, n)).round().astype(int))
    measure = result.task.measure
    curve = result.curve(measure, window, POINTS).rename_axis(index="instance").reset_index()
    curves = curve.melt("instance", var_name="learner", value_name="value").assign(measure=measure)
    base = next(iter(compared.plan.task.baselines))
    leads = {}
    for name in learners:
        if name != base:
            found = compared.over_time(name, base)
            own = at[at < len(found.mean)]  # numbers may be missing where a baseline has none
            leads[name] = ConfidenceSequence(*(part[own] for part in found))
    signals = {name: result.signals(name) for name in learners} if result.task is CLASSES else {}
    return OverTime(curves, window, leads, at + 1, signals)


def _labels(asked: Request, result: Result) -> Labels | None:
    classes = result.stream.schema.classes
    if classes is None:
        return None
    known = result.stream.with_labels()
    labels, groups = known.y, known.groups
    if not len(labels):
        return None
    window = _window(len(labels))
    several = len(np.unique(labels)) > 1
    try:
        check = (
            check_persistence(labels, None, groups)
            if result.delays is None
            else check_delayed_persistence(result.stream, None, asked.ties)
        )
    except DataError:  # less than two labels: there is nothing to check
        check = None
    return Labels(
        prior=prior_over_time(labels, classes, window, POINTS),
        window=window,
        lengths=run_lengths(labels, groups),
        autocorrelation=label_autocorrelation(labels, LAGS, groups) if several else None,
        check=check and replace(check, within=within_columns(result.stream)),
    )


def _target(asked: Request, result: Result) -> Target | None:
    known = result.stream.with_labels()
    targets = known.y
    if not len(targets):
        return None
    window = _window(len(targets))
    at = positions(len(targets), window, POINTS).tolist()
    parts = [targets[max(end - window, 0) : end] for end in at]
    columns: dict[str, Sequence[float]] = {"instance": at, "mean": [one.mean() for one in parts]}
    for name, part in QUANTILES.items():
        columns[name] = [float(np.quantile(one, part)) for one in parts]
    skills = result.skills().set_index(["baseline", "learner"]).loc[TARGET_MEAN]
    lags = LAGS + max(asked.seasonal, default=0)
    repeat = [name for name in result.baselines if name != TARGET_MEAN]
    return Target(
        whole={name: float(np.quantile(targets, part)) for name, part in QUANTILES.items()},
        over_time=pd.DataFrame(columns),
        window=window,
        autocorrelation=autocorrelation([targets], lags, known.groups) if np.ptp(targets) else None,
        persistence={name: Skill(*skills.loc[name]) for name in repeat},
    )


def _order(
    asked: Request, result: Result, compared: Comparison, progress: bool | None
) -> Order | None:
    """Return the accuracy in the order of the stream and, by another run, in random order.

    Under delays instances keep theirs, and both runs are scored from where both know a label.
    """
    first, delayed = result.pretrain, result.delays is not None
    if delayed:
        labelled = result.stream.with_labels()
        mixed = shuffled_with_delays(labelled, ORDER_SEED)
        unknown = max(before_first_label(one, asked.ties) for one in (result.stream, mixed))
        if max(unknown, first) >= len(labelled):
            return None
        first, result = max(unknown, first), result._behind(unknown)
    else:
        mixed = shuffled(asked.stream.with_labels(), ORDER_SEED)
    # Predictions that are there already were made in the order of the stream.
    learners = {name: one for name, one in asked.recipes.items() if one.learns}
    if not learners:
        return None
    # As many are learnt before, so that the two are alike; the mixed stream has its delays.
    other = replace(asked, stream=mixed, recipes=learners, pretrain=first or None, delay=None)
    usual = replace(other, ignore_label_times=False, intervals=None)
    again = evaluate_request(usual, progress=progress)
    real, mixed_up = (
        {name: shown_of_one_run(compared, name, run.level(name)) for name in again.learners}
        for run in (result, again)
    )
    return Order(real, mixed_up, ORDER_SEED, first if delayed else None)


def _waiting(result: Result) -> Waiting:
    numbers = result.delays or {}
    found = result.bins(BINS)
    together = "band_low" in found
    ends = ("band_low", "band_high") if together else ("low", "high")
    value = result.task.measure
    bins = found[["learner", "bin"]].assign(
        value=found[value], low=found[ends[0]], high=found[ends[1]]
    )
    seconds = numbers.get("seconds")
    return Waiting(
        bins,
        together,
        labels=numbers["labels"],
        pending=numbers["pending"],
        delay=numbers["delay"],
        duration=duration_text(seconds) if seconds else "",
        before_first_label=numbers["before_first_label"],
    )


def _window(n: int) -> int:
    return max(1, min(max(_WINDOW, n // 40), n // 10))


def _obtained(
    asked: Request, result: Result, files: Sequence[tuple[str, str]]
) -> list[tuple[str, str]]:
    """Return how all was obtained, without any moment: equal runs give equal pages."""
    stream = asked.stream
    options = {name: value for name, value in asked.options.items() if name != "cores"}
    return [
        ("stream", f"{stream.name}{f': {stream.source}' * bool(stream.source)}"),
        *files,
        ("SHA-256 of what was read", stream.digest),
        ("learners", "; ".join(_cited(name, one) for name, one in asked.recipes.items())),
        ("protocol", result.protocol),
        ("options", ", ".join(f"{name} = {value}" for name, value in options.items())),
        ("tuning", " ".join(tuning_sentences(result.tuned, result.pretrain))),
        ("retrained", _fits(result)),
        ("seed of the random order", str(ORDER_SEED)),
        ("versions", f"streameval {__version__}, {_installed()}"),
    ]


def _fits(result: Result) -> str:
    """Return how often learners were retrained, those that were."""
    found = {name: one["fits"] for name, one in result.to_dict().items() if "fits" in one}
    return "; ".join(f"{name}: {number:,} fits" for name, number in found.items())


def _cited(name: str, learner: Any) -> str:
    """Return the name of a learner with its reference, if it has one."""
    source = getattr(learner, "source", learner)
    reference = getattr(source, "citation", "") or getattr(source, "reference", "")
    return f"{name} ({reference})" if reference else name


def _installed() -> str:
    return f"Python {python_version()}, numpy {np.__version__}, {sys.platform}"


def _in_python(asked: Request) -> str:
    options = "".join(f", {name}={value!r}" for name, value in asked.options.items())
    learners = ", ".join(_tuned_in_python(name, one) for name, one in asked.recipes.items())
    return f"se.write_report(se.evaluate(stream, [{learners}]{options}), 'report.html')"


def _tuned_in_python(name: str, learner: Any) -> str:
    tuned = getattr(learner, "tuned", None)
    if tuned is None:
        return repr(name)
    return f"se.tune(stream, {tuned.learner!r}, {tuned.grid}, {tuned.instances})"


def shown_levels(compared: Comparison) -> dict[str, StreamMean]:
    """Return the accuracy, or mean absolute error, of each learner over its runs."""
    return {
        name: _shown(compared, name, compared.level(name), compared.runs)
        for name in compared.with_baselines
    }


def shown_of_one_run(compared: Comparison, name: str, level: StreamMean) -> StreamMean:
    """Return the accuracy, or mean absolute error, of a learner in a single run."""
    return _shown(compared, name, level, 1)


def _shown(compared: Comparison, name: str, level: StreamMean, runs: int) -> StreamMean:
    """Return a level without its interval where the rule leaves it out."""
    if not compared.plan.task.is_counted or name in COMPARATORS or level.reason:
        return level
    reason = ""
    if name in compared.draws and runs == 1:
        reason = ONE_RUN
    labels = compared.stream.with_labels().y
    if np.bincount(labels).max() > MOST_FREQUENT * len(labels):
        reason = SKEWED
    nan = float("nan")
    return level._replace(low=nan, high=nan, p_value=nan, reason=reason) if reason else level


def shown_kappas(result: Result, compared: Comparison) -> dict[str, dict[str, Interval]]:
    """Return `KAPPAS` of each learner with the ends of their intervals, NaN where there is none.

    κ is of one run, and the others are over all runs.
    """
    of_one_run = result.measures(KAPPA)[KAPPA]
    found = {}
    for name in compared.with_baselines:
        one_seed = name in compared.draws
        values = {}
        for measure in KAPPAS:
            baseline = _OVER.get(measure)
            value = low = high = float("nan")
            if baseline is None:
                value = float(of_one_run[name])
                if not one_seed and name != MAJORITY:
                    _, low, high, *_ = result.level(name, measure)
            else:
                value, low, high, _ = compared.skill(name, baseline)
                if one_seed and compared.runs == 1:
                    low = high = float("nan")
            values[measure] = Interval(value, low, high)
        found[name] = values
    return found
