"""Faults in the layout of a figure that a reader would see."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping
from itertools import combinations

import numpy as np
from matplotlib.artist import Artist
from matplotlib.axes import Axes
from matplotlib.axis import Axis
from matplotlib.colors import to_hex, to_rgb, to_rgba_array
from matplotlib.figure import Figure
from matplotlib.legend import Legend
from matplotlib.lines import Line2D
from matplotlib.text import Text
from matplotlib.transforms import Bbox
from matplotlib.typing import ColorType

from streameval.drawing import style

#: Pixels cut from each side of a box before boxes are compared: tick labels touch at corners.
TOLERANCE = 1.0
#: Width and height that a panel has at least.
SMALLEST_PANEL_MM = 6.0


@style.styled
def layout_faults(figure: Figure, titles: Mapping[str, str]) -> list[str]:
    """Overlaps, texts outside the page, axes without labels, curves missing from the legend."""
    figure.draw_without_rendering()
    panels = [axes for axes in figure.axes if axes.get_visible() and axes.axison]
    return [
        *text_faults(figure),
        *_unlabelled(figure, panels),
        *_unexplained(figure, panels, titles),
        *_tiny(figure, panels),
    ]


@style.styled
def text_faults(figure: Figure) -> list[str]:
    """Texts and legends that overlap or leave the page."""
    figure.draw_without_rendering()
    return [*_colliding(figure), *_outside(figure)]


def legends(figure: Figure) -> list[Legend]:
    """The legends of the figure and of its panels."""
    inside = [axes.get_legend() for axes in figure.axes if axes.get_visible()]
    return [*figure.legends, *(legend for legend in inside if legend)]


def _boxes(figure: Figure) -> Iterator[tuple[str, Bbox]]:
    """Texts and legends outside the plotting areas, with their names."""
    renderer = figure.canvas.get_renderer()  # type: ignore[attr-defined]  # of Agg
    texts = list(figure.texts)
    for axes in figure.axes:
        if not axes.get_visible() or not axes.axison:
            continue
        texts += [axes.xaxis.label, axes.yaxis.label]
        texts += [axes._left_title, axes.title, axes._right_title]
        for axis, limits in ((axes.xaxis, axes.get_xlim()), (axes.yaxis, axes.get_ylim())):
            low, high = sorted(limits)
            ticks = [tick for tick in axis.get_major_ticks() if low <= tick.get_loc() <= high]
            texts += [tick.label1 for tick in ticks if tick.label1.get_visible()]
    for text in texts:
        if text.get_text().strip() and text.get_visible():
            yield repr(text.get_text()), text.get_window_extent(renderer)
    for legend in legends(figure):
        yield f"legend {_names(legend)}", legend.get_window_extent(renderer)


def _colliding(figure: Figure) -> Iterator[str]:
    for (name, box), (other_name, other) in combinations(_boxes(figure), 2):
        if box.padded(-TOLERANCE).overlaps(other.padded(-TOLERANCE)):
            yield f"{name} overlaps {other_name}"


def _outside(figure: Figure) -> Iterator[str]:
    page = figure.bbox.padded(0.01)
    texts = [text for text in figure.findobj(Text) if text.get_visible() and text.get_text()]
    inside = [text for text in texts if text.axes and text in text.axes.texts]
    boxes = [*_boxes(figure)]
    boxes += [(repr(text.get_text()), text.get_window_extent()) for text in inside]
    for name, box in boxes:
        if not (page.x0 <= box.x0 and box.x1 <= page.x1 and page.y0 <= box.y0 <= box.y1 <= page.y1):
            yield f"{name} leaves the page"


def _unlabelled(figure: Figure, panels: list[Axes]) -> Iterator[str]:
    """Axes without a label, where no panel of their row, column or limits has one either."""
    boxes = [axes.get_window_extent() for axes in panels]
    ends = {"x": [(box.x0, box.x1) for box in boxes], "y": [(box.y0, box.y1) for box in boxes]}
    for name, label in (("x", figure.get_supxlabel()), ("y", figure.get_supylabel())):
        axis = [getattr(axes, f"{name}axis") for axes in panels]
        named = [bool(part.label.get_text()) or _has_names(part) for part in axis]
        limits = [sorted(part.get_view_interval()) for part in axis]
        for number, place in enumerate(ends[name]):
            alike = np.isclose(ends[name], place, atol=1).all(axis=1)
            alike |= np.isclose(limits, limits[number]).all(axis=1)
            if not label and not any(named[other] for other in np.flatnonzero(alike)):
                yield f"panel {number}: no label on axis {name}"


def _has_names(axis: Axis) -> bool:
    """Whether ticks have names, such as those of learners."""
    return any(re.search("[a-z]{3}", text) for text in _tick_texts(axis))


def _tick_texts(axis: Axis) -> list[str]:
    return [re.sub(r"\\mathdefault", "", tick.label1.get_text()) for tick in axis.get_major_ticks()]


def _unexplained(figure: Figure, panels: list[Axes], titles: Mapping[str, str]) -> Iterator[str]:
    """Colours of curves that have no name, and colours in the legend that nothing has."""
    explained = {color for key in legends(figure) for color in _colors(key.legend_handles)}
    curves = {color for axes in panels for color in _colors(axes.lines) if not _is_grey(color)}
    if len(curves) < 2:  # there is nothing to tell apart
        explained |= curves
    for number, axes in enumerate(panels):
        texts = [*_tick_texts(axes.yaxis), axes.get_title(loc="left")]
        words = " ".join(" ".join(texts).split())
        named = [name for name, title in titles.items() if title in words]
        rows = {to_hex(style.learner_look(name).color) for name in named}
        for color in sorted(_colors(axes.lines) - explained - rows):
            if color in curves:
                yield f"panel {number}: {color} has no name"
    artists = [art for axes in panels for art in (*axes.lines, *axes.collections, *axes.patches)]
    for color in sorted(explained - _colors(artists)):
        if not _is_grey(color):
            yield f"{color} is in the legend only"


def _colors(artists: Iterable[Artist]) -> set[str]:
    colors: list[ColorType] = []
    for artist in artists:
        if isinstance(artist, Line2D) and artist.get_linestyle() == "None":
            is_filled = artist.get_marker() in Line2D.filled_markers
            colors += [artist.get_markeredgecolor(), *[artist.get_markerfacecolor()] * is_filled]
        else:
            getters = ("get_color", "get_facecolor", "get_edgecolor")
            colors += [getattr(artist, name)() for name in getters if hasattr(artist, name)]
    rows = [row for color in colors for row in to_rgba_array(color)]
    return {to_hex(row) for row in rows if row[3]}


def _is_grey(color: str) -> bool:
    return np.ptp(to_rgb(color)) < 0.02


def _names(legend: Legend) -> list[str]:
    return [text.get_text() for text in legend.get_texts()]


def _tiny(figure: Figure, panels: list[Axes]) -> Iterator[str]:
    for number, axes in enumerate(panels):
        box = axes.get_window_extent()
        width, height = np.array([box.width, box.height]) / figure.dpi * style.MM_PER_INCH
        if min(width, height) < SMALLEST_PANEL_MM:
            yield f"panel {number}: {width:.0f} x {height:.0f} mm"
