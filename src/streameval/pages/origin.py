"""How the results of a run were obtained: a section of its first page and of each study's page.

`streameval.pages.obtained` has this section for pages about a user's stream.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from markupsafe import Markup

from streameval.base.provenance import versions_text
from streameval.base.references import bibtex
from streameval.base.values import enumeration, quantity
from streameval.evaluation.run import SEED
from streameval.pages.page import Section
from streameval.report.methods import (
    Registries,
    StudyItem,
    cited_works,
    seeds_text,
    study_methods,
)
from streameval.report.what_ran import ItemRun, TextTable
from streameval.view.numbers import number_text
from streameval.view.parts import Code, Facts, Part, Words

#: Id of the section.
SECTION_ID = "obtained"
#: Title of the section.
SECTION_TITLE = "How it was obtained"
#: File with the origin of the results, in the folder of the pages.
RUN_FILE = "run.json"
#: File with the SHA-256 of each table and figure.
DIGESTS = "digests.json"
_STREAMS_COLUMNS = ("stream", "instances", "SHA-256")
_DIGEST = Markup('<code class="digest">{}</code>')


def read_run_file(path: str) -> dict[str, Any]:
    """The content of `RUN_FILE`."""
    content: dict[str, Any] = json.loads(Path(path).read_text(encoding="utf-8"))
    return content


@dataclass(frozen=True)
class RunOrigin:
    """Origin of the results of a run.

    Parameters
    ----------
    content : mapping
        Content of `RUN_FILE`: ``command``; ``origin`` of all jobs; and ``streams`` that were read,
        each with its ``rows`` and ``digest``.
    """

    content: Mapping[str, Any]

    def facts(self, seeds: str) -> Facts:
        """Versions, commit, date, processor and seeds. If jobs differ, all their values."""
        origin = self.content["origin"]
        # Each package has a number of jobs by version.
        packages = {
            name: enumeration([*n_jobs], "or") for name, n_jobs in origin["versions"].items()
        }
        days = list(dict.fromkeys(moment.partition("T")[0] for moment in origin["begun"]))
        links = Markup('<a href="{}">{}</a> (origin of the results), <a href="{}">{}</a> ({})')
        rows = [
            ("date", " to ".join(days)),
            ("versions", versions_text(packages) if packages else ""),
            ("commit of streameval", self._job_values("commit")),
            ("commit of the study", self._job_values("study_commit")),
            ("processor", self._job_values("processor")),
            ("seeds", seeds),
            (
                "files",
                links.format(
                    RUN_FILE, RUN_FILE, DIGESTS, DIGESTS, "SHA-256 of each table and figure"
                ),
            ),
        ]
        return Facts([row for row in rows if row[1]])

    def _job_values(self, name: str) -> str:
        """A value that all jobs have, or each value with its number of jobs."""
        jobs_by_value: Mapping[str, int] = self.content["origin"][name]
        n_jobs = {value or "unknown": number for value, number in jobs_by_value.items()}
        if len(n_jobs) > 1:
            return "; ".join(
                f"{value} ({quantity(number, 'job')})" for value, number in n_jobs.items()
            )
        return "".join(value for value in n_jobs if value != "unknown")

    def _section(self, seeds: str, parts: Sequence[Part | TextTable]) -> Section:
        """The section with these parts between the facts and the command."""
        command = self.content["command"]
        command_parts = [Code("To repeat the run", command)] if command else []
        return Section(SECTION_ID, SECTION_TITLE, [self.facts(seeds), *parts, *command_parts])

    def streams(self, names: Iterable[str]) -> list[Part | TextTable]:
        """A table of those streams that were read from files."""
        from_files = self.content["streams"]
        cells = [
            [
                name,
                number_text(from_files[name]["rows"]),
                _DIGEST.format(from_files[name]["digest"]),
            ]
            for name in names
            if name in from_files
        ]
        if not cells:
            return []
        intro = Words(["Streams that were read, with the SHA-256 of their content:"], note=True)
        return [intro, TextTable(_STREAMS_COLUMNS, cells, "lrl", stacks_when_narrow=True)]

    def study_section(
        self, study: Mapping[str, Any], item_runs: Mapping[str, ItemRun], registered: Registries
    ) -> Section:
        """The section of a study, with methods and BibTeX to copy.

        Parameters
        ----------
        study : mapping
            The study and its items; see `streameval.pipeline.page_content.studies_of`.
        item_runs : mapping of str to ItemRun
            What each item ran, by the item's id.
        registered : Registries
            Entries of streams and learners.
        """
        items = _items(study, item_runs)
        names = dict.fromkeys(name for item in items if item.run for name in item.run.streams)
        keys, citations = cited_works(study["study"], items, registered)
        return self._section(
            seeds_text(items, registered, SEED),
            [
                *self.streams(names),
                Code("Methods, to copy", study_methods(study["title"], items, registered, SEED)),
                Code("BibTeX, to copy", bibtex(keys, citations)),
            ],
        )

    def run_section(
        self,
        studies: Iterable[Mapping[str, Any]],
        item_runs: Mapping[str, ItemRun],
        registered: Registries,
    ) -> Section:
        """The section about all studies; see `study_section`."""
        items = [item for study in studies for item in _items(study, item_runs)]
        # Seeds in the settings of items differ, so only those of learners are listed.
        seeds = seeds_text([item._replace(settings={}) for item in items], registered, SEED)
        return self._section(seeds, self.streams(registered.streams))


def _items(study: Mapping[str, Any], item_runs: Mapping[str, ItemRun]) -> list[StudyItem]:
    """The items of a study that have a figure or a table, and so methods."""
    return [
        StudyItem(item["title"], **item["methods"], run=item_runs.get(item["id"]))
        for item in study["items"]
        if item["methods"]
    ]
