"""The first page of a run, read back."""

from __future__ import annotations

import re
from collections.abc import Sequence
from html import unescape
from pathlib import Path

from streameval.base.settings import ROOT
from streameval.evaluation.predictions import read_predictions
from streameval.learners.registry import load_learners
from streameval.pages.study import RunPages
from streameval.protocols.registry import parse
from streameval.report.methods import Registries
from streameval.report.what_ran import Block, FrontSection
from streameval.streams.variants import name_of_stem

_TAG = re.compile(r"<[^>]+>")


def html(blocks: Sequence[Block] = (), sections: Sequence[FrontSection] = ()) -> str:
    """The first page of a run without studies."""
    origin = {"begun": [], "versions": {}, "commit": {}, "study_commit": {}, "processor": {}}
    run = {"command": "", "origin": origin, "streams": {}}
    return RunPages([], None, {}, Path(), run, Registries({}, {})).index_page(blocks, sections)


def lines(page: str) -> list[str]:
    """The headings, paragraphs and lines of lists of a page, as they are read."""
    return [_read(text) for _, text in re.findall(r"<(p|h2)>(.*?)</\1>", page, re.DOTALL)]


def _read(text: str) -> str:
    return unescape(_TAG.sub("", text))


def tables(page: str) -> list[list[dict[str, str]]]:
    """The rows of each table as mappings by the heads of its columns."""
    rows_of_tables = []
    for text in re.findall(r"<table[^>]*>.*?</table>", page, re.DOTALL):
        rows = [
            [_read(cell) for cell in re.findall(r"<t[hd]\b[^>]*>(.*?)</t[hd]>", row)]
            for row in re.findall(r"<tr>.*?</tr>", text, re.DOTALL)
        ]
        rows_of_tables.append([dict(zip(rows[0], row, strict=True)) for row in rows[1:]])
    return rows_of_tables


def protocols(page: str) -> dict[str, list[str]]:
    """The names of the learners that ran, by protocol."""
    form = re.compile(r"(.+?): \d+ learners?\b.*?\. (.*)\.")
    said = [match.groups() for line in lines(page) if (match := form.fullmatch(line))]
    return {protocol: names.split("; ") for protocol, names in said}


def numbers(cell: str) -> list[int]:
    """The numbers of a cell."""
    return [int(text.replace(",", "")) for text in re.findall(r"\d[\d,]*", cell)]


def titles() -> dict[str, str]:
    """The names of all learners by their ids."""
    rows = load_learners(ROOT / "config" / "learners.yaml")
    return {name: row.title for name, row in rows.items()}


def predicted(folder: Path) -> list[tuple[str, str, set[str], int]]:
    """Stream, protocol, names of learners and number of predictions of each file."""
    files, called = [], titles()
    for path in sorted(folder.glob("*.parquet")):
        stem, _, protocol = path.stem.rpartition(".")
        name, table = name_of_stem(stem), read_predictions(path)
        names = {called[learner] for learner in table.predicted}
        files.append((name.partition(":")[0], parse(protocol).title, names, len(table)))
    return files
