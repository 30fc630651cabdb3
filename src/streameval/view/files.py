"""Files of a table: full precision for programs (CSV), rounded for people."""

from __future__ import annotations

from pathlib import Path

import pandas as pd

from streameval.base.files import beside, write_text
from streameval.base.table_files import write_csv
from streameval.view.blocks import Table
from streameval.view.latex import latex
from streameval.view.markdown import markdown
from streameval.view.table_page import table_page


def write_table(
    frame: pd.DataFrame, stem: Path | str, *, caption: str, label: str, table: Table
) -> None:
    """Write ``stem.csv``, ``.html``, ``.md`` and ``.tex``, each aside and then renamed.

    The CSV holds floats so that reading gives the same bits; `label` is for LaTeX.
    """
    write_csv(frame, beside(stem, "csv"))
    csv, name = frame.to_csv(index=False, lineterminator="\n"), Path(stem).name
    write_text(beside(stem, "html"), table_page(table, caption, csv=csv, name=name))
    write_text(beside(stem, "md"), markdown(table, caption))
    write_text(beside(stem, "tex"), latex(table, caption, label))
