"""Structure of a page and its rendering as one HTML file."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from functools import cache
from pathlib import Path
from typing import Any

import matplotlib.style
from jinja2 import Environment, FileSystemLoader, StrictUndefined
from markupsafe import Markup, escape
from matplotlib.figure import Figure

from streameval import __version__
from streameval.drawing.canvas import NARROW, WIDE
from streameval.drawing.svg import DARK_INK, DARK_PAPER, STYLE, color_rules, inline_svg
from streameval.report.what_ran import TextTable
from streameval.view.parts import Part, Picture

#: An interval, in brackets after a number.
_INTERVAL = re.compile(r"(\[[^\]\[]*\d[^\]\[]*\])")
_PERCENT = re.compile(r"(\d) %")
#: A symbol of the papers with its subscript.
_SYMBOL = re.compile(r"\b(κ|P)_(\w+)")
#: A hyphen that stands for a minus sign.
_HYPHEN = re.compile(r"(?<![^\s\[(±])-(?=[\d.∞])")

#: The verb of a sentence with a verdict.
_VERB = re.compile(r"\b(beats( each)?|loses to|is practically equal to|cannot be told from)\b")


@dataclass(frozen=True)
class Section:
    """A section of a page; its heading is a link to the element with the id `target`, if any."""

    id: str
    title: str
    parts: Sequence[Part | TextTable]
    target: str = ""


@dataclass(frozen=True)
class Chapter:
    """Sections about one subject, such as a stream; `about` is a line below the heading."""

    id: str
    title: str
    about: str
    sections: Sequence[Section]


@dataclass(frozen=True)
class Page:
    """A page: its title, a line below the title, sections about all chapters, and the chapters.

    A page with a single chapter does not repeat the heading of that chapter.
    """

    title: str
    about: str
    chapters: Sequence[Chapter]
    sections: Sequence[Section] = field(default_factory=tuple)

    def html(self) -> str:
        """HTML of the page."""
        return render("page.html", self._figures(), title=self.title, page=self)

    def _figures(self) -> Iterator[str]:
        chapter_sections = [section for chapter in self.chapters for section in chapter.sections]
        for section in (*self.sections, *chapter_sections):
            for part in section.parts:
                if isinstance(part, Picture):
                    yield part.wide
                    yield part.narrow


_FOLDER = Path(__file__).with_name("templates")


def render(template: str, figures: Iterable[str], **content: Any) -> str:
    """HTML of a template, with the colours of the figures that it shows.

    All `content` is escaped.
    """
    light, dark = color_rules(figures)
    return (
        _templates()
        .get_template(template)
        .render(
            # The rules contain only colours, so they need no escaping.
            light=Markup(light),  # noqa: S704
            dark=Markup(f"--paper:{DARK_PAPER};--ink:{DARK_INK};{dark}"),  # noqa: S704
            **content,
        )
    )


@cache
def _templates() -> Environment:
    environment = Environment(
        loader=FileSystemLoader(_FOLDER),
        autoescape=True,
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
    )
    environment.filters.update(
        typeset=format_text,
        verdict=format_verdict,
        name=format_name,
        symbols=format_symbols,
        unescaped=Markup,
    )
    # A transposed table is shown with a column for each of its rows.
    environment.filters["cells"] = lambda table: (
        [*zip(*table.cells, strict=True)] if table.transposed else table.cells
    )
    environment.filters["kind"] = lambda part: type(part).__name__.lower()
    environment.globals.update(version=__version__, style=_read_style)
    return environment


def _read_style(file_name: str) -> Markup:
    return Markup((_FOLDER / file_name).read_text(encoding="utf-8"))  # noqa: S704


def format_symbols(text: str) -> Markup:
    """An escaped text in which symbols such as κ_t have subscripts."""
    return Markup(_SYMBOL.sub(r"\1<sub>\2</sub>", str(escape(text))))  # noqa: S704


def format_text(text: str) -> Markup:
    """An escaped text with minus signs instead of hyphens, and with intervals in weaker type."""
    spaced = _PERCENT.sub("\\1\N{NO-BREAK SPACE}%", str(escape(replace_hyphens(text))))
    return Markup(_INTERVAL.sub(r'<span class="interval">\1</span>', spaced))  # noqa: S704


def format_verdict(text: str) -> Markup:
    """An escaped sentence with a verdict, whose verb is emphasised."""
    # A sentence has at most two verdicts: one for each of two baselines.
    emphasised = _VERB.sub(r"<strong>\1</strong>", str(format_text(text)), count=2)
    return Markup(emphasised.replace("_", "_<wbr>"))  # noqa: S704


def format_name(text: str) -> Markup:
    """An escaped name that may be broken into lines after an underscore."""
    return Markup(str(escape(text)).replace("_", "_<wbr>"))  # noqa: S704


def replace_hyphens(text: str) -> str:
    """A text whose negative numbers have a minus sign instead of a hyphen."""
    return _HYPHEN.sub("−", text)


def picture(name: str, label: str, caption: str, draw: Callable[[int], Figure]) -> Picture:
    """Draw a figure for wide and for narrow screens; `draw` takes the width in pixels.

    `name` differs from the names of the page's other figures; `label` is for screen readers.
    """
    with matplotlib.style.context(["default", STYLE]):
        wide, narrow = (
            inline_svg(draw(width), f"{name}-{side}", label)
            for side, width in (("w", WIDE), ("n", NARROW))
        )
    return Picture(wide, narrow, caption)
