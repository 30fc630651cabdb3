"""Costs of the runs of a benchmark: means and spreads over seeds."""

from __future__ import annotations

import pandas as pd

from streameval.items.benchmark import BenchmarkCostsSettings
from streameval.items.inputs import ItemInput, StreamInputs

#: Columns of the frame of costs, by the names of costs in settings.
_COLUMNS = {"seconds": "seconds", "memory": "model_bytes"}


def study(stream_inputs: StreamInputs, item: ItemInput[BenchmarkCostsSettings]) -> pd.DataFrame:
    """A row for each cost of a learner on a stream; an unknown size is NaN."""
    costs, parts = item.frame("costs"), []
    for cost in item.settings.costs:
        runs = costs.groupby(["stream", "simulated", "learner"], sort=False)[_COLUMNS[cost]]
        parts.append(runs.agg(mean="mean", sd="std", seeds="size").reset_index().assign(cost=cost))
    return pd.concat(parts, ignore_index=True)[[*item.columns]]
