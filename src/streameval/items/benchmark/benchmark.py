"""Means and spreads of learners over seeds, their ranks, and verdicts about each pair."""

from __future__ import annotations

import math
from collections.abc import Collection, Mapping
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
import pandas as pd

from streameval.base.table_files import by_stream, read_csv_table
from streameval.evaluation.measurements import FAILED, overall_measures
from streameval.evaluation.predictions import PredictionTable
from streameval.evaluation.seeded_tables import verdicts_by_pair, with_common_instances
from streameval.evaluation.verdict_words import FIRST, SECOND
from streameval.items.benchmark import (
    ALIKE,
    BEST,
    COSTS,
    SCORES,
    TABLE,
    VERDICTS,
    WORSE,
    BenchmarkSettings,
    is_judged,
    why_no_verdict,
)
from streameval.items.inputs import ItemInput, StreamInputs
from streameval.items.published import with_published_columns
from streameval.measures.regression import is_error
from streameval.report.published_values import Ours

#: Number of decimals to which means are compared: sums over seeds have rounding errors.
_DECIMALS = 12


def study(
    stream_inputs: StreamInputs, item: ItemInput[BenchmarkSettings]
) -> dict[str, pd.DataFrame]:
    """The frames of all streams together; see the columns of the kind."""
    columns = {"scores": SCORES, "verdicts": VERDICTS, "costs": COSTS}
    frames: dict[str, dict[str, pd.DataFrame]] = {name: {} for name in columns}
    for name, stream in stream_inputs.items():
        tables = stream.predictions_by_seed()
        tables = with_common_instances(tables, item.settings.compared, item.seeds)
        frames["scores"][name] = run_scores(tables, item)
        frames["verdicts"][name] = pair_verdicts(tables, item)
        frames["costs"][name] = run_costs(stream.spent, item)
    resembling = [name for name, stream in stream_inputs.items() if stream.simulated]
    scores, verdicts, costs = (
        by_stream(frames[name], resembling, columns[name]) for name in columns
    )
    simulated = scores.drop_duplicates("stream").set_index("stream")["simulated"]
    table = seed_summary(scores, verdicts)
    table.insert(1, "simulated", simulated.loc[table["stream"]].to_numpy())
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
        learners = [name for name in settings.compared if item.seeds.get(name, 1) >= seed]
        if learners:
            measures = overall_measures(table, learners, settings.measured)
            parts.append(measures.assign(seed=seed))
    scores = pd.concat(parts, ignore_index=True)
    order = {name: place for place, name in enumerate(settings.compared)}
    measure = {name: place for place, name in enumerate(settings.measured)}
    keys = pd.DataFrame(
        {
            "measure": scores["measure"].map(measure),
            "learner": scores["learner"].map(order),
            "seed": scores["seed"],
        }
    )
    return scores.loc[keys.sort_values([*keys], kind="stable").index].reset_index(drop=True)


def pair_verdicts(
    tables: Mapping[int, PredictionTable], item: ItemInput[BenchmarkSettings]
) -> pd.DataFrame:
    """The verdict about each pair of learners; none where the protocol gives none.

    A learner that failed, with any seed, or that predicts no number, is in no pair.
    """
    settings, rows, task = item.settings, [], tables[1].task
    compared = [name for name in settings.compared if _is_comparable(name, tables, item.seeds)]
    if len(compared) > 1 and not why_no_verdict(task.measure, settings.protocol):
        for verdict in verdicts_by_pair(tables, compared, item.seeds, settings.rope):
            numbers = (verdict.difference, verdict.low, verdict.high, verdict.p_value)
            rows.append((verdict.first, verdict.second, *numbers, verdict.verdict, verdict.reason))
    return pd.DataFrame(rows, columns=[*VERDICTS[2:]])


def _is_comparable(
    learner: str, tables: Mapping[int, PredictionTable], seeds: Mapping[str, int]
) -> bool:
    """Whether a learner did not fail in any run, and predicts something if numbers."""
    task = tables[1].task
    if any(learner in table.failed for table in tables.values()):
        return False
    runs = [table for seed, table in tables.items() if seeds.get(learner, 1) >= seed]
    return task.is_counted or all(task.known(run.predicted[learner]).any() for run in runs)


