"""Ranks of learners over streams: Friedman's test, then Nemenyi's for all pairs (Demšar, 2006)."""

from __future__ import annotations

from typing import Any

import numpy as np
import pandas as pd

from streameval.base.errors import DataError
from streameval.evaluation.measurements import overall_measures
from streameval.evaluation.seeded_tables import with_common_instances
from streameval.items.inputs import ItemInput, StreamInput, StreamInputs, table_over_streams
from streameval.items.performance import (
    RANKS,
    ROUNDING_FACTOR,
    SCORES,
    CriticalDifferenceSettings,
    ranking_size_error,
)
from streameval.measures.regression import is_error
from streameval.significance.friedman import nemenyi_critical_difference
from streameval.significance.registry import TESTS


def study(
    stream_inputs: StreamInputs, item: ItemInput[CriticalDifferenceSettings]
) -> dict[str, pd.DataFrame]:
    """The frames ``ranks`` and ``scores`` of all streams together; see `rank_learners`.

    A learner that failed on any stream is left out, as all streams have to rank the same learners.
    """
    settings = item.settings
    failed = {learner for stream_input in stream_inputs.values() for learner in stream_input.failed}
    learners = [name for name in settings.learners if name not in failed]
    # Without failed learners, `rank_learners` raises the error.
    if failed and ranking_size_error(stream_inputs, learners):
        return {"ranks": pd.DataFrame(columns=[*RANKS]), "scores": pd.DataFrame(columns=[*SCORES])}

    def part(stream_input: StreamInput[Any]) -> pd.DataFrame:
        # Run 1 is the only run; no learner has several seeds.
        table = with_common_instances({1: stream_input.predictions()}, learners, {})[1]
        return overall_measures(table, learners, [settings.measure_or_default])

    values = table_over_streams(
        stream_inputs, part, ("stream", "simulated", "learner", "value", "reason")
    )
    return rank_learners(values, settings.level, is_error=is_error(settings.measure_or_default))


def rank_learners(
    values_by_stream: pd.DataFrame, level: float, *, is_error: bool = False
) -> dict[str, pd.DataFrame]:
    """Rank learners on each stream and test by Friedman's test whether their mean ranks differ.

    `values_by_stream` has a row for each learner on each stream. The largest value is the best, or
    the smallest with `is_error`. The column `alike` of the result has the ids of the learners that
    do not differ from a learner, separated by spaces.
    """
    streams, learners = (
        list(dict.fromkeys(values_by_stream[key])) for key in ("stream", "learner")
    )
    fault = ranking_size_error(streams, learners)
    if fault:
        raise DataError(f"Critical difference: {fault}")
    for row in values_by_stream[values_by_stream["value"].isna()].to_dict("records"):
        raise DataError(
            f"Critical difference: expected a value of {row['learner']} on each stream, found none "
            f"on {row['stream']} ({row['reason']}). Leave the stream out, or take another measure."
        )
    values = values_by_stream.pivot_table(
        "value", "stream", "learner", aggfunc="first", sort=False, observed=True
    ).to_numpy()
    n, k = values.shape
    test = TESTS["friedman"](-values if is_error else values)
    mean_ranks = np.asarray(test.details["mean_ranks"])
    critical_difference = nemenyi_critical_difference(k, n, level)
    # Learners also differ if their ranks are exactly the critical difference apart.
    is_alike = np.abs(mean_ranks[:, None] - mean_ranks) < critical_difference * ROUNDING_FACTOR
    ranked = pd.DataFrame(
        {
            "learner": learners,
            "mean_rank": mean_ranks,
            "mean": values.mean(axis=0),
            "streams": n,
            "simulated": int(values_by_stream.drop_duplicates("stream")["simulated"].sum()),
            "statistic": test.statistic,
            "p_value": test.p_value,
            "critical_difference": critical_difference,
            "alike": [
                " ".join(learners[j] for j in np.flatnonzero(row) if j != i)
                for i, row in enumerate(is_alike)
            ],
        }
    )
    best_first = ranked.sort_values("mean_rank", kind="stable", ignore_index=True)
    scores = values_by_stream[[*SCORES[:-1]]]  # without the rank
    ranks_on_stream = scores.groupby("stream", sort=False)["value"].rank(ascending=is_error)
    return {"ranks": best_first[list(RANKS)], "scores": scores.assign(rank=ranks_on_stream)}
