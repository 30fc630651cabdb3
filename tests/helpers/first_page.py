"""The first page of a report, read back."""

from __future__ import annotations

import re

_TABLE = re.compile(r"\.\. list-table::\n(?: {3}:.*\n)*\n((?: {3}[* ] - .*\n?)+)")


def tables(page: str) -> list[list[dict[str, str]]]:
    """Return the rows of each table as mappings by the heads of its columns."""
    found = []
    for text in _TABLE.findall(page):
        rows = [
            row.rstrip("\n").split("\n     - ")
            for row in text.removeprefix("   * - ").split("   * - ")
        ]
        found.append([dict(zip(rows[0], row, strict=True)) for row in rows[1:]])
    return found


def protocols(page: str) -> dict[str, list[str]]:
    """Return the names of the learners that ran, by protocol."""
    lines = re.findall(r"^\* \*\*(.+)\*\*: \d+ learners?\b.*?\. (.*)\.$", page, re.MULTILINE)
    return {protocol: names.split("; ") for protocol, names in lines}


def numbers(cell: str) -> list[int]:
    """Return the numbers of a cell."""
    return [int(text.replace(",", "")) for text in re.findall(r"\d[\d,]*", cell)]
