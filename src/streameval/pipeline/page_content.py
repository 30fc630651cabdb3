"""The content of the pages of a run's studies, as plain data for the job that writes them."""

from __future__ import annotations

import os
import re
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from typing import Any

import yaml

from streameval import papers
from streameval.base import settings
from streameval.base.sources import PACKAGE
from streameval.base.user_code import file_of_module
from streameval.learners.registry import LEARNERS, LearnerSpec
from streameval.pipeline import items, products
from streameval.pipeline.configuration import shipped_studies, study_content
from streameval.pipeline.failed_notes import with_failed_captions
from streameval.pipeline.items import Item
from streameval.pipeline.plan import Plan
from streameval.pipeline.runs import time_of
from streameval.pipeline.study_errors import WHOLE_STUDY
from streameval.pipeline.study_jobs import (
    Job,
    error_records,
    frame_files,
    frame_streams,
    predictions_of,
    stream_file,
)
from streameval.report.names import item_title, study_titles
from streameval.streams.variants import file_stem

#: Folder of the published numbers in the project.
PUBLISHED = "resources/published"
#: Documents of the project with findings: differences from published numbers, and other studies.
FINDINGS = ("docs/findings.md", "validation/findings.md")
#: The name of the first page, which links to all others.
INDEX = "index"


def first_page(plan: Plan) -> str:
    """The page that links to the others."""
    return page_files(plan)[INDEX]


def page_files(plan: Plan) -> dict[str, str]:
    """The files of the pages of a run, by the ids of studies; the first page has `INDEX`."""
    return {name: f"{plan.summary}/{name}.html" for name in [*_studies_with_pages(plan), INDEX]}


def _studies_with_pages(plan: Plan) -> list[str]:
    """The studies with at least one item on a page."""
    return [
        study
        for study in plan.studies
        if any(item.study == study for item in _items_on_pages(plan))
    ]


def _items_on_pages(plan: Plan) -> list[Item]:
    """The items with a figure or a table, and items whose streams are all missing."""
    with_results = {
        item.id for item in (*products.figure_items(plan).values(), *products.table_items(plan))
    }
    return [item for item in plan.items.values() if item.id in with_results or item.streams]


def studies_of(plan: Plan, jobs: Iterable[Job]) -> list[dict[str, Any]]:
    """The content of the pages of studies: title, reference and items of each.

    `jobs` compute and show the items. Paths are relative to the working folder.
    """
    jobs, all_papers = list(jobs), papers.all_papers()
    titles = study_titles(plan.studies, items.PAPERS | plan.config["titles"])
    contents = []
    for study in _studies_with_pages(plan):
        paper = all_papers.get(study)
        contents.append(
            {
                "study": study,
                "title": titles[study],
                "citation": paper.citation if paper else "",
                "drawn_in": dict(paper.drawn_in) if paper else {},
                "published": _published(plan, study),
                "findings": _findings(plan, titles[study]),
                "items": [
                    _item(plan, item, jobs) for item in _items_on_pages(plan) if item.study == study
                ],
                # All items of a job are of one study.
                "logs": [products.log_of(job) for job in jobs if job.items[0].study == study],
            }
        )
    return contents


def _published(plan: Plan, study: str) -> list[dict[str, str]]:
    """Names of the files with the published numbers of a study, and links from pages to them."""
    folder = settings.locate(PUBLISHED) / study
    return [
        {"name": path.name, "at": _relative_to_pages(plan, path)}
        for path in sorted(folder.glob("*.csv"))
    ]


def _findings(plan: Plan, title: str) -> list[dict[str, str]]:
    """The sections of findings about a study; none outside a clone.

    Their headings are the title of the study, or the title, a comma and a subject.
    """
    in_clone = bool(code_folder(plan))
    pages = [page for page in map(Path, FINDINGS) if in_clone and page.is_file()]
    return [
        {
            "name": head.removeprefix(f"{title}, "),
            "at": f"{_relative_to_pages(plan, page)}#{heading_anchor(head)}",
        }
        for page in pages
        for head in re.findall("^## (.*)$", page.read_text(encoding="utf-8"), re.MULTILINE)
        if head == title or head.startswith(f"{title}, ")
    ]


def heading_anchor(head: str) -> str:
    """The anchor that hosts of repositories give to a heading in Markdown."""
    return re.sub(r"[^\w\s-]", "", head.lower()).strip().replace(" ", "-")


