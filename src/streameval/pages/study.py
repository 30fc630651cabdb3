"""The pages of a run: one for each study, and the first page, which leads to them."""

from __future__ import annotations

import os
import re
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from typing import Any, NamedTuple

import pandas as pd
from markupsafe import Markup

from streameval.drawing.svg import inline, points_of
from streameval.pages.origin import RunOrigin
from streameval.pages.page import render
from streameval.report.left_out import SECTION
from streameval.report.methods import Registered
from streameval.report.names import item_title
from streameval.report.reproduced import paper_sentence
from streameval.report.scorecard import CLAIM, shown_row
from streameval.report.verdict_groups import BY_CONSTRUCTION, SCORECARD, verdict_tone
from streameval.report.what_ran import Block, FrontSection, Ran
from streameval.view.files import read_texts
from streameval.view.table_page import SIGNS, table_element

#: So many pictures of an item are seen at once; the others are folded.
SEEN = 2
#: Tones of verdicts, from agreement to what says nothing: their signs and words.
TONES = {
    "good": (SIGNS["good"], "agree"),
    "part": (SIGNS["part"], "agree in part, or at a lower scale"),
    "open": (SIGNS["open"], "undecided, or differ at a lower scale"),
    "bad": (SIGNS["bad"], "differ"),
    BY_CONSTRUCTION: ("=", "agree by construction"),
    "none": (SIGNS["none"], "not run"),
}
#: Why numbers and claims are not run: forms of reasons, each with its words and what to do. The
#: second part of a form is what reasons differ in, such as streams.
_REASONS = (
    (
        re.compile(r"stream (?P<of>\S+) could not be had: (?P<why>.+)"),
        "streams could not be had, {why}",
        Markup('<a href="#{}">the commands that bring them</a>').format(SECTION),
    ),
    (
        re.compile(r"this run has no \S+ for the stream (?P<of>\S+)"),
        "the run was set to leave streams of the paper out",
        "name them in the items of the study",
    ),
    (
        re.compile(r".+: needs .+config/paper\.yaml has all of it"),
        "the run is shorter than the paper's",
        "run with --configfile config/paper.yaml",
    ),
)
#: Largest number of streams and of reasons that are listed.
_NAMED = 6
#: Other pages that a run may have.
OTHERS = ((SCORECARD, "The scorecard"), ("recorded.html", "Recorded runs"))
#: Figures and tables by the number of their last one: fig6, fig6-8, table1_rules.
_NUMBERED = re.compile(r"(fig|table)(?:\d+-)?(\d+)(?:_.*)?")
#: A picture with more bytes is linked; so are those of a page that would have more than these.
MOST_OF_PICTURE, MOST_OF_PAGE = 300_000, 2_500_000
#: A table with more bytes is linked, and one with more rows is folded.
MOST_OF_TABLE, MOST_ROWS = 150_000, 25


class Count(NamedTuple):
    """How many published numbers and claims have verdicts of a tone."""

    tone: str
    sign: str
    words: str
    number: int


class ComparedRow(NamedTuple):
    """A published number or claim beside ours."""

    what: str
    published: str
    ours: str
    difference: str
    verdict: str
    tone: str
    why: str


class ItemPicture(NamedTuple):
    """A picture of an item: its drawing if it is in the page, where it is, its size in points."""

    name: str
    caption: str
    drawing: str
    at: str
    pdf: str
    width: float
    height: float


class ItemTable(NamedTuple):
    """A table of an item with the notes below it, or where it is."""

    table: str
    at: str
    is_long: bool
    notes: Sequence[str]


