"""Kinds of tables and figures by subject: settings, words, studies, drawings and layouts.

A folder for each family; `CONTRIBUTING.md` says what is in its files.
"""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache
from importlib import import_module
from pathlib import Path

from streameval.items.kind import Kind


@cache
def kinds() -> Mapping[str, Kind]:
    """Return all kinds by their names, in alphabetical order."""
    families = (path.parent.name for path in Path(__file__).parent.glob("*/settings.py"))
    found = [kind for family in families for kind in _family(family)]
    return {kind.name: kind for kind in sorted(found, key=lambda kind: kind.name)}


def kind_at(place: str) -> Kind:
    """Return a kind by its place, FAMILY.NAME; no other family is imported."""
    family, _, name = place.partition(".")
    return next(kind for kind in _family(family) if kind.name == name)


def _family(name: str) -> tuple[Kind, ...]:
    found: tuple[Kind, ...] = import_module(f"{__name__}.{name}.settings").KINDS
    return found
