"""Tables: full precision for programs (CSV), rounded for people (HTML, Markdown, LaTeX)."""

from __future__ import annotations

import math
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from decimal import Context, Decimal
from fractions import Fraction
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd

from streameval.csv_tables import write_csv
from streameval.errors import DataError
from streameval.files import beside, write_text
from streameval.report.html_table import html_table

#: Decimals where a caller does not say.
DECIMALS = 4
#: What stands where a number is undefined or does not apply.
NO_VALUE = "–"

#: Room for the digits of any float.
_EXACT = Context(prec=400)

_LATEX = {
    "\\": r"\textbackslash{}", "&": r"\&", "%": r"\%", "$": r"\$", "#": r"\#", "_": r"\_",
    "{": r"\{", "}": r"\}", "~": r"\textasciitilde{}", "^": r"\textasciicircum{}",
    "|": "$|$", "<": "$<$", ">": "$>$", "−": "$-$", "–": "--", "·": r"$\cdot$", "±": r"$\pm$",
    "κ": r"$\kappa$", "λ": r"$\lambda$", "α": r"$\alpha$", "δ": r"$\delta$", "Δ": r"$\Delta$",
    "Ψ": r"$\Psi$", "⁺": "$^{+}$", "′": "$'$",
    **{chr(0x2080 + i): f"$_{{{i}}}$" for i in range(10)},
}  # fmt: skip
_MARKDOWN = {"|": r"\|", "*": r"\*", "_": r"\_", "<": "&lt;", "\n": " "}


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
    """

    cells: pd.DataFrame
    align: str
    notes: tuple[str, ...] = ()


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
    rows = [list(layout.cells.columns), rule, *layout.cells.to_numpy().tolist()]
    table = "\n".join(
        f"| {' | '.join(row if row is rule else _escaped(row, _MARKDOWN))} |" for row in rows
    )
    notes = "".join(f"\n{note}\n" for note in _escaped(layout.notes, _MARKDOWN))
    title = _escaped([caption], _MARKDOWN)[0]
    return f"**{title}**\n\n{table}\n{notes}"


def latex(layout: Layout, caption: str, label: str) -> str:
    """Return a LaTeX table with the rules of the booktabs package."""
    head, *body = (
        " & ".join(_symbols_lowered(row)) + r" \\"
        for row in [list(layout.cells.columns), *layout.cells.to_numpy().tolist()]
    )
    notes = [rf"\par\smallskip{{\footnotesize {note}}}" for note in _escaped(layout.notes, _LATEX)]
    lines = [
        r"% \usepackage{booktabs}",
        r"\begin{table}",
        r"\centering",
        rf"\caption{{{_escaped([caption], _LATEX)[0]}}}",
        rf"\label{{{label}}}",
        rf"\begin{{tabular}}{{{layout.align}}}",
        r"\toprule",
        head,
        r"\midrule",
        *body,
        r"\bottomrule",
        r"\end{tabular}",
        *notes,
        r"\end{table}",
    ]
    return "\n".join(lines) + "\n"


def _symbols_lowered(texts: Sequence[str]) -> list[str]:
    """Escape for LaTeX; a symbol like κ_t gets its subscript."""
    parts = [re.fullmatch(r"(\w)_(\w)", text) for text in texts]
    return [
        r"{}\textsubscript{{{}}}".format(*_escaped(part.groups(), _LATEX)) if part else text
        for part, text in zip(parts, _escaped(texts, _LATEX), strict=True)
    ]


def _escaped(texts: Sequence[str], signs: Mapping[str, str]) -> list[str]:
    return ["".join(signs.get(sign, sign) for sign in text) for text in texts]
