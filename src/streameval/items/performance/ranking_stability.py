"""Stability of a ranking of learners over bootstrap draws of streams and blocks."""

from __future__ import annotations

from dataclasses import fields

import numpy as np
import pandas as pd
import scipy  # loads its parts when they are first used

from streameval.base.arrays import Floats
from streameval.base.errors import DataError
from streameval.base.seeds import generator
from streameval.evaluation.tallies import windows_of
from streameval.items.inputs import ItemInput, StreamInputs
from streameval.items.performance.settings import (
    BLOCKS,
    PERCENTILES,
    RANKING,
    RankingStabilitySettings,
    too_few,
)
from streameval.measures.registry import MEASURES
from streameval.measures.tally import Tally


def study(
    given: StreamInputs, item: ItemInput[RankingStabilitySettings]
) -> dict[str, pd.DataFrame]:
    """Return the frames of all streams together: ``ranking`` and ``shares``; see `ranking`."""
    settings = item.settings
    values, resampled = [], []
    for name, one in given.items():
        rng = generator("ranking_stability", name, settings.seed)
        table = one.predictions()
        n = len(table)
        ends = np.unique(np.linspace(0, n, BLOCKS + 1).astype(np.int64))[1:]
        drawn = rng.multinomial(len(ends), np.full(len(ends), 1 / len(ends)), settings.draws)
        # The stream itself comes first.
        weights: Floats = np.concatenate((np.ones((1, len(ends))), drawn))
        found = []
        for learner in settings.learners:
            so_far = windows_of(table, learner, n, ends)
            found.append(MEASURES[settings.measure].value(_weighted(so_far, weights)))
        measured = np.stack(found, axis=-1)
        values.append(measured[0])
        resampled.append(measured[1:])
    chosen = generator("ranking_stability", settings.seed)
    simulated = [one.simulated for one in given.values()]
    return ranking(settings.learners, np.array(values), np.array(resampled), simulated, chosen)


def _weighted(so_far: Tally, weights: Floats) -> Tally:
    """Return the tallies of blocks with weights, from those up to the end of each block."""
    counts = (np.diff(getattr(so_far, one.name), axis=0, prepend=0) for one in fields(so_far))
    return Tally(*(weights @ count for count in counts))


def ranking(
    learners: tuple[str, ...],
    values: Floats,
    resampled: Floats,
    simulated: list[bool],
    rng: np.random.Generator,
) -> dict[str, pd.DataFrame]:
    """Return how often learners take each rank over draws of streams.

    `values` are of shape (n streams, k learners), the greater the better, `resampled` (n, d, k) on
    draws of the blocks of each stream. Tied learners share their ranks, and each has the mean. A
    stream on which a learner has no value is left out for all.
    """
    whole = ~np.isnan(values).any(axis=1)
    found = too_few([""] * int(whole.sum()), learners)
    if found:
        raise DataError(f"Stability of a ranking: {found}")
    mean = _ranks(values[whole]).mean(axis=0)
    by_stream = _ranks(resampled[whole])  # (n, d, k), NaN where a value is
    n, draws, k = by_stream.shape
    taken = rng.integers(n, size=(n, draws))
    ranks = by_stream[taken, np.arange(draws)]
    is_whole = ~np.isnan(ranks.sum(axis=-1))
    counted = is_whole.any(axis=0)
    means = np.where(is_whole[..., None], ranks, 0).sum(axis=0)[counted]
    # Ranks are multiples of a half and their sums exact: equal means are equal sums.
    final = _ranks(-means)
    shares = np.stack([_shares(one) for one in final]).mean(axis=0)
    low, median, high = np.percentile(final, PERCENTILES, axis=0)
    order = np.argsort(mean, kind="stable")
    table = pd.DataFrame(
        {
            "learner": learners,
            "mean_rank": mean,
            "low": low,
            "median": median,
            "high": high,
            "first": shares[:, 0],
            "streams": n,
            "simulated": int(np.array(simulated)[whole].sum()),
            "left_out": len(values) - n,
            "draws": int(counted.sum()),
        }
    )
    parts = {
        "learner": np.repeat(np.array(learners, dtype=object)[order], k),
        "rank": np.tile(np.arange(1, k + 1), k),
        "share": shares[order].ravel(),
    }
    return {
        "ranking": table.loc[order, [*RANKING]].reset_index(drop=True),
        "shares": pd.DataFrame(parts),
    }


def _ranks(values: Floats) -> Floats:
    """Return ranks along the last axis, 1 for the greatest; NaN where any value is."""
    found: Floats = scipy.stats.rankdata(-values, axis=-1, nan_policy="propagate")
    return found


def _shares(ranks: Floats) -> Floats:
    """Return the part of each learner (row) in each rank, of ranks whose ties are means."""
    above = (ranks[:, None] > ranks).sum(axis=1)
    tied = (ranks[:, None] == ranks).sum(axis=1)
    place = np.arange(len(ranks))
    within = (place >= above[:, None]) & (place < (above + tied)[:, None])
    found: Floats = within / tied[:, None]
    return found
