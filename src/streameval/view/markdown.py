"""Tables in Markdown."""

from __future__ import annotations

from streameval.view.escape import markdown_text
from streameval.view.parts import Mark, Table


def markdown(table: Table, caption: str) -> str:
    """Pipe table with its caption above and its notes below."""
    rule = ["---:" if side == "r" else ":---" for side in table.alignment]
    head, *rows = ([markdown_text(text) for text in row] for row in table.cells)
    rows = [
        [_marked(*cell) for cell in zip(row, marks, strict=True)]
        for row, marks in zip(rows, table.marks, strict=True)
    ]
    lines = "\n".join(f"| {' | '.join(row)} |" for row in [head, rule, *rows])
    notes = "".join(f"\n{markdown_text(note)}\n" for note in table.notes)
    return f"**{markdown_text(caption.strip())}**\n\n{lines}\n{notes}"


def _marked(text: str, mark: Mark) -> str:
    """Cell in bold if it is the best, or underlined by an HTML tag, which Markdown itself lacks."""
    if not mark:
        return text
    return f"**{text}**" if mark == "best" else f"<ins>{text}</ins>"
