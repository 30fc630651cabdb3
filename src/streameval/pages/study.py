"""The pages of a run: a page for each study, and the first page with links to them."""

from __future__ import annotations

import os
import re
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from typing import Any, NamedTuple

import pandas as pd
from markupsafe import Markup

from streameval.drawing.svg import inline_file, size_in_points
from streameval.pages.origin import RunOrigin
from streameval.pages.page import render
from streameval.report.left_out import SECTION_ID
from streameval.report.methods import Registries
from streameval.report.names import item_title
from streameval.report.reproduced import paper_sentence
from streameval.report.scorecard import CLAIM, page_cells
from streameval.report.verdict_groups import BY_CONSTRUCTION_TONE, SCORECARD, verdict_tone
from streameval.report.what_ran import Block, FrontSection, ItemRun
from streameval.view.files import read_texts
from streameval.view.table_page import SIGNS, table_element

#: Number of pictures of an item that are visible at first; the others are folded.
UNFOLDED_PICTURES = 2
#: Sign and words of each tone, best tone first. A tone is a class of verdicts with one colour.
TONES = {
    "good": (SIGNS["good"], "agree"),
    "part": (SIGNS["part"], "agree in part, or at a lower scale"),
    "open": (SIGNS["open"], "undecided, or differ at a lower scale"),
    "bad": (SIGNS["bad"], "differ"),
    BY_CONSTRUCTION_TONE: ("=", "agree by construction"),
    "none": (SIGNS["none"], "not run"),
}
#: Reasons why numbers and claims are not run: a pattern, its text on the page, and what to do.
#: Reasons that match one pattern and differ only in the stream, ``of``, are counted together.
_REASONS = (
    (
        re.compile(r"stream (?P<of>\S+) was not available: (?P<why>.+)"),
        "streams were not available, {why}",
        Markup('<a href="#{}">the commands that download them</a>').format(SECTION_ID),
    ),
    (
        re.compile(r"this run has no \S+ for the stream (?P<of>\S+)"),
        "the settings of the run leave out streams of the paper",
        "name them in the items of the study",
    ),
    (
        re.compile(r".+: needs .+config/paper\.yaml has all of it"),
        "the run is shorter than the paper's",
        "run with --configfile config/paper.yaml",
    ),
)
#: Largest number of streams, and of reasons, that are listed.
_MAX_LISTED = 6
#: Files and titles of other pages that a run may have.
OTHER_PAGES = ((SCORECARD, "The scorecard"), ("recorded.html", "Recorded runs"))
#: Names of a paper's figures and tables, such as fig6, fig6-8 and table1_rules, by which they are
#: ordered: kind and last number.
_NUMBERED = re.compile(r"(fig|table)(?:\d+-)?(\d+)(?:_.*)?")
#: Largest size of a picture inside a page, in bytes; a larger picture is linked.
MAX_PICTURE_BYTES = 300_000
#: Largest size of all pictures and tables inside a page, in bytes; further ones are linked.
MAX_PAGE_BYTES = 2_500_000
#: Largest size of a table inside a page, in bytes; a larger table is linked.
MAX_TABLE_BYTES = 150_000
#: Largest number of rows of a table that is visible at first; a longer table is folded.
MAX_UNFOLDED_ROWS = 25


class Count(NamedTuple):
    """How many published numbers and claims have verdicts of a tone."""

    tone: str
    sign: str
    words: str
    number: int


class ComparedRow(NamedTuple):
    """A published number or claim beside the result of the run."""

    what: str
    published: str
    ours: str
    difference: str
    verdict: str
    tone: str
    why: str


class ItemPicture(NamedTuple):
    """A picture of an item: its SVG if it is in the page, its addresses, its size in points."""

    name: str
    caption: str
    drawing: str
    svg: str
    pdf: str
    width: float
    height: float


class ItemTable(NamedTuple):
    """A table of an item with its notes if it is in the page, or else only its address."""

    table: str
    address: str
    is_long: bool
    notes: Sequence[str]


