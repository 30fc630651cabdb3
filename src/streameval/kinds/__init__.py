"""Kinds of items: what a table or figure of a study can be (floor 5).

A module of this folder, called as its kind, describes it in `KIND`; the folder is the registry. Of
the same name are the function that computes it, ``studies/<kind>.py``, and the one that shows
it, ``report/figures/<kind>.py`` or ``report/layouts/<kind>.py``.
"""

from __future__ import annotations

from functools import cache
from importlib import import_module
from pkgutil import iter_modules

from streameval.kinds.kind import Kind

#: Modules of this folder that describe no kind.
_SHARED = ("__main__", "kind", "settings")


@cache
def names_of_kinds() -> tuple[str, ...]:
    """Return the names of all kinds, in alphabetical order."""
    return tuple(sorted(m.name for m in iter_modules(__path__) if m.name not in _SHARED))


def kind_of(name: str) -> Kind:
    """Return a kind by its name, one of `names_of_kinds`."""
    found: Kind = import_module(f"{__name__}.{name}").KIND
    return found