def not_run(plan: Plan) -> dict[str, Any]:
    """The titles of the project's studies that a run leaves out, and the command that runs all."""
    # A run with a study of the user is not a run of the project with some studies left out.
    shipped = shipped_studies() if plan.is_shipped else []
    missing = [name for name in shipped if name not in plan.studies]
    titles = dict(items.PAPERS)
    for study in missing:
        titles |= study_content(study).get("titles", {})
    command_in_clone = "make reproduce STUDIES=all"
    return {
        "titles": [*study_titles(missing, titles).values()],
        "command": command_in_clone
        if code_folder(plan)
        else "streameval run -- --config studies=all",
    }


def _item(plan: Plan, item: Item, jobs: Sequence[Job]) -> dict[str, Any]:
    """The content of an item on a page."""
    streams = frame_streams(plan, item)
    # Jobs of this item alone: the time of a job of several items cannot be split.
    own_jobs = [job for job in jobs if [other.id for other in job.items] == [item.id]]
    is_drawn, is_tabled = item.id in products.figure_items(plan), item in products.table_items(plan)
    frames = [path for name in streams for path in frame_files(item, name).values()]
    table_formats = products.TABLE_FORMATS if is_tabled else ()
    left_out = [name for name in item.streams if name in plan.left_out]
    return {
        "id": item.id,
        "name": item.name,
        "title": item_title(item.name),
        "kind": item.kind.name,
        "subject": items.subject_of(item),
        "pictures": _pictures(plan, item) if is_drawn else [],
        "learners": _learners_that_may_fail(plan, item),
        "errors": _error_files(plan, item),
        "table": products.table_file(item, "html") if is_tabled else "",
        "caption": items.table_caption(item) if is_tabled else "",
        "tables": [products.table_file(item, form) for form in table_formats],
        "data": frames,
        "code": _code(plan, item),
        "settings": _settings_as_yaml(plan, item),
        "methods": (
            {"caption": items.methods_caption(item), "settings": _settings(plan, item)}
            if is_drawn or is_tabled
            else None
        ),
        "left_out": left_out,
        "logs": [products.log_of(job) for job in own_jobs],
    }


def run_file(plan: Plan) -> str:
    """The file with the origin of all results of a run."""
    return f"{plan.summary}/run.json"


def registered_learners(plan: Plan) -> dict[str, dict[str, Any]]:
    """Title, seed and citation of each learner of a run, by its id."""
    rows = {name: plan.learners[name] for name in plan.all_learners}
    return {
        name: {
            **{key: getattr(row, key) for key in ("title", "seed", "is_random")},
            "citation": _citation(plan, row),
        }
        for name, row in rows.items()
    }


def _citation(plan: Plan, row: LearnerSpec) -> str:
    """The citation of a learner, from its row or from another row of the same class."""
    if not row.citation and row.is_adapter:
        return LEARNERS[row.learner].reference
    same = (spec.citation for spec in plan.learners.values() if spec.learner == row.learner)
    return row.citation or next(filter(None, same), "")


def item_recipes(plan: Plan) -> dict[str, dict[str, Any]]:
    """The kind, settings, streams and learners that determine the results of each item.

    They include the settings, streams and learners of the items whose data an item reads.
    """
    learners_of_item = {row["item"]: row["learners"] for row in products.item_runs(plan)}
    recipes = {}
    for item in _items_on_pages(plan):
        sources = [item, *(plan.items[name] for name in item.source_items)]
        names = {name for source in sources for name in learners_of_item.get(source.id, ())}
        streams = {name for source in sources if source.streams for name in plan.streams_of(source)}
        recipes[item.id] = {
            "kind": item.kind.name,
            "settings": [_settings(plan, source) for source in sources],
            "streams": [name for name in plan.streams if name in streams],
            "learners": {name: _recipe(plan.learners[name]) for name in sorted(names)},
        }
    return recipes


def _recipe(row: LearnerSpec) -> dict[str, Any]:
    """The recipe of a learner, without the folder of its modules."""
    return {key: getattr(row, key) for key in ("learner", "parameters", "wrapper", "seed")}


def streams_read(plan: Plan, jobs: Iterable[Job]) -> list[str]:
    """The converted files of the streams that jobs and learners read."""
    files = [path for job in jobs for path in job.inputs.get("streams", ())]
    files += map(stream_file, plan.unsized_streams)  # for their sizes
    files += [stream_file(file_stem(name)) for name, _ in plan.predictions]
    return sorted({*files})


def _settings(plan: Plan, item: Item) -> dict[str, Any]:
    """Settings as plain data, with the number of seeds of each random learner."""
    seeds = {"seeds": plan.seeds_of(item)} if item.shows_seeds else {}
    return item.plain_settings() | seeds


