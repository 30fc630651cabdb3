"""What ``evaluate`` says where labels are delayed: measures by bin of the time to the label."""

from __future__ import annotations

import argparse
import math
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

from streameval.cli.opening import check_figure
from streameval.cli.regressors import WHY_UNDEFINED, shown, titles, verdicts
from streameval.errors import ConfigError
from streameval.files import written_aside

if TYPE_CHECKING:
    import pandas as pd

    from streameval.api.regression import RegressionResult
    from streameval.api.result import Result
    from streameval.cli.opening import Group

BINS, RULE = 50, "published"
ABOUT = (
    "Each instance is predicted on arrival, again after every K labels of others, and just before "
    "its own label is learnt. Measures are by bins of the time from an instance to its label."
)
#: What is printed of one learner, and of several; which of the latter with a heading.
_ONE = {
    "accuracy": "accuracy",
    "kappa": "κ",
    "kappa_temporal": "κ_t",
    "kappa_m": "κ_m",
    "kappa_temporal_delayed": "κ_t(d)",
    "kappa_m_delayed": "κ_m(d)",
}
_SEVERAL = {
    "accuracy": "Accuracy",
    "kappa": "Cohen's kappa (κ)",
    "kappa_temporal_delayed": "Kappa-Temporal over No-Change under the same delay (κ_t(d))",
    "kappa_m_delayed": "Kappa-M over Majority under the same delay (κ_m(d))",
}
#: Between the first and the last bin, as many of these are printed.
_SHOWN = 10
_NOTE = """\
Bin 0: predictions on arrival. Bin {last}: predictions just before the label is learnt.
κ_t and κ_m, as in MOA, compare with the labels that arrived before an instance's own label;
κ_t(d) and κ_m(d) compare with No-Change and Majority under the same delay, in the same bin."""
_NOTE_OF_SEVERAL = "\n".join(_NOTE.splitlines()[:1])
_MORE = "{shown} of {all} bins are shown. --table FILE and --json give all of them."


def add_options(group: Group) -> None:
    """Add the options about bins."""
    group.add_argument(
        "--every",
        metavar="K",
        type=int,
        help="labels between two predictions of a waiting instance; by default 10",
    )
    group.add_argument(
        "--bins",
        metavar="B",
        type=int,
        help=f"bins between the first and the last prediction; by default {BINS}",
    )
    group.add_argument(
        "--rule",
        choices=("published", "paper"),
        help="which prediction counts where some are made in a bin: by the published program "
        "(default) a single one for the whole bin, by the paper each as long as it is in force",
    )
    group.add_argument(
        "--table", metavar="FILE", type=Path, help="write all bins into this file, .csv"
    )
    group.add_argument(
        "--figure",
        metavar="FILE",
        type=Path,
        help="draw measures by bin into this file, .svg, .pdf or .png",
    )


def given_options(options: argparse.Namespace) -> list[str]:
    """Return the options about bins that were given."""
    names = ("bins", "rule", "table", "figure")
    return [f"--{name}" for name in names if getattr(options, name) is not None]


def check_options(options: argparse.Namespace) -> None:
    """Refuse what cannot be done, before anything runs."""
    if options.bins is not None and options.bins < 0:
        raise ConfigError(f"--bins: expected at least 0, found {options.bins}.")
    check_figure(options.figure)
    if options.table is not None:
        if options.table.suffix != ".csv":
            raise ConfigError(
                f"--table: expected a file that ends in .csv, found {options.table.name!r}."
            )
        if not options.table.absolute().parent.is_dir():
            raise ConfigError(
                f"--table: there is no folder {str(options.table.parent)!r}. Make it first."
            )


def binned(result: Result | RegressionResult, options: argparse.Namespace) -> pd.DataFrame:
    """Return all bins of a result, after they were written to the files that are asked for."""
    bins = BINS if options.bins is None else options.bins
    rule = options.rule or RULE
    found = result.bins(bins, rule)
    if options.table is not None:
        with written_aside(options.table) as part:
            found.to_csv(part, index=False)
    if options.figure is not None:
        with written_aside(options.figure) as part:
            result.plot_bins(bins=bins, rule=rule).savefig(part)
    return found


