"""Kinds of tables and figures by subject: settings, studies, drawings, tables and captions.

A folder for each family; `docs/howto/own_kind.md` says what is in its files.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from functools import cache
from importlib import import_module
from pathlib import Path

from streameval.base.errors import ConfigError
from streameval.base.other_tools import import_user_module
from streameval.base.settings import load_yaml
from streameval.items.kind import Kind


@cache
def kinds() -> Mapping[str, Kind]:
    """All kinds of the package by their names, in alphabetical order."""
    families = (path.parent.name for path in Path(__file__).parent.glob("*/__init__.py"))
    every = [kind for family in families for kind in kinds_in(f"{__name__}.{family}")]
    return {kind.name: kind for kind in sorted(every, key=lambda kind: kind.name)}


def kinds_beside(folder: Path) -> dict[str, Kind]:
    """Kinds of the modules that the studies in a folder name, in alphabetical order of names."""
    studies = [load_yaml(path) for path in sorted(folder.glob("*.yaml"))]
    modules = dict.fromkeys(name for study in studies for name in study.get("kinds", ()))
    every = [kind for module in modules for kind in kinds_in(module, str(folder))]
    return {kind.name: kind for kind in sorted(every, key=lambda kind: kind.name)}


def kind_at(module: str, name: str, folder: str) -> Kind:
    """A kind by its `Kind.place`; no other module of kinds is imported."""
    return next(kind for kind in kinds_in(module, folder) if kind.name == name)


def kinds_in(module: str, folder: str = "") -> tuple[Kind, ...]:
    """The kinds that a module lists in ``KINDS``.

    Modules from outside the package are looked for among the installed ones first, then in
    `folder`.

    Raises
    ------
    ConfigError
        If a module from outside the package cannot be imported, or has no ``KINDS``.
    """
    declaring = import_user_module(module, folder) if folder else import_module(module)
    listed = getattr(declaring, "KINDS", None)
    if not isinstance(listed, tuple | list) or not all(
        isinstance(member, Kind) for member in listed
    ):
        raise ConfigError(
            f"expected KINDS, a tuple of streameval.items.kind.Kind, in {declaring.__file__}, "
            "found none. Define it there."
        )
    return tuple(replace(kind, module=module, folder=folder) for kind in listed)
