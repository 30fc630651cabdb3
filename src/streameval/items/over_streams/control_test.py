"""A control against each other learner of a benchmark, over its streams."""

from __future__ import annotations

import pandas as pd

from streameval.evaluation.control_comparison import against_control
from streameval.items.inputs import ItemInput
from streameval.items.over_streams import ControlTestSettings
from streameval.items.over_streams.scores import scores_by


def study(item: ItemInput[ControlTestSettings]) -> dict[str, pd.DataFrame]:
    """Return the frames ``others`` and ``differences``, see `against_control`."""
    settings = item.settings
    chosen = None if settings.others is None else [settings.control, *settings.others]
    found = against_control(
        scores_by(item.frame("scores"), settings.measure, chosen),
        settings.control,
        rope=settings.rope,
        level=settings.level,
        difference=settings.difference,
    )
    return found._asdict()
