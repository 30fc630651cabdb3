"""The style of all figures: sizes, fonts, titles and legends.

The module `looks` has the looks of lines: colours, dashes and markers.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from functools import wraps
from io import BytesIO
from pathlib import Path
from textwrap import fill
from typing import Any, Literal, ParamSpec, TypeVar

import matplotlib.style
import numpy as np
import pandas as pd
from matplotlib.artist import Artist
from matplotlib.axes import Axes
from matplotlib.axis import Axis
from matplotlib.backends.backend_agg import FigureCanvasAgg
from matplotlib.backends.backend_svg import FigureCanvasSVG
from matplotlib.figure import Figure
from matplotlib.legend import Legend
from matplotlib.lines import Line2D
from matplotlib.patches import Patch
from matplotlib.text import Text
from matplotlib.ticker import FixedLocator, FuncFormatter, MaxNLocator, NullLocator
from matplotlib.transforms import ScaledTranslation
from numpy.typing import ArrayLike

from streameval.base.files import replacing_file, with_ending, write_figure
from streameval.drawing.glyphs import (
    MAIN_FONT,
    font_families,
    warn_of_missing_glyphs,
    without_glyph_warnings,
)

# Re-exported: figures use looks through this module.
from streameval.drawing.looks import CLASS_LOOKS as CLASS_LOOKS
from streameval.drawing.looks import DASH_DOT as DASH_DOT
from streameval.drawing.looks import DASH_DOT_DOT as DASH_DOT_DOT
from streameval.drawing.looks import DOTTED as DOTTED
from streameval.drawing.looks import LEARNER_LOOKS as LEARNER_LOOKS
from streameval.drawing.looks import LONG as LONG
from streameval.drawing.looks import OTHER_CLASSES_LOOK as OTHER_CLASSES_LOOK
from streameval.drawing.looks import SHORT as SHORT
from streameval.drawing.looks import SOLID as SOLID
from streameval.drawing.looks import WRAPPED_LOOKS as WRAPPED_LOOKS
from streameval.drawing.looks import Dash as Dash
from streameval.drawing.looks import Look as Look
from streameval.drawing.looks import learner_look as learner_look
from streameval.measures.registry import symbol_parts

#: Start of a formula of `symbol_text`. Figures have no other formulas.
_FORMULA = r"$\mathregular{"

P = ParamSpec("P")
R = TypeVar("R")

#: Width of a figure over both columns of a journal page.
FULL_WIDTH_MM = 174.0
#: Widths of figures by their number of columns.
WIDTH_MM = {1: 84.0, 2: FULL_WIDTH_MM}
#: Largest height of a figure: it leaves room for a caption on the page and for a higher legend.
PAGE_MM = 232.0
MM_PER_INCH = 25.4

#: Font size of most texts in points; in print at 1:1, no text is smaller.
SMALL = 7.0
#: Font size of titles in points.
NORMAL = 8.0

#: Mean width of a letter of a title.
MM_PER_LETTER = 1.75
#: Mean width of a letter of a legend.
MM_PER_LEGEND_LETTER = 1.4
#: Width of the line of a legend with the gaps beside it.
LEGEND_LINE_MM = 14.0
#: Height that figures reserve for a legend: a title and two rows. A higher legend makes its figure
#: higher; panels keep their size.
LEGEND_ROOM_MM = 12.5
#: Width of the mark of simulated streams, with the margins of the title.
_MARK_MM = 32.0
#: Width of both margins of a title.
_TITLE_MARGINS_MM = 4.0
#: Distance of the mark from the top and from the right of the figure.
_MARK_EDGE_MM = 1.4
#: Number of lines that figures reserve for their title.
TITLE_ROOM_LINES = 2
#: Height of a line of a title.
TITLE_LINE_MM = 3.4
#: Height of each further line of other text.
LINE_MM = 3.1
#: Most letters of the name of a class.
NAME_LETTERS = 24
#: Letters after the ellipsis in a shortened name.
LAST_LETTERS = 10
#: From this length on, an axis of counts is labelled in thousands.
THOUSANDS_FROM = 2000
#: Length of an axis relative to its data, so that the last marker is not cut in half.
AXIS_FACTOR = 1.006
#: Approximate number of markers of a line.
MARKERS_PER_LINE = 7
#: Opacity of bands.
BAND_OPACITY = 0.2
#: Line width of a bar between the ends of an interval.
BAR_WIDTH = 0.8
#: Note on curves over a sliding window that have a single point.
ONE_WINDOW_NOTE = "one point: the stream is not longer than the window"
#: Colour of the mark of simulated streams.
SIMULATED_COLOR = "#882255"

#: Settings of matplotlib for all figures.
STYLE: dict[str, Any] = {
    "font.family": MAIN_FONT,
    "mathtext.fontset": "dejavusans",
    "text.parse_math": False,  # a dollar sign in a title does not start a formula
    "font.size": SMALL,
    "axes.labelsize": SMALL,
    "axes.titlesize": SMALL,
    "xtick.labelsize": SMALL,
    "ytick.labelsize": SMALL,
    "legend.fontsize": SMALL,
    "figure.titlesize": NORMAL,
    "axes.linewidth": 0.6,
    "axes.edgecolor": "0.3",
    "axes.spines.top": False,
    "axes.spines.right": False,
    "axes.grid": True,
    "axes.axisbelow": True,
    "grid.color": "0.9",
    "grid.linewidth": 0.5,
    "xtick.major.width": 0.6,
    "ytick.major.width": 0.6,
    "xtick.major.size": 2.5,
    "ytick.major.size": 2.5,
    "xtick.color": "0.3",
    "ytick.color": "0.3",
    "xtick.labelcolor": "black",
    "ytick.labelcolor": "black",
    "lines.linewidth": 1.0,
    "lines.markersize": 4.2,
    "lines.markeredgewidth": 0.5,
    "lines.markeredgecolor": "white",  # stands out from the line it sits on
    "legend.frameon": False,
    "legend.handlelength": 3.2,
    "legend.columnspacing": 1.6,
    "figure.constrained_layout.h_pad": 0.04,
    "figure.constrained_layout.w_pad": 0.04,
    "pdf.fonttype": 42,  # TrueType, as many journals require
    "svg.fonttype": "path",
    "svg.hashsalt": "streameval",  # fixed ids: equal figures give equal bytes
}


def styled(draw: Callable[P, R]) -> Callable[P, R]:
    """Make a drawing function use `STYLE` instead of a user's matplotlibrc.

    Only texts with a symbol of `symbol_text` are parsed as formulas.
    """

    @wraps(draw)
    def draw_with_style(*args: P.args, **kwargs: P.kwargs) -> R:
        style = STYLE | {"font.family": font_families()}
        with matplotlib.style.context(["default", style]), without_glyph_warnings():
            result = draw(*args, **kwargs)
        if isinstance(result, Figure):
            for text in result.findobj(_has_symbol):
                text.set(parse_math=True)
        return result

    return draw_with_style


@styled
def figure(columns: int = 2, aspect: float = 0.62) -> Figure:
    """An empty figure of journal width: 84 mm for a column, 174 mm for two.

    `aspect` is height divided by width; no figure is higher than a page.
    """
    width = WIDTH_MM[columns] / MM_PER_INCH
    height = min(width * aspect, PAGE_MM / MM_PER_INCH)
    empty_figure = Figure(figsize=(width, height), layout="constrained")
    FigureCanvasAgg(empty_figure)  # the canvas attaches itself, and measures texts
    return empty_figure


@styled
def save(figure: Figure, stem: Path | str) -> None:
    """Write ``stem.pdf`` and ``stem.svg``, each to a temporary file that is then renamed.

    Equal figures give equal bytes: there are no dates, versions or random identifiers.
    """
    no_dates = {"Creator": None, "Producer": None, "CreationDate": None}
    with warn_of_missing_glyphs(figure), _without_layout_tables():
        write_figure(figure, with_ending(stem, "pdf"), metadata=no_dates)
    figure.set_layout_engine("none")  # both files have the same layout
    content = BytesIO()
    with warn_of_missing_glyphs(figure):
        # `Figure.savefig` would draw the figure once more, to lay it out.
        canvas: Any = FigureCanvasSVG(figure)
        canvas.print_svg(content, metadata={"Creator": None, "Date": None})
    with replacing_file(with_ending(stem, "svg")) as part:
        part.write_bytes(content.getvalue())


@contextmanager
def _without_layout_tables() -> Iterator[None]:
    """Embed fonts in PDF without their layout tables, which PDF readers do not use.

    Subsetting these tables takes a fifth of the time that a figure takes.
    """
    from fontTools import subset  # loaded here: only PDF files need it

    options: Any = subset.Options
    tables = options._drop_tables_default
    options._drop_tables_default = [*tables, "GDEF", "GPOS", "GSUB"]
    try:
        yield
    finally:
        options._drop_tables_default = tables


@styled
def add_title(figure: Figure, title: str, simulated: bool) -> None:
    """Add a title on top; a simulated stream gets a mark at the end of the line."""
    width_mm = figure.get_figwidth() * MM_PER_INCH
    room_mm = width_mm - (_MARK_MM if simulated else _TITLE_MARGINS_MM)
    text = fill(title, int(room_mm / MM_PER_LETTER))
    figure.suptitle(text, x=0.01, ha="left", fontweight="bold")
    make_room(figure, (text.count("\n") + 1 - TITLE_ROOM_LINES) * TITLE_LINE_MM)
    if simulated:
        edge = _MARK_EDGE_MM / MM_PER_INCH
        # Placed relative to the corner, where it stays if a legend makes the figure higher.
        corner = figure.transFigure + ScaledTranslation(-edge, -edge, figure.dpi_scale_trans)
        mark = figure.text(
            1,
            1,
            "simulated stream",
            transform=corner,
            ha="right",
            va="top",
            color=SIMULATED_COLOR,
            bbox={"boxstyle": "round,pad=0.2", "fc": "#F7E8EF", "ec": SIMULATED_COLOR, "lw": 0.5},
        )
        mark.set_in_layout(False)  # it is beside the title, which has its own room


def titled_figure(aspect: float, title: str, simulated: bool = False) -> Figure:
    """An empty figure as wide as a page, with its title; see `figure` and `add_title`."""
    wide_figure = figure(columns=2, aspect=aspect)
    add_title(wide_figure, title, simulated)
    return wide_figure


def fixed_ticks(axis: Axis, positions: Iterable[float]) -> None:
    """Set the ticks of a linear or logarithmic axis at some positions only."""
    axis.set_major_locator(FixedLocator([*positions]))
    axis.set_minor_locator(NullLocator())
    axis.set_major_formatter(FuncFormatter(lambda value, _: f"{value:g}"))


def handle(look: Look, label: str, **more: Any) -> Line2D:
    """The legend handle of a line with a look."""
    properties = {"color": look.color, "linestyle": look.dash, "marker": look.marker, **more}
    return Line2D([], [], label=label, **properties)


def label_counts(axes: Axes, noun: str = "instances", ticks: int = 8) -> None:
    """Label an x axis of counts, in thousands for large counts; `noun` names the counted things."""
    unit = 1000 if axes.get_xlim()[1] >= THOUSANDS_FROM else 1
    axes.xaxis.set_major_locator(MaxNLocator(ticks, steps=[1, 2, 2.5, 5, 10]))
    axes.xaxis.set_major_formatter(FuncFormatter(lambda value, _: f"{value / unit:g}"))
    axes.set_xlabel(f"{noun} (thousands)" if unit > 1 else noun)


def learner_handle(learner: str, title: str) -> Line2D:
    """The legend handle of a learner: its line and marker."""
    return handle(learner_look(learner), title)


def learner_handles(learners: Sequence[str], titles: Mapping[str, str]) -> list[Line2D]:
    """Legend handles of several learners, with their titles or else their ids."""
    return [learner_handle(name, titles.get(name, name)) for name in learners]


def learner_lines(
    axes: Axes,
    rows: pd.DataFrame,
    x: str,
    y: str,
    learners: Sequence[str],
    *,
    ends: tuple[str, str] | None = None,
    bars: tuple[str, str] | None = None,
    marked: bool = True,
) -> None:
    """Draw a line for each learner, with a band between columns `ends`, or bars between `bars`.

    Bars and markers of different learners are at different places.
    """
    for number, name in enumerate(learners):
        points, look = rows[rows["learner"] == name].sort_values(x), learner_look(name)
        step = max(1, len(points) // MARKERS_PER_LINE)
        if ends:
            band(axes, points[x], points[ends[0]], points[ends[1]], look)
        if bars:
            distance = max(step, len(learners))  # so that no two bars are at the same place
            with_bars = points.iloc[number * distance // len(learners) :: distance]
            low, high = with_bars[bars[0]], with_bars[bars[1]]
            axes.vlines(with_bars[x], low, high, look.color, linewidth=BAR_WIDTH, zorder=look.layer)
        marker, first = look.marker if marked else "", number * step // len(learners)
        axes.plot(points[x], points[y], marker=marker, markevery=(first, step), **look.line)


def legend(
    figure: Figure, handles: Sequence[Artist], columns: int, title: str | None = None
) -> None:
    """Add a legend below the axes, with at most `columns` columns, as many as fit.

    A high legend makes the figure higher, so that the panels keep their size.
    """
    room_mm = figure.get_figwidth() * MM_PER_INCH
    letters = int((room_mm - LEGEND_LINE_MM) / MM_PER_LEGEND_LETTER)
    names = [fill(str(handle.get_label()), letters) for handle in handles]
    while columns > 1 and _legend_mm(names, columns) > room_mm:
        columns -= 1
    columns = min(len(handles), columns)
    new_legend = figure.legend(
        handles, names, title=title, loc="outside lower center", ncols=columns
    )
    make_room(figure, legend_size_mm(figure, new_legend)[1] - LEGEND_ROOM_MM)


def shorten_names(names: Sequence[str]) -> list[str]:
    """Names of classes, shortened in the middle to fit a legend.

    Names that would become equal are not shortened, but wrapped into lines.
    """
    first = NAME_LETTERS - LAST_LETTERS - 1
    short_names = [
        name if len(name) <= NAME_LETTERS else f"{name[:first]}…{name[-LAST_LETTERS:]}"
        for name in names
    ]
    return [
        short_name if short_names.count(short_name) == 1 else fill(name, NAME_LETTERS)
        for short_name, name in zip(short_names, names, strict=True)
    ]


def legend_size_mm(figure: Figure, measured: Legend) -> tuple[float, float]:
    """Width and height of a legend in millimetres."""
    box = measured.get_window_extent()
    return box.width / figure.dpi * MM_PER_INCH, box.height / figure.dpi * MM_PER_INCH


def make_room(figure: Figure, extra_mm: float) -> None:
    """Make a figure higher by `extra_mm`, if that is positive."""
    if extra_mm > 0:
        figure.set_figheight(figure.get_figheight() + extra_mm / MM_PER_INCH)


def _legend_mm(names: Sequence[str], columns: int) -> float:
    """Approximate width of a legend whose columns have equal numbers of names, or differ by one."""
    letters = [max(map(len, name.split("\n"))) for name in names]
    widths = [part.max() for part in np.array_split(letters, min(columns, len(names)))]
    return float(sum(n * MM_PER_LEGEND_LETTER + LEGEND_LINE_MM for n in widths))


def band(axes: Axes, x: ArrayLike, low: ArrayLike, high: ArrayLike, look: Look) -> None:
    """Draw the band between the ends of intervals around a line; NaN leaves a gap."""
    axes.fill_between(
        np.asarray(x, dtype=float),
        np.asarray(low, dtype=float),
        np.asarray(high, dtype=float),
        color=look.color,
        alpha=BAND_OPACITY,
        linewidth=0,
        zorder=1.7,  # above `zero_line` and below lines, which have 2
    )


def band_handle(label: str) -> Patch:
    """The legend handle of bands of any colour."""
    return Patch(facecolor="0.4", alpha=BAND_OPACITY, linewidth=0, label=label)


def bar_handle(label: str) -> Line2D:
    """The legend handle of bars of any colour."""
    look: dict[str, Any] = {"markersize": 8, "markeredgewidth": BAR_WIDTH, "markeredgecolor": "0.4"}
    return Line2D([], [], linestyle="none", marker="|", label=label, **look)


def level_handle(level: float, tests: str) -> Line2D:
    """The legend handle of the line at a level of significance."""
    label = f"level of the {tests}, {100 * level:g} %"
    return Line2D([], [], color="0.35", linestyle=SHORT, linewidth=0.8, label=label)


def symbol_text(symbol: str) -> str:
    """A measure's symbol as a formula if it has a subscript, such as κ_t."""
    parts = symbol_parts(symbol)
    return rf"{_FORMULA}{parts[0]}_{{{parts[1]}}}}}$" if parts else symbol


def _has_symbol(artist: Artist) -> bool:
    return isinstance(artist, Text) and has_formula(artist.get_text())


def has_formula(text: str) -> bool:
    """Whether a text has a formula of `symbol_text`; other dollar signs are plain text."""
    return _FORMULA in text


def zero_line(axes: Axes, along: Literal["x", "y"] = "y") -> None:
    """Draw a line at 0, the value of a learner that equals the baseline."""
    draw = axes.axhline if along == "y" else axes.axvline
    draw(0, color="0.45", linewidth=0.5, zorder=1.5)


def with_minus_sign(value: float) -> str:
    """A number for a tick, with a typographic minus sign."""
    return f"{value:g}".replace("-", "−")
