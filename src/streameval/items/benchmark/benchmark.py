"""Means and spreads of learners over seeds, their ranks, and verdicts about each pair."""

from __future__ import annotations

import math
from collections.abc import Collection, Mapping
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
import pandas as pd

from streameval.base.table_files import concatenate_streams, read_csv_table
from streameval.evaluation.measurements import FAILED, overall_measures
from streameval.evaluation.predictions import PredictionTable
from streameval.evaluation.seeded_tables import verdicts_by_pair, with_common_instances
from streameval.evaluation.verdict_words import BEATS, LOSES_TO
from streameval.items.benchmark import (
    ALIKE,
    BEST,
    COSTS,
    SCORES,
    STREAM_COSTS,
    STREAM_VERDICTS,
    TABLE,
    VERDICTS,
    WORSE,
    BenchmarkSettings,
    no_verdict_reason,
    verdicts_apply_to,
)
from streameval.items.inputs import ItemInput, StreamInputs
from streameval.items.published import with_published_columns
from streameval.measures.regression import is_error
from streameval.report.published_values import OurValues

#: Means are rounded to this number of decimals before they are compared, as sums over seeds have
#: rounding errors.
_DECIMALS = 12


def study(
    stream_inputs: StreamInputs, item: ItemInput[BenchmarkSettings]
) -> dict[str, pd.DataFrame]:
    """The frames of all streams together, with the columns that the kind declares."""
    columns = {"scores": SCORES, "verdicts": VERDICTS, "costs": COSTS}
    frames: dict[str, dict[str, pd.DataFrame]] = {name: {} for name in columns}
    for name, stream in stream_inputs.items():
        tables = stream.predictions_by_seed()
        tables = with_common_instances(
            tables, item.settings.learners_and_baselines, item.n_runs_by_learner
        )
        frames["scores"][name] = run_scores(tables, item)
        frames["verdicts"][name] = pair_verdicts(tables, item)
        frames["costs"][name] = run_costs(stream.cost_files, item)
    simulated_streams = [name for name, stream in stream_inputs.items() if stream.simulated]
    scores, verdicts, costs = (
        concatenate_streams(frames[name], simulated_streams, columns[name]) for name in columns
    )
    is_simulated = scores.drop_duplicates("stream").set_index("stream")["simulated"]
    table = seed_summary(scores, verdicts)
    table.insert(1, "simulated", is_simulated.loc[table["stream"]].to_numpy())
    published = item.settings.published
    path = item.resource(published) if published else None
    table = with_published_scores(table, scores, path)
    return {
        "table": table[list(TABLE)],
        "scores": scores,
        "verdicts": verdicts,
        "costs": costs,
    }


def run_scores(
    tables: Mapping[int, PredictionTable], item: ItemInput[BenchmarkSettings]
) -> pd.DataFrame:
    """The measures of each run: columns learner, seed, measure, value, reason."""
    settings, parts = item.settings, []
    for seed, table in tables.items():
        learners = [name for name in settings.learners_and_baselines if item.has_run(name, seed)]
        if learners:
            measures = overall_measures(table, learners, settings.measures_or_default)
            parts.append(measures.assign(seed=seed))
    scores = pd.concat(parts, ignore_index=True)
    learner_order = {name: i for i, name in enumerate(settings.learners_and_baselines)}
    measure_order = {name: i for i, name in enumerate(settings.measures_or_default)}
    keys = pd.DataFrame(
        {
            "measure": scores["measure"].map(measure_order),
            "learner": scores["learner"].map(learner_order),
            "seed": scores["seed"],
        }
    )
    return scores.loc[keys.sort_values([*keys], kind="stable").index].reset_index(drop=True)


