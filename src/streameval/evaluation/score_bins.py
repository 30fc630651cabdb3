"""Class scores by bin of the time to the label.

The forecast of a bin is the mean of those in force, weighted by how long each is: of probabilities
this is a forecast again.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from streameval.base.arrays import Codes, Floats
from streameval.base.memory import check_room
from streameval.evaluation.class_scores import ScoreTable, score_measured
from streameval.measures.forecasts import checked_forecasts
from streameval.protocols.bins import PAPER, binned
from streameval.protocols.reevaluation import PredictionEvents

if TYPE_CHECKING:
    import pandas as pd

Scores = NDArray[np.float32]


def binned_scores(polls: PredictionEvents, scores: Scores, bins: int) -> Scores:
    """Return the forecast of each instance in each bin, (B + 2, s, k), in the order of labels."""
    waits = polls.waits()
    probabilities = _probabilities(scores)
    found = np.empty((bins + 2, len(waits.row), scores.shape[1]), dtype=np.float32)
    for c in range(scores.shape[1]):
        (one,) = binned(waits, [(polls, probabilities[:, c])], [(bins, PAPER)])
        found[:, :, c] = one.values.T  # float32 again, so that forecasts that are equal remain so
    return found


def _probabilities(scores: Scores) -> Floats:
    """Return scores as probabilities; where there is no forecast, the uniform one."""
    forecasts = checked_forecasts(np.zeros(len(scores), np.int32), scores)
    total, k = forecasts.total[:, None], scores.shape[1]
    found = np.full(scores.shape, 1.0 / k)
    np.divide(scores, total, out=found, where=total > 0)
    return found


def score_bins(
    true: Codes,
    polls: PredictionEvents,
    scores: Mapping[str, Scores],
    names: Sequence[str],
    bins: int,
) -> pd.DataFrame:
    """Return measures of class scores by learner and bin; skills need the `FORECAST_BASELINES`.

    True labels are in the order of their arrival; for `scores` see `binned_scores`.
    """
    import pandas as pd

    k = next(iter(scores.values())).shape[1]
    check_room(
        4 * len(scores) * (bins + 2) * len(true) * k,
        f"Scores of {k:,} classes by {len(scores)} learners in {bins:,} bins for each of "
        f"{len(true):,} instances",
        "Use fewer bins.",
    )
    by_learner = {name: binned_scores(polls, own, bins) for name, own in scores.items()}
    rows: dict[str, list[dict[str, Any]]] = {name: [] for name in scores}
    for b in range(bins + 2):
        table = ScoreTable(true, {name: own[b] for name, own in by_learner.items()})
        for name, own in rows.items():
            own.append({"learner": name, "bin": b, "predictions": len(true)})
        for one in score_measured(table, names=names):
            rows[one.learner][b][one.measure] = one.value
    columns = ["learner", "bin", *names, "predictions"]
    return pd.DataFrame([row for own in rows.values() for row in own], columns=columns)
