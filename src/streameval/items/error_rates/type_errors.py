"""Type I and type II errors of tests on folds (Bifet et al. 2015, Section 4.1).

A learner is compared with itself or with another learner. All tests read the counts and differences
that `type_errors_runs` has computed.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np
import pandas as pd

from streameval.base.arrays import Floats
from streameval.base.errors import DataError
from streameval.evaluation.decisions import DECISIONS, Evidence
from streameval.evaluation.error_simulation import printed_accuracy
from streameval.evaluation.folds import SAME_LEARNER, SWAPPED_PREDICTIONS, Counts
from streameval.items.error_rates import CASE_COLUMNS, COUNT_COLUMNS, TypeErrorsSettings
from streameval.items.error_rates.type_errors_runs import make_alternatives, redrawn_stream
from streameval.items.inputs import StreamInput
from streameval.significance.intervals import wilson_interval

#: Smallest number of bins of a series that is tested.
MIN_BINS = 30


def study(stream_input: StreamInput[TypeErrorsSettings]) -> dict[str, pd.DataFrame]:
    """The frames of a stream: ``rates``, ``gaps`` and ``seconds``."""
    counts, series, anytime, costs = (
        stream_input.joined_parts(name) for name in ("counts", "series", "anytime", "costs")
    )
    seconds = costs.groupby("scheme", sort=False, as_index=False).agg(
        runs=("run", "size"), seconds=("seconds", "sum")
    )
    return {
        "rates": rates(counts, series, anytime, stream_input.settings.level).assign(
            simulated=stream_input.simulated
        ),
        "gaps": true_differences(counts, stream_input.settings, _n_classes(stream_input)),
        "seconds": seconds,
    }


def pool_counts(parts: Mapping[str, pd.DataFrame], settings: Any) -> pd.DataFrame:
    """The counts of each run at its full length, summed over the folds, for a record."""
    counts = parts["counts"]
    names = [
        alternative.name for alternative in make_alternatives(settings.noise, settings.drift_noise)
    ]
    for column, expected in (("scheme", settings.schemes), ("alternative", names)):
        if {*counts[column]} != {*expected}:
            raise DataError(
                f"Parts of a study of type errors: expected the {column}s {', '.join(expected)}, "
                f"found {', '.join(sorted({*counts[column]}))}. Run the study again."
            )
    if counts["fold"].max() + 1 != settings.folds:
        raise DataError(
            f"Parts of a study of type errors: expected {settings.folds} folds, found "
            f"{counts['fold'].max() + 1}. Run the study again."
        )
    longest = counts[counts["instances"] == counts["instances"].max()]
    keys = ["scheme", "reading", "alternative", "run"]
    grouped = longest.groupby(keys, sort=False, as_index=False)
    sums: pd.DataFrame = grouped.agg(
        folds=("fold", "size"), **{name: (name, "sum") for name in COUNT_COLUMNS}
    )
    return sums.sort_values(["run"], kind="stable", ignore_index=True)


def _n_classes(stream_input: StreamInput[Any]) -> int:
    spec = stream_input.spec
    # The number of classes does not depend on the length of the stream.
    return redrawn_stream(spec, 1, 0).n_classes if spec else stream_input.stream.n_classes


def rates(
    counts: pd.DataFrame, series: pd.DataFrame, anytime: pd.DataFrame, level: float
) -> pd.DataFrame:
    """Rejection rate of each test, from the frames of `type_errors_runs.part`.

    Intervals are Wilson's. `adjusted` is the size-adjusted power: the rejection rate at the largest
    nominal level that keeps the type I error of the runs at most `level`.
    """
    rows: list[tuple[Any, ...]] = []
    longest = counts["instances"].max()
    for (scheme, reading), scheme_counts in counts.groupby(["scheme", "reading"], sort=False):
        scheme_series, scheme_anytime = (
            frame[(frame["scheme"] == scheme) & (frame["reading"] == reading)]
            for frame in (series, anytime)
        )
        for length, length_counts in scheme_counts.groupby("instances", sort=False):
            evidence = {
                name: Evidence(
                    _counts_of(group),
                    str(scheme),
                    _first_part(_by_run(scheme_series, str(name)), length / longest),
                    # E-processes are computed at full length only.
                    _by_run(scheme_anytime, str(name)) if length == longest else None,
                )
                for name, group in length_counts.groupby("alternative", sort=False)
            }
            for test, decision in DECISIONS.items():
                if not decision.is_available(next(iter(evidence.values()))):
                    continue
                p_values = {name: decision.p_values(part) for name, part in evidence.items()}
                for name, p in p_values.items():
                    folds = evidence[name].counts.n_tested.shape[-1]
                    rejected = int(decision.rejects(p, folds, level).sum())
                    case = (scheme, reading, name, length, test, len(p), rejected)
                    rate = (rejected / len(p), *wilson_interval(rejected, len(p)))
                    # Swapped predictions are a null hypothesis themselves.
                    null = p_values[
                        SWAPPED_PREDICTIONS if name == SWAPPED_PREDICTIONS else SAME_LEARNER
                    ]
                    rows.append((*case, *rate, _adjusted_power(p, null, level)))
    columns = [*CASE_COLUMNS, "test", "runs", "rejected", "value", "low", "high", "adjusted"]
    return pd.DataFrame(rows, columns=columns)


def _counts_of(counts: pd.DataFrame) -> Counts:
    ordered = counts.sort_values(["run", "fold"])
    runs = ordered["run"].nunique()
    return Counts(*(ordered[name].to_numpy().reshape(runs, -1) for name in COUNT_COLUMNS))


def _first_part(series: Floats, fraction: float) -> Floats | None:
    """The first `fraction` of each run's series; None if it has too few bins."""
    bins = round(series.shape[-1] * fraction)
    return series[:, :bins] if bins >= MIN_BINS else None


