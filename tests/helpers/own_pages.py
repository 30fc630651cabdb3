"""Pages about one's own data, and how to read them."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from html.parser import HTMLParser
from pathlib import Path
from unittest.mock import patch

import matplotlib
from matplotlib.figure import Figure

import streameval as se
from streameval.pages import label_section, own_data
from streameval.pages import page as pages

#: Elements whose text is read as a whole.
_WHOLE = ("li", "td", "th", "p", "dd", "pre", "figcaption")


class Elements(HTMLParser):
    """All elements of a page: their names, attributes, and the text in sentences and cells."""

    def __init__(self, text: str) -> None:
        super().__init__()
        self.tags: list[tuple[str, dict[str, str | None]]] = []
        self.items: list[str] = []
        self.texts: list[str] = []
        self._inside: list[str] = []
        self.feed(text)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.tags.append((tag, dict(attrs)))
        self._inside.append(tag)
        if tag in _WHOLE:
            self.items.append("")

    def handle_endtag(self, tag: str) -> None:
        while self._inside and self._inside.pop() != tag:
            pass

    def handle_data(self, data: str) -> None:
        self.texts.append(data)
        if self.items and {*_WHOLE} & {*self._inside}:
            self.items[-1] += data

    def has(self, text: str) -> bool:
        return plain(text) in map(plain, self.items)


def plain(text: str) -> str:
    return text.replace("\N{NO-BREAK SPACE}", " ").replace("−", "-").strip()


def page(result: se.Result | se.Comparison, folder: Path) -> tuple[str, Elements]:
    """The text of the page of a result, and its elements."""
    path = folder / "page.html"
    se.write_report(result, path)
    text = path.read_text(encoding="utf-8")
    assert [path.name for path in folder.iterdir()] == ["page.html"]
    return text, Elements(text)


def draw_once(name: str, label: str, caption: str, draw: Callable[[int], Figure]) -> pages.Picture:
    """A picture of a page that is drawn for one width only, and not written as SVG."""
    with matplotlib.style.context(["default", pages.STYLE]):
        draw(pages.NARROW)
    return pages.Picture("<svg/>", "<svg/>", caption)


def draw_nothing(name: str, label: str, caption: str, draw: object) -> pages.Picture:
    """An empty picture."""
    return pages.Picture("<svg/>", "<svg/>", caption)


@contextmanager
def unrendered(*, drawn: bool = True) -> Iterator[None]:
    """Draw the figures of pages for one width or not, and leave the elements empty that show them.

    To write the figures of a page as SVG takes a second, ten times as long as all else: only the
    tests of what is seen in them wait for it.
    """
    picture = draw_once if drawn else draw_nothing
    with (
        patch.object(own_data, "picture", picture),
        patch.object(label_section, "picture", picture),
    ):
        yield


def words(result: se.Result | se.Comparison, folder: Path) -> Elements:
    """The elements of the page of a result, without the contents of its figures."""
    with unrendered():
        return page(result, folder)[1]
