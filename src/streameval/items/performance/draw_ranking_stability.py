"""How often learners take each rank: a row for each learner, a column for each rank."""

from __future__ import annotations

from collections.abc import Mapping
from textwrap import fill

import pandas as pd
from matplotlib.figure import Figure

from streameval.items.subject import Subject
from streameval.measures.registry import MEASURES
from streameval.report import style

#: Height of a row and of all above and below; letters after which a name is broken.
_ROW_MM, _REST_MM, _LETTERS = 7.0, 24.0, 30
#: A share above it is written in white on its dark cell.
_DARK = 0.6


@style.styled
def draw(frames: Mapping[str, pd.DataFrame], subject: Subject) -> Figure:
    """Draw the figure of an item from its frames."""
    shares, about = frames["shares"], frames["ranking"].iloc[0]
    learners = list(dict.fromkeys(shares["learner"]))
    table = shares.pivot_table("share", "learner", "rank").loc[learners]
    k = len(learners)
    height = _REST_MM + _ROW_MM * k
    drawn = style.figure(columns=2, aspect=height / style.WIDTH_MM[2])
    measure = MEASURES[subject.settings.measure].title
    style.headline(drawn, f"{measure}: ranks of learners", bool(about["simulated"]))
    axes = drawn.subplots()
    image = axes.imshow(100 * table, cmap="Blues", vmin=0, vmax=100, aspect="auto")
    for row, values in enumerate(table.to_numpy()):
        for column, share in enumerate(values):
            if share > 0:
                text = f"{100 * share:.0f}" if share >= 0.005 else "<1"
                axes.text(
                    *(column, row, text),
                    ha="center",
                    va="center",
                    color="white" if share > _DARK else "black",
                )
    names = [fill(subject.titles.get(name, name), _LETTERS) for name in learners]
    axes.set_yticks(range(k), names)
    axes.set_xticks(range(k), [str(rank) for rank in table.columns])
    axes.set_xlabel(f"rank over {int(about['streams'])} streams (1 is the best)")
    axes.grid(visible=False)
    axes.tick_params(length=0)
    drawn.colorbar(image, ax=axes, label="draws (%)", pad=0.02)
    return drawn
