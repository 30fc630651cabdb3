"""Tables as frames of their texts, and pages of such frames, read back."""

from __future__ import annotations

from collections.abc import Sequence
from html.parser import HTMLParser
from typing import Any

import pandas as pd

from streameval.items.columns import text_frame_table
from streameval.view.parts import Table
from streameval.view.table_page import table_page


def cells_of(table: Table) -> pd.DataFrame:
    """The texts of a table, whose columns have its heads."""
    heads, *rows = table.cells
    return pd.DataFrame(rows, columns=heads, dtype=object)


def page_of(
    cells: pd.DataFrame, sides: str, caption: str, notes: Sequence[str] = (), **more: Any
) -> str:
    """The page of a table of texts."""
    return table_page(text_frame_table(cells, sides, notes), caption, **more)


class Page(HTMLParser):
    """What HTML contains; each element has an end."""

    def __init__(self, html: str) -> None:
        super().__init__()
        #: Names and attributes of all elements.
        self.tags: list[tuple[str, dict[str, str | None]]] = []
        #: Cells of tables by their rows.
        self.rows: list[list[str]] = []
        self._texts: list[tuple[str, str]] = []
        self._open: list[str] = []
        self.feed(html)
        self.close()
        assert self._open == []
        self.elements = {tag for tag, _ in self.tags}

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.tags.append((tag, dict(attrs)))
        self._texts += [
            (name, str(value)) for name, value in attrs if name in ("title", "download")
        ]
        if tag not in ("meta", "input"):
            self._open.append(tag)
        if tag == "tr":
            self.rows.append([])
        if tag in ("td", "th"):
            self.rows[-1].append("")

    def handle_endtag(self, tag: str) -> None:
        assert self._open.pop() == tag

    def handle_data(self, data: str) -> None:
        self._texts.append((self._open[-1] if self._open else "", data))
        if {"td", "th"} & {*self._open}:
            self.rows[-1][-1] += data

    def having(self, tag: str, name: str) -> list[dict[str, str | None]]:
        """The attributes of elements of a kind that have one of them."""
        return [attributes for kind, attributes in self.tags if kind == tag and name in attributes]

    def within(self, *tags: str) -> list[str]:
        """The texts within such elements, tips and names of downloads, without blanks."""
        return ["".join(text.split()) for tag, text in self._texts if tag in tags]
