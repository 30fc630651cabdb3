"""Differences between learners, and between bins, of what counts in bins; correct ones so far."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import combinations
from typing import Any

import numpy as np
import pandas as pd
import scipy  # loads its parts when they are first used
from numpy.typing import NDArray

from streameval.base.arrays import Floats
from streameval.evaluation.bins import ENDS, NOTHING, BinGains, ends_of, means_of
from streameval.evaluation.roles import BEST, FIRST
from streameval.evaluation.task import Gains, gaps
from streameval.significance.simultaneous import LEAST_JUDGED, SKEWED, blocks_of, errors_together
from streameval.significance.stream_mean import StreamMean, stream_mean

#: The columns of `contrasts` and `pairs`.
CONTRAST_COLUMNS = ("learner", "reference", "other", "bin", "difference", *ENDS, "behind")
PAIR_COLUMNS = ("learner", "bin", "other", "other_bin", "difference", "low", "high")


def contrasts(gains: BinGains, *references: str) -> pd.DataFrame:
    """Return differences in gain between each learner and others, by bin.

    References are "best", the best one of the others in a bin, "first", the learner itself in bin
    0, or a learner. Intervals are of differences for the same labels, for a single bin and a given
    pair; bands hold for all bins of a learner together, those of "best" for all pairs, so that it
    does not matter which one was the best. `behind` says that the band is below 0. Instances that a
    learner does not predict in some bin are left out.
    """
    gains = _known_everywhere(gains)
    means = {name: own.mean(axis=0) for name, own in gains.items()}
    blocks = {name: _blocks(own) for name, own in gains.items()}
    apart = [blocks[one] - blocks[other] for one, other in combinations(gains, 2)]
    of_all = _together(np.concatenate(apart, axis=1)) if apart and BEST in references else np.nan
    rows = list[tuple[Any, ...]]()
    for name, own in gains.items():
        others = [other for other in gains if other != name]
        for reference in references:
            if reference == BEST and others:
                best = np.array([means[other] for other in others]).argmax(axis=0)
                chosen, together = [others[i] for i in best], of_all
            elif reference in others:
                chosen = [reference] * own.shape[1]
                together = _together(blocks[name] - blocks[reference])
            else:
                continue
            beside = [gains[other][:, b] for b, other in enumerate(chosen)]
            found = _ends(gaps(own, np.stack(beside, axis=1)), together)
            about = enumerate(zip(chosen, found, strict=True))
            rows += [(name, reference, other, b, *one) for b, (other, one) in about]
    for name, own in gains.items() if FIRST in references else ():
        since = gaps(own[:, 1:], own[:, :1])
        found = _ends(since, _together(_blocks(since)))
        rows += [(name, FIRST, name, b, *one) for b, one in enumerate(found, 1)]
    return pd.DataFrame(rows, columns=[*CONTRAST_COLUMNS])


def _known_everywhere(gains: BinGains) -> BinGains:
    """Return the gains at instances that all learners predict in all bins."""
    known = [~np.isnan(one).any(axis=1) for one in gains.values()]
    everywhere = np.logical_and.reduce(known)
    if np.all(everywhere):
        return gains
    return {name: one[everywhere] for name, one in gains.items()}


def _blocks(own: Gains) -> Floats:
    return blocks_of(own) if len(own) > 3 else np.empty((0, own.shape[1]))


def _together(blocks: Floats) -> float:
    return errors_together(blocks) if len(blocks) else np.nan


def _ends(apart: NDArray[Any], together: float) -> list[tuple[Any, ...]]:
    """Return difference, `ENDS` and behind of each column."""
    found = means_of(apart)
    ends = judged(apart, found, ends_of(found, together))
    return [(mean, *one, one[3] < 0) for mean, one in zip(apart.mean(axis=0), ends, strict=True)]


def judged(apart: NDArray[Any], found: Sequence[StreamMean], ends: Floats) -> Floats:
    """Return the ends of differences, with NaN for bands that too few labels support.

    A band needs `LEAST_JUDGED` effective labels, and `SKEWED` times the square of the skewness:
    twice the 25 of Cochran (1977), Sampling Techniques, Section 2.15, as many intervals have to
    hold. Of simulated equal learners such bands exclude one in at most 5 % of figures, bands alone
    in up to 30 %, of rare and huge errors.
    """
    kept = ends.copy()
    for column in np.flatnonzero(~np.isnan(ends[:, 3])).tolist():
        skewness = float(scipy.stats.skew(apart[:, column].astype(np.float64)))
        if found[column].effective < max(LEAST_JUDGED, SKEWED * skewness**2):
            kept[column, 2:] = np.nan
    return kept


def stages(correct: BinGains, bins: Sequence[int], points: int) -> pd.DataFrame:
    """Return the number of correct predictions in some bins, by number of labels so far.

    Columns labels (at most `points` numbers, the last one is all), learner, bin, correct.
    """
    parts = []
    for name, right in correct.items():
        n = len(right)
        at = np.unique(np.linspace(1, n, min(points, n)).astype(np.int64)) if n else np.arange(0)
        for b in bins:
            so_far = np.cumsum(right[:, b])[at - 1]
            parts.append(pd.DataFrame({"labels": at, "learner": name, "bin": b, "correct": so_far}))
    columns = ["labels", "learner", "bin", "correct"]
    return pd.concat(parts or [pd.DataFrame(columns=columns)], ignore_index=True)


def pairs(gains: BinGains, bins: Sequence[int]) -> pd.DataFrame:
    """Return differences in gain between any two learners in any two bins of some.

    Intervals are of a single difference. Two that are equal at all labels differ by 0, surely.
    """
    cells = [(name, b) for name in gains for b in bins]
    rows = []
    for (name, b), (other, beside) in combinations(cells, 2):
        apart = gaps(gains[name][:, b], gains[other][:, beside])
        apart = apart[~np.isnan(apart)]
        found = stream_mean(apart, tested=False) if len(apart) else NOTHING
        ends = (found.low, found.high) if apart.any() or not len(apart) else (0.0, 0.0)
        rows.append((name, b, other, beside, found.mean, *ends))
    return pd.DataFrame(rows, columns=[*PAIR_COLUMNS])
