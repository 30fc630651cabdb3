"""Mean ranks of the learners of a benchmark: Friedman's test, then Nemenyi's."""

from __future__ import annotations

import pandas as pd

from streameval.evaluation.control_comparison import mean_scores
from streameval.items.inputs import ItemInput
from streameval.items.over_streams import MEAN_RANKS, MeanRanksSettings
from streameval.items.over_streams.scores import select_scores
from streameval.items.performance.critical_difference import rank_learners
from streameval.measures.regression import is_error


def study(item: ItemInput[MeanRanksSettings]) -> dict[str, pd.DataFrame]:
    """The frames ``ranks`` and ``scores``, see `rank_learners`.

    A learner that lacks a value on at least one stream is not ranked. The frame ``ranks`` has the
    reason.
    """
    settings = item.settings
    scores = mean_scores(
        select_scores(item.frame("scores"), settings.measure_or_default, settings.ranked)
    )
    incomplete = scores[scores["value"].isna()].drop_duplicates("learner")
    left_out = incomplete[["learner"]].assign(
        reason=[
            f"no value on {stream}{f' ({reason})' if isinstance(reason, str) and reason else ''}"
            for stream, reason in zip(incomplete["stream"], incomplete["reason"], strict=True)
        ]
    )
    ranked = scores[~scores["learner"].isin(incomplete["learner"])]
    ranking = rank_learners(ranked, settings.level, is_error=is_error(settings.measure_or_default))
    table = pd.concat([ranking["ranks"].assign(reason=""), left_out], ignore_index=True)
    return {"ranks": table[[*MEAN_RANKS]], "scores": ranking["scores"]}
