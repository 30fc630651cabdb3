"""The papers whose numbers and claims a run is compared with, a folder each.

The folder's name is the paper's id. Its ``__init__.py`` has the `TITLE`, `DATE`, `CITATION` and, if
there are any, `PAIRS`, `DRAWN_IN` and `READS` of a `Paper`, and imports nothing; ``published.py``
has `TABLES`, the tables and how ours are found, and all thresholds of claims; ``claims.py`` has
`CLAIMS`, the rules that judge the claims. The two may be missing. The printed numbers and the texts
of the claims are in ``resources/published/<id>``.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from importlib import import_module
from importlib.util import find_spec
from pkgutil import iter_modules
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from streameval.report.claims import Predicate
    from streameval.report.published import PublishedTable


@dataclass(frozen=True)
class Paper:
    """A paper. Its tables and claims are imported when they are first used.

    Parameters
    ----------
    id : str
        The name of its folder: first author and year.
    title : str
        Its name in texts: "Bifet et al. (2013)".
    date : str
        Year and month of publication: "2013-09".
    citation : str
        The full reference.
    pairs : sequence of (str, str)
        Learners whose difference in accuracy its claims need, beside those that are always
        measured, see `streameval.evaluation.differences`: a learner and the one to compare it with.
    drawn_in : mapping of str to str
        Figures of it that are a part of the picture of another item, and this item.
    reads : sequence of str
        Items of other studies, ``study/item``, whose data its claims read where a run has them.
    """

    id: str
    title: str
    date: str
    citation: str
    pairs: Sequence[tuple[str, str]] = ()
    drawn_in: Mapping[str, str] = field(default_factory=dict)
    reads: Sequence[str] = ()

    @cached_property
    def tables(self) -> Sequence[PublishedTable]:
        """Its published tables."""
        return tuple(self._part("published", "TABLES", ()))

    @cached_property
    def claims(self) -> Mapping[str, Predicate]:
        """The rules that judge its claims, by the claim's key in its ``claims.csv``."""
        return dict(self._part("claims", "CLAIMS", {}))

    def _part(self, module: str, name: str, default: Any) -> Any:
        path = f"{__name__}.{self.id}.{module}"
        return getattr(import_module(path), name) if find_spec(path) else default


def listed() -> dict[str, Paper]:
    """All papers by their ids, in the order of their publication, then of their ids."""
    papers = []
    for folder in iter_modules(__path__):  # by this call, `sources` knows that all of them count
        if folder.ispkg:
            module = import_module(f"{__name__}.{folder.name}")
            facts = (module.TITLE, module.DATE, module.CITATION, getattr(module, "PAIRS", ()))
            more = getattr(module, "DRAWN_IN", {}), getattr(module, "READS", ())
            papers.append(Paper(folder.name, *facts, *more))
    return {paper.id: paper for paper in sorted(papers, key=lambda paper: (paper.date, paper.id))}


def among(studies: Iterable[str]) -> list[Paper]:
    """The papers that are among studies, in the order of these."""
    papers = listed()
    return [papers[study] for study in dict.fromkeys(studies) if study in papers]
