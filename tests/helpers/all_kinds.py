"""The kinds of the package and of the studies in `validation`."""

from __future__ import annotations

from functools import cache

from streameval.base.settings import ROOT
from streameval.items import kinds, kinds_of_studies
from streameval.items.kind import ItemKind

#: The studies that do not come with the package, and their kinds.
VALIDATION = ROOT / "validation"


@cache
def all_kinds() -> dict[str, ItemKind]:
    """All kinds by their names, in alphabetical order."""
    known = {**kinds(), **kinds_of_studies(VALIDATION)}
    return {name: known[name] for name in sorted(known)}
