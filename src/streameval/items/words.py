"""Texts of kinds: titles, entries of the report's menu, captions.

They are in the file ``words.yaml`` of each family.

No study imports this module, so that another word computes nothing again.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from functools import cache
from pathlib import Path
from typing import Any

from streameval.items.kind import Kind
from streameval.settings import load_yaml


@dataclass(frozen=True, kw_only=True)
class Words:
    """Texts of a kind, or of one of its pictures. Settings are quoted in braces.

    Parameters
    ----------
    subject : str
        Its entry in the report's menu; see `streameval.pipeline.items`.
    caption : str
        The text below it.
    title : str
        The text above its table.
    evaluation : str
        By which protocol a study that trains learners itself evaluates them.
    pictures : mapping of str to Words
        Those of its pictures by their names, if it does not have one for each stream.
    """

    subject: str
    caption: str
    title: str = ""
    evaluation: str = ""
    pictures: Mapping[str, Words] = field(default_factory=dict)


@cache
def _of_family(name: str) -> Mapping[str, Mapping[str, Any]]:
    """Return the content of the file of a family, by kind."""
    rows: Mapping[str, Mapping[str, Any]] = load_yaml(Path(__file__).parent / name / "words.yaml")
    return rows


def words_of(kind: Kind) -> Words:
    """Return the texts of a kind."""
    rows = _of_family(kind.place.partition(".")[0])
    return _words(rows[kind.name], rows)


def _words(row: Mapping[str, Any], rows: Mapping[str, Mapping[str, Any]]) -> Words:
    """Return the words of a row; those of another kind, with some before each caption, if so."""
    if "like" in row:
        other, before = _words(rows[row["like"]], rows), row["before"]
        pictures = {
            name: replace(one, caption=f"{before} {one.caption}")
            for name, one in other.pictures.items()
        }
        own = {"title": row["title"], "subject": row["subject"], "pictures": pictures}
        return replace(other, caption=f"{before} {other.caption}", **own)
    pictures = {name: _words(one, rows) for name, one in row.get("pictures", {}).items()}
    return Words(**{**row, "pictures": pictures})
