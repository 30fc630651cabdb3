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
from streameval.items.kind import ItemKind


@cache
def kinds() -> Mapping[str, ItemKind]:
    """All kinds of the package by their names, in alphabetical order."""
    families = (path.parent.name for path in Path(__file__).parent.glob("*/__init__.py"))
    modules = (f"{__name__}.{family}" for family in families)
    return _by_name([kind for module in modules for kind in kinds_in(module)])


def kinds_of_studies(folder: Path) -> dict[str, ItemKind]:
    """Kinds of users, by name and sorted.

    The study files of a folder (``*.yaml``) list the modules of these kinds under the key
    ``kinds``.
    """
    studies = [load_yaml(path) for path in sorted(folder.glob("*.yaml"))]
    modules = dict.fromkeys(name for study in studies for name in study.get("kinds", ()))
    return _by_name([kind for module in modules for kind in kinds_in(module, str(folder))])


def _by_name(kinds_of_modules: list[ItemKind]) -> dict[str, ItemKind]:
    return {kind.name: kind for kind in sorted(kinds_of_modules, key=lambda kind: kind.name)}


def kind_at(module: str, name: str, folder: str) -> ItemKind:
    """A kind by its `ItemKind.import_arguments`; imports only the module that declares it."""
    return next(kind for kind in kinds_in(module, folder) if kind.name == name)


def kinds_in(module: str, folder: str = "") -> tuple[ItemKind, ...]:
    """The kinds that a module lists in ``KINDS``.

    `folder` is for modules from outside the package: they are imported from the installed modules
    or, if none has the name, from this folder.

    Raises
    ------
    ConfigError
        If a module from outside the package cannot be imported, or has no ``KINDS``.
    """
    declaring_module = import_user_module(module, folder) if folder else import_module(module)
    module_kinds = getattr(declaring_module, "KINDS", None)
    if not isinstance(module_kinds, tuple | list) or not all(
        isinstance(kind, ItemKind) for kind in module_kinds
    ):
        raise ConfigError(
            "expected KINDS, a tuple of streameval.items.kind.ItemKind, in "
            f"{declaring_module.__file__}, found none. Define it there."
        )
    return tuple(replace(kind, module=module, folder=folder) for kind in module_kinds)
