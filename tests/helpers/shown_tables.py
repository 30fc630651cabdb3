"""Tables as frames of their texts, and pages of such frames."""

from __future__ import annotations

from collections.abc import Sequence
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
