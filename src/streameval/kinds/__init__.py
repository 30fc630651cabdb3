"""Kinds of items: what a table or figure of a study can be (floor 5).

A module of this folder, called as its kind, describes it in `KIND`; the folder is the registry. Of
the same name are the function that computes it, ``studies/<kind>.py``, and the one that shows
it, ``report/figures/<kind>.py`` or ``report/layouts/<kind>.py``.
"""

from __future__ import annotations

from functools import cache
from importlib import import_module
from pathlib import Path

from streameval.kinds.kind import Kind

#: Modules of this folder that describe no kind.
_SHARED = {"document", "kind", "recorded", "settings", "words"}


@cache
def names_of_kinds() -> tuple[str, ...]:
    """Return the names of all kinds, in alphabetical order."""
    found = {path.stem for path in Path(__file__).parent.glob("[a-z]*.py")}
    return tuple(sorted(found - _SHARED))


def kind_of(name: str) -> Kind:
    """Return a kind by its name, one of `names_of_kinds`."""
    found: Kind = import_module(f"{__name__}.{name}").KIND
    return found
