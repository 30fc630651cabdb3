"""A stream in a notebook: its classes over time, and its columns."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from streameval import notebook
from streameval.errors import plain

#: Columns that are shown, values of a nominal one, and letters of each.
COLUMNS, _VALUES, _LETTERS = 12, 4, 16
#: Sections of the stream, a point of a line for each.
SECTIONS = 40

Column = tuple[str, tuple[str, ...] | None]


def html(
    summary: str,
    X: NDArray[np.float64],
    y: NDArray[np.generic],
    columns: Sequence[Column],
    target: Column,
) -> str:
    """Return a stream for notebooks.

    Parameters
    ----------
    summary : str
        The stream in a line.
    X : ndarray of float64, shape (n, m)
        Inputs: NaN where missing.
    y : ndarray, shape (n,)
        Codes of classes, negative where missing, or numbers, NaN where missing.
    columns : sequence of (str, tuple of str or None)
        The names of the inputs, each with its values if it is nominal.
    target : (str, tuple of str or None)
        Of the labels likewise.
    """
    name, classes = target
    if classes is None:
        labels = _target(np.asarray(y, np.float64), name)
        known = ~np.isnan(np.asarray(y, np.float64))
    else:
        labels = _classes(np.asarray(y, np.int64), name, classes)
        known = np.asarray(y, np.int64) >= 0
    return notebook.fragment(
        notebook.paragraph(summary),
        notebook.side_by_side(labels, _columns(X[:, :COLUMNS], columns)),
        *(notebook.paragraph(note, note=True) for note in _notes(y[known], len(y), classes)),
    )


def _notes(labels: NDArray[np.generic], n: int, classes: Sequence[str] | None) -> list[str]:
    told = []
    if len(labels) < n:
        told.append(f"{n - len(labels):,} of {n:,} labels are missing.")
    if classes is not None and len(labels) > 1:
        persistent = float(np.mean(labels[1:] == labels[:-1]))
        proportions = np.bincount(labels.astype(np.int64)) / len(labels)
        told.append(
            f"P(T) = {persistent:.4f} of the labels equal the previous label; of independent "
            f"labels with these proportions {float((proportions**2).sum()):.4f} would."
        )
    told.append("Lines: over the stream, in sections of equal length.")
    return told


def _classes(y: NDArray[np.int64], target: str, classes: Sequence[str]) -> str:
    """Return a row for each of the most frequent classes, in the order of their codes."""
    known = np.flatnonzero(y >= 0)
    section, sections = _sections(len(y))
    counts = np.bincount(y[known], minlength=len(classes))
    shown = np.sort(np.argsort(-counts, kind="stable")[: notebook.MOST])
    labelled = np.bincount(section[known], minlength=sections)
    with np.errstate(invalid="ignore"):  # a section without labels
        lines = {
            code: np.bincount(section[y == code], minlength=sections) / labelled
            for code in shown.tolist()
        }
    _, most = notebook.scale(value for over_time in lines.values() for value in over_time)
    rows = []
    for code, over_time in lines.items():
        part = counts[code] / max(len(known), 1)
        rows.append(
            [
                notebook.name(classes[code]),
                notebook.cell(f"{counts[code]:,}"),
                notebook.cell(f"{part:.4f}", notebook.bar(float(part), 0.0, 1.0)),
                notebook.cell("", notebook.line(over_time.tolist(), 0.0, most)),
            ]
        )
    heads = (f"class of {plain(target)!r}", "labels", "proportion", "over time")
    return notebook.table(heads, rows, notebook.rest(len(rows), len(classes), "classes"))


def _target(y: NDArray[np.float64], target: str) -> str:
    """Return the row of a numeric target."""
    known = np.flatnonzero(~np.isnan(y))
    section, sections = _sections(len(y))
    with np.errstate(invalid="ignore"):
        means = np.bincount(section[known], y[known], sections) / np.bincount(
            section[known], minlength=sections
        )
    values = y[known]
    numbers = [values.mean(), values.std(), values.min(), values.max()] if len(known) else []
    row = [notebook.name(target), *(notebook.cell(f"{value:,.4g}") for value in numbers)]
    low, high = (np.nanmin(means), np.nanmax(means)) if len(known) else (0.0, 1.0)
    row.append(notebook.cell("", notebook.line(means.tolist(), float(low), float(high))))
    heads = ("target", *("mean", "sd", "least", "greatest")[: len(numbers)], "mean over time")
    return notebook.table(heads, [row])


def _columns(X: NDArray[np.float64], columns: Sequence[Column]) -> str:
    """Return a row for each of the first inputs."""
    if not columns:
        return ""
    least, most = np.fmin.reduce(X, axis=0), np.fmax.reduce(X, axis=0)
    missing = np.isnan(X).mean(axis=0)
    rows = []
    for (name, values), low, high, part in zip(columns, least, most, missing, strict=False):
        if values is None:
            kind, said = "numeric", f"{low:.4g} to {high:.4g}" if part < 1.0 else "none"
        else:
            kind, texts = "nominal", [plain(value, _LETTERS) for value in values[:_VALUES]]
            said = f"{len(values):,}: {', '.join(texts)}{', ...' * (len(values) > _VALUES)}"
        lacking = notebook.bar(float(part), 0.0, 1.0) if part else ""
        rows.append(
            [
                notebook.name(name),
                notebook.cell(kind),
                notebook.cell(said),
                notebook.cell(f"{part:.2%}" if part else "", lacking),
            ]
        )
    gaps = missing.any()
    heads = ("attribute", "kind", "values", *(["missing"] if gaps else []))
    shown = rows if gaps else [row[:-1] for row in rows]
    return notebook.table(heads, shown, notebook.rest(len(rows), len(columns), "attributes"))


def _sections(n: int) -> tuple[NDArray[np.int64], int]:
    """Return the section of each instance, and their number."""
    sections = min(SECTIONS, n)
    return np.arange(n) * sections // n, sections