def _by_run(frame: pd.DataFrame, alternative: str) -> Floats:
    """Differences of shape (runs, bins), or p-values of shape (runs,)."""
    is_series = "bin" in frame
    rows = frame[frame["alternative"] == alternative]
    rows = rows.sort_values(["run", "bin"] if is_series else "run")
    values = rows["difference" if is_series else "p_value"].to_numpy(np.float64)
    return values.reshape(rows["run"].nunique(), -1) if is_series else values


def _adjusted_power(p: Floats, null: Floats, level: float) -> float:
    """The rejection rate of `p` at the largest level that rejects at most `level` of `null`."""
    levels = np.unique(null)
    sizes = np.searchsorted(np.sort(null), levels, side="right") / len(null)
    allowed = levels[sizes <= level]
    return float(np.mean(p <= allowed[-1])) if len(allowed) else 0.0


def true_differences(counts: pd.DataFrame, settings: Any, n_classes: int) -> pd.DataFrame:
    """Differences in accuracy: the true one, `gap`, and the paper's formula, `printed_gap`."""
    sums = counts.groupby([*CASE_COLUMNS], sort=False, as_index=False)[[*COUNT_COLUMNS]].sum()
    by_name = {
        alternative.name: alternative
        for alternative in make_alternatives(settings.noise, settings.drift_noise)
    }
    accuracies = sums["right"] / sums["tested"]
    # The formula holds for noise over the whole stream only.
    printed = [
        accuracy - printed_accuracy(accuracy, by_name[name].level, n_classes)
        if not by_name[name].in_drift and name != SWAPPED_PREDICTIONS
        else np.nan
        for accuracy, name in zip(accuracies, sums["alternative"], strict=True)
    ]
    return sums[[*CASE_COLUMNS]].assign(
        accuracy=accuracies,
        gap=(sums["only_first"] - sums["only_second"]) / sums["tested"],
        printed_gap=printed,
    )
