"""Tables of benchmarks: rows that are kept as they come, and the pages that show them."""

from __future__ import annotations

import argparse
import re
import sys
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pandas as pd

from streameval.base.errors import StreamevalError
from streameval.base.files import write_text
from streameval.base.settings import ROOT
from streameval.base.table_files import write_csv

HERE = Path(__file__).parent
#: How a table was measured, see `measured_on`.
ONE_CORE = "; one core, CPU time"
#: The pages with tables. Each has the marks of the tables that it shows.
PAGES = (ROOT / "docs" / "explanation" / "throughput.md", HERE / "README.md")


def command_line(about: str, table: Path, **numbers: int) -> argparse.ArgumentParser:
    """A parser of ``--table`` and of numbers, with their defaults."""
    parser = argparse.ArgumentParser(description=about.splitlines()[0])
    parser.add_argument("--table", type=Path, default=table, help="where the numbers are kept")
    for name, default in numbers.items():
        parser.add_argument(f"--{name}", type=int, default=default)
    return parser


@contextmanager
def left_out(what: str) -> Iterator[None]:
    """Skip a tool that is not available or cannot run, with a message."""
    try:
        yield
    except StreamevalError as error:
        print(f"Left out: {what}. {error}", file=sys.stderr)


def keep(row: dict[str, Any], path: Path, keys: Mapping[str, Sequence[str]]) -> pd.DataFrame:
    """Put a row into a CSV file, in the place of the one with the same keys; return the table.

    Parameters
    ----------
    row : dict of str to any
        The cells by column.
    path : Path
        The file. Written completely or not at all.
    keys : mapping of str to sequence of str
        The columns that name a row, and their values in the order of the table.
    """
    rows = pd.read_csv(path).to_dict("records") if path.is_file() else []
    others = [old for old in rows if any(old[key] != row[key] for key in keys)]
    table = pd.DataFrame([*others, row]).convert_dtypes()  # whole numbers stay so beside gaps

    def place(column: pd.Series) -> pd.Series:
        known = [*keys[str(column.name)]]
        return column.map(lambda value: known.index(value) if value in known else len(known))

    table = table.sort_values([*keys], key=place, kind="stable", ignore_index=True)
    write_csv(table, path)
    return table


def markdown(head: dict[str, Callable[[Any], str]], table: pd.DataFrame, right: int) -> str:
    """A table for people.

    Parameters
    ----------
    head : dict of str to callable
        The columns: title, and the cell's text from a row.
    table : pandas.DataFrame
        The rows.
    right : int
        The first column with numbers.
    """
    ruler = ["---" if i < right else "---:" for i in range(len(head))]
    cells = [[cell(row) for cell in head.values()] for row in table.itertuples()]
    return "".join(f"| {' | '.join(line)} |\n" for line in [[*head], ruler, *cells])


def number(value: float | None, form: str = ",.0f", missing: str = "–") -> str:
    """The text of a number that may be missing."""
    return missing if pd.isna(value) else f"{value:{form}}"


def measured_on(table: pd.DataFrame, how: str = "") -> str:
    """The line below a table."""
    return f"\nMeasured on: {'; '.join(dict.fromkeys(table['machine']))}{how}.\n"


def table_text(page: Path, name: str) -> str | None:
    """The table that a page shows between the marks of a name; None without marks."""
    match = _between(name).search(page.read_text(encoding="utf-8"))
    return match[2].strip("\n") + "\n" if match else None


def show(name: str, text: str) -> None:
    """Put a table into all pages that have its marks."""
    for page in PAGES:
        old = page.read_text(encoding="utf-8")
        new = _between(name).sub(lambda match: f"{match[1]}\n\n{text}\n{match[3]}", old)
        if new != old:
            write_text(page, new)


def _between(name: str) -> re.Pattern[str]:
    mark = f"<!-- {name}: {{}} -->"
    return re.compile(f"({mark.format('begin')})(.*?)({mark.format('end')})", re.DOTALL)
