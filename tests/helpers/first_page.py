"""The first page of a report, read back."""

from __future__ import annotations

import re
from pathlib import Path

from streameval.evaluation.predictions import read_predictions
from streameval.learners.registry import load_learners
from streameval.protocols.registry import parse
from streameval.settings import ROOT
from streameval.streams.variants import name_of_stem

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


def titles() -> dict[str, str]:
    """Return the names of all learners by their ids."""
    rows = load_learners(ROOT / "config" / "learners.yaml")
    return {name: row.title for name, row in rows.items()}


def predicted(folder: Path) -> list[tuple[str, str, set[str], int]]:
    """Return stream, protocol, names of learners and number of predictions of each file."""
    found, called = [], titles()
    for path in sorted(folder.glob("*.parquet")):
        stem, _, protocol = path.stem.rpartition(".")
        name, table = name_of_stem(stem), read_predictions(path)
        names = {called[one] for one in table.predicted}
        found.append((name.partition(":")[0], parse(protocol).title, names, len(table)))
    return found