def as_json(found: pd.DataFrame) -> dict[str, list[dict[str, Any]]]:
    """Return the bins by learner; undefined is None."""
    more = ["low", "high", "calculated"]
    if _is_of_regressors(found):
        more.append("missing")
        columns = ["bin", *_numbers(found), "predictions", *more]
    else:
        first = ["accuracy", "kappa", "kappa_temporal", "kappa_m"]
        columns = ["bin", *first, "predictions", *(name for name in _ONE if name not in first)]
        columns += more
    return {
        str(name): [
            {str(key): _plain(value) for key, value in row.items()}
            for row in rows[columns].to_dict("records")
        ]
        for name, rows in found.groupby("learner", sort=False)
    }


def _is_of_regressors(found: pd.DataFrame) -> bool:
    return "accuracy" not in found


def _numbers(found: pd.DataFrame) -> dict[str, str]:
    """Return the measures of regressors by bin, as they are printed, by name."""
    return {name: title for name, title in titles(found["learner"]).items() if name in found}


def _plain(value: float) -> float | None:
    return value if math.isfinite(value) else None


def lines(
    result: Result | RegressionResult, found: pd.DataFrame, learners: Sequence[str]
) -> list[str]:
    """Return what is printed: the protocol, numbers of labels, and a selection of bins.

    Errors of regressors are always printed beside those of the baseline, as they have a unit.
    """
    from streameval.api.error_bins import ErrorBins

    last = int(found["bin"].max())
    is_one = len(learners) == 1 and not _is_of_regressors(found)
    few = found[found["bin"].isin(_selection(last, _SHOWN if is_one else 5))]
    text = [_heading(result), ""]
    if is_one:
        text += _of_one(few[few["learner"] == learners[0]])
    else:
        text += _of_several(few, result.learners)
    text += ["", *(_NOTE if is_one else _NOTE_OF_SEVERAL).format(last=last).split("\n")]
    if few["bin"].nunique() <= last:
        text.append(_MORE.format(shown=few["bin"].nunique(), all=last + 1))
    if _is_of_regressors(found) and found["r_squared"].isna().any():
        text.append(WHY_UNDEFINED)
    if isinstance(result, ErrorBins):
        text += ["", *verdicts(result.on_arrival(), "On arrival, ")]
    return text


def _heading(result: Result | RegressionResult) -> str:
    """Return what is evaluated, in two lines."""
    about = result.delays or {}
    never = f", {about['pending']:,} never arrive" if about["pending"] else ""
    every = "each label" if about["every"] == 1 else f"every {about['every']:,} labels"
    later = f"{about['delay']:,} instance{'s' * (about['delay'] != 1)} later"
    return (
        f"{len(result.stream):,} instances; in the median labels arrive {later}{never}.\n"
        f"Continuous re-evaluation: a new prediction after {every} of others."
    )


def _selection(last: int, steps: int) -> list[int]:
    """Return bins to show: the first, the last, and some in equal steps."""
    step = max(1, math.ceil((last - 1) / steps))
    return [0, *range(step, last, step), last]


def _of_one(rows: pd.DataFrame) -> list[str]:
    text = [
        f"{'bin':>4}" + "".join(f"{name:>10}" for name in _ONE.values()) + f"{'predictions':>13}"
    ]
    for row in rows.to_dict("records"):
        cells = "".join(f"{shown(name, row[name]):>10}" for name in _ONE)
        text.append(f"{row['bin']:>4}{cells}{row['predictions']:>13,}")
    return text


def _of_several(rows: pd.DataFrame, learners: Sequence[str]) -> list[str]:
    headings, least = (_numbers(rows), 14) if _is_of_regressors(rows) else (_SEVERAL, 10)
    widths = {name: max(least, len(name) + 2) for name in learners}
    text = [f"{'bin':>4}" + "".join(f"{name:>{width}}" for name, width in widths.items())]
    for number, (measure, title) in enumerate(headings.items()):
        wide = rows.pivot(index="bin", columns="learner", values=measure)  # noqa: PD010
        text += ["", title] if number else [title]
        for b, row in wide.iterrows():
            cells = "".join(
                f"{shown(measure, row[name]):>{width}}" for name, width in widths.items()
            )
            text.append(f"{b:>4}{cells}")
    return text
