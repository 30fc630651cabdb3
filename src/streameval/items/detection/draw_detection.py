"""What detectors find of known drifts: a row of panels for each change, a row of dots for each."""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np
import pandas as pd
from matplotlib.axes import Axes
from matplotlib.figure import Figure
from matplotlib.ticker import FuncFormatter

from streameval.drawing import scales, style
from streameval.drawing.scales import Mark
from streameval.drawing.subject import Subject

ROW_MM, AROUND_MM = 4.4, 12.0
#: Measures that are drawn, and what stands below their panels.
SHOWN = {
    "episode_recall": "drifts found",
    "episode_precision": "precision",
    "episode_f1": "F1",
    "normalised_delay": "normalised\ndelay",
    "false_alarm_rate": "false alarms\nper 1,000",
}
TITLES = {
    "own": "its own drifts",
    "none": "no drift",
    "relabelled": "two classes exchange their labels",
    "permuted": "inputs take each other's places",
    "reweighted": "classes exchange their frequencies",
}
_MARK = Mark("mean over runs", "o", filled=True)


@style.styled
def draw(frames: Mapping[str, pd.DataFrame], subject: Subject) -> Figure:
    """Draw the figure of an item from its frames."""
    summary = frames["summary"]
    (learner,) = subject.settings.learners
    changes, detectors = (list(summary[name].unique()) for name in ("change", "detector"))
    names = scales.broken(detectors)
    each_mm = scales.row_mm(names, ROW_MM) * len(names) + AROUND_MM
    drawn = style.sheet((18 + each_mm * len(changes)) / style.WIDTH_MM[2], **subject.stream)
    panels = drawn.subplots(len(changes), len(SHOWN), sharex="col", sharey=True, squeeze=False)
    color = style.learner_look(learner).color
    for change, row in zip(changes, panels, strict=True):
        part = summary[summary["change"] == change]
        row[0].set_title(TITLES[change], loc="left", fontweight="bold")
        for axes, measure in zip(row, SHOWN, strict=True):
            scales.dot_rows(axes, names)
            own = part[part["measure"] == measure].set_index("detector").loc[detectors]
            _draw(axes, own, color)
    for axes, (measure, words) in zip(panels[-1], SHOWN.items(), strict=True):
        axes.set_xlabel(words)
        if measure == "false_alarm_rate":
            axes.set_xscale("symlog", linthresh=0.1)
            axes.set_xlim(0, None)
            axes.xaxis.set_major_formatter(FuncFormatter(lambda value, _: f"{value:g}"))
        else:
            axes.set_xlim(-0.03, 1.03)
            style.fixed_ticks(axes.xaxis, (0.0, 0.5, 1.0))
    handles = [_MARK.handle(), style.bar_handle("95 % interval over runs")]
    if summary.loc[summary["measure"].isin([*SHOWN]), "mean"].isna().any():
        handles.append(scales.undefined_handle())
    style.legend(drawn, handles, columns=len(handles))
    return drawn


def _draw(axes: Axes, part: pd.DataFrame, color: str) -> None:
    for row, (mean, low, high) in enumerate(part[["mean", "low", "high"]].to_numpy(dtype=float)):
        if np.isfinite(low):
            axes.hlines(row, low, high, color=color, linewidth=style.BAR)
        scales.draw_dot(axes, _MARK, mean, row, color)
