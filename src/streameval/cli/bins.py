"""Output of ``evaluate`` under delayed labels: measures by bin of the time to the label."""

from __future__ import annotations

import argparse
import math
from collections.abc import Collection, Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

from streameval.cli import over_bins
from streameval.cli.baselines import verdicts
from streameval.cli.numbers import shown, titles
from streameval.cli.opening import add_every, add_values, check_figure, check_output, save_figure
from streameval.errors import ConfigError
from streameval.evaluation.task import CLASSES
from streameval.files import written_aside
from streameval.significance.stream_mean import LEAST_EFFECTIVE, LEAST_RARE
from streameval.values import defined, duration_text

if TYPE_CHECKING:
    import pandas as pd

    from streameval.api.result import Result
    from streameval.cli.opening import Group

_WHY_UNDEFINED = "R² is undefined: all targets are equal, or too large to be squared."
BINS, RULE = 50, "paper"
ABOUT = (
    "Each instance is predicted on arrival, again after every K labels of others, and just before "
    "its own label is learnt. Measures are by bins of the time from an instance to its label."
)
#: Measures printed of one learner beside the accuracy, and of several; and those of --all only.
_ONE = {
    "kappa_temporal_delayed": "κ_t(d)",
    "kappa_m_delayed": "κ_m(d)",
    "kappa": "κ",
    "kappa_temporal": "κ_t",
    "kappa_m": "κ_m",
}
_SEVERAL = {
    "accuracy": "Accuracy",
    "kappa_temporal_delayed": "Kappa-Temporal over No-Change under the same delay (κ_t(d))",
    "kappa_m_delayed": "Kappa-M over Majority under the same delay (κ_m(d))",
    "kappa": "Cohen's kappa (κ)",
    "kappa_temporal": "Kappa-Temporal as in MOA (κ_t)",
    "kappa_m": "Kappa-M as in MOA (κ_m)",
}
_MORE_MEASURES = frozenset({"kappa", "kappa_temporal", "kappa_m"})
#: The head of the column of instances that are not predicted.
_NONE = "unpredicted"
#: Between the first and the last bin, as many of these are printed.
_SHOWN = 10
_ENDS = "Bin 0: predictions on arrival. Bin {last}: predictions just before the label is learnt."
_SKILL = (
    "κ_t(d) and κ_m(d) compare with No-Change and Majority under the same delay, in the same bin."
)
_AS_IN_MOA = """\
κ_t and κ_m, as in MOA, compare with the previous label and with the most frequent one, which has
counted the instance's own label already. These labels are not known yet when learners predict."""
_FIRST_CLASS = (
    "By the published program's rule a missing prediction counts as class {name}.\n"
    "It also scores the instances that came before the first label."
)
_NO_INTERVAL = f"""\
No 95 % interval in {{cells}}: it needs labels worth {LEAST_EFFECTIVE} independent ones, and
{LEAST_RARE} such labels of the rarer outcome."""


class _ByAge(NamedTuple):
    """Output by age: the measure, its head, the width of ages, and notes."""

    measure: str
    head: str
    width: int
    text: str


_OF_CLASSES = _ByAge(
    "accuracy",
    "accuracy",
    20,
    """\
At an age the predictions in force count, of instances whose labels are still to come (at
risk). Pending ones have no label yet and count nowhere. κ_t(d) and κ_m(d) compare with
No-Change and Majority at the same age.""",
)
_OF_NUMBERS = _ByAge(
    "mean_absolute_error",
    "MAE",
    14,
    """\
At an age the predictions in force count, of instances whose targets are still to come (at
risk). Pending ones have no target yet and count nowhere. The skill S compares with a baseline
at the same age: the previous target, the mean so far, or a target so many instances before.""",
)
#: Names of the baselines of regressors in heads.
_SHORT = {"previous_target": "previous", "target_mean": "mean"}
_INTERVAL = ("low", "high")
_MORE = "{shown} of {all} bins are shown. --table FILE and --json give all of them."


