"""Pictures of items some of whose learners failed on a stream and have no rows in the frames."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import pandas as pd
from matplotlib.figure import Figure
from msgspec import structs

from streameval.drawing import style
from streameval.drawing.subject import Subject

#: Height of a picture without data, relative to its width.
_ASPECT = 0.15


def without_failed(settings: Any, frames: Mapping[str, pd.DataFrame]) -> Any:
    """Settings of an item that reads predictions, whose `learners` are those with rows in frames.

    Frames without a column ``learner`` say nothing about that.
    """
    named = [frame["learner"] for frame in frames.values() if "learner" in frame]
    if not named or not hasattr(settings, "learners"):
        return settings
    present = {str(name) for column in named for name in column}
    failed = set(settings.learners_read()) - present
    learners = tuple(name for name in settings.learners if name not in failed)
    return structs.replace(settings, learners=learners) if failed else settings


def is_empty(settings: Any, frames: Mapping[str, pd.DataFrame]) -> bool:
    """Whether nothing can be drawn of an item with the settings of `without_failed`."""
    return not settings.learners or all(frame.empty for frame in frames.values())


@style.styled
def draw_no_learner(subject: Subject) -> Figure:
    """Draw a picture that says that no learner ran."""
    drawn = style.figure(columns=2, aspect=_ASPECT)
    style.headline(drawn, subject.title or subject.picture, subject.simulated)
    drawn.text(0.01, 0.3, "Too few learners ran. The caption says why the others failed.")
    return drawn
