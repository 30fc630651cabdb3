"""The figures of a page: their widths, legends and titles, in pixels."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from textwrap import fill

from matplotlib.artist import Artist
from matplotlib.figure import Figure
from matplotlib.layout_engine import ConstrainedLayoutEngine

from streameval.drawing import style
from streameval.drawing.looks import learner_look

#: Widths of a figure in pixels: in a page as wide as its text, and on a telephone.
WIDE, NARROW = 720, 350
_PX_PER_INCH = 72.0
#: Mean width of a letter in a legend, in pixels, and of the line and the gap beside it.
_LETTER, _LINE = 6.6, 62


def canvas(width: int, height: int) -> Figure:
    """An empty figure of `width` by `height` pixels."""
    layout = ConstrainedLayoutEngine(h_pad=5 / _PX_PER_INCH, w_pad=4 / _PX_PER_INCH)
    return Figure(figsize=(width / _PX_PER_INCH, height / _PX_PER_INCH), layout=layout)


class Keys:
    """A legend above the panels, in as many columns as its names leave room for."""

    def __init__(self, handles: Sequence[Artist], width: int) -> None:
        most = int((width - _LINE) / _LETTER)
        self.handles = handles
        self.names = [
            fill(without_middle(str(handle.get_label()), 2 * most), most) for handle in handles
        ]
        letters = max(len(line) for name in self.names for line in name.splitlines())
        self.columns = max(1, min(len(handles), int(width / (_LINE + _LETTER * letters))))
        lines = sum(name.count("\n") + 1 for name in self.names)
        self.height = 12 + 19 * -(-lines // self.columns)

    def add(self, figure: Figure) -> None:
        """Put the legend on top of a figure."""
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


def learner_keys(titles: Mapping[str, str], width: int) -> Keys:
    """Legend of learners, given their titles."""
    lines = [style.handle(learner_look(name), title, marker="") for name, title in titles.items()]
    return Keys(lines, width)


def without_middle(name: str, most: int) -> str:
    """A name of at most `most` characters; its middle is left out if it is longer."""
    return name if len(name) <= most else f"{name[: most - 11]}…{name[-10:]}"


def wrapped_title(text: str, width: int) -> str:
    """A title in lines that fit into `width` pixels."""
    return fill(text, int(width / 7.2))