def add_options(group: Group) -> None:
    """Add the options about bins."""
    add_every(group)
    bins = f"bins between the first and the last prediction; by default {BINS}"
    add_values(group, int, bins=("B", bins))
    group.add_argument(
        "--by",
        choices=("label", "age"),
        help="bins of the time from an instance to its label (default), or of the time since the "
        "instance, its age, which is known when predicting",
    )
    group.add_argument(
        "--rule",
        choices=("paper", "published"),
        help="which prediction counts where some are made in a bin: by the paper (default) each as "
        "long as it is in force, by the published program a single one for the whole bin, and the "
        "first class where there is no prediction",
    )
    over_bins.add_option(group)
    group.add_argument(
        "--all",
        action="store_true",
        help="print all measures: Cohen's kappa, and those of MOA, which use later labels",
    )
    table = (
        "write all bins into this file, .csv; without delayed labels all predictions, with class "
        "scores (--scores) and ends of intervals where there are such"
    )
    add_values(group, Path, table=("FILE", table))


def check_options(options: argparse.Namespace) -> None:
    """Refuse impossible options before anything runs."""
    if options.bins is not None and options.bins < 0:
        raise ConfigError(f"--bins: expected at least 0, found {options.bins}.")
    over_bins.check_option(options)
    check_figure(options.figure)
    if options.table is not None:
        check_output("--table", options.table, (".csv",))


def number(options: argparse.Namespace) -> int:
    """Return the number of bins that is asked for."""
    return BINS if options.bins is None else int(options.bins)


def binned(result: Result, options: argparse.Namespace) -> pd.DataFrame:
    """Write the requested files and return all bins of a result."""
    bins, rule = number(options), options.rule or RULE
    by = options.by or "label"
    found = result.bins(bins, rule, moa=True, by=by)  # files and JSON have all columns
    if options.table is not None:
        with written_aside(options.table) as part:
            found.to_csv(part, index=False)
    save_figure(options.figure, lambda: result.plot_bins(bins=bins, rule=rule, by=by))
    return found


def over_all(result: Result, options: argparse.Namespace) -> pd.DataFrame:
    """Return one number for all bins of a result; see `streameval.cli.over_bins`."""
    return over_bins.over_bins(result, number(options), options.rule or RULE, options.priority)


def as_json(found: pd.DataFrame) -> dict[str, list[dict[str, Any]]]:
    """Return the bins by learner; undefined is None."""
    more = ["low", "high", "calculated", "missing"]
    if "age" in found:
        columns = [name for name in found if name != "learner"]
        found = found.assign(age=[_age(age) for age in found["age"]])
    elif _is_of_regressors(found):
        ends = [name for name in map(str, found) if name.endswith(("_low", "_high"))]
        more += [name for name in ends if not name.startswith("band")]
        columns = ["bin", *_numbers(found), "predictions", *more]
    else:
        first = ["accuracy", "kappa", "kappa_temporal", "kappa_m"]
        columns = ["bin", *first, "predictions", "kappa_temporal_delayed", "kappa_m_delayed"]
        columns += more
    return {
        str(name): [
            {str(key): defined(value) for key, value in row.items()}
            for row in rows[columns].to_dict("records")
        ]
        for name, rows in found.groupby("learner", sort=False)
    }


def _is_of_regressors(found: pd.DataFrame) -> bool:
    return "accuracy" not in found


def _numbers(found: pd.DataFrame) -> dict[str, str]:
    """Return the measures of regressors by bin, as they are printed, by name."""
    return {name: title for name, title in titles(found["learner"]).items() if name in found}


def _age(age: Any) -> str | int:
    """Return an age as people write it: a length of time, or a number of its units."""
    return duration_text(age.total_seconds()) if hasattr(age, "total_seconds") else int(age)


