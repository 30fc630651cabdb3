"""Mean ranks of learners over streams, in each of several consecutive parts of the streams."""

from __future__ import annotations

from collections.abc import Sequence

import pandas as pd

from streameval.base.errors import DataError
from streameval.base.table_files import concatenate_streams
from streameval.evaluation.measurements import windowed_measures
from streameval.evaluation.predictions import PredictionTable
from streameval.evaluation.seeded_tables import with_common_instances
from streameval.items.benchmark import PART_RANKS, PART_VALUES, RanksOverTimeSettings
from streameval.items.inputs import ItemInput, StreamInputs
from streameval.measures.regression import is_error

#: Values are rounded to this number of decimals before they are ranked, as means over seeds have
#: rounding errors.
_DECIMALS = 12


def study(
    stream_inputs: StreamInputs, item: ItemInput[RanksOverTimeSettings]
) -> dict[str, pd.DataFrame]:
    """The frames ``values``, with ranks by stream, part and learner, and ``ranks``, their means.

    A learner that failed in any run on any stream is not ranked.
    """
    tables = {name: stream.predictions_by_seed() for name, stream in stream_inputs.items()}
    failed = {name for runs in tables.values() for table in runs.values() for name in table.failed}
    learners = [name for name in item.settings.learners if name not in failed]
    common_tables = {
        name: with_common_instances(runs, learners, item.n_runs_by_learner)
        for name, runs in tables.items()
    }
    parts = {name: part_values(name, runs, learners, item) for name, runs in common_tables.items()}
    simulated_streams = [name for name, stream in stream_inputs.items() if stream.simulated]
    values = concatenate_streams(parts, simulated_streams, PART_VALUES)
    return {"ranks": mean_ranks_by_part(values), "values": values}


def part_values(
    stream: str,
    tables: dict[int, PredictionTable],
    learners: Sequence[str],
    item: ItemInput[RanksOverTimeSettings],
) -> pd.DataFrame:
    """The mean over seeds of each learner in each part of a stream, and its rank.

    Columns part, learner, value and rank. Parts have equal lengths. The remainder of the
    division, fewer predictions than parts, lies between parts and is not used. If any learner has
    no value in a part, no learner has a rank there.

    Raises
    ------
    DataError
        If there are fewer predictions than parts.
    """
    settings = item.settings
    n = len(tables[1])
    if n < settings.parts:
        raise DataError(
            f"Stream {stream!r}: expected at least {settings.parts} predictions, one for each "
            f"part, found {n}. Set fewer parts."
        )
    runs = []
    for seed, table in tables.items():
        names = [name for name in learners if item.has_run(name, seed)]
        if names:
            window = n // settings.parts
            runs.append(
                windowed_measures(
                    table, names, [settings.measure_or_default], window, settings.parts
                )
            )
    if not runs:
        return pd.DataFrame(columns=["part", "learner", "value", "rank"])
    scores = pd.concat(runs, ignore_index=True).groupby(["instance", "learner"])["value"]
    means = scores.agg(lambda values: values.mean(skipna=False))
    wide = means.unstack()[[*learners]]  # noqa: PD010
    wide.index = pd.RangeIndex(1, len(wide) + 1, name="part")
    ranks = wide.round(_DECIMALS).rank(axis=1, ascending=is_error(settings.measure_or_default))
    ranks = ranks.where(wide.notna().all(axis=1), axis=0)
    rows = long_rows(wide, "value")
    return rows.assign(rank=long_rows(ranks, "rank")["rank"])


def long_rows(wide: pd.DataFrame, name: str) -> pd.DataFrame:
    """A row for each part and learner, from a row for each part and a column for each learner."""
    rows = wide.reset_index().melt("part", var_name="learner", value_name=name)
    return rows.sort_values("part", kind="stable", ignore_index=True)


def mean_ranks_by_part(values: pd.DataFrame) -> pd.DataFrame:
    """The mean rank of each learner in each part, over the streams that have ranks there.

    Columns part, learner, mean_rank (1 is the best) and streams.
    """
    ranked = values[values["rank"].notna()]
    ranks = ranked.groupby(["part", "learner"], sort=False)["rank"]
    means = pd.DataFrame({"mean_rank": ranks.mean(), "streams": ranks.size()}).reset_index()
    return means.sort_values("part", kind="stable", ignore_index=True)[[*PART_RANKS]]
