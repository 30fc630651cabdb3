"""Files of a table: CSV with full precision for programs, other formats rounded for people."""

from __future__ import annotations

import json
from pathlib import Path

import pandas as pd

from streameval.base.file_digests import write_digest
from streameval.base.files import with_ending, write_text
from streameval.base.table_files import write_csv
from streameval.view.latex import latex
from streameval.view.markdown import markdown
from streameval.view.parts import Table, texts_table
from streameval.view.table_page import table_page


def write_table(
    frame: pd.DataFrame, stem: Path | str, *, caption: str, label: str, table: Table
) -> None:
    """Write ``stem.csv``, ``.json``, ``.html``, ``.md`` and ``.tex``, each with a digest file.

    The CSV has the numbers of `frame` with all digits. The JSON has the texts of `table`, which
    `read_texts` reads. `label` is the label in LaTeX.
    """
    csv, name = frame.to_csv(index=False, lineterminator="\n"), Path(stem).name
    heads, *rows = table.cells
    # The keys, except "sides" (the alignment), are parameters of `texts_table`.
    content = {"title": caption, "heads": heads, "sides": table.alignment, "rows": rows}
    content["notes"] = [*table.notes]
    if any(map(any, table.marks)):
        content["marks"] = table.marks
    texts = {
        # With indent=0 each text has a line, which helps in diffs.
        "json": json.dumps(content, ensure_ascii=False, indent=0) + "\n",
        "html": table_page(table, caption, csv=csv, name=name),
        "md": markdown(table, caption),
        "tex": latex(table, caption, label),
    }
    write_csv(frame, with_ending(stem, "csv"))
    for ending, text in texts.items():
        write_text(with_ending(stem, ending), text)
        write_digest(with_ending(stem, ending), text.encode())


def read_texts(path: Path | str) -> Table:
    """Read the texts of a table from a JSON file of `write_table`."""
    content = json.loads(Path(path).read_text(encoding="utf-8"))
    return texts_table(alignment=content.pop("sides"), **content)