def _lines_by_age(result: Result, found: pd.DataFrame, learners: Sequence[str]) -> list[str]:
    """Return the lines on accuracies, or on errors, by age."""
    from streameval.evaluation.number_measures import SKILL

    about = _OF_CLASSES if result.task is CLASSES else _OF_NUMBERS
    skills = {name: head for name, head in _ONE.items() if name.endswith("_delayed")}
    if about is _OF_NUMBERS:
        over = [name.removeprefix(SKILL) for name in map(str, found) if name.startswith(SKILL)]
        skills = {SKILL + name: f"S({_SHORT.get(name, name.rpartition(':')[2])})" for name in over}
    widths = {name: max(10, len(head) + 2) for name, head in skills.items()}
    head = f"{'age':>{about.width}}{about.head:>10}{'95 % interval':>20}"
    head += "".join(f"{skills[name]:>{width}}" for name, width in widths.items())
    head += f"{'at risk':>10}{'pending':>10}" + f"{_NONE:>13}" * (has_none := _has_none(found))
    text = [_heading(result)]
    for learner in learners:
        rows = found[found["learner"] == learner]
        few = rows.iloc[_selection(len(rows) - 1, _SHOWN)] if len(rows) > 1 else rows
        text += ["", *[learner] * (len(learners) > 1), head]
        for row in few.to_dict("records"):
            value, low, high = (shown(about.measure, row[k]) for k in (about.measure, *_INTERVAL))
            ends = "" if math.isnan(row["low"]) else f"[{low}, {high}]"
            cells = "".join(f"{shown(name, row[name]):>{width}}" for name, width in widths.items())
            start = f"{_age(row['age']):>{about.width}}{value:>10}{ends:>20}"
            none = f"{row['missing']:>13,}" * has_none
            text.append(f"{start}{cells}{row['at_risk']:>10,}{row['pending']:>10,}{none}")
    return [*text, "", *about.text.split("\n"), "", *verdicts(result, learners)]


def lines(
    result: Result,
    found: pd.DataFrame,
    learners: Sequence[str],
    options: argparse.Namespace,
) -> list[str]:
    """Return the printed lines: the protocol, numbers of labels, and a selection of bins.

    Errors of regressors are always printed beside those of the baseline, as they have a unit.
    """
    if "age" in found:
        return _lines_by_age(result, found, learners)
    shows = {*_ONE, *_SEVERAL} - (frozenset() if options.all else _MORE_MEASURES)
    last = int(found["bin"].max())
    is_one = len(learners) == 1 and not _is_of_regressors(found)
    few = few_of(found, _SHOWN) if is_one else few_of(found)
    text = [_heading(result), ""]
    if is_one:
        few = few[few["learner"] == learners[0]]
        text += _of_one(few, [name for name in _ONE if name in shows])
    else:
        text += _of_several(few, result.learners, shows)
    text += ["", _ENDS.format(last=last), *_notes(result, few, options, is_one=is_one)]
    if few["bin"].nunique() <= last:
        text.append(_MORE.format(shown=few["bin"].nunique(), all=last + 1))
    if _is_of_regressors(found) and found["r_squared"].isna().any():
        text.append(_WHY_UNDEFINED)
    if options.priority is not None:
        numbers = over_all(result, options)
        given = last - 1, options.priority
        text += over_bins.lines(numbers, learners, *given, shows_all=options.all)
    return [*text, "", *verdicts(result, learners, explained=not is_one)]


def _heading(result: Result) -> str:
    """Return the lines on the stream, its delays, and the labels that have not arrived."""
    from streameval.evaluation.delays import first_label_line, median_wait, waiting_line

    about = result.delays or {}
    every = "each label" if about["every"] == 1 else f"every {about['every']:,} labels"
    later = f"{about['delay']:,} instance{'s' * (about['delay'] != 1)} later"
    if wait := median_wait(result.stream):
        later = f"{duration_text(wait)} later ({later.removesuffix(' later')})"
    lines = waiting_line(result.stream), first_label_line(result.before_first_label)
    return (
        f"{len(result.stream):,} instances; in the median labels arrive {later}.\n"
        + "".join(f"{line}\n" for line in lines if line)
        + f"Continuous re-evaluation: a new prediction after {every} of others."
    )