class PageContent:
    """Pictures and tables inside a page, as far as there is room; others are linked."""

    def __init__(self, folder: Path) -> None:
        self._folder, self._bytes_left = folder, MAX_PAGE_BYTES
        self.drawings: list[str] = []

    def address(self, path: str) -> str:
        """The address of a file, relative to the page."""
        return Path(os.path.relpath(path, self._folder)).as_posix()

    def picture(self, picture: Mapping[str, str]) -> ItemPicture:
        """A picture, inside the page if there is room for it."""
        file = Path(f"{picture['file']}.svg")
        text = file.read_text(encoding="utf-8")
        drawing = inline_file(text, f"p{len(self.drawings) + 1}", picture["caption"])
        if len(drawing.encode()) <= min(MAX_PICTURE_BYTES, self._bytes_left):
            self._bytes_left -= len(drawing.encode())
            self.drawings.append(drawing)
        else:
            drawing = ""
        svg, pdf = (self.address(f"{picture['file']}.{suffix}") for suffix in ("svg", "pdf"))
        return ItemPicture(
            picture["name"], picture["caption"], drawing, svg, pdf, *size_in_points(text)
        )

    def table(self, file: str) -> ItemTable | None:
        """The table of an item, given the file of its page; inside this page if it is short."""
        if not file:
            return None
        table = read_texts(Path(file).with_suffix(".json"))
        element, is_long = table_element(table, table.title), len(table.rows) > MAX_UNFOLDED_ROWS
        size = len(element.encode())
        if size > min(MAX_TABLE_BYTES, self._bytes_left):
            return ItemTable("", self.address(file), is_long, [])
        self._bytes_left -= size
        return ItemTable(element, self.address(file), is_long, table.notes)

    def links(self, item: Mapping[str, Any]) -> list[tuple[str, str]]:
        """Names and addresses of an item's tables and data."""
        paths = [*item["tables"], *item["data"]]
        return [(Path(path).name, self.address(path)) for path in paths if Path(path).is_file()]