def pair_verdicts(
    tables: Mapping[int, PredictionTable], item: ItemInput[BenchmarkSettings]
) -> pd.DataFrame:
    """The verdict about each pair of learners; no rows if the protocol allows no verdict.

    A learner is left out if it failed in any run or, in regression, has a run without predictions.
    """
    settings, rows = item.settings, []
    task = tables[1].task  # all tables have the same task, and seed 1 is always there
    learners = [
        name for name in settings.learners_and_baselines if _is_comparable(name, tables, item)
    ]
    if len(learners) > 1 and not no_verdict_reason(task.measure, settings.protocol):
        for verdict in verdicts_by_pair(tables, learners, item.n_runs_by_learner, settings.rope):
            numbers = (verdict.difference, verdict.low, verdict.high, verdict.p_value)
            rows.append((verdict.first, verdict.second, *numbers, verdict.verdict, verdict.reason))
    return pd.DataFrame(rows, columns=[*STREAM_VERDICTS])


def _is_comparable(
    learner: str, tables: Mapping[int, PredictionTable], item: ItemInput[BenchmarkSettings]
) -> bool:
    """Whether no run of a learner failed and, in regression, each has predictions."""
    task = tables[1].task
    if any(learner in table.failed for table in tables.values()):
        return False
    runs = [table for seed, table in tables.items() if item.has_run(learner, seed)]
    return task.is_classification or all(
        task.is_known(run.predicted[learner]).any() for run in runs
    )


def run_costs(cost_files: Mapping[str, str], item: ItemInput[BenchmarkSettings]) -> pd.DataFrame:
    """The costs of each run that did not fail.

    Columns learner, seed, instances, seconds, model_bytes.
    """
    parts = []
    for seed, path in cost_files.items():
        learners = [
            name for name in item.settings.learners_and_baselines if item.has_run(name, int(seed))
        ]
        costs = read_csv_table(path).set_index("learner")
        run = costs.loc[[name for name in learners if name in costs.index]].reset_index()
        parts.append(run.assign(seed=int(seed))[[*STREAM_COSTS]])
    return pd.concat(parts, ignore_index=True)


def seed_summary(scores: pd.DataFrame, verdicts: pd.DataFrame) -> pd.DataFrame:
    """Means over seeds with ranks and standings, by stream, learner and measure.

    Parameters
    ----------
    scores, verdicts : DataFrame
        The frames of the kind.

    Returns
    -------
    DataFrame
        - stream, learner, measure, mean
        - sd: with n - 1 in the denominator; NaN for a single run
        - seeds: number of runs
        - rank: 1 is the best. It is NaN on a stream on which a ranked learner has no value.
          Learners that failed on any stream are not ranked.
        - standing: see `BEST`
        - wins, ties, losses: numbers of other learners of the stream. Verdicts decide if the stream
          has any, otherwise the means.
        - reason: why there is no mean, or why the difference from the best learner has no interval
    """
    keys = ["stream", "learner", "measure"]
    runs = scores.groupby(keys, sort=False, observed=True)
    means = runs["value"].agg(lambda values: values.mean(skipna=False))
    table = pd.DataFrame({"mean": means, "sd": runs["value"].std(), "seeds": runs.size()})
    table["reason"] = runs["reason"].agg(lambda texts: next(filter(None, texts), ""))
    table = table.reset_index()
    table.loc[table["mean"].isna(), "sd"] = np.nan  # `std` skips missing values, `mean` does not
    by_pair = _in_both_directions(verdicts)
    failed = set(table.loc[table["reason"].str.startswith(FAILED), "learner"])
    parts = [
        _standings(part, by_pair.get(stream, {}) if verdicts_apply_to(str(measure)) else {}, failed)
        for (stream, measure), part in table.groupby(["stream", "measure"], sort=False)
    ]
    return pd.concat(parts, ignore_index=True)