class Inside:
    """What a page, which stands in a folder, has inside so far."""

    def __init__(self, folder: Path) -> None:
        self._folder, self._room = folder, MOST_OF_PAGE
        self.drawings: list[str] = []

    def at(self, path: str) -> str:
        """The address of a file, seen from the page."""
        return Path(os.path.relpath(path, self._folder)).as_posix()

    def picture(self, picture: Mapping[str, str]) -> ItemPicture:
        """A picture, inside the page if it has room for it."""
        file = Path(f"{picture['file']}.svg")
        text = file.read_text(encoding="utf-8")
        drawing = inline(text, f"p{len(self.drawings) + 1}", picture["caption"])
        if len(drawing.encode()) <= min(MOST_OF_PICTURE, self._room):
            self._room -= len(drawing.encode())
            self.drawings.append(drawing)
        else:
            drawing = ""
        at, pdf = (self.at(f"{picture['file']}.{form}") for form in ("svg", "pdf"))
        return ItemPicture(picture["name"], picture["caption"], drawing, at, pdf, *points_of(text))

    def table(self, file: str) -> ItemTable | None:
        """The table of an item, given its page; inside this page if it is short enough."""
        if not file:
            return None
        table = read_texts(Path(file).with_suffix(".json"))
        element, is_long = table_element(table, table.title), len(table.rows) > MOST_ROWS
        size = len(element.encode())
        if size > min(MOST_OF_TABLE, self._room):
            return ItemTable("", self.at(file), is_long, [])
        self._room -= size
        return ItemTable(element, self.at(file), is_long, table.notes)

    def links(self, item: Mapping[str, Any]) -> list[tuple[str, str]]:
        """Names and addresses of an item's tables and data."""
        paths = [*item["tables"], *item["data"]]
        return [(Path(path).name, self.at(path)) for path in paths if Path(path).is_file()]


class Report:
    """What the pages of a run are made of: its studies, scorecard, and the seconds of its jobs.

    `run` is the content of `RUN_FILE`, `registered` has the entries of streams and learners, `ran`
    what each item ran. `not_run` are further studies' commands.
    """

    def __init__(
        self,
        studies: Sequence[Mapping[str, Any]],
        card: pd.DataFrame | None,
        took: Mapping[str, tuple[int, float]],
        folder: Path,
        run: Mapping[str, Any],
        registered: Registered,
        ran: Iterable[Ran] = (),
        not_run: Mapping[str, Any] | None = None,
    ) -> None:
        self._origin, self._registered = RunOrigin(run), registered
        self._ran = {row.item: row for row in ran}
        self.studies, self._took, self._folder = studies, took, folder
        self._not_run = not_run
        self._card = card
        rows: list[Any] = [] if card is None else card.to_dict("records")
        self._rows = [(str(row["paper"]), str(row["item"]), _row(row)) for row in rows]

    def study_page(self, study: Mapping[str, Any]) -> str:
        """The page of a study."""
        inside = Inside(self._folder)
        items = [self._item(study["study"], item, inside) for item in study["items"]]
        for name in dict.fromkeys(item for paper, item, _ in self._rows if paper == study["study"]):
            if name not in {item["name"] for item in items}:
                # A figure or table of the paper that is no item of the run.
                about = {"name": name, "title": item_title(name), "subject": "", "kind": ""}
                drawn_in = study["drawn_in"].get(name)
                place = {"drawn_in": (drawn_in, item_title(drawn_in)) if drawn_in else ()}
                comparison = self._beside(study["study"], name)
                items.insert(_place(name, items), {**about, **place, **comparison})
        return render(
            "study.html",
            inside.drawings,
            title=study["title"],
            study=study,
            items=items,
            counts=self._counts(study["study"]),
            sentence=self._sentence(study["study"]),
            took=self._took.get(study["study"]),
            obtained=self._origin.study_section(study, self._ran, self._registered),
        )

    def index_page(self, top: Sequence[Block], sections: Sequence[FrontSection]) -> str:
        """The first page: what was found, the studies, and the sections below them."""
        studies = [
            {
                "title": study["title"],
                "page": f"{study['study']}.html",
                "items": study["items"],
                "counts": self._counts(study["study"]),
                "sentence": self._sentence(study["study"]),
                "reasons": self._reasons(study["study"]),
                "took": self._took.get(study["study"]),
            }
            for study in self.studies
        ]
        return render(
            "index.html",
            (),
            title="What this run found",
            top=top,
            sections=sections,
            studies=studies,
            not_run=self._not_run,
            obtained=self._origin.run_section(self.studies, self._ran, self._registered),
            others=[(title, at) for at, title in OTHERS if (self._folder / at).is_file()],
        )

    def addresses(self) -> dict[str, Any]:
        """The studies that have pages, and the addresses of tables by their items' ids.

        The keys are those of `streameval.report.overview.overview`.
        """
        inside = Inside(self._folder)
        items = [item for study in self.studies for item in study["items"]]
        return {
            "pages": [study["study"] for study in self.studies],
            "tables": {item["id"]: inside.at(item["table"]) for item in items if item["table"]},
        }

    def _sentence(self, study: str) -> str:
        """A sentence: how many numbers and claims of a study agree, of those compared."""
        return "" if self._card is None else paper_sentence(self._card, study)

    def _counts(self, study: str) -> list[Count]:
        tones = [row.tone for paper, _, row in self._rows if paper == study]
        return [Count(tone, *TONES[tone], tones.count(tone)) for tone in TONES if tone in tones]

    def _reasons(self, study: str) -> list[str]:
        """Reasons why numbers and claims of a study were not run, the most frequent first."""
        names_by_reason: dict[tuple[str, str], list[str]] = {}
        for paper, _, row in self._rows:
            if paper == study and row.tone == "none":
                for form, words, advice in _REASONS:
                    if match := form.fullmatch(row.why):
                        about = match.groupdict()
                        names_of_reason = names_by_reason.setdefault(
                            (words.format(**about), advice), []
                        )
                        names_of_reason.append(about.get("of", ""))
                        break
                else:
                    names_by_reason.setdefault((row.why, ""), []).append("")
        often = sorted(names_by_reason.items(), key=lambda entry: -len(entry[1]))
        lines = [_reason(*key, names) for key, names in often[:_NAMED]]
        rest = sum(len(names) for _, names in often[_NAMED:])
        return [*lines, f"{rest:,} for other reasons: see the page of the study"] if rest else lines

    def _beside(self, study: str, item: str) -> dict[str, list[ComparedRow]]:
        """The published numbers and the claims of an item."""
        rows = [row for paper, name, row in self._rows if (paper, name) == (study, item)]
        claims = [row for row in rows if not row.published]
        return {"numbers": [row for row in rows if row.published], "claims": claims}

    def _item(self, study: str, item: Mapping[str, Any], inside: Inside) -> dict[str, Any]:
        pictures = [inside.picture(picture) for picture in item["pictures"]]
        return {
            **item,
            **self._beside(study, item["name"]),
            "seen": pictures[:SEEN],
            "folded": pictures[SEEN:],
            "shown_table": inside.table(item["table"]),
            "links": inside.links(item),
            "took": self._took.get(item["id"]),
        }


