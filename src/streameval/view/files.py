"""Files of a table: full precision for programs (CSV), rounded for people."""

from __future__ import annotations

from pathlib import Path

import pandas as pd

from streameval.base.files import beside, write_text
from streameval.base.table_files import write_csv, write_digest
from streameval.view.blocks import Table
from streameval.view.latex import latex
from streameval.view.markdown import markdown
from streameval.view.table_page import table_page


def write_table(
    frame: pd.DataFrame, stem: Path | str, *, caption: str, label: str, table: Table
) -> None:
    """Write ``stem.csv``, ``.html``, ``.md`` and ``.tex``, each with a digest in a file.

    The CSV holds floats so that reading gives the same bits; `label` is for LaTeX.
    """
    csv, name = frame.to_csv(index=False, lineterminator="\n"), Path(stem).name
    texts = {
        "html": table_page(table, caption, csv=csv, name=name),
        "md": markdown(table, caption),
        "tex": latex(table, caption, label),
    }
    write_csv(frame, beside(stem, "csv"))
    for form, text in texts.items():
        write_text(beside(stem, form), text)
        write_digest(beside(stem, form), text.encode())
