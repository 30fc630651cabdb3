"""What is inside a page of a study, and what it links: pictures, tables, data."""

from __future__ import annotations

import os
import re
from collections.abc import Mapping
from pathlib import Path
from typing import Any, NamedTuple

from streameval.pages.svg import inline
from streameval.report.html_table import table_in

#: A picture with more bytes is linked; so are those of a page that would have more than these.
MOST_OF_PICTURE, MOST_OF_PAGE = 300_000, 2_500_000
#: A table with more bytes is linked, and one with more rows is folded.
MOST_OF_TABLE, MOST_ROWS = 150_000, 25
_SIZE = re.compile(r'<svg\b[^>]*?\bwidth="([\d.]+)pt" height="([\d.]+)pt"')


class Picture(NamedTuple):
    """A picture of an item: its drawing if it is in the page, where it is, its size in points."""

    name: str
    caption: str
    drawing: str
    at: str
    pdf: str
    width: float
    height: float


class Table(NamedTuple):
    """A table of an item, or where it is."""

    table: str
    at: str
    is_long: bool


class Inside:
    """What a page has inside so far.

    Parameters
    ----------
    folder : Path
        The folder of the page.
    """

    def __init__(self, folder: Path) -> None:
        self._folder, self._room = folder, MOST_OF_PAGE
        self.drawings: list[str] = []

    def at(self, path: str) -> str:
        """Return the address of a file, seen from the page."""
        return Path(os.path.relpath(path, self._folder)).as_posix()

    def picture(self, picture: Mapping[str, str]) -> Picture:
        """Return a picture, inside the page if it has room for it."""
        file = Path(f"{picture['file']}.svg")
        text = file.read_text(encoding="utf-8")
        size = _SIZE.search(text)
        width, height = map(float, size.groups()) if size else (0.0, 0.0)
        drawing = inline(text, f"p{len(self.drawings) + 1}", picture["caption"])
        if len(drawing.encode()) <= min(MOST_OF_PICTURE, self._room):
            self._room -= len(drawing.encode())
            self.drawings.append(drawing)
        else:
            drawing = ""
        at, pdf = (self.at(f"{picture['file']}.{form}") for form in ("svg", "pdf"))
        return Picture(picture["name"], picture["caption"], drawing, at, pdf, width, height)

    def table(self, file: str) -> Table | None:
        """Return the table of a page with one, inside this page if it is short enough."""
        if not file:
            return None
        table = table_in(Path(file).read_text(encoding="utf-8"))
        rows, fits = table.count("<tr"), len(table.encode()) <= min(MOST_OF_TABLE, self._room)
        self._room -= len(table.encode()) * fits
        return Table(table if fits else "", self.at(file), rows > MOST_ROWS)

    def links(self, item: Mapping[str, Any]) -> list[tuple[str, str]]:
        """Return names and addresses of an item's tables and data."""
        found = [*item["tables"], *item["data"]]
        return [(Path(path).name, self.at(path)) for path in found if Path(path).is_file()]