def with_published_scores(
    table: pd.DataFrame, scores: pd.DataFrame, path: Path | None
) -> pd.DataFrame:
    """Add published values to the rows of `seed_summary`, compared with the runs in `scores`."""
    keys = ["stream", "learner", "measure"]
    runs = {key: part["value"].tolist() for key, part in scores.groupby(keys, sort=False)}
    ours: dict[tuple[str, ...], OurValues] = {}
    for row in table.to_dict("records"):
        key = (row["stream"], row["learner"], row["measure"])
        ours[key] = OurValues(runs.get(key, []), row["reason"], row["simulated"])
    return with_published_columns(table, ours, path)


class _Outcome(NamedTuple):
    """A verdict, and the reason why it has no interval ("" if it has one)."""

    verdict: str
    reason: str


#: The verdicts about pairs of learners on a stream, in both directions.
_Outcomes = Mapping[tuple[str, str], _Outcome]


def _in_both_directions(verdicts: pd.DataFrame) -> dict[Any, dict[tuple[str, str], _Outcome]]:
    """The verdicts of each stream by pair, in both directions."""
    opposite = {BEATS: LOSES_TO, LOSES_TO: BEATS}
    outcomes_by_stream: dict[Any, dict[tuple[str, str], _Outcome]] = {}
    rows = verdicts[["stream", "learner", "other", "low", "verdict", "reason"]]
    for stream, first, second, low, verdict, reason in rows.itertuples(index=False):
        no_interval_reason = reason if np.isnan(low) else ""
        outcomes = outcomes_by_stream.setdefault(stream, {})
        outcomes[first, second] = _Outcome(verdict, no_interval_reason)
        outcomes[second, first] = _Outcome(opposite.get(verdict, verdict), no_interval_reason)
    return outcomes_by_stream


def _standings(part: pd.DataFrame, verdicts: _Outcomes, failed: Collection[str]) -> pd.DataFrame:
    """Add rank, standing, wins, ties and losses to the learners of a stream by one measure."""
    lower_is_better = is_error(part["measure"].iloc[0])
    means = -_rounded_errors(part["mean"]) if lower_is_better else part["mean"].round(_DECIMALS)
    learners = part["learner"].tolist()
    best = part.loc[means == means.max(), "learner"].tolist()
    ranked = means[~part["learner"].isin(failed)]
    rank = ranked.rank(ascending=False) if ranked.notna().all() else ranked * np.nan
    standing, counts, reasons = [], [], part["reason"].tolist()
    for i, (name, mean) in enumerate(zip(learners, means, strict=True)):
        if name in best:
            standing.append(BEST)
        elif np.isnan(mean) or (name, best[0]) not in verdicts:
            standing.append("")
        else:
            outcome = verdicts[name, best[0]]
            standing.append(WORSE if outcome.verdict == LOSES_TO else ALIKE)
            reasons[i] = outcome.reason
        counts.append(
            _wins_ties_losses(name, mean, dict(zip(learners, means, strict=True)), verdicts)
        )
    wins, ties, losses = zip(*counts, strict=True)
    columns = {"standing": standing, "reason": reasons, "wins": wins, "ties": ties}
    return part.assign(rank=rank.reindex(part.index), **columns, losses=losses)


def _rounded_errors(errors: pd.Series) -> pd.Series:
    """Mean errors, rounded so that the largest has `_DECIMALS` significant digits."""
    largest = float(errors[np.isfinite(errors)].max())
    return errors.round(_DECIMALS - math.ceil(math.log10(largest))) if largest > 0 else errors


def _wins_ties_losses(
    name: str, mean: float, means: dict[str, float], verdicts: _Outcomes
) -> tuple[int, int, int]:
    """Numbers of other learners that a learner beats, ties with and loses to."""
    others = [other for other in means if other != name and not np.isnan(means[other])]
    if np.isnan(mean):
        return 0, 0, 0
    if verdicts:
        outcomes = [verdicts[name, other].verdict for other in others]
        wins, losses = outcomes.count(BEATS), outcomes.count(LOSES_TO)
    else:
        wins = sum(mean > means[other] for other in others)
        losses = sum(mean < means[other] for other in others)
    return wins, len(others) - wins - losses, losses
