"""Drawing results; needs the extra ``pipeline``."""

from __future__ import annotations

import io
from collections.abc import Sequence
from functools import partial
from typing import TYPE_CHECKING

import pandas as pd

from streameval import settings
from streameval.learners.registry import load_learners
from streameval.report.figures.measures import measure_curves
from streameval.report.looks import looks_apart

if TYPE_CHECKING:
    from matplotlib.figure import Figure


def draw_curves(
    curves: pd.DataFrame, measures: Sequence[str], learners: Sequence[str], title: str
) -> Figure:
    """Draw measures as the report draws them; see `measure_curves`."""
    known = load_learners(settings.locate("config/learners.yaml"))
    titles = {name: known[name].title if name in known else name for name in learners}
    with looks_apart(learners):
        drawn = measure_curves(
            curves,
            measures=measures,
            learners=learners,
            titles=titles,
            title=title,
            simulated=False,
        )
    # Notebooks show a figure that pyplot does not know by asking it.
    drawn._repr_png_ = partial(_png, drawn)  # type: ignore[attr-defined]
    return drawn


def _png(drawn: Figure) -> bytes:
    content = io.BytesIO()
    drawn.savefig(content, format="png")
    return content.getvalue()
