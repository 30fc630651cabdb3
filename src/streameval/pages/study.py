"""The pages of a run: one for each study, and the first page, which leads to them."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any, NamedTuple

import pandas as pd
from docutils.core import publish_parts
from docutils.writers.html5_polyglot import Writer
from markupsafe import Markup

from streameval.pages.inside import Inside
from streameval.pages.page import render
from streameval.report.html_table import GIVEN, SIGNS, tone
from streameval.report.names import item_title
from streameval.report.scorecard import CLAIM, shown_row

#: So many pictures of an item are seen at once; the others are folded.
SEEN = 2
#: Tones of verdicts, from agreement to what says nothing: their signs and words.
TONES = {
    "good": (SIGNS["good"], "agree"),
    "part": (SIGNS["part"], "agree in part, or at a lower scale"),
    "open": (SIGNS["open"], "undecided, or differ at a lower scale"),
    "bad": (SIGNS["bad"], "differ"),
    "given": ("=", "agree by construction"),
    "none": (SIGNS["none"], "not run"),
}
#: Other pages that a run may have.
OTHERS = (("scorecard.html", "The scorecard"), ("recorded.html", "Recorded runs"))
#: Figures and tables by the number of their last one: fig6, fig6-8, table1_rules.
_NUMBERED = re.compile(r"(fig|table)(?:\d+-)?(\d+)(?:_.*)?")


class Count(NamedTuple):
    """How many published numbers and claims have verdicts of a tone."""

    tone: str
    sign: str
    words: str
    number: int


class Row(NamedTuple):
    """A published number or claim beside ours."""

    what: str
    published: str
    ours: str
    difference: str
    verdict: str
    tone: str
    why: str


class Report:
    """What the pages of a run are made of.

    Parameters
    ----------
    studies : sequence of mapping
        The studies, see `streameval.pipeline.paged.studies_of`.
    card : pandas.DataFrame or None
        The scorecard; None of a run without papers.
    took : mapping of str to (int, float)
        How many jobs items and studies had, by their ids, and how many seconds these took.
    folder : Path
        The folder of the pages.
    code : str
        Where sources are, seen from there; "" where there are none.
    """

    def __init__(
        self,
        studies: Sequence[Mapping[str, Any]],
        card: pd.DataFrame | None,
        took: Mapping[str, tuple[int, float]],
        folder: Path,
        code: str = "",
    ) -> None:
        self.studies, self._took, self._folder, self._code = studies, took, folder, code
        rows: list[Any] = [] if card is None else card.to_dict("records")
        self._rows = [(str(row["paper"]), str(row["item"]), _row(row)) for row in rows]

    def study_page(self, study: Mapping[str, Any]) -> str:
        """Return the page of a study."""
        inside = Inside(self._folder)
        items = [self._item(study["study"], item, inside) for item in study["items"]]
        for name in dict.fromkeys(item for paper, item, _ in self._rows if paper == study["study"]):
            if name not in {item["name"] for item in items}:
                items.insert(_place(name, items), self._of_paper(study["study"], name))
        return render(
            "study.html",
            inside.drawings,
            title=study["title"],
            study=study,
            items=items,
            counts=self._counts(study["study"]),
            took=self._took.get(study["study"]),
        )

    def index_page(self, overview: str) -> str:
        """Return the first page; `overview` is its text in reStructuredText."""
        found, rest = _parts(overview)
        shown = [
            {
                "title": study["title"],
                "page": f"{study['study']}.html",
                "items": study["items"],
                "counts": self._counts(study["study"]),
                "took": self._took.get(study["study"]),
            }
            for study in self.studies
        ]
        return render(
            "index.html",
            (),
            title="What this run found",
            found=found,
            rest=rest,
            studies=shown,
            others=[(title, at) for at, title in OTHERS if (self._folder / at).is_file()],
        )

    def _counts(self, study: str) -> list[Count]:
        tones = [row.tone for paper, _, row in self._rows if paper == study]
        return [Count(one, *TONES[one], tones.count(one)) for one in TONES if one in tones]

    def _beside(self, study: str, item: str) -> dict[str, list[Row]]:
        """Return the published numbers and the claims of an item."""
        rows = [row for paper, name, row in self._rows if (paper, name) == (study, item)]
        claims = [row for row in rows if not row.published]
        return {"numbers": [row for row in rows if row.published], "claims": claims}

    def _of_paper(self, study: str, item: str) -> dict[str, Any]:
        """Return what a page shows of a figure or table that is no item of the run."""
        beside = self._beside(study, item)
        return {"name": item, "title": item_title(item), "subject": "", "kind": "", **beside}

    def _item(self, study: str, item: Mapping[str, Any], inside: Inside) -> dict[str, Any]:
        pictures = [inside.picture(one) for one in item["pictures"]]
        code = [
            {"name": one, "at": f"{self._code}/{one}" if self._code else ""} for one in item["code"]
        ]
        return {
            **item,
            **self._beside(study, item["name"]),
            "seen": pictures[:SEEN],
            "folded": pictures[SEEN:],
            "shown_table": inside.table(item["table"]),
            "links": inside.links(item),
            "code": code,
            "took": self._took.get(item["id"]),
        }


def _row(row: Mapping[str, Any]) -> Row:
    """Return a row of the scorecard in words; a claim has nothing published but itself."""
    _, what, published, ours, difference, verdict, why = shown_row(dict(row))
    published = "" if published == CLAIM else published
    what, _, _ = what.partition("\n")
    of = "given" if GIVEN in verdict else tone(verdict)
    return Row(what, published, ours, difference, verdict, of, why)


def _place(name: str, items: Sequence[Mapping[str, Any]]) -> int:
    """Return where among items a figure or table of a paper stands: by its number."""
    kind, number = _numbered(name)
    before = [
        place
        for place, (of, own) in enumerate(_numbered(item["name"]) for item in items)
        if of == kind and own <= number
    ]
    return before[-1] + 1 if kind and before else len(items)


def _numbered(name: str) -> tuple[str, int]:
    found = _NUMBERED.fullmatch(name)
    return (found[1], int(found[2])) if found else ("", 0)


_SECTION = "<section"
#: Nothing in a text may read files or become markup.
_PLAIN = {
    "file_insertion_enabled": False,
    "raw_enabled": False,
    "report_level": 4,
    "doctitle_xform": False,
}


def _parts(overview: str) -> tuple[Markup, Markup]:
    """Return the first paragraphs of a text in reStructuredText, and its sections, as HTML."""
    body = publish_parts(overview, writer=Writer(), settings_overrides=_PLAIN)["html_body"]
    first, section, rest = body.partition(_SECTION)
    first, rest = first.partition(">")[2], section + rest.rpartition("</main>")[0]
    return Markup(first), Markup(rest)  # noqa: S704  docutils escapes what it is given