def _reason(words: str, advice: str, names: Sequence[str]) -> str:
    """A reason with how often it holds, the streams that it is about, and what to do."""
    streams = [name for name in dict.fromkeys(names) if name]
    more = f" and {len(streams) - _NAMED:,} others" if len(streams) > _NAMED else ""
    about = f" ({', '.join(streams[:_NAMED])}{more})" if streams else ""
    return Markup("{:,}: {}{}{}{}").format(len(names), words, about, "; " * bool(advice), advice)


def _row(row: Mapping[str, Any]) -> ComparedRow:
    """A row of the scorecard in words; a claim has nothing published but itself."""
    _, what, published, ours, difference, verdict, why = shown_row(dict(row))
    published = "" if published == CLAIM else published
    what, _, _ = what.partition("\n")
    return ComparedRow(what, published, ours, difference, verdict, verdict_tone(verdict), why)


def _place(name: str, items: Sequence[Mapping[str, Any]]) -> int:
    """The place of a paper's figure or table among the items, by its number."""
    kind, number = _numbered(name)
    before = [
        place
        for place, (of, own_number) in enumerate(_numbered(item["name"]) for item in items)
        if of == kind and own_number <= number
    ]
    return before[-1] + 1 if kind and before else len(items)


def _numbered(name: str) -> tuple[str, int]:
    match = _NUMBERED.fullmatch(name)
    return (match[1], int(match[2])) if match else ("", 0)
