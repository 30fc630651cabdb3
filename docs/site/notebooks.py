"""Notebooks as Markdown, with the output and figures of their cells, which are run here."""

from __future__ import annotations

import ast
import io
import os
from collections.abc import Callable
from contextlib import chdir, redirect_stdout
from pathlib import Path
from typing import Any

import nbformat


def as_markdown(path: Path, folder: Path, keep: Callable[[str, bytes], str]) -> str:
    """Run a notebook and return it as Markdown.

    Parameters
    ----------
    path : Path
        The notebook.
    folder : Path
        Where it runs.
    keep : callable
        Keeps a picture, by its name and content, and returns its link.
    """
    book = nbformat.read(path, as_version=4)
    namespace: dict[str, Any] = {"__name__": "__main__"}
    parts = []
    for number, cell in enumerate(book.cells):
        if cell.cell_type == "markdown":
            parts.append(cell.source)
        elif cell.cell_type == "code":
            parts.append(f"```python\n{cell.source}\n```")
            printed, value = run(cell.source, namespace, folder, f"{path.name}, cell {number}")
            parts += [f"```text\n{printed.rstrip()}\n```"] * bool(printed.strip())
            parts += output_parts(value, lambda image: keep(f"{path.stem}-{number}.svg", image))  # noqa: B023
    return "\n\n".join(parts) + "\n"


def run(source: str, namespace: dict[str, Any], folder: Path, name: str) -> tuple[str, Any]:
    """Run a cell; return its printed output and the value of its last expression."""
    tree = ast.parse(source, name)
    last = tree.body.pop() if tree.body and isinstance(tree.body[-1], ast.Expr) else None
    output, value = io.StringIO(), None
    with chdir(folder), redirect_stdout(output):
        exec(compile(tree, name, "exec"), namespace)  # noqa: S102
        if last is not None:
            value = eval(compile(ast.Expression(last.value), name, "eval"), namespace)  # noqa: S307
    return output.getvalue(), value


def output_parts(value: Any, keep: Callable[[bytes], str]) -> list[str]:
    """Output of a notebook for a value: a picture of a figure, else its text."""
    if value is None:
        return []
    figure = getattr(value, "figure", None)  # of a figure itself, or of what is drawn in it
    if hasattr(figure, "savefig"):
        image = io.BytesIO()
        figure.savefig(image, format="svg", bbox_inches="tight")
        return [f"![{_title(figure)}]({keep(image.getvalue())})"]
    return [f"```text\n{value}\n```"]


def _title(figure: Any) -> str:
    texts = [axes.get_ylabel() for axes in figure.axes]
    return "Figure: " + (", ".join(filter(None, texts)) or "drawn by the cell above")


def quiet() -> None:
    """Set the environment of cells: no window for figures, tables at full width."""
    os.environ.setdefault("MPLBACKEND", "Agg")
    os.environ["COLUMNS"] = "120"
