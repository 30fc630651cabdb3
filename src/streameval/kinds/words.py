"""What people read of kinds: titles, entries of the report's menu, captions (``words.yaml``).

No study imports this module, so that another word computes nothing again.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from functools import cache
from pathlib import Path
from typing import Any

from streameval.yaml_files import load_yaml

_FILE = Path(__file__).with_name("words.yaml")


@dataclass(frozen=True, kw_only=True)
class Words:
    """What people read of a kind, or of one of its pictures. Settings are quoted in braces.

    Parameters
    ----------
    subject : str
        What the report's menu says of it; see `streameval.pipeline.captions`.
    caption : str
        What stands below it.
    title : str
        What stands above its table.
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
def words_of(kind: str) -> Words:
    """Return what people read of a kind, by its name."""
    return _words(_rows()[kind])


@cache
def _rows() -> Mapping[str, Mapping[str, Any]]:
    """Return what the file says of all kinds."""
    rows: Mapping[str, Mapping[str, Any]] = load_yaml(_FILE)
    return rows


def _words(row: Mapping[str, Any]) -> Words:
    """Return the words of a row; those of another kind, with some before each caption, if so."""
    if "like" in row:
        other, before = words_of(row["like"]), row["before"]
        pictures = {
            name: replace(one, caption=f"{before} {one.caption}")
            for name, one in other.pictures.items()
        }
        own = {"title": row["title"], "subject": row["subject"], "pictures": pictures}
        return replace(other, caption=f"{before} {other.caption}", **own)
    pictures = {name: _words(one) for name, one in row.get("pictures", {}).items()}
    return Words(**{**row, "pictures": pictures})
