"""A control against all other learners of a benchmark, over its streams."""

from __future__ import annotations

import pandas as pd

from streameval.evaluation.control_comparison import compare_with_control
from streameval.items.inputs import ItemInput
from streameval.items.over_streams import ControlTestSettings
from streameval.items.over_streams.scores import select_scores
from streameval.measures.regression import is_error


def study(item: ItemInput[ControlTestSettings]) -> dict[str, pd.DataFrame]:
    """The frames ``others`` and ``differences``; see `compare_with_control`."""
    settings = item.settings
    learners = None if settings.others is None else [settings.control, *settings.others]
    scores = select_scores(item.frame("scores"), settings.measure_or_default, learners)
    if is_error(settings.measure_or_default):  # so that a positive difference favours the control
        scores = scores.assign(value=-scores["value"])
    comparison = compare_with_control(
        scores,
        settings.control,
        rope=settings.rope_or_default,
        level=settings.level,
        difference=settings.difference,
    )
    return comparison._asdict()
