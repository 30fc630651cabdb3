"""Kinds of items: what a table or figure of a study can be (floor 5).

A module of this folder, called as its kind, describes it in `KIND`; the folder is the registry. Of
the same name are the function that computes it, ``studies/<kind>.py``, and the one that shows
it, ``report/figures/<kind>.py`` or ``report/layouts/<kind>.py``.
"""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache
from importlib import import_module
from pkgutil import iter_modules

from streameval.kinds.kind import Kind

#: Modules of this folder that are no kinds.
_SHARED = ("kind", "document", "settings")


@cache
def kinds() -> Mapping[str, Kind]:
    """Return all kinds by their names, in alphabetical order."""
    names = sorted(module.name for module in iter_modules(__path__) if module.name not in _SHARED)
    return {name: import_module(f"{__name__}.{name}").KIND for name in names}
