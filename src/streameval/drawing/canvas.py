"""The figures of HTML pages: their widths, legends and titles, in pixels."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from textwrap import fill

from matplotlib.artist import Artist
from matplotlib.figure import Figure
from matplotlib.layout_engine import ConstrainedLayoutEngine

from streameval.drawing import style
from streameval.drawing.looks import learner_look

#: Width of a figure as wide as the text of a page, in pixels.
WIDE = 720
#: Width of a figure on a telephone, in pixels.
NARROW = 350
#: Matplotlib's SVG has 72 points per inch, which pages show as pixels.
_PX_PER_INCH = 72.0
#: Mean width of a letter in a legend, in pixels.
_LETTER_WIDTH = 6.6
#: Width of the line that a legend shows beside a name, with gaps, in pixels.
_LINE_WIDTH = 62


def canvas(width: int, height: int) -> Figure:
    """An empty figure of `width` by `height` pixels."""
    # Panels have a padding of 5 pixels above and below, and of 4 at the sides.
    layout = ConstrainedLayoutEngine(h_pad=5 / _PX_PER_INCH, w_pad=4 / _PX_PER_INCH)
    return Figure(figsize=(width / _PX_PER_INCH, height / _PX_PER_INCH), layout=layout)


class PageLegend:
    """A legend above the panels, with as many columns as fit."""

    def __init__(self, handles: Sequence[Artist], width: int) -> None:
        max_letters = int((width - _LINE_WIDTH) / _LETTER_WIDTH)
        self.handles = handles
        self.names = [
            fill(shorten_middle(str(handle.get_label()), 2 * max_letters), max_letters)
            for handle in handles
        ]
        letters = max(len(line) for name in self.names for line in name.splitlines())
        n_fitting = int(width / (_LINE_WIDTH + _LETTER_WIDTH * letters))
        self.columns = max(1, min(len(handles), n_fitting))
        lines = sum(name.count("\n") + 1 for name in self.names)
        # 12 pixels for margins, 19 pixels for each line.
        self.height = 12 + 19 * -(-lines // self.columns)

    def add(self, figure: Figure) -> None:
        """Add the legend to a figure, above its panels."""
        figure.legend(
            self.handles,
            self.names,
            loc="outside upper left",
            ncols=self.columns,
            borderaxespad=0.25,
            borderpad=0.0,
            handlelength=2.6,
            columnspacing=1.8,
        )


def learner_legend(titles: Mapping[str, str], width: int) -> PageLegend:
    """Legend of learners, given their titles."""
    lines = [style.handle(learner_look(name), title, marker="") for name, title in titles.items()]
    return PageLegend(lines, width)


def shorten_middle(name: str, max_length: int) -> str:
    """A name, shortened in the middle to at most `max_length` characters; ten stay at the end."""
    return name if len(name) <= max_length else f"{name[: max_length - 11]}…{name[-10:]}"


def wrapped_title(text: str, width: int) -> str:
    """A title in lines that fit into `width` pixels."""
    return fill(text, int(width / 7.2))  # mean width of a letter of a title, in pixels