class RunPages:
    """The pages of a run: `study_page` for each study, and `index_page`.

    Parameters
    ----------
    studies : sequence of mapping
        The studies and their items; see `streameval.pipeline.page_content.studies_of`.
    scorecard : DataFrame or None
        The scorecard.
    costs : mapping
        Number of jobs and seconds of each study and item.
    folder : Path
        Folder of the pages.
    run : mapping
        Content of `RUN_FILE`.
    registries : Registries
        Entries of streams and learners.
    item_runs : iterable of ItemRun
        What each item ran.
    not_run : mapping, optional
        Titles of further studies, and the command that runs them.
    """

    def __init__(
        self,
        studies: Sequence[Mapping[str, Any]],
        scorecard: pd.DataFrame | None,
        costs: Mapping[str, tuple[int, float]],
        folder: Path,
        run: Mapping[str, Any],
        registries: Registries,
        item_runs: Iterable[ItemRun] = (),
        not_run: Mapping[str, Any] | None = None,
    ) -> None:
        self._origin, self._registries = RunOrigin(run), registries
        self._item_runs = {row.item: row for row in item_runs}
        self.studies, self._costs, self._folder = studies, costs, folder
        self._not_run = not_run
        self._scorecard = scorecard
        rows: list[Any] = [] if scorecard is None else scorecard.to_dict("records")
        self._rows = [(str(row["paper"]), str(row["item"]), _row(row)) for row in rows]

    def study_page(self, study: Mapping[str, Any]) -> str:
        """The page of a study."""
        content = PageContent(self._folder)
        items = [self._item(study["study"], item, content) for item in study["items"]]
        for name in dict.fromkeys(item for paper, item, _ in self._rows if paper == study["study"]):
            if name not in {item["name"] for item in items}:
                # A figure or table of the paper that is no item of the run.
                fields: dict[str, Any] = {"name": name, "title": item_title(name)}
                drawn_in = study["drawn_in"].get(name)
                fields["drawn_in"] = (drawn_in, item_title(drawn_in)) if drawn_in else ()
                comparison = self._comparison(study["study"], name)
                no_item = {"subject": "", "kind": ""}
                items.insert(_position(name, items), {**fields, **no_item, **comparison})
        return render(
            "study.html",
            content.drawings,
            title=study["title"],
            study=study,
            items=items,
            counts=self._counts(study["study"]),
            sentence=self._sentence(study["study"]),
            took=self._costs.get(study["study"]),
            obtained=self._origin.study_section(study, self._item_runs, self._registries),
        )

    def index_page(self, top: Sequence[Block], sections: Sequence[FrontSection]) -> str:
        """The first page: the most important results, the studies, and further sections."""
        studies = [
            {
                "title": study["title"],
                "page": f"{study['study']}.html",
                "items": study["items"],
                "counts": self._counts(study["study"]),
                "sentence": self._sentence(study["study"]),
                "reasons": self._reasons(study["study"]),
                "took": self._costs.get(study["study"]),
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
            obtained=self._origin.run_section(self.studies, self._item_runs, self._registries),
            others=[
                (title, address)
                for address, title in OTHER_PAGES
                if (self._folder / address).is_file()
            ],
        )

    def addresses(self) -> dict[str, Any]:
        """The studies that have pages, and the addresses of tables by their items' ids.

        The keys are those of `streameval.report.overview.overview`.
        """
        content = PageContent(self._folder)
        items = [item for study in self.studies for item in study["items"]]
        return {
            "pages": [study["study"] for study in self.studies],
            "tables": {
                item["id"]: content.address(item["table"]) for item in items if item["table"]
            },
        }

    def _sentence(self, study: str) -> str:
        """A sentence that counts the published numbers and claims that the run agrees with."""
        return "" if self._scorecard is None else paper_sentence(self._scorecard, study)

    def _counts(self, study: str) -> list[Count]:
        tones = [row.tone for paper, _, row in self._rows if paper == study]
        return [Count(tone, *TONES[tone], tones.count(tone)) for tone in TONES if tone in tones]

    def _reasons(self, study: str) -> list[str]:
        """Reasons why numbers and claims of a study were not run, the most frequent first."""
        names_by_reason: dict[tuple[str, str], list[str]] = {}
        for paper, _, row in self._rows:
            if paper == study and row.tone == "none":
                for pattern, words, advice in _REASONS:
                    if match := pattern.fullmatch(row.why):
                        values = match.groupdict()
                        names = names_by_reason.setdefault((words.format(**values), advice), [])
                        names.append(values.get("of", ""))
                        break
                else:
                    names_by_reason.setdefault((row.why, ""), []).append("")
        most_frequent = sorted(names_by_reason.items(), key=lambda entry: -len(entry[1]))
        lines = [_reason_line(*key, names) for key, names in most_frequent[:_MAX_LISTED]]
        n_others = sum(len(names) for _, names in most_frequent[_MAX_LISTED:])
        if n_others:
            lines.append(f"{n_others:,} for other reasons: see the page of the study")
        return lines

    def _comparison(self, study: str, item: str) -> dict[str, list[ComparedRow]]:
        """The published numbers and the claims of an item."""
        rows = [row for paper, name, row in self._rows if (paper, name) == (study, item)]
        claims = [row for row in rows if not row.published]
        return {"numbers": [row for row in rows if row.published], "claims": claims}

    def _item(self, study: str, item: Mapping[str, Any], content: PageContent) -> dict[str, Any]:
        pictures = [content.picture(picture) for picture in item["pictures"]]
        return {
            **item,
            **self._comparison(study, item["name"]),
            "unfolded": pictures[:UNFOLDED_PICTURES],
            "folded": pictures[UNFOLDED_PICTURES:],
            "shown_table": content.table(item["table"]),
            "links": content.links(item),
            "took": self._costs.get(item["id"]),
        }


def _reason_line(words: str, advice: str, names: Sequence[str]) -> str:
    """A reason with the number of its cases, its streams, and what to do."""
    streams = [name for name in dict.fromkeys(names) if name]
    others = f" and {len(streams) - _MAX_LISTED:,} others" if len(streams) > _MAX_LISTED else ""
    listed = f" ({', '.join(streams[:_MAX_LISTED])}{others})" if streams else ""
    return Markup("{:,}: {}{}{}{}").format(len(names), words, listed, "; " * bool(advice), advice)


def _row(row: Mapping[str, Any]) -> ComparedRow:
    """A row of the scorecard as texts; for a claim `published` is empty."""
    _, what, published, ours, difference, verdict, why = page_cells(dict(row))
    published = "" if published == CLAIM else published
    what, _, _ = what.partition("\n")
    return ComparedRow(what, published, ours, difference, verdict, verdict_tone(verdict), why)


def _position(name: str, items: Sequence[Mapping[str, Any]]) -> int:
    """The index at which a paper's figure or table is inserted among the items, by its number."""
    kind, number = _kind_and_number(name)
    earlier = [
        i
        for i, (item_kind, item_number) in enumerate(
            _kind_and_number(item["name"]) for item in items
        )
        if item_kind == kind and item_number <= number
    ]
    return earlier[-1] + 1 if kind and earlier else len(items)


def _kind_and_number(name: str) -> tuple[str, int]:
    """The kind, fig or table, and the number in a name; "" and 0 for other names."""
    match = _NUMBERED.fullmatch(name)
    return (match[1], int(match[2])) if match else ("", 0)