def _learners_that_may_fail(plan: Plan, item: Item) -> list[str]:
    """The learners whose failures are named in captions of an item."""
    trained = (
        name for item_id in (item.id, *item.source_items) for name in plan.items[item_id].learners
    )
    return [*dict.fromkeys([*item.settings.evaluated_learners(), *trained]), WHOLE_STUDY]


def _error_files(plan: Plan, item: Item) -> dict[str, list[str]]:
    """The files that record errors of the learners that an item shows, by stream."""
    if item.kind.reads != "predictions":
        return {stream: [path] for stream, path in error_records(plan, item).items()}
    streams = plan.streams_of(item)
    return {stream: [*predictions_of(plan, item, stream).values()] for stream in streams}


def _pictures(plan: Plan, item: Item) -> list[dict[str, str]]:
    folder, captions = products.figure_folder(item), products.captions_of(plan, item)
    return [
        {"name": name, "file": f"{folder}/{name}", "caption": caption}
        for name, caption in captions.items()
    ]


def _code(plan: Plan, item: Item) -> list[dict[str, str]]:
    """Names of the files that compute and show an item, and links from pages to them."""
    kind, files = item.kind, list[dict[str, str]]()
    for module in dict.fromkeys([kind.study_module, kind.show_module]):
        if kind.folder:
            path = file_of_module(module, kind.folder)
            folder_of_kind = Path(kind.folder).absolute()
            is_below = folder_of_kind in path.parents
            name = str(path.relative_to(folder_of_kind)) if is_below else path.name
            files.append({"name": name, "at": _relative_to_pages(plan, path)})
        else:
            name, folder = f"{module.replace('.', '/')}.py", code_folder(plan)
            files.append({"name": name, "at": f"{folder}/{name}" if folder else ""})
    return files


def _settings_as_yaml(plan: Plan, item: Item) -> str:
    """The block of the configuration that describes an item, as YAML."""
    block = plan.config["items"][item.study][item.name]
    return yaml.safe_dump({item.name: block}, sort_keys=False, allow_unicode=True, width=90)


def with_root(
    studies: Iterable[Mapping[str, Any]],
    root: Path,
    learners: Mapping[str, Mapping[str, Any]],
    streams: Mapping[str, Mapping[str, Any]],
) -> list[dict[str, Any]]:
    """The content from `studies_of` after the run, with paths that start at the folder `root`.

    Captions name learners that failed, by the titles in the entries of learners and streams.
    """

    def below_root(path: str) -> str:
        return str(root / path) if path else path

    def rooted_item(item: Mapping[str, Any]) -> dict[str, Any]:
        pictures = [
            {**picture, "file": below_root(picture["file"])} for picture in item["pictures"]
        ]
        lists: dict[str, Any] = {
            key: [below_root(path) for path in item[key]] for key in ("tables", "data")
        }
        errors = {name: [*map(below_root, paths)] for name, paths in item["errors"].items()}
        lists |= {"table": below_root(item["table"]), "pictures": pictures, "errors": errors}
        return {**item, **lists}

    rooted_studies = [
        {**study, "items": [rooted_item(item) for item in study["items"]]} for study in studies
    ]
    learner_titles, stream_titles = (
        {name: str(entry["title"]) for name, entry in entries.items()}
        for entries in (learners, streams)
    )
    return with_failed_captions(rooted_studies, learner_titles, stream_titles)


def code_folder(plan: Plan) -> str:
    """The path from the pages to the sources of a clone; "" outside a clone."""
    sources = Path("src")  # a run's folder may have a link to the sources of a clone
    if PACKAGE.parent.resolve() != sources.resolve():
        return ""
    return _relative_to_pages(plan, sources)


def _relative_to_pages(plan: Plan, path: Path) -> str:
    return Path(os.path.relpath(path, plan.summary)).as_posix()


def job_times(studies: Iterable[Mapping[str, Any]], logs: Path) -> dict[str, tuple[int, float]]:
    """The number of jobs of each study and item, by id, and their seconds.

    Jobs whose log is missing are not counted. An item without a job of its own has no entry.
    """
    places = {study["study"]: study["logs"] for study in studies}
    places |= {item["id"]: item["logs"] for study in studies for item in study["items"]}
    times_by_place = {}
    for name, logs_of_jobs in places.items():
        times = [time for place in logs_of_jobs if (time := time_of(logs / f"{place}.log"))]
        if times:
            times_by_place[name] = len(times), sum(time.seconds for time in times)
    return times_by_place
