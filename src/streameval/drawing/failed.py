"""Pictures of items after their study, or some learners, failed and have no rows in frames."""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping
from typing import Any

import pandas as pd
from matplotlib.figure import Figure
from msgspec import structs

from streameval.drawing import style
from streameval.drawing.subject import Subject

#: Height of a picture without data, relative to its width.
_ASPECT = 0.15
#: Text of a picture without learners.
_TOO_FEW = "Too few learners ran. The caption says why the others failed."
#: Text of a picture of a study that failed.
_NO_STUDY = "The study failed. The caption says why."


def keep_learners_with_rows(settings: Any, frames: Mapping[str, pd.DataFrame]) -> Any:
    """Settings of an item that reads predictions, with only the learners that have rows in frames.

    Settings are unchanged if no frame has a column ``learner``.
    """
    columns = [frame["learner"] for frame in frames.values() if "learner" in frame]
    if not columns or not hasattr(settings, "learners"):
        return settings
    present = {str(name) for column in columns for name in column}
    failed = set(settings.evaluated_learners()) - present
    learners = tuple(name for name in settings.learners if name not in failed)
    return structs.replace(settings, learners=learners) if failed else settings


def drop_learners(settings: Any, failed: Collection[str]) -> Any:
    """Settings of an item without the learners that failed."""
    all_learners = getattr(settings, "learners", ())
    learners = tuple(name for name in all_learners if name not in failed)
    return settings if learners == all_learners else structs.replace(settings, learners=learners)


def is_empty(settings: Any, frames: Mapping[str, pd.DataFrame]) -> bool:
    """Whether an item has nothing to draw: no rows, or settings without a learner that ran."""
    return not getattr(settings, "learners", True) or all(frame.empty for frame in frames.values())


def figure_or_reason(
    draw: Callable[[Mapping[str, pd.DataFrame], Subject], Figure],
    frames: Mapping[str, pd.DataFrame],
    subject: Subject,
    *,
    learners_failed: bool,
    study_failed: bool,
) -> Figure:
    """The figure, or a picture with the reason if failures left nothing to draw."""
    if (learners_failed or study_failed) and is_empty(subject.settings, frames):
        return draw_reason(subject, _NO_STUDY if study_failed else _TOO_FEW)
    return draw(frames, subject)


@style.styled
def draw_reason(subject: Subject, text: str = _TOO_FEW) -> Figure:
    """Draw a picture that says that too few learners ran, or another `text`."""
    figure = style.figure(columns=2, aspect=_ASPECT)
    style.add_title(figure, subject.title or subject.picture, subject.simulated)
    figure.text(0.01, 0.3, text)
    return figure
