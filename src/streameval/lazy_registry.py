"""Registries by name whose entries are imported when they are first used."""

from __future__ import annotations

import importlib
from collections.abc import Iterator, Mapping
from typing import Generic, TypeVar

Entry = TypeVar("Entry")


class LazyRegistry(Mapping[str, Entry], Generic[Entry]):
    """Named objects of the package; reading the names imports none of them.

    Parameters
    ----------
    places : mapping of str to str
        Where the object of each name is, as ``"package.module:name"``. A job depends on the
        modules named this way as it does on imported ones, see `streameval.sources`.
    """

    def __init__(self, places: Mapping[str, str]) -> None:
        self._places = dict(places)

    def __getitem__(self, name: str) -> Entry:
        module, _, attribute = self._places[name].partition(":")
        entry: Entry = getattr(importlib.import_module(module), attribute)
        return entry

    def __contains__(self, name: object) -> bool:
        return name in self._places  # Mapping's own would import the entry

    def __iter__(self) -> Iterator[str]:
        return iter(self._places)

    def __len__(self) -> int:
        return len(self._places)

    def module(self, name: str) -> str:
        """Return the dotted name of the module of an entry, without importing it."""
        return self._places[name].partition(":")[0]