def run_costs(spent: Mapping[str, str], item: ItemInput[BenchmarkSettings]) -> pd.DataFrame:
    """The costs of each run: columns learner, seed, instances, seconds, model_bytes.

    Runs that failed have none.
    """
    parts = []
    for seed, path in spent.items():
        learners = [name for name in item.settings.compared if item.seeds.get(name, 1) >= int(seed)]
        costs = read_csv_table(path).set_index("learner")
        of_run = costs.loc[[name for name in learners if name in costs.index]].reset_index()
        parts.append(of_run.assign(seed=int(seed))[[*COSTS[2:]]])
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
        Columns stream, learner, measure, mean, sd (with n - 1, NaN of one run), seeds, rank (1 is
        the best; NaN on a stream where a learner has no value, and of a learner that failed on any
        stream, which no rank counts), standing, wins, ties, losses and reason: why there is no
        mean, or no interval of the difference from the best. Wins are over the other learners of
        the stream: by verdicts where there are any, otherwise by the means.
    """
    keys = ["stream", "learner", "measure"]
    runs = scores.groupby(keys, sort=False, observed=True)
    means = runs["value"].agg(lambda values: values.mean(skipna=False))
    table = pd.DataFrame({"mean": means, "sd": runs["value"].std(), "seeds": runs.size()})
    table["reason"] = runs["reason"].agg(lambda texts: next(filter(None, texts), ""))
    table = table.reset_index()
    table.loc[table["mean"].isna(), "sd"] = np.nan
    by_pair = _turned_too(verdicts)
    failed = set(table.loc[table["reason"].str.startswith(FAILED), "learner"])
    parts = [
        _standings(part, by_pair.get(stream, {}) if is_judged(str(measure)) else {}, failed)
        for (stream, measure), part in table.groupby(["stream", "measure"], sort=False)
    ]
    return pd.concat(parts, ignore_index=True)


def with_published_scores(
    table: pd.DataFrame, scores: pd.DataFrame, path: Path | None
) -> pd.DataFrame:
    """Add published values to the rows of `seed_summary`, compared with the runs in `scores`."""
    keys = ["stream", "learner", "measure"]
    runs = {about: part["value"].tolist() for about, part in scores.groupby(keys, sort=False)}
    ours: dict[tuple[str, ...], Ours] = {}
    for row in table.to_dict("records"):
        about = (row["stream"], row["learner"], row["measure"])
        ours[about] = Ours(runs.get(about, []), row["reason"], row["simulated"])
    return with_published_columns(table, ours, path)


class _Outcome(NamedTuple):
    """A verdict, and why it has no interval; "" if it has one."""

    verdict: str
    reason: str


#: The verdicts about pairs of learners on a stream, in both directions.
_Outcomes = Mapping[tuple[str, str], _Outcome]


def _turned_too(verdicts: pd.DataFrame) -> dict[Any, dict[tuple[str, str], _Outcome]]:
    """The verdicts of each stream by pair, in both directions."""
    turned = {FIRST: SECOND, SECOND: FIRST}
    by_stream: dict[Any, dict[tuple[str, str], _Outcome]] = {}
    rows = verdicts[["stream", "learner", "other", "low", "verdict", "reason"]]
    for stream, first, second, low, verdict, reason in rows.itertuples(index=False):
        why = reason if np.isnan(low) else ""
        of_stream = by_stream.setdefault(stream, {})
        of_stream[first, second] = _Outcome(verdict, why)
        of_stream[second, first] = _Outcome(turned.get(verdict, verdict), why)
    return by_stream


def _standings(part: pd.DataFrame, verdicts: _Outcomes, failed: Collection[str]) -> pd.DataFrame:
    """Add rank, standing, wins, ties and losses to the learners of a stream by one measure."""
    lower = is_error(part["measure"].iloc[0])
    means = -_significant(part["mean"]) if lower else part["mean"].round(_DECIMALS)
    learners = part["learner"].tolist()
    best = part.loc[means == means.max(), "learner"].tolist()
    ranked = means[~part["learner"].isin(failed)]
    rank = ranked.rank(ascending=False) if ranked.notna().all() else ranked * np.nan
    standing, counts, reasons = [], [], part["reason"].tolist()
    for place, (name, mean) in enumerate(zip(learners, means, strict=True)):
        if name in best:
            standing.append(BEST)
        elif np.isnan(mean) or (name, best[0]) not in verdicts:
            standing.append("")
        else:
            outcome = verdicts[name, best[0]]
            standing.append(WORSE if outcome.verdict == SECOND else ALIKE)
            reasons[place] = outcome.reason
        counts.append(_counted(name, mean, dict(zip(learners, means, strict=True)), verdicts))
    wins, ties, losses = zip(*counts, strict=True)
    about = {"standing": standing, "reason": reasons, "wins": wins, "ties": ties}
    return part.assign(rank=rank.reindex(part.index), **about, losses=losses)


def _significant(errors: pd.Series) -> pd.Series:
    """Mean errors, which can have any magnitude, with `_DECIMALS` digits of the largest."""
    largest = float(errors[np.isfinite(errors)].max())
    return errors.round(_DECIMALS - math.ceil(math.log10(largest))) if largest > 0 else errors


def _counted(
    name: str, mean: float, means: dict[str, float], verdicts: _Outcomes
) -> tuple[int, int, int]:
    """Numbers of other learners that a learner beats, ties with and loses to."""
    others = [other for other in means if other != name and not np.isnan(means[other])]
    if np.isnan(mean):
        return 0, 0, 0
    if verdicts:
        outcomes = [verdicts[name, other].verdict for other in others]
        wins, losses = outcomes.count(FIRST), outcomes.count(SECOND)
    else:
        wins = sum(mean > means[other] for other in others)
        losses = sum(mean < means[other] for other in others)
    return wins, len(others) - wins - losses, losses