def _selection(last: int, steps: int) -> list[int]:
    """Return bins to show: the first, the last, and some in equal steps."""
    step = max(1, math.ceil((last - 1) / steps))
    return [0, *range(step, last, step), last]


def _notes(
    result: Result,
    few: pd.DataFrame,
    options: argparse.Namespace,
    *,
    is_one: bool,
) -> list[str]:
    """Return notes on the measures of the printed bins."""
    text = list[str]()
    if not _is_of_regressors(few):
        text += [_SKILL] * is_one + _AS_IN_MOA.split("\n") * options.all
        classes = result.stream.schema.classes
        if options.rule == "published" and classes:
            text += _FIRST_CLASS.format(name=classes[0]).split("\n")
    if lacking := int(few["low"].isna().sum()) if is_one else 0:
        cells = "any bin" if lacking == len(few) else f"{lacking} of the {len(few)} bins"
        text += _NO_INTERVAL.format(cells=cells).split("\n")
    return text


def _of_one(rows: pd.DataFrame, names: Sequence[str]) -> list[str]:
    heads = "".join(f"{_ONE[name]:>10}" for name in names)
    has_none = _has_none(rows)
    text = [f"{'bin':>4}{'accuracy':>10}{'95 % interval':>20}{heads}{'predictions':>13}"]
    text[0] += f"{_NONE:>13}" * has_none
    for row in rows.to_dict("records"):
        ends = "" if math.isnan(row["low"]) else f"[{row['low']:.4f}, {row['high']:.4f}]"
        cells = "".join(f"{shown(name, row[name]):>10}" for name in names)
        start = f"{row['bin']:>4}{shown('accuracy', row['accuracy']):>10}{ends:>20}"
        none = f"{row['missing']:>13,}" * has_none
        text.append(f"{start}{cells}{row['predictions']:>13,}{none}")
    return text


def _of_several(rows: pd.DataFrame, learners: Sequence[str], shows: Collection[str]) -> list[str]:
    of_classes = {name: title for name, title in _SEVERAL.items() if name in shows}
    headings, least = (_numbers(rows), 14) if _is_of_regressors(rows) else (of_classes, 10)
    none = {"missing": "Instances not predicted"} if _has_none(rows) else {}
    return by_bin(rows, learners, headings | none, least)


def by_bin(
    rows: pd.DataFrame, learners: Sequence[str], headings: Mapping[str, str], least: int = 10
) -> list[str]:
    """Return the lines of a table for each measure: a row for each bin, a column for each learner.

    Columns are at least so wide.
    """
    widths = {name: max(least, len(name) + 2) for name in learners}
    text = [f"{'bin':>4}" + "".join(f"{name:>{width}}" for name, width in widths.items())]
    for number, (measure, title) in enumerate(headings.items()):
        wide = rows.pivot(index="bin", columns="learner", values=measure)  # noqa: PD010
        text += ["", title] if number else [title]
        for b, row in wide.iterrows():
            cells = (
                f"{row[name]:,.0f}" if measure == "missing" else shown(measure, row[name])
                for name in widths
            )
            wide_cells = zip(cells, widths.values(), strict=True)
            text.append(f"{b:>4}" + "".join(f"{cell:>{width}}" for cell, width in wide_cells))
    return text


def _has_none(rows: pd.DataFrame) -> bool:
    """Return whether some instance is not predicted."""
    return bool(rows["missing"].any())


def few_of(found: pd.DataFrame, steps: int = 5) -> pd.DataFrame:
    """Return the rows of the bins that are printed."""
    return found[found["bin"].isin(_selection(int(found["bin"].max()), steps))]
