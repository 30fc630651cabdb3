"""Tables: full precision for programs (CSV), rounded for people (HTML, Markdown, LaTeX)."""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass
from decimal import Context, Decimal
from fractions import Fraction
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd

from streameval.errors import DataError
from streameval.files import beside, write_text
from streameval.report.frames import as_flags
from streameval.report.html_table import html_table
from streameval.report.latex_table import latex_table
from streameval.report.markup import markdown_text
from streameval.table_files import write_csv

#: Decimals where a caller does not say.
DECIMALS = 4
#: What stands where a number is undefined or does not apply.
NO_VALUE = "–"

#: Room for the digits of any float.
_EXACT = Context(prec=400)


@dataclass(frozen=True)
class Layout:
    """A table as people read it.

    Parameters
    ----------
    cells : pandas.DataFrame
        Texts only; the column names are the headers.
    align : str
        ``l`` or ``r`` for each column.
    notes : tuple of str
        Sentences below the table.
    groups : tuple of str
        For each column the title that it shares with those beside it, or an empty text; the header
        of a column in a group is its title, a colon, and the column's own.
    """

    cells: pd.DataFrame
    align: str
    notes: tuple[str, ...] = ()
    groups: tuple[str, ...] = ()


def round_half_up(value: float | Fraction, decimals: int) -> Decimal:
    """Round as by hand: 0.125 gives 0.13; a float stands for its shortest decimal number."""
    return _with_decimals(value, decimals, Fraction(1, 2))


def cut_off(value: float | Fraction, decimals: int) -> Decimal:
    """Leave out all digits after so many decimals; a float stands for its shortest number."""
    return _with_decimals(value, decimals, Fraction(0))


def _with_decimals(value: float | Fraction, decimals: int, more: Fraction) -> Decimal:
    exact = value if isinstance(value, Fraction) else Fraction(repr(float(value)))
    units = math.floor(abs(exact) * 10**decimals + more)
    return Decimal(-units if exact < 0 else units).scaleb(-decimals, _EXACT)


def number_text(value: Any, decimals: int = DECIMALS) -> str:
    """Return a value as a cell for people.

    Integers get thousands separators, floats are rounded half up, NaN and None are
    `NO_VALUE`, a minus sign is a real one, truth is "yes" or "no"; texts stay.
    """
    if isinstance(value, str):
        return value
    if value is None or value is pd.NA or (isinstance(value, float) and math.isnan(value)):
        return NO_VALUE
    if isinstance(value, bool | np.bool_):
        return "yes" if value else "no"
    if isinstance(value, int | np.integer):
        return f"{value:,}".replace("-", "−")
    text = f"{round_half_up(value, decimals):,}" if math.isfinite(value) else f"{value:g}"
    return text.replace("inf", "∞").replace("-", "−")


def p_text(p_value: float) -> str:
    """Return a p-value for people, as the right side of "p": = 0.0123, or < 0.0001."""
    least = 10.0**-DECIMALS
    return f"< {least:.{DECIMALS}f}" if p_value < least else f"= {number_text(float(p_value))}"


def write_table(
    frame: pd.DataFrame,
    stem: Path | str,
    *,
    caption: str,
    label: str,
    decimals: int | Mapping[str, int] = DECIMALS,
    headers: Mapping[str, str] | None = None,
    layout: Layout | None = None,
) -> None:
    """Write ``stem.csv``, ``.html``, ``.md`` and ``.tex``, each aside and then renamed.

    Parameters
    ----------
    frame : pandas.DataFrame
        The table; the CSV holds its floats so that reading gives the same bits.
    stem : Path or str
        Where, without ending.
    caption, label : str
        Title of the table, and its LaTeX label.
    decimals : int or mapping of str to int
        Decimals for people, for all columns or by column (others: 4).
    headers : mapping of str to str, optional
        Column headers for people, where they differ from the names.
    layout : Layout, optional
        What people see, where it is more than the rounded frame.

    Raises
    ------
    DataError
        If the frame has no columns.
    """
    if not len(frame.columns):
        raise DataError(f"Table {str(stem)!r}: expected at least one column, found none.")
    shown = layout or plain_layout(frame, decimals, headers or {})
    write_csv(frame, beside(stem, "csv"))
    write_text(beside(stem, "html"), _page(frame, shown, caption, Path(stem).name))
    write_text(beside(stem, "md"), markdown(shown, caption))
    write_text(beside(stem, "tex"), latex(shown, caption, label))


def _page(frame: pd.DataFrame, shown: Layout, caption: str, name: str) -> str:
    csv = frame.to_csv(index=False, lineterminator="\n")
    return html_table(shown.cells, shown.align, caption, notes=shown.notes, csv=csv, name=name)


def plain_layout(
    frame: pd.DataFrame, decimals: int | Mapping[str, int], headers: Mapping[str, str]
) -> Layout:
    """Return a frame cell by cell as people read it; numbers flush right."""
    cells, align = {}, ""
    for name in frame.columns:
        places = decimals if isinstance(decimals, int) else decimals.get(name, DECIMALS)
        cells[headers.get(name, str(name))] = [number_text(v, places) for v in frame[name]]
        is_number = frame[name].dtype.kind in "iuf"
        align += "r" if is_number else "l"
    return Layout(pd.DataFrame(cells, dtype=object), align)


def markdown(layout: Layout, caption: str) -> str:
    """Return a Markdown pipe table with its caption above and its notes below."""
    rule = ["---:" if side == "r" else ":---" for side in layout.align]
    head, *body = (
        [markdown_text(text) for text in row]
        for row in [list(layout.cells.columns), *layout.cells.to_numpy().tolist()]
    )
    table = "\n".join(f"| {' | '.join(row)} |" for row in [head, rule, *body])
    notes = "".join(f"\n{markdown_text(note)}\n" for note in layout.notes)
    return f"**{markdown_text(caption.strip())}**\n\n{table}\n{notes}"


def latex(layout: Layout, caption: str, label: str) -> str:
    """Return a LaTeX table with the rules of the package booktabs."""
    return latex_table(
        layout.cells, layout.align, caption, label, notes=layout.notes, groups=layout.groups
    )


_SIMULATED = (
    "Streams marked (simulated) are generated to resemble a real one; they are not the real one."
)


def stream_name(stream: str, simulated: bool, titles: Mapping[str, str] | None) -> str:
    """Return what a table calls a stream."""
    name = (titles or {}).get(stream, stream)
    return f"{name} (simulated)" if simulated else name


def stream_notes(table: pd.DataFrame, what: str) -> tuple[str, ...]:
    """Return the notes below a table of streams."""
    return (_SIMULATED,) if as_flags(table["simulated"], what).any() else ()
