"""Papers with published numbers and claims for comparison with a run; a folder for each paper.

The name of the folder is the id of the paper. Its ``__init__.py`` imports nothing, as
`all_papers` imports all of them. It has the `TITLE`, `DATE` and `CITATION` of a `Paper`, and may
have `PAIRS`, `DRAWN_IN` and `READS`.
``published.py`` has `TABLES`, the published tables and the look-up of our values, and all
thresholds of claims. ``claims.py`` has `CLAIMS`, the rules that judge the claims. Both may be
missing. The printed numbers and the texts of the claims are in ``resources/published/<id>``.
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
        The full bibliographic reference.
    pairs : sequence of (str, str)
        Pairs of a learner and a reference whose difference in accuracy its claims need, in addition
        to the pairs that `streameval.evaluation.differences` always measures.
    drawn_in : mapping of str to str
        Figures of the paper that we draw as panels of another figure, with the name of the latter.
    reads : sequence of str
        Items of other studies, ``study/item``, whose data its claims read if a run has them.
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
        return tuple(self._attribute("published", "TABLES", ()))

    @cached_property
    def claims(self) -> Mapping[str, Predicate]:
        """The rules that judge its claims, by the claim's key in its ``claims.csv``."""
        return dict(self._attribute("claims", "CLAIMS", {}))

    def _attribute(self, module: str, name: str, default: Any) -> Any:
        """An attribute of a module of the paper; `default` if there is no such module."""
        path = f"{__name__}.{self.id}.{module}"
        return getattr(import_module(path), name) if find_spec(path) else default


def all_papers() -> dict[str, Paper]:
    """All papers by their ids, sorted by publication date, then by id."""
    papers = []
    # `base.sources` recognises this call: the sources of a job then include all papers.
    for folder in iter_modules(__path__):
        if folder.ispkg:
            module = import_module(f"{__name__}.{folder.name}")
            papers.append(
                Paper(
                    folder.name,
                    title=module.TITLE,
                    date=module.DATE,
                    citation=module.CITATION,
                    pairs=getattr(module, "PAIRS", ()),
                    drawn_in=getattr(module, "DRAWN_IN", {}),
                    reads=getattr(module, "READS", ()),
                )
            )
    return {paper.id: paper for paper in sorted(papers, key=lambda paper: (paper.date, paper.id))}


def select_papers(studies: Iterable[str]) -> list[Paper]:
    """The papers with the ids of studies, in the order of the studies."""
    papers = all_papers()
    return [papers[study] for study in dict.fromkeys(studies) if study in papers]
