"""Sentences about learners that failed, for tables and captions."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

from streameval.base.values import enumeration
from streameval.pipeline.runs import Task, located
from streameval.pipeline.study_errors import WHOLE_STUDY, merged_errors, read_errors


def errors_in(paths: Iterable[str], learners: Iterable[str]) -> dict[str, str]:
    """Errors of some learners, by id, that files of predictions or studies record."""
    errors = merged_errors(paths)
    return {name: errors[name] for name in learners if name in errors}


def errors_on(stream: str, task: Task, inputs: Iterable[str]) -> dict[str, str]:
    """Errors that the studies behind a figure of a stream, or of all ("") record, by id.

    The task is one of a job of `pipeline.products.drawings`, with the job's files.
    """
    errors: dict[str, str] = {}
    for name, path in task["errors"].items():
        if stream in ("", name):
            errors |= read_errors(located(path, inputs))
    return errors


def as_sentence(error: str) -> str:
    """An error with a full stop, unless it ends as a sentence."""
    return error if error.endswith((".", "?", "!")) else f"{error}."


def failure_notes(
    failed: Mapping[str, Mapping[str, str]],
    learners: Mapping[str, str],
    streams: Mapping[str, str],
    *,
    joined: bool = False,
) -> tuple[str, ...]:
    """Sentences about the failures of an item.

    `failed` has errors by stream and learner, or `WHOLE_STUDY`; `learners` and `streams` are their
    titles. A learner is left out on all streams if these are `joined`.
    """
    places = dict[tuple[str, str], list[str]]()
    for stream, errors in failed.items():
        for failure in errors.items():
            places.setdefault(failure, []).append(streams.get(stream, stream))
    out = "is left out" if joined else "is left out there"
    titles = {WHOLE_STUDY: "The study", **learners}
    return tuple(
        f"{titles.get(name, name)} failed on {enumeration(of)} and {out}: {as_sentence(error)}"
        for (name, error), of in places.items()
    )


def with_failed_captions(
    studies: Iterable[Mapping[str, Any]], learners: Mapping[str, str], streams: Mapping[str, str]
) -> list[dict[str, Any]]:
    """Studies with captions that name failed learners; see `pipeline.page_content.rooted`.

    Tables have such sentences below them already.
    """

    def of_item(item: Mapping[str, Any]) -> dict[str, Any]:
        failed = {
            name: errors_in(paths, item["learners"]) for name, paths in item["errors"].items()
        }
        pictures = []
        for picture in item["pictures"]:
            of_stream = {picture["name"]: failed.get(picture["name"], {})}
            joined = picture["name"] not in item["errors"]
            notes = failure_notes(failed if joined else of_stream, learners, streams, joined=joined)
            pictures.append({**picture, "caption": " ".join([picture["caption"], *notes])})
        return {**item, "pictures": pictures}

    return [{**study, "items": [of_item(item) for item in study["items"]]} for study in studies]
