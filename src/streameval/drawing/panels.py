"""Axes that plot functions return and accept; needs the extra ``pipeline``."""

from __future__ import annotations

import io
from collections.abc import Sequence
from functools import partial
from typing import Any, cast

import numpy as np
from matplotlib.artist import Artist
from matplotlib.axes import Axes
from matplotlib.figure import Figure

from streameval.base.errors import ConfigError, excerpt, listing
from streameval.drawing import style
from streameval.drawing.glyphs import warn_of_missing_glyphs

#: Distance of a title from its panel, in points.
_PAD = 3.0


class Panels(tuple[Axes, ...]):
    """The panels of a figure, row by row; each is an Axes of matplotlib."""

    __slots__ = ()

    @property
    def figure(self) -> Figure:
        """The figure; ``figure.savefig("plot.svg")`` saves it."""
        return _figure_of(self[0])

    def _repr_png_(self) -> bytes | None:
        """The picture for notebooks; None if pyplot shows the figure."""
        return _png(self.figure)


def show_in_notebooks(axes: Sequence[Axes]) -> Axes | Panels:
    """The panels of a figure; notebooks show the figure without pyplot."""
    figure = _figure_of(axes[0])
    for artist in (figure, *axes):
        artist._repr_png_ = partial(_png, figure)  # type: ignore[attr-defined]
    return axes_or_panels(axes)


def axes_or_panels(axes: Sequence[Axes]) -> Axes | Panels:
    """The axes if there is one panel, otherwise `Panels`."""
    return axes[0] if len(axes) == 1 else Panels(axes)


def axes_for_panels(ax: object, panels: Sequence[str]) -> list[Axes]:
    """The user's axes as a list, after a check that there is one for each panel."""
    values: list[Any] = np.array(ax, dtype=object).ravel().tolist()
    wrong = [value for value in values if not isinstance(value, Axes)]
    if wrong:
        raise ConfigError(
            f"ax: expected Axes of matplotlib, found {excerpt(repr(wrong[0]), 60)}. "
            "matplotlib.pyplot.subplots makes them."
        )
    if len(values) != len(panels):
        raise ConfigError(
            f"ax: expected {len(panels)} Axes, one for each of {listing(panels)}; found "
            f"{len(values)}. matplotlib.pyplot.subplots({len(panels)}) makes them."
        )
    return values


def add_title_and_legend(
    axes: Sequence[Axes], title: str, handles: Sequence[Artist]
) -> Axes | Panels:
    """Add title and legend to the first of a user's axes, and return all axes.

    The font size is that of the labels of the user's axes.
    """
    size = axes[0].xaxis.label.get_fontsize()
    look: dict[str, Any] = {"pad": _PAD, "fontsize": size}
    for panel in axes:
        for side in ("left", "right"):
            text = panel.get_title(side)
            if text:
                panel.set_title(text, loc=side, parse_math=style.has_formula(text), **look)
        for label in (panel.xaxis.label, panel.yaxis.label):
            label.set_parse_math(style.has_formula(label.get_text()))
    first = axes[0]
    if title:
        # Notes are titles at the right; a line feed moves the title above them.
        line_feed = "\n" * bool(first.get_title("right"))
        first.set_title(f"{title}{line_feed}", loc="left", parse_math=False, **look)
    first.legend(handles=[*handles], fontsize=size, frameon=True)
    return axes_or_panels(axes)


def _figure_of(axes: Axes) -> Figure:
    return cast(Figure, axes.get_figure(root=True))


def _png(figure: Figure) -> bytes | None:
    if figure.canvas.manager is not None:  # pyplot shows it
        return None
    content = io.BytesIO()
    with warn_of_missing_glyphs(figure):
        figure.savefig(content, format="png")
    return content.getvalue()
