"""Kinds of tables and figures by subject: settings, studies, drawings and layouts.

A folder for each family of kinds:

``settings.py``
    What items of its kinds can set, and `KINDS`, the kinds themselves. Light: a plan reads it.
``words.yaml``
    Titles and captions. No study reads it.
``NAME.py``
    The study of a kind that is drawn: a function ``study``.
``draw_NAME.py``
    Its drawing, a function ``draw``; a module of several drawings names the kind, ``draw_order``.
``tables.py``
    Studies of kinds that are tables only, ``study_rejections``, and layouts of all tables.
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
